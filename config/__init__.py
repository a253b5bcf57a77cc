"""The house: settings, addresses, the Celery app and the embedded stack."""

from config.celery import app as celery_app

__all__ = ["celery_app"]
