"""Forms of games: plain forms whose fields follow from a ruleset's facts."""

from __future__ import annotations

from datetime import timedelta
from typing import Any, Final
from uuid import uuid4

from django import forms
from django.core.exceptions import ValidationError
from django.http import QueryDict
from django.utils.functional import lazy
from django.utils.translation import gettext_lazy as _

from accounts.addresses import validate_address
from accounts.models import Player
from games import selectors
from games.engines.levels import LEVELS, Level
from games.rules import registry
from games.rules.phrase import phrase
from games.rules.ruleset import AnyRuleset, Option
from games.services.errors import KeyReused, Refused
from games.services.terms import Terms
from games.speech import say

LENGTHS: Final = (120, 300, 900, 3600, 6 * 3600, 12 * 3600, *(days * 86400 for days in (1, 2, 3, 5, 7, 10, 14, 21, 30)))
BEGINS: Final = (("lot", _("the lot decides")), ("challenger", _("I do")), ("opponent", _("my opponent does")))
LONGEST_MOVE: Final = 200
LONGEST_ADDRESS: Final = 254
USUAL: Final = 5
"""So many seats a larger table has unless somebody chooses otherwise."""
AT_ONCE: Final = 5
"""So many values of an option stand below each other; more unfold."""
USUAL_LEVEL: Final = 2
"""At this level a computer plays unless somebody chooses otherwise."""
say_later = lazy(say, str)


LAST_ROW: Final = 10**18 - 1
"""The largest number of a row that a form takes: as many digits as an address."""


def new_key() -> str:
    """A key for a form that acts once."""
    return uuid4().hex


def say_why(form: forms.Form, refused: Refused) -> None:
    """Tells on the form why a service refused it. One that was sent before with other contents gets a new key: sent once more it
    acts."""
    said = refused.said
    if isinstance(refused, KeyReused):
        form.data = {name: form.data[name] for name in form.data} | {"key": new_key()}
        said = phrase("You have sent this form before, with another choice. If you want this game as well, send it again.")
    form.add_error(None, say(said))


