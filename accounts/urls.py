"""The addresses of accounts beside allauth's."""

from django.urls import path

from accounts.views import people, settings

app_name = "accounts"
urlpatterns = [
    path("settings/", settings.player_settings, name="settings"),
    path("blocks/", people.blocks, name="blocks"),
    path("export/", people.export, name="export"),
    path("delete/", people.erase, name="erase"),
]
