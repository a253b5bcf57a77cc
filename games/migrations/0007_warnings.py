from datetime import timedelta

from django.db import migrations, models
from django.db.models import F


def warn_of_present_deadlines(apps, schema_editor):
    """What `timing.warning` says of the turns that run now."""
    running = apps.get_model("games", "Game").objects.filter(deadline__isnull=False)
    for reflection in running.order_by().values_list("reflection", flat=True).distinct():
        if reflection >= 5 * 3600:
            running.filter(reflection=reflection).update(warn_at=F("deadline") - timedelta(seconds=reflection) / 5)


class Migration(migrations.Migration):

    dependencies = [
        ('games', '0006_rights'),
    ]

    operations = [
        migrations.AddField(
            model_name='game',
            name='warn_at',
            field=models.DateTimeField(blank=True, help_text='when the seat that decides is warned; empty when time is too short for a letter', null=True),
        ),
        migrations.AddIndex(
            model_name='game',
            index=models.Index(condition=models.Q(('warn_at__isnull', False)), fields=['warn_at'], name='live_warnings'),
        ),
        migrations.RunPython(warn_of_present_deadlines, migrations.RunPython.noop),
    ]