class ChallengeForm(forms.Form):
    """The terms of a challenge for one ruleset: its options, seats where their number may be chosen, and the rest."""

    reflection = forms.TypedChoiceField(label=_("Time for each turn"), coerce=int, initial=3 * 86400)
    begins = forms.ChoiceField(label=_("Who begins"), choices=BEGINS, initial="lot", widget=forms.RadioSelect)
    opponent = forms.CharField(
        label=_("Opponent"),
        required=False,
        max_length=LONGEST_ADDRESS,
        help_text=_("The display name of a player, or an e-mail address to invite; empty: anyone may accept."),
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
    )
    computer = forms.TypedChoiceField(
        label=_("Or play against the computer"),
        required=False,
        coerce=int,
        empty_value=None,
        help_text=_("Then the game begins at once."),
    )
    public = forms.BooleanField(label=_("Everybody may watch"), label_suffix="", required=False, initial=True)
    key = forms.CharField(widget=forms.HiddenInput, initial=new_key, max_length=64)

    def __init__(self, *args: Any, ruleset: str, challenger: Player, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.ruleset: AnyRuleset = registry.get(ruleset)
        self.challenger = challenger
        self.lengths = [(seconds, selectors.duration(timedelta(seconds=seconds))) for seconds in LENGTHS]
        self.fields["reflection"].choices = self.lengths  # type: ignore[attr-defined]
        self.fields["computer"].choices = [("", _("no")), *_levels()]  # type: ignore[attr-defined]
        fewest, most = self.ruleset.facts.seats
        if fewest != most:
            self.fields["seats"] = forms.IntegerField(
                label=_("Players"),
                min_value=fewest,
                max_value=most,
                initial=min(most, USUAL),
                help_text=_(
                    "The game begins when all seats are taken, by people or by computers, or earlier when you say so. "
                    "The lot decides who sits where."
                ),
            )
            self.fields["listed"] = forms.BooleanField(
                label=_("Anyone may join"),
                label_suffix="",
                required=False,
                initial=True,
                help_text=_("Otherwise you send others a link, or invitations by e-mail."),
            )
            del self.fields["begins"], self.fields["computer"]
        for option in self.ruleset.facts.options:
            self.fields[f"option_{option.name}"] = _option_field(option)
        self.order_fields([*(f"option_{option.name}" for option in self.ruleset.facts.options), "seats", "reflection"])

    @classmethod
    def kept(cls, given: QueryDict) -> dict[str, Any]:
        """What was filled in for one game, to be shown for another."""
        names = [name for name in cls.base_fields if name in given and name != "key"]
        kept: dict[str, Any] = {name: given[name][:LONGEST_ADDRESS] for name in names}
        return kept | {"public": "public" in given} if "reflection" in given else kept

    def clean_opponent(self) -> Player | None:
        """The player of that name, None for anyone; what has an @ is an address: then `address` holds it in small letters."""
        given: str = self.cleaned_data["opponent"].strip()
        self.cleaned_data["address"] = ""
        if not given:
            return None
        if "@" in given:
            validate_address(given)
            self.cleaned_data["address"] = given.lower()
            return None
        opponent = selectors.player_named(given)
        if opponent is None:
            raise ValidationError(_("There is no player of this name."))
        if opponent == self.challenger:
            raise ValidationError(_("You cannot challenge yourself."))
        return opponent

    def clean(self) -> None:
        """Somebody, or the computer."""
        super().clean()
        given = self.cleaned_data
        if given.get("computer") and (given.get("opponent") or given.get("address")):
            self.add_error("computer", _("Choose an opponent or the computer, not both."))

    def terms(self) -> Terms:
        """What the filled-in form offers."""
        given = self.cleaned_data
        return Terms(
            ruleset=self.ruleset.facts.name,
            options={option.name: _value(option, given[f"option_{option.name}"]) for option in self.ruleset.facts.options},
            seats=given.get("seats", self.ruleset.facts.seats[0]),
            reflection=timedelta(seconds=given["reflection"]),
            begins=given.get("begins", "lot"),
            public=given["public"],
            listed=given.get("listed", True) or bool(given["opponent"] or given["address"]),
        )


def _levels() -> list[tuple[int, Any]]:
    return [(one.number, _level_title(one)) for one in LEVELS]


def _in_words(one: Level) -> str:
    return f"{one.number}: {say(one.title)}"


_level_title = lazy(_in_words, str)


class ComputerForm(forms.Form):
    """What is played against the computer, and how well it plays; `again` is the number of a game with the same terms."""

    game = forms.ChoiceField(label=_("Game"))
    level = forms.TypedChoiceField(label=_("Level of the computer"), coerce=int, choices=_levels, initial=USUAL_LEVEL)
    again = forms.IntegerField(widget=forms.HiddenInput, required=False, min_value=1, max_value=LAST_ROW)
    key = forms.CharField(widget=forms.HiddenInput, initial=new_key, required=False, max_length=64)

    def clean_key(self) -> str:
        """The front page, which visitors may keep, has none."""
        return self.cleaned_data["key"] or new_key()

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        games = [(one.name, one.title) for one in selectors.offered()]
        self.fields["game"].choices = games  # type: ignore[attr-defined]


class LevelForm(forms.Form):
    """The level of a computer that takes a seat."""

    level = forms.TypedChoiceField(label=_("Level of the computer"), coerce=int, choices=_levels, initial=USUAL_LEVEL)


def _option_field(option: Option) -> forms.ChoiceField:
    choices = [(str(value), say_later(title)) for value, title in option.offered]
    widget = forms.RadioSelect if len(choices) <= AT_ONCE else forms.Select
    return forms.ChoiceField(label=say_later(option.title), choices=choices, initial=str(option.default), widget=widget)


def _value(option: Option, text: str) -> str | int | bool:
    return next(value for value, _title in option.offered if str(value) == text)


class ActionForm(forms.Form):
    """What every form that acts on a game carries: its hidden key."""

    key = forms.CharField(max_length=64, widget=forms.HiddenInput)


class MoveForm(ActionForm):
    """A move, chosen or typed, and the position it is meant for."""

    move = forms.CharField(max_length=LONGEST_MOVE, error_messages={"required": say_later(phrase("Write or choose a move."))})
    position = forms.IntegerField(min_value=0, max_value=2**31 - 1, widget=forms.HiddenInput)


class ProposalForm(ActionForm):
    """The kind of agreement that is proposed."""

    kind = forms.CharField(max_length=12)


class AnswerForm(ActionForm):
    """An answer to the proposal of entry `number`."""

    number = forms.IntegerField(min_value=1, max_value=2**31 - 1)
    answer = forms.ChoiceField(choices=[(one, one) for one in ("agree", "refuse", "withdraw")])


class AddressForm(forms.Form):
    """An address to be invited."""

    address = forms.EmailField(
        label=_("E-mail address"), max_length=LONGEST_ADDRESS, widget=forms.EmailInput(attrs={"autocomplete": "off"})
    )

    def clean_address(self) -> str:
        """In small letters, if we would write to it."""
        given: str = self.cleaned_data["address"]
        validate_address(given)
        return given.lower()
