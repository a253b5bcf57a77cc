"""The addresses of accounts beside allauth's; the first two go before its own, which every link names."""

from django.urls import path, re_path

from accounts.views import addresses, letters, people, settings

app_name = "accounts"
urlpatterns = [
    path("email/", addresses.addresses, name="addresses"),
    re_path(r"^confirm-email/(?P<key>[-:\w]+)/$", addresses.confirm_address, name="confirm_address"),
    path("settings/", settings.player_settings, name="settings"),
    path("letters/", letters.choose, name="letters"),
    path("letters/again/", letters.again, name="letters_again"),
    path("blocks/", people.blocks, name="blocks"),
    path("export/", people.export, name="export"),
    path("delete/", people.erase, name="erase"),
]
