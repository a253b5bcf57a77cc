"""Notes which worker has a thought or an analysis in hand, and how many were killed over an analysis."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("games", "0013_engines"),
    ]

    operations = [
        migrations.AddField(
            model_name="analysis",
            name="begun_at",
            field=models.DateTimeField(blank=True, null=True),
        ),
        migrations.AddField(
            model_name="analysis",
            name="tries",
            field=models.PositiveSmallIntegerField(default=0),
        ),
        migrations.AddField(
            model_name="thought",
            name="begun_at",
            field=models.DateTimeField(null=True),
        ),
    ]
