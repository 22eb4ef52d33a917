"""A move as a person makes it: tap by tap, by what stands on their hand, each answered before the next."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from bench.clicks import NAMES, Table
from cogs.games import FRONTS
from cogs.screens.screen import Buttons, Context, Control, Picks, Select, Steps
from cogs.table import ids
from players import Level, player
from playground.client import Player, SeenMessage

PAUSE = 0.35  # seconds from an answer to the next tap
LEVEL: Level = "normal"  # of the computer that chooses: people do not move at random


@dataclass(frozen=True, slots=True)
class Way:
    """How a hand leads to a move: the keys of steps, then what is picked, if anything."""

    keys: tuple[str, ...]
    picks: Picks | None = None
    tokens: tuple[str, ...] = ()


def way_to(offered: Sequence[Control], move: str) -> Way | None:
    """How these controls lead to a move; None where they do not."""
    for control in offered:
        match control:
            case Buttons(buttons) if any(button.move == move for button in buttons):
                return Way(())
            case Select(_, options) if any(option.move == move for option in options):
                return Way(())
            case Picks() if tokens := _tokens(control, move):
                return Way((), control, tokens)
            case Steps(moves=moves) if any(option.move == move for option in moves):
                return Way(())
            case Steps(_, steps):
                for step in steps:
                    if way := way_to(step.controls, move):
                        return Way((step.key, *way.keys), way.picks, way.tokens)
    return None


def _tokens(picks: Picks, move: str) -> tuple[str, ...]:
    """What to pick for a move; `2 red` may stand for `red red`. Nothing where the move cannot be made by these."""
    if not move.startswith(f"{picks.verb} "):
        return ()
    known, found, times = [pick.token for pick in picks.picks], list[str](), 1
    for word in move.removeprefix(f"{picks.verb} ").split():
        if word.isdecimal() and word not in known:
            times = int(word)
        else:
            found, times = found + [word] * times, 1
    there = all(found.count(token) <= known.count(token) for token in found)
    return tuple(found) if there and picks.least <= len(found) <= picks.most else ()


@dataclass(frozen=True, slots=True)
class Tap:
    """One of these buttons, or such lines of a list whose custom_id begins so; whichever of them stands there."""

    buttons: tuple[str, ...]
    lines: tuple[tuple[str, tuple[str, ...]], ...] = ()

    def on(self, hand: SeenMessage) -> tuple[str, tuple[str, ...]] | None:
        """The custom_id of what is tapped, with the lines that are chosen; None where the hand offers nothing of it."""
        there = {button.custom_id for button in hand.buttons if not button.disabled}
        for button in self.buttons:
            if button in there:
                return button, ()
        for select in hand.selects:
            for begins, values in self.lines:
                if select.custom_id.startswith(begins) and {*values} <= {*select.values}:
                    return select.custom_id, values
        return None


def taps(match: str, decision: int, way: Way, move: str) -> Iterator[Tap]:
    """What has to be tapped for a move, one after the other. What asks first takes the last one once more."""
    which = f":{match}:{decision}:"
    for depth in range(1, len(way.keys) + 1):
        keys = way.keys[:depth]
        yield Tap((ids.onward(match, decision, keys),), ((f"f{which}", (ids.path(keys),)),))
    if (picks := way.picks) is not None and picks.ordered:
        for number in range(1, len(way.tokens) + 1):
            yield Tap((ids.order(match, decision, " ".join((picks.verb, *way.tokens[:number]))),))
    elif picks is not None:
        lines = tuple(ids.pick(token, way.tokens[:number].count(token)) for number, token in enumerate(way.tokens))
        yield Tap((), ((ids.picks(match, decision, picks.verb), lines),))
    lists = (f"s{which}", (move,)), (f"f{which}", (ids.now(move),))
    yield Tap((ids.move(match, decision, move), ids.ask(match, decision, move)), lists)


class Tapped(Table):
    """A match that is played like that, as well as people play who know the game."""

    async def tapped(self) -> int | None:
        """Somebody's move; how many taps it took, None where the match is over."""
        await self._bot.rest()
        kept = self._kept()
        if kept.status != "running":
            return None
        game, match = self._game, self._match
        state, decisions = kept.state(game), game.decisions(kept.state(game))
        seat = self._rng.choice([seat for seat in decisions if decisions[seat].due])
        view, moves = game.view(state, seat), game.moves(state, seat)
        move = player(game, LEVEL).choose(view, moves, self._rng)
        names = NAMES[: len(kept.users)]
        around = Context(names, game.settings.validate_json(kept.options), plates=names, short=names)
        way = way_to(FRONTS[game.key].screen.hand(view, decisions[seat], moves, around).controls, game.write(move))
        assert way is not None
        person, count = self._person(kept.users[seat]), 0
        for tap in taps(match, decisions[seat].number, way, game.write(move)):
            asks = await self._tap(person, tap, count)
            count += 1
            if asks:
                await self._tap(person, tap, count)
                count += 1
        return count

    async def _tap(self, person: Player, tap: Tap, before: int) -> bool:
        """Tap that as soon as the hand offers it; whether it asks whether it is meant."""
        if before:
            await asyncio.sleep(PAUSE)
        hand = await person.wait_for("dm", lambda message: tap.on(message) is not None)
        found = tap.on(hand)
        assert found is not None
        custom_id, lines = found
        outcome = await (person.select(hand, custom_id, *lines) if lines else person.click(hand, custom_id))
        await self.seen(await person.answer(outcome))
        return custom_id.startswith("c:")
