"""The addresses of games."""

from django.urls import path, register_converter
from django.urls.converters import IntConverter

from games.views import analysis, challenges, computers, guides, invitations, lists, luck, players, rights, table, words


class RowNumber(IntConverter):
    """The number of a row: whatever does not fit into 64 bits is none."""

    regex = "[0-9]{1,18}"


register_converter(RowNumber, "row")

app_name = "games"
urlpatterns = [
    path("", lists.home, name="home"),
    path("showcase/<slug:name>/", lists.showcase, name="showcase"),
    path("my/", lists.mine, name="mine"),
    path("my/finished/", lists.finished, name="finished"),
    path("rules/", guides.index, name="rules_index"),
    path("rules/<slug:name>/", guides.rules, name="rules"),
    path("computer/", computers.play, name="computer"),
    path("challenges/", challenges.index, name="challenges"),
    path("challenges/new/", challenges.new, name="challenge_new"),
    path("challenges/<row:pk>/", challenges.show, name="challenge"),
    path("challenges/<row:pk>/accept/", challenges.accept, name="accept"),
    path("challenges/<row:pk>/decline/", challenges.decline, name="decline"),
    path("challenges/<row:pk>/withdraw/", challenges.withdraw, name="withdraw"),
    path("challenges/<row:pk>/begin/", challenges.begin, name="begin"),
    path("challenges/<row:pk>/invite/", challenges.invite, name="invite"),
    path("challenges/<row:pk>/computer/", challenges.add_computer, name="add_computer"),
    path("challenges/<row:pk>/computer/away/", challenges.send_computer_away, name="send_computer_away"),
    path("invitations/", invitations.remembered, name="invitations"),
    path("invitations/<str:token>/", invitations.answer, name="invitation"),
    path("rights/<str:token>/", rights.right, name="right"),
    path("games/", lists.watch, name="watch"),
    path("games/finished/", lists.watch_finished, name="watch_finished"),
    path("games/<row:pk>/", table.show, name="game"),
    path("games/<row:pk>/<row:number>/", table.step, name="step"),
    path("games/<row:pk>/analysis/", analysis.show, name="analysis"),
    path("games/<row:pk>/analysis/ask/", analysis.ask, name="analyse"),
    path("games/<row:pk>/try/", analysis.trying, name="trying"),
    path("games/<row:pk>/move/", table.move, name="move"),
    path("games/<row:pk>/resign/", table.resign, name="resign"),
    path("games/<row:pk>/abort/", table.abort, name="abort"),
    path("games/<row:pk>/propose/", table.propose, name="propose"),
    path("games/<row:pk>/answer/", table.answer, name="answer"),
    path("games/<row:pk>/rematch/", table.rematch, name="rematch"),
    path("games/<row:pk>/say/", words.say, name="say"),
    path("games/<row:pk>/note/", words.note, name="note"),
    path("games/<row:pk>/record/", table.record, name="record"),
    path("games/<row:pk>/luck/", luck.show, name="luck"),
    path("games/<row:pk>/report/", players.report_in_game, name="report_game"),
    path("players/<row:pk>/", players.show, name="player"),
    path("players/<row:pk>/block/", players.block, name="block"),
    path("players/<row:pk>/unblock/", players.unblock, name="unblock"),
    path("players/<row:pk>/report/", players.report, name="report_player"),
]
