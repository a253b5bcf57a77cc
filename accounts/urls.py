"""The addresses of accounts beside allauth's."""

from django.urls import path

from accounts import views

app_name = "accounts"
urlpatterns = [path("settings/", views.player_settings, name="settings")]
