"""The administrators' desk in the place of Django's admin site."""

from django.contrib.admin.apps import AdminConfig


class DeskConfig(AdminConfig):
    default_site = "config.desk.Desk"
