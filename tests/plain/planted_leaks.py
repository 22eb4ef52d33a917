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
from cogs.table.commands.game_commands import filter_choices
from cogs.table.pages.page import Page
from cogs.table.scheduling.computer_turns import ComputerPlayers, awaited_seat
from cogs.table.surfaces import message
from cogs.table.surfaces.hand_pacing import HandPacing
from cogs.table.surfaces.message import MessagePoster
from cogs.table.surfaces.reconciler import Reconciler
from cogs.table.surfaces.reminders import Reminders, awaited_answers
from cogs.wizard.screen import WizardScreen
from engines.hosting.match import MatchSnapshot, RequestRefused
from engines.kit.errors import IllegalMove
from engines.store.match_store import DueTime
from engines.store.surface_storage import Surface
from engines.wizard import deck
from engines.wizard.game import WizardGame
from engines.wizard.model import State
from tests.described_pictures import describe_picture
from tests.engines.wizard.helper import WizardHelper
from tests.plain import plain_bot
from tests.plain.leak_reader import ADMIN, STRANGER, LeakReader
from tests.plain.plain_bot import PEOPLE, WATCHER

InstallLeak = Callable[[pytest.MonkeyPatch], None]
NAME_LAW, WORLD_LAW = "nothing_hidden_is_named", "other_worlds_look_the_same"
BOTH_LAWS = (NAME_LAW, WORLD_LAW)


class StatePeeper:
    """Knows the whole state behind the view that was made last, as no screen may."""

    state: State | None = None

    def hidden_card(self) -> str:
        assert self.state is not None
        return deck.card_name(next(card for card in self.state.stock if card < deck.JESTER))

    def hands_number(self) -> str:
        """A number that no card's name stands in, and that depends on every hand."""
        return blake2b(repr(self.state and self.state.hands).encode(), digest_size=4).hexdigest()

    def hands_parity(self) -> bool:
        return int(self.hands_number(), 16) % 2 == 1


def install_peeper(patch: pytest.MonkeyPatch) -> StatePeeper:
    peeper = StatePeeper()
    view: Callable[..., Any] = WizardGame.view

    def viewed(game: WizardGame, state: State, seat: int | None) -> Any:
        peeper.state = state
        return view(state, seat)

    original_view = MatchSnapshot.view

    def note_and_view(snapshot: MatchSnapshot, seat: int | None) -> Any:
        peeper.state = snapshot.state  # a snapshot makes each view once
        return original_view(snapshot, seat)

    patch.setattr(WizardGame, "view", viewed)
    patch.setattr(MatchSnapshot, "view", note_and_view)
    return peeper


def _leak_in_screen(method: str, change: Callable[[Any, StatePeeper], Screen]) -> InstallLeak:
    def apply(patch: pytest.MonkeyPatch) -> None:
        peeper, drawn = install_peeper(patch), getattr(WizardScreen, method)
        patch.setattr(WizardScreen, method, lambda *arguments: change(drawn(*arguments), peeper))

    return apply


def _leak_in_table_picture(part: str, more: Callable[[Any, StatePeeper], str]) -> InstallLeak:
    def change(screen: Any, peeper: StatePeeper) -> Screen:
        changed: Screen = replace(screen, picture=replace(screen.picture, **{part: more(screen.picture, peeper)}))
        return changed

    return _leak_in_screen("table", change)


def _leak_in_text(method: str) -> InstallLeak:
    def apply(patch: pytest.MonkeyPatch) -> None:
        peeper, original = install_peeper(patch), getattr(WizardScreen, method)

        def more(*arguments: Any) -> str | None:
            words: str | None = original(*arguments)
            return words and f"{words} ({peeper.hidden_card()})"

        patch.setattr(WizardScreen, method, more)

    return apply


def _leak_in_call(patch: pytest.MonkeyPatch) -> None:
    """Everybody is called at the table as soon as they are due, with a little more than is asked of them."""

    def pending(calls: Reminders, snapshot: MatchSnapshot) -> list[DueTime]:
        return [DueTime("call", snapshot.info.id, seat, decision, 0) for seat, decision in awaited_answers(snapshot)]

    async def nobody(*arguments: object) -> bool:
        return False

    patch.setattr(Reminders, "_pending_reminders", pending)
    patch.setattr(Reminders, "_has_sent_hand", nobody)
    patch.setattr(Reminders, "_is_reached_by_hand", nobody)
    _leak_in_text("turn_prompt")(patch)


def _leak_in_data(patch: pytest.MonkeyPatch) -> None:
    hand = personal_data_file.visible_hand

    def more(snapshot: MatchSnapshot, seat: int) -> list[str]:
        return [*hand(snapshot, seat), *hand(snapshot, (seat + 1) % len(snapshot.info.seats))]

    patch.setattr(personal_data_file, "visible_hand", more)


