"""The WSGI application; each web process says that it lives."""

from __future__ import annotations

import os
from threading import Thread
from time import sleep

from django.core.wsgi import get_wsgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
application = get_wsgi_application()


def _beat() -> None:
    from django.db import connection

    from games.services import pulse

    while True:
        pulse.beat("web")
        connection.close()
        sleep(pulse.INTERVAL.total_seconds())


Thread(target=_beat, name="pulse", daemon=True).start()
