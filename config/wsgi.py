"""The WSGI application; each web process says that it lives."""

from __future__ import annotations

import os

from django.core.wsgi import get_wsgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
application = get_wsgi_application()


def _web_lives() -> None:
    from games.services import pulse

    pulse.keep_beating("web")


_web_lives()
