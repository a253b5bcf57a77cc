"""The addresses of letters: the one by which they are left."""

from django.urls import path

from notifications import views

app_name = "letters"
urlpatterns = [path("leave/<str:token>/", views.leave, name="leave")]
