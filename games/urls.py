"""The addresses of games."""

from django.urls import path

from games.views import challenges, lists, table

app_name = "games"
urlpatterns = [
    path("", lists.home, name="home"),
    path("my/", lists.mine, name="mine"),
    path("rules/<slug:name>/", lists.rules, name="rules"),
    path("challenges/", challenges.index, name="challenges"),
    path("challenges/new/", challenges.new, name="challenge_new"),
    path("challenges/<int:pk>/", challenges.show, name="challenge"),
    path("challenges/<int:pk>/accept/", challenges.accept, name="accept"),
    path("challenges/<int:pk>/decline/", challenges.decline, name="decline"),
    path("challenges/<int:pk>/withdraw/", challenges.withdraw, name="withdraw"),
    path("games/<int:pk>/", table.show, name="game"),
    path("games/<int:pk>/move/", table.move, name="move"),
    path("games/<int:pk>/resign/", table.resign, name="resign"),
    path("games/<int:pk>/abort/", table.abort, name="abort"),
    path("games/<int:pk>/propose/", table.propose, name="propose"),
    path("games/<int:pk>/answer/", table.answer, name="answer"),
    path("games/<int:pk>/rematch/", table.rematch, name="rematch"),
    path("games/<int:pk>/record/", table.record, name="record"),
]
