"""The special card that a hand explains, because its player has just got it for the first time in the match."""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from collections.abc import Sequence

from cogs.screens.screen import GameScreen
from cogs.screens.special_cards import NO_CHANGE, SpecialCard
from engines.hosting.match import MatchSnapshot

MOVES_TO_KNOW = 60  # moves in one match after which hands explain no more cards


def new_card(snapshot: MatchSnapshot, seat: int, screen: GameScreen) -> SpecialCard | None:
    """Return the card that a seat's hand explains until the player's next move; None if there is none.

    Each kind is explained once in a match, in the order in which the seat got them. Of several at once, the first is
    explained until the next move, the second until the move after that, and so on.
    """
    if snapshot.movers.count(seat) > MOVES_TO_KNOW or len(snapshot.movers) < snapshot.info.moves:
        return None  # a migration to new rules drops events, and with them what was explained
    in_hand = screen.own_special_cards(snapshot.view(seat))
    if not in_hand:
        return None
    own_moves = _own_moves(snapshot, seat)
    turn = -1
    for card, first in _first_moves(snapshot, seat, screen, own_moves):
        turn = max(turn + 1, first)
        if turn == len(own_moves):
            return card if card in in_hand else None
    return None


def _first_moves(
    snapshot: MatchSnapshot, seat: int, screen: GameScreen, own_moves: Sequence[int]
) -> list[tuple[SpecialCard, int]]:
    """Return the kinds in the order in which the seat got them, each with how many moves its player had made then."""
    view = snapshot.view(seat)
    names = [kind.name for kind in screen.special_cards(snapshot.options, len(snapshot.info.seats))]
    at_first = Counter(screen.own_special_cards(view))  # once all later changes are undone
    first: dict[SpecialCard, int] = {}
    match_events = snapshot.visible_events(seat, 0)
    changes = screen.special_card_changes([each.event for each in match_events], view)
    for match_event, change in zip(match_events, changes, strict=True):
        if change is NO_CHANGE:
            continue
        gains, losses = change
        at_first.subtract(gains)
        at_first.update(losses)
        for card in gains:
            first.setdefault(card, bisect_right(own_moves, match_event.move))
    first |= dict.fromkeys((card for card, number in at_first.items() if number > 0), 0)

    def order(item: tuple[SpecialCard, int]) -> tuple[int, int]:
        card, moves = item
        return moves, names.index(card.name) if card.name in names else len(names)

    return sorted(first.items(), key=order)


def _own_moves(snapshot: MatchSnapshot, seat: int) -> list[int]:
    """Return the numbers of the moves that the seat's player made and that were not taken back."""
    others = snapshot.undone_moves | snapshot.forced_moves | snapshot.timeout_moves
    return [number for number, mover in enumerate(snapshot.movers, 1) if mover == seat and number not in others]