def _leak_in_paragraph(screen: Screen, peeper: StatePeeper) -> Screen:
    more = f"Next comes {peeper.hidden_card()}."
    return replace(screen, headline=f"{screen.headline} {more}", below=(*screen.below, more))


def _leak_in_control(screen: Screen, peeper: StatePeeper) -> Screen:
    return replace(screen, controls=(*screen.controls, Buttons((Button("Hm", f"play {peeper.hidden_card()}"),))))


def _leak_in_log(screen: Screen, peeper: StatePeeper) -> Screen:
    logging.getLogger("cogs").debug("A table was drawn, and %s lies below it", peeper.hidden_card())
    return screen


def _leak_in_refusal(patch: pytest.MonkeyPatch) -> None:
    check: Callable[..., None] = WizardGame.check

    def telling(game: WizardGame, state: State, seat: int, move: Any) -> None:
        try:
            check(game, state, seat, move)
        except IllegalMove as refused:
            card = next((deck.card_name(each) for each in state.stock if each < deck.JESTER), "")
            raise IllegalMove(refused.rule, f"{refused.reason} {card} would do.") from None

    patch.setattr(WizardGame, "check", telling)


def _leak_in_picture(patch: pytest.MonkeyPatch) -> None:
    """A picture that differs if the hands do, and looks the same in words."""
    peeper, drawn = install_peeper(patch), describe_picture
    patch.setattr(plain_bot, "describe_picture", lambda *arguments: drawn(*arguments) + peeper.hands_number().encode())


def _leak_in_edits(patch: pytest.MonkeyPatch) -> None:
    """A table that is shown twice with some hands."""
    peeper, original = install_peeper(patch), MessagePoster.bring_up_to_date

    async def bring(
        poster: MessagePoster, snapshot: MatchSnapshot, surface: Surface, page: Page, **options: Any
    ) -> None:
        await original(poster, snapshot, surface, page, **options)
        if surface.kind == "table" and surface.digest != page.digest and peeper.hands_parity():
            await original(poster, snapshot, surface, page, **options)

    patch.setattr(MessagePoster, "bring_up_to_date", bring)


def _leak_in_nonce(patch: pytest.MonkeyPatch) -> None:
    """A message that is named by the hands, and counted."""
    peeper, numbers = install_peeper(patch), count()
    drawn = SimpleNamespace(token_hex=lambda size: f"{peeper.hands_number() * 2}{next(numbers):08x}")
    patch.setattr(message, "secrets", drawn)


def _leak_to_admin(patch: pytest.MonkeyPatch) -> None:
    peeper, facts = install_peeper(patch), admin_commands._match_facts
    patch.setattr(admin_commands, "_match_facts", lambda *arguments: [*facts(*arguments), peeper.hands_number()])


def _leak_elsewhere(patch: pytest.MonkeyPatch) -> None:
    """What is refused to those of another server, and to those who are no admins, tells more."""
    peeper, found = StatePeeper(), admin_commands.AdminCog._find_server_match

    async def of_server(cog: admin_commands.AdminCog, interaction: Any, match: str) -> MatchSnapshot:
        try:
            return await found(cog, interaction, match)
        except RequestRefused as why:
            peeper.state = (await cog.actions.matches.cache.get_snapshot(match)).state
            raise RequestRefused(f"{why} {peeper.hands_number()}") from None

    patch.setattr(admin_commands.AdminCog, "_find_server_match", of_server)


def _leak_while_typing(patch: pytest.MonkeyPatch) -> None:
    peeper, filtered = install_peeper(patch), filter_choices
    more = lambda offers, current: filtered([*offers, (peeper.hands_number(), "x")], "")  # noqa: E731
    patch.setattr(admin_commands, "filter_choices", more)


def _leak_in_think_time(patch: pytest.MonkeyPatch) -> None:
    """A computer that moves as soon as it knows how."""

    async def turn(computers: ComputerPlayers, snapshot: MatchSnapshot, ready: Mapping[int, str]) -> None:
        await computers._make_moves(snapshot, await computers._choose_moves(snapshot, ready))

    patch.setattr(ComputerPlayers, "_take_turn", turn)


def _leak_in_pause(patch: pytest.MonkeyPatch) -> None:
    """A computer that hurries if it has a good hand."""
    pause_of = ComputerPlayers.next_pause

    async def by_the_hand(computers: ComputerPlayers, snapshot: MatchSnapshot, ready: Collection[int] = ()) -> float:
        seat = awaited_seat(snapshot, ready)
        good = 0 if seat is None else sum(card > 39 for card in snapshot.state.hands[seat])
        return await pause_of(computers, snapshot, ready) / (1 + good)

    patch.setattr(ComputerPlayers, "next_pause", by_the_hand)


