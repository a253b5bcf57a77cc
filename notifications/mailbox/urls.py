"""The addresses of the development mailbox."""

from django.urls import path

from notifications.mailbox import views

app_name = "mailbox"
urlpatterns = [
    path("", views.index, name="index"),
    path("samples/", views.samples, name="samples"),
    path("<slug:name>/", views.letter, name="letter"),
    path("<slug:name>/html/", views.html, name="html"),
    path("<slug:name>/files/<int:place>/", views.file, name="file"),
]
