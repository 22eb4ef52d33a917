"""Wizard with faces that tell what they must not, each in another place, and the laws that say so."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from hashlib import blake2b
from random import Random
from typing import Any

import pytest

from cogs.screens.screen import Button, Buttons, Screen
from cogs.table import my_data
from cogs.table.calls import Calls, waiting
from cogs.wizard.screen import WizardScreen
from engines.game import IllegalMove
from engines.match import Look
from engines.store import Due
from engines.wizard import deck
from engines.wizard.game import WizardGame
from engines.wizard.model import State
from tests.engines.wizard.helper import WizardHelper

Break = Callable[[pytest.MonkeyPatch], None]
NAMES, WORLDS = "nothing_hidden_is_named", "other_worlds_look_the_same"
BOTH = (NAMES, WORLDS)


class Peeping:
    """Knows the whole state behind the view that was made last, as no screen may."""

    state: State

    def card(self) -> str:
        """A card that nobody has seen."""
        return deck.name(next(card for card in self.state.stock if card < deck.JESTER))

    def hands(self) -> str:
        """A number that no card's name stands in, and that depends on every hand."""
        return blake2b(repr(self.state.hands).encode(), digest_size=4).hexdigest()


def peeping(patch: pytest.MonkeyPatch) -> Peeping:
    """Look behind every view."""
    peeped = Peeping()
    view: Callable[..., Any] = WizardGame.view

    def viewed(game: WizardGame, state: State, seat: int | None) -> Any:
        peeped.state = state
        return view(state, seat)

    patch.setattr(WizardGame, "view", viewed)
    return peeped


def _drawn(method: str, change: Callable[[Screen, Peeping], Screen]) -> Break:
    """A table or hand that is changed after it was drawn."""

    def apply(patch: pytest.MonkeyPatch) -> None:
        peeped, drawn = peeping(patch), getattr(WizardScreen, method)
        patch.setattr(WizardScreen, method, lambda *about: change(drawn(*about), peeped))

    return apply


def _said(method: str) -> Break:
    """Something said that says a little more."""

    def apply(patch: pytest.MonkeyPatch) -> None:
        peeped, said = peeping(patch), getattr(WizardScreen, method)

        def more(*about: Any) -> str | None:
            words: str | None = said(*about)
            return words and f"{words} ({peeped.card()})"

        patch.setattr(WizardScreen, method, more)

    return apply


def _call(patch: pytest.MonkeyPatch) -> None:
    """Everybody is called at the table as soon as they are due, with a little more than is asked of them."""

    def pending(calls: Calls, look: Look) -> list[Due]:
        return [Due("call", look.info.id, seat, decision, 0) for seat, decision in waiting(look).items()]

    async def nobody(*about: object) -> bool:
        return False

    patch.setattr(Calls, "_pending", pending)
    patch.setattr(Calls, "_has_hand", nobody)
    patch.setattr(Calls, "_reached", nobody)
    _said("turn")(patch)


def _data(patch: pytest.MonkeyPatch) -> None:
    """A file in which one sees the next one's hand, too."""
    hand = my_data.hand

    def more(look: Look, seat: int) -> list[str]:
        return [*hand(look, seat), *hand(look, (seat + 1) % len(look.info.seats))]

    patch.setattr(my_data, "hand", more)


def _alt(screen: Screen, peeped: Peeping) -> Screen:
    assert screen.picture is not None
    return replace(screen, picture=replace(screen.picture, alt=f"{screen.picture.alt} And {peeped.card()}."))


def _file(screen: Screen, peeped: Peeping) -> Screen:
    assert screen.picture is not None
    return replace(screen, picture=replace(screen.picture, name=f"{peeped.card()}.png"))


def _number(screen: Screen, peeped: Peeping) -> Screen:
    assert screen.picture is not None
    return replace(screen, picture=replace(screen.picture, name=f"{peeped.hands()}.png"))


def _paragraph(screen: Screen, peeped: Peeping) -> Screen:
    """More is said, in the one sentence and in words."""
    more = f"Next comes {peeped.card()}."
    return replace(screen, headline=f"{screen.headline} {more}", below=(*screen.below, more))


def _control(screen: Screen, peeped: Peeping) -> Screen:
    return replace(screen, controls=(*screen.controls, Buttons((Button("Hm", f"play {peeped.card()}"),))))


def _logged(screen: Screen, peeped: Peeping) -> Screen:
    logging.getLogger("cogs").debug("A table was drawn, and %s lies below it", peeped.card())
    return screen


def _refusal(patch: pytest.MonkeyPatch) -> None:
    """A refusal that tells what somebody else could play."""
    check: Callable[..., None] = WizardGame.check

    def telling(game: WizardGame, state: State, seat: int, move: Any) -> None:
        try:
            check(game, state, seat, move)
        except IllegalMove as refused:
            card = next((deck.name(each) for each in state.stock if each < deck.JESTER), "")
            raise IllegalMove(refused.rule, f"{refused.reason} {card} would do.") from None

    patch.setattr(WizardGame, "check", telling)


LEAKS: Mapping[str, tuple[Break, Iterable[str]]] = {
    "an alt text": (_drawn("table", _alt), BOTH),
    "a file's name": (_drawn("table", _file), BOTH),
    "a number in a file's name": (_drawn("table", _number), (WORLDS,)),
    "a table": (_drawn("table", _paragraph), BOTH),
    "a hand": (_drawn("hand", _paragraph), BOTH),
    "a custom_id": (_drawn("hand", _control), BOTH),
    "a line of the log": (_drawn("table", _logged), BOTH),
    "news": (_said("brief"), BOTH),
    "a call": (_call, BOTH),
    "a score sheet": (_drawn("sheet", _paragraph), BOTH),
    "a refusal": (_refusal, BOTH),
    "an offer while typing": (_said("label"), BOTH),
    "a hint": (_said("reason"), BOTH),
    "a file of one's own data": (_data, BOTH),
}
"""What tells, and which laws say so. What names nothing is told by another world alone."""


class Silent(WizardHelper):
    """Names nothing that is hidden."""

    def secrets(self, state: State, seat: int | None) -> Any:
        return ()


class Misnaming(WizardHelper):
    """Calls cards as nobody does."""

    def secrets(self, state: State, seat: int | None) -> Any:
        return [name.replace("of", "from").replace("(?:", "(?:the ") for name in super().secrets(state, seat)]


class Overnaming(WizardHelper):
    """Thinks that even what lies open is hidden."""

    def secrets(self, state: State, seat: int | None) -> Any:
        return [*super().secrets(state, seat), "Round"]


class Unmoved(WizardHelper):
    """Has no other world to offer."""

    def scramble(self, state: State, seat: int | None, rng: Random) -> State:
        return self.game.copy(state)  # type: ignore[no-any-return]


class Careless(WizardHelper):
    """Changes what the seat knows."""

    def scramble(self, state: State, seat: int | None, rng: Random) -> State:
        return super().scramble(state, None, rng)


HELPERS: Mapping[type[WizardHelper], str] = {
    Silent: NAMES,
    Misnaming: NAMES,
    Overnaming: NAMES,
    Unmoved: WORLDS,
    Careless: WORLDS,
}
"""Helpers that make a law blind, or see ghosts, and the law that says so."""
