"""Wizard with faces that tell what they must not, each in another place, and the laws that say so."""

from __future__ import annotations

import logging
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import replace
from hashlib import blake2b
from itertools import count
from random import Random
from types import SimpleNamespace
from typing import Any

import pytest

from cogs import admin_commands
from cogs.screens.screen import Button, Buttons, Screen
from cogs.table.actions import personal_data_file
from cogs.table.commands.game_commands import narrowed
from cogs.table.pages.page import Page
from cogs.table.scheduling.computer_turns import Computers
from cogs.table.surfaces import message
from cogs.table.surfaces.hand_pacing import Pace
from cogs.table.surfaces.message import Poster
from cogs.table.surfaces.reconciler import Keeper
from cogs.table.surfaces.reminders import Calls, waiting
from cogs.wizard.screen import WizardScreen
from engines.hosting.match import Look, Refused
from engines.kit.contract import IllegalMove
from engines.store.match_store import Due
from engines.store.surface_storage import Surface
from engines.wizard import deck
from engines.wizard.game import WizardGame
from engines.wizard.model import State
from tests.engines.wizard.helper import WizardHelper
from tests.painting import paint
from tests.plain import inn
from tests.plain.asking import ADMIN, STRANGER, Reader
from tests.plain.inn import PEOPLE, WATCHER

Break = Callable[[pytest.MonkeyPatch], None]
NAMES, WORLDS = "nothing_hidden_is_named", "other_worlds_look_the_same"
BOTH = (NAMES, WORLDS)


class Peeping:
    """Knows the whole state behind the view that was made last, as no screen may."""

    state: State | None = None

    def card(self) -> str:
        """A card that nobody has seen."""
        assert self.state is not None
        return deck.name(next(card for card in self.state.stock if card < deck.JESTER))

    def hands(self) -> str:
        """A number that no card's name stands in, and that depends on every hand."""
        return blake2b(repr(self.state and self.state.hands).encode(), digest_size=4).hexdigest()

    def odd(self) -> bool:
        """Something that depends on every hand."""
        return int(self.hands(), 16) % 2 == 1


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
    hand = personal_data_file.hand

    def more(look: Look, seat: int) -> list[str]:
        return [*hand(look, seat), *hand(look, (seat + 1) % len(look.info.seats))]

    patch.setattr(personal_data_file, "hand", more)


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


def _picture(patch: pytest.MonkeyPatch) -> None:
    """A picture that is not the same where the hands are not, and looks the same in words."""
    peeped = peeping(patch)
    patch.setattr(inn, "paint", lambda studio, spec: paint(studio, spec) + peeped.hands().encode())


def _edits(patch: pytest.MonkeyPatch) -> None:
    """A table that is shown twice with some hands."""
    peeped, shown = peeping(patch), Poster.bring

    async def bring(poster: Poster, look: Look, surface: Surface, page: Page, **how: Any) -> None:
        await shown(poster, look, surface, page, **how)
        if surface.kind == "table" and surface.digest != page.digest and peeped.odd():
            await shown(poster, look, surface, page, **how)

    patch.setattr(Poster, "bring", bring)


def _nonce(patch: pytest.MonkeyPatch) -> None:
    """A message that is named by the hands, and counted."""
    peeped, numbers = peeping(patch), count()
    patch.setattr(
        message, "secrets", SimpleNamespace(token_hex=lambda size: f"{peeped.hands() * 2}{next(numbers):08x}")
    )


def _admin(patch: pytest.MonkeyPatch) -> None:
    """What an admin is shown has the number of hands."""
    peeped, facts = peeping(patch), admin_commands._facts
    patch.setattr(admin_commands, "_facts", lambda *about: [*facts(*about), peeped.hands()])


def _elsewhere(patch: pytest.MonkeyPatch) -> None:
    """What is refused to those of another server, and to those who are no admins, tells more."""
    peeped, found = Peeping(), admin_commands.AdminCog._of_server

    async def of_server(cog: admin_commands.AdminCog, interaction: Any, match: str) -> Look:
        try:
            return await found(cog, interaction, match)
        except Refused as why:
            peeped.state = (await cog.desk.matches.look(match)).state
            raise Refused(f"{why} {peeped.hands()}") from None

    patch.setattr(admin_commands.AdminCog, "_of_server", of_server)


def _offered(patch: pytest.MonkeyPatch) -> None:
    """What an admin is offered while typing."""
    peeped = peeping(patch)
    patch.setattr(admin_commands, "narrowed", lambda offers, current: narrowed([*offers, (peeped.hands(), "x")], ""))


def _thought(patch: pytest.MonkeyPatch) -> None:
    """A computer that moves as soon as it knows how."""

    async def turn(computers: Computers, look: Look) -> None:
        await computers._move(look, await computers._plan(look))

    patch.setattr(Computers, "_turn", turn)


def _pace(patch: pytest.MonkeyPatch) -> None:
    """Hands that follow sooner or later, as the cards fall."""
    peeped, follow = Peeping(), Keeper._follow

    async def later(keeper: Keeper, match: str, seats: Collection[int]) -> None:
        peeped.state = (await keeper._matches.look(match)).state
        await inn.TIME.get().sleep(int(peeped.hands(), 16) % 100 / 100)
        await follow(keeper, match, seats)

    patch.setattr(Keeper, "_follow", later)


def _number_of(patch: pytest.MonkeyPatch) -> None:
    """A number for Prometheus."""
    peeped, later, known = peeping(patch), Pace.later, dict[Pace, int]()

    def laid_by(paced: Pace, match: str, seats: Collection[int]) -> None:
        known[paced] = int(peeped.hands(), 16)
        later(paced, match, seats)

    patch.setattr(Pace, "later", laid_by)
    patch.setattr(Pace, "waiting", lambda paced: known.get(paced, 0))


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

SEATED, BESIDE = Reader(PEOPLE[0], 0), Reader(WATCHER)
TO_WHOM: Mapping[str, tuple[Break, Reader]] = {
    "a picture": (_picture, SEATED),
    "how often a table is edited": (_edits, BESIDE),
    "a nonce": (_nonce, SEATED),
    "an admin's answer": (_admin, Reader(ADMIN)),
    "an offer to an admin": (_offered, Reader(ADMIN)),
    "a refusal elsewhere": (_elsewhere, Reader(STRANGER)),
    "a refusal to somebody who is no admin": (_elsewhere, BESIDE),
    "how long a computer thinks": (_thought, BESIDE),
    "how soon a hand follows": (_pace, Reader(PEOPLE[1], 1)),
    "a number of what runs": (_number_of, BESIDE),
}
"""What tells without naming anything, and one of those to whom."""


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
