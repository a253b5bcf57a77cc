"""Every address of the site."""

from django.conf import settings
from django.contrib import admin
from django.urls import URLPattern, URLResolver, include, path

from accounts.views.language import choose_language
from config import offline
from config.health import healthz

urlpatterns: list[URLPattern | URLResolver] = [
    path("admin/", admin.site.urls),
    path("healthz", healthz, name="healthz"),
    path("offline/<slug:language>/", offline.page, name="offline"),
    path("worker.js", offline.worker, name="worker"),
    path("i18n/setlang/", choose_language, name="set_language"),
    path("accounts/", include("accounts.urls")),
    path("accounts/", include("allauth.account.urls")),
    path("accounts/2fa/", include("allauth.mfa.urls")),
    path("accounts/sessions/", include("allauth.usersessions.urls")),
    path("", include("games.urls")),
]
if settings.MAILBOX:
    urlpatterns.insert(0, path("mailbox/", include("notifications.mailbox.urls")))
