"""The addresses of accounts beside allauth's."""

from django.urls import path

from accounts.views import settings

app_name = "accounts"
urlpatterns = [path("settings/", settings.player_settings, name="settings")]