def _leak_in_pace(patch: pytest.MonkeyPatch) -> None:
    """Hands that follow sooner or later, as the cards fall."""
    peeper, follow = StatePeeper(), Reconciler._redraw_deferred

    async def later(reconciler: Reconciler, match: str, seats: Collection[int]) -> None:
        peeper.state = (await reconciler._services.matches.cache.get_snapshot(match)).state
        await reconciler._services.clock.sleep(int(peeper.hands_number(), 16) % 100 / 100)
        await follow(reconciler, match, seats)

    patch.setattr(Reconciler, "_redraw_deferred", later)


def _leak_in_metric(patch: pytest.MonkeyPatch) -> None:
    peeper, later, known = install_peeper(patch), HandPacing.defer_seats, dict[HandPacing, int]()

    def laid_by(paced: HandPacing, match: str, seats: Collection[int], unchanged: Collection[int] = ()) -> None:
        known[paced] = int(peeper.hands_number(), 16)
        later(paced, match, seats, unchanged)

    patch.setattr(HandPacing, "defer_seats", laid_by)
    patch.setattr(HandPacing, "count_waiting", lambda paced: known.get(paced, 0))


LEAKS: Mapping[str, tuple[InstallLeak, Iterable[str]]] = {
    "an alt text": (_leak_in_table_picture("alt", lambda old, state: f"{old.alt} {state.hidden_card()}."), BOTH_LAWS),
    "a file's name": (_leak_in_table_picture("name", lambda _, state: f"{state.hidden_card()}.png"), BOTH_LAWS),
    "a number": (_leak_in_table_picture("name", lambda _, state: f"{state.hands_number()}.png"), (WORLD_LAW,)),
    "a table": (_leak_in_screen("table", _leak_in_paragraph), BOTH_LAWS),
    "a hand": (_leak_in_screen("hand", _leak_in_paragraph), BOTH_LAWS),
    "a custom_id": (_leak_in_screen("hand", _leak_in_control), BOTH_LAWS),
    "a line of the log": (_leak_in_screen("table", _leak_in_log), BOTH_LAWS),
    "news": (_leak_in_text("narrate_briefly"), BOTH_LAWS),
    "a call": (_leak_in_call, BOTH_LAWS),
    "a score sheet": (_leak_in_screen("sheet", _leak_in_paragraph), BOTH_LAWS),
    "a refusal": (_leak_in_refusal, BOTH_LAWS),
    "an offer while typing": (_leak_in_text("move_label"), BOTH_LAWS),
    "a hint": (_leak_in_text("move_reason"), BOTH_LAWS),
    "a file of one's own data": (_leak_in_data, BOTH_LAWS),
}
"""What tells, and which laws say so. What names nothing is told by another world alone."""

SEATED_READER, WATCHING_READER = LeakReader(PEOPLE[0], 0), LeakReader(WATCHER)
READER_LEAKS: Mapping[str, tuple[InstallLeak, LeakReader]] = {
    "a picture": (_leak_in_picture, SEATED_READER),
    "how often a table is edited": (_leak_in_edits, WATCHING_READER),
    "a nonce": (_leak_in_nonce, SEATED_READER),
    "an admin's answer": (_leak_to_admin, LeakReader(ADMIN)),
    "an offer to an admin": (_leak_while_typing, LeakReader(ADMIN)),
    "a refusal elsewhere": (_leak_elsewhere, LeakReader(STRANGER)),
    "a refusal to somebody who is no admin": (_leak_elsewhere, WATCHING_READER),
    "how long a computer thinks": (_leak_in_think_time, WATCHING_READER),
    "how long a computer pauses": (_leak_in_pause, WATCHING_READER),
    "how soon a hand follows": (_leak_in_pace, LeakReader(PEOPLE[1], 1)),
    "a number of what runs": (_leak_in_metric, WATCHING_READER),
}
"""What tells without naming anything, and one of those to whom."""


class SilentHelper(WizardHelper):
    def secret_patterns(self, state: State, seat: int | None) -> Any:
        return ()


class MisnamingHelper(WizardHelper):
    def secret_patterns(self, state: State, seat: int | None) -> Any:
        return [name.replace("of", "from").replace("(?:", "(?:the ") for name in super().secret_patterns(state, seat)]


class OvernamingHelper(WizardHelper):
    def secret_patterns(self, state: State, seat: int | None) -> Any:
        return [*super().secret_patterns(state, seat), "Round"]


class UnmovedHelper(WizardHelper):
    def scramble_hidden(self, state: State, seat: int | None, rng: Random, other: int | None = None) -> State:
        return self.game.copy(state)  # type: ignore[no-any-return]


class CarelessHelper(WizardHelper):
    def scramble_hidden(self, state: State, seat: int | None, rng: Random, other: int | None = None) -> State:
        return super().scramble_hidden(state, None, rng, other)


HELPERS: Mapping[type[WizardHelper], str] = {
    **dict.fromkeys((SilentHelper, MisnamingHelper, OvernamingHelper), NAME_LAW),
    **dict.fromkeys((UnmovedHelper, CarelessHelper), WORLD_LAW),
}
"""Helpers that make a law blind, or see ghosts, and the law that says so."""
