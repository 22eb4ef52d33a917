"""How tests of any game read positions and move on from there: whose turn it is, what may be done and is refused."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable
from typing import Any

import pytest

from engines.kit.contract import AnyGame, Event
from engines.kit.errors import IllegalMove
from engines.kit.seats import letter


def parse_facts(parts: Iterable[str], keys: Collection[str]) -> dict[str, str]:
    """The facts of a position, each written `key: value`. Raises ValueError for other keys, and for a key twice."""
    facts: dict[str, str] = {}
    for part in filter(str.strip, parts):
        key, colon, value = (each.strip() for each in part.partition(":"))
        if not colon or key not in keys or key in facts:
            raise ValueError(f"“{part.strip()}” says nothing of a position")
        facts[key] = value
    return facts


class PositionTools:
    """For a game in which one seat at a time may act; its deck, if it has one, names the cards."""

    def __init__(self, game: AnyGame, deck: Any = None) -> None:
        self.game, self.deck = game, deck

    def parse_cards(self, text: str) -> list[int]:
        return [self.deck.parse_card(name) for name in text.split()]

    def card_names(self, cards: Iterable[int]) -> str:
        return " ".join(map(self.deck.card_name, cards))

    def hand_names(self, state: Any, seat: int) -> str:
        return self.card_names(self.game.view(state, seat).hand)

    def pile_names(self, state: Any) -> str:
        """The discard pile, its top last."""
        return self.card_names(self.game.view(state, None).discard)

    def seat_to_act(self, state: Any) -> int:
        (seat,) = self.game.decisions(state)
        return seat

    def legal_notations(self, state: Any, verb: str = "") -> list[str]:
        """The notation of all that the seat to act may do, or of what begins with that word."""
        texts = [self.game.format_move(move) for move in self.game.moves(state, self.seat_to_act(state))]
        return [text for text in texts if text.split()[0] == verb or not verb]

    def play_moves(self, state: Any, *texts: str) -> list[Event]:
        """Make these moves, each by the seat that has to act by then, as a match would; all that happened."""
        events: list[Event] = []
        for text in texts:
            seat, move = self.seat_to_act(state), self.game.parse_move(text)
            self.game.check(state, seat, move)
            events += self.game.play(state, seat, move)
        return events

    def describe_reveals(self, state: Any, text: str, seat: int | None = None) -> str:
        """Who learns something hidden by a move (of the seat to act, unless told), and what each reader is told of it.

        `AB: Dice were rolled.`; if readers are told different things, `A: You drew …. B: Another player drew cards.`
        """
        move = self.game.parse_move(text)
        actor = self.seat_to_act(state) if seat is None else seat
        self.game.check(state, actor, move)
        learners = self.game.reveals(state, actor, move)
        if not learners:
            return "nobody"
        texts = {seat: self.game.describe_reveal(state, actor, move, seat) for seat in sorted(learners)}
        letters = "".join(map(letter, texts))
        (first_text, *others) = dict.fromkeys(texts.values())
        return (
            f"{letters}: {first_text}"
            if not others
            else " ".join(f"{letter(seat)}: {text}" for seat, text in texts.items())
        )

    def expect_refusal(self, state: Any, move: Any, seat: int | None = None) -> IllegalMove:
        """Try a move (of the seat to act, unless told) that is to be refused; C3: in a sentence, without a change."""
        before = self.game.checkpoint_adapter.dump_json(state)
        with pytest.raises(IllegalMove) as caught:  # noqa: PT012
            parsed_move = self.game.parse_move(move) if isinstance(move, str) else move
            self.game.check(state, self.seat_to_act(state) if seat is None else seat, parsed_move)
        assert self.game.checkpoint_adapter.dump_json(state) == before, "a refused move changed the state"
        assert re.match(r"[A-Z“].*\.$", caught.value.reason), f"not a sentence: {caught.value.reason}"
        assert str(caught.value) == caught.value.reason
        return caught.value
