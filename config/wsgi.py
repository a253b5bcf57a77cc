"""The WSGI application. It serves no log that is unprotected, and each web process says that it lives."""

from __future__ import annotations

import logging
import os
from importlib import import_module

from django.conf import settings
from django.core.wsgi import get_wsgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
application = get_wsgi_application()


def _start() -> None:
    from django.db import connection

    from accounts import append_only
    from config import logs
    from games.services import pulse

    # For an operator who turns gunicorn's access log on.
    logging.getLogger("gunicorn.access").addFilter(logs.Masking())
    append_only.require()
    connection.close()
    pulse.keep_beating("web")
    import_module(settings.ROOT_URLCONF)  # the first visitor need not wait for it


_start()
