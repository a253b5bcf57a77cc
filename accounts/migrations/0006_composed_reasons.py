"""Writes the letters of reasons in composed form (NFC), as they are written from now on: names are taken out of such texts only."""

from unicodedata import normalize

from django.db import migrations


def compose(apps, schema_editor):
    reasons = apps.get_model("accounts", "Reason").objects.using(schema_editor.connection.alias)
    for pk, text in reasons.exclude(text="").values_list("pk", "text").iterator():
        composed = normalize("NFC", text)
        if composed != text:
            reasons.filter(pk=pk).update(text=composed)


class Migration(migrations.Migration):

    dependencies = [
        ("accounts", "0005_words"),
    ]

    operations = [
        migrations.RunPython(compose, migrations.RunPython.noop, elidable=True),
    ]
