"""Makes a move as a person does: tap by tap on the controls of the hand, each answered before the next."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from bench.bot.clicks import PERSON_NAMES, ClickedTable
from cogs.games import GAME_UIS
from cogs.screens.screen import Buttons, Context, Control, Picks, Select, Steps
from cogs.table.pages import custom_ids
from players import Level, make_player
from playground.page.client import Player, SeenMessage

PAUSE = 0.35  # seconds from an answer to the next tap
LEVEL: Level = "normal"  # the computer that chooses: people do not move at random


@dataclass(frozen=True, slots=True)
class HandPath:
    """How a hand leads to a move: the keys of steps, then the picks, if any."""

    step_keys: tuple[str, ...]
    picks: Picks | None = None
    tokens: tuple[str, ...] = ()


def find_hand_path(controls: Sequence[Control], move: str) -> HandPath | None:
    """Return how these controls lead to a move; None if they do not."""
    for control in controls:
        match control:
            case Buttons(buttons) if any(button.move == move for button in buttons):
                return HandPath(())
            case Select(_, options) if any(option.move == move for option in options):
                return HandPath(())
            case Picks() if tokens := _pick_tokens(control, move):
                return HandPath((), control, tokens)
            case Steps(moves=moves) if any(option.move == move for option in moves):
                return HandPath(())
            case Steps(_, steps):
                for step in steps:
                    if way := find_hand_path(step.controls, move):
                        return HandPath((step.key, *way.step_keys), way.picks, way.tokens)
    return None


def _pick_tokens(picks: Picks, move: str) -> tuple[str, ...]:
    """Return what to pick for a move; `2 red` may stand for `red red`. Empty if these picks cannot make it."""
    if not move.startswith(f"{picks.verb} "):
        return ()
    known, found, times = [pick.token for pick in picks.picks], list[str](), 1
    for word in move.removeprefix(f"{picks.verb} ").split():
        if word.isdecimal() and word not in known:
            times = int(word)
        else:
            found, times = found + [word] * times, 1
    is_known = all(found.count(token) <= known.count(token) for token in found)
    return tuple(found) if is_known and picks.least <= len(found) <= picks.most else ()


@dataclass(frozen=True, slots=True)
class Tap:
    """One of these buttons, or lines of a list whose custom_id begins like this; whichever exists."""

    buttons: tuple[str, ...]
    lines: tuple[tuple[str, tuple[str, ...]], ...] = ()

    def find_control(self, hand: SeenMessage) -> tuple[str, tuple[str, ...]] | None:
        """Return the custom_id to tap, with the chosen lines; None if the hand does not offer it."""
        custom_ids = {button.custom_id for button in hand.buttons if not button.disabled}
        for button in self.buttons:
            if button in custom_ids:
                return button, ()
        for select in hand.selects:
            for begins, values in self.lines:
                if select.custom_id.startswith(begins) and {*values} <= {*select.values}:
                    return select.custom_id, values
        return None


def taps_to_move(match: str, decision: int, hand_path: HandPath, move: str) -> Iterator[Tap]:
    """Yield the taps that make a move. If a confirmation is needed, the last one is repeated."""
    which = f":{match}:{decision}:"
    for depth in range(1, len(hand_path.step_keys) + 1):
        keys = hand_path.step_keys[:depth]
        yield Tap((custom_ids.next_step_id(match, decision, keys),), ((f"f{which}", (custom_ids.step_path(keys),)),))
    if (picks := hand_path.picks) is not None:
        lines = at_once(picks, hand_path.tokens)
        if lines:
            yield Tap((), ((custom_ids.picks_id(match, decision, picks.verb), lines),))
        for number in range(len(lines) + 1, len(hand_path.tokens) + 1):
            yield Tap((custom_ids.picks_order_id(match, decision, " ".join((picks.verb, *hand_path.tokens[:number]))),))
    lists = (f"s{which}", (move,)), (f"f{which}", (custom_ids.instant_move_value(move),))
    yield Tap((custom_ids.move_id(match, decision, move), custom_ids.confirm_id(match, decision, move)), lists)


def at_once(picks: Picks, tokens: Sequence[str]) -> tuple[str, ...]:
    """Return the lines to pick in one go for these tokens; none if they have buttons, because their order matters."""
    if picks.ordered:
        return ()
    places: list[int] = []
    for token in tokens:
        free = (place for place, pick in enumerate(picks.picks) if pick.token == token and place not in places)
        places.append(next(free))
    return tuple(custom_ids.pick_value(picks.picks[place].token, place) for place in places)


@dataclass(frozen=True, slots=True)
class TappedMove:
    """A move: its number of taps, and the clock before the last one."""

    tap_count: int
    last_tap_at: float


class TappedTable(ClickedTable):
    """A match of good players, played with one click per move or tap by tap."""

    async def tap_move(self, clock: Callable[[], float]) -> TappedMove | None:
        """Make a move tap by tap; None if the match is over."""
        await self._bot.wait_until_idle()
        stored = self._load_match()
        if stored.status != "running":
            return None
        game, match = self._game, self._match
        state, decisions = stored.state(game), game.decisions(stored.state(game))
        seat = self._rng.choice([seat for seat in decisions if decisions[seat].due])
        move, view, moves = (
            game.format_move(self._choose_move(state, seat)),
            game.view(state, seat),
            game.moves(state, seat),
        )
        names = PERSON_NAMES[: len(stored.users)]
        around = Context(
            names, game.options_adapter.validate_json(stored.options), plate_names=names, short_names=names
        )
        way = find_hand_path(GAME_UIS[game.key].screen.hand(view, decisions[seat], moves, around).controls, move)
        assert way is not None
        person, wanted = self._player_of(stored.users[seat]), [*taps_to_move(match, decisions[seat].number, way, move)]
        for number, tap in enumerate(wanted):
            await asyncio.sleep(PAUSE if number else 0)
            last = clock()
            asks = await self._tap_control(person, tap)
        if asks:
            await asyncio.sleep(PAUSE)
            last = clock()
            await self._tap_control(person, wanted[-1])
        return TappedMove(len(wanted) - (not asks), last)

    def _choose_move(self, state: Any, seat: int) -> Any:
        game = self._game
        return make_player(game, LEVEL).choose_move(game.view(state, seat), game.moves(state, seat), self._rng)

    async def _tap_control(self, person: Player, tap: Tap) -> bool:
        """Tap a control as soon as the hand offers it; return whether it asks for confirmation."""
        hand = await person.wait_message("dm", lambda message: tap.find_control(message) is not None)
        found = tap.find_control(hand)
        assert found is not None
        custom_id, lines = found
        outcome = await (person.select(hand, custom_id, *lines) if lines else person.click(hand, custom_id))
        await self.note_pictures(await person.wait_reply(outcome))
        return custom_id.startswith("c:")
