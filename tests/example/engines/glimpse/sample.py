"""A full state that is possible for a view of Glimpse."""

from __future__ import annotations

from engines.kit.chance import Chance
from engines.kit.sampling import deal_out
from tests.example.engines.glimpse.deck import DECK
from tests.example.engines.glimpse.model import State
from tests.example.engines.glimpse.view import View


def sample(view: View, chance: Chance) -> State:
    """Return a state that keeps what the view shows. Everything hidden is drawn at random."""
    hands, laid, rest = _deal_hidden(view, chance)
    dealt = [hand.copy() for hand in hands]
    if laid is not None:
        dealt[view.turn].append(laid)
    for turned_card in view.turned:
        dealt[turned_card.seat].append(turned_card.card)
    glimpses = [chance.choice(dealt[(seat + 1) % view.seats]) for seat in range(view.seats)]  # G3
    guesses = [chance.randbelow(2) == 1 if guessed else None for guessed in view.guessed]
    if view.seat is not None and view.glimpse is not None:
        glimpses[view.seat], guesses[view.seat] = view.glimpse, view.guess
    return State(
        chance=chance.fork(),
        deals=view.deals,
        deal=view.deal,
        phase=view.phase,
        turn=view.turn,
        hands=hands,
        rest=rest,
        glimpses=glimpses,
        laid=laid,
        guesses=guesses,
        turned=list(view.turned),
        scores=list(view.scores),
        numbers=list(view.numbers),
    )


def _deal_hidden(view: View, chance: Chance) -> tuple[list[list[int]], int | None, list[int]]:
    """All hands, the card face down, and the cards that were not dealt."""
    known = {*view.hand, view.laid, *(turned_card.card for turned_card in view.turned)}
    cards = [card for card in DECK if card not in known]
    down = view.phase == "guess" and view.laid is None
    room = [0 if seat == view.seat else size for seat, size in enumerate(view.hand_sizes)]
    room += [int(down), len(cards) - sum(room) - down]  # two more places: face down, and not dealt

    def fits(place: int, card: int) -> bool:
        if card != view.glimpse or view.seat is None:
            return True
        neighbour = (view.seat + 1) % view.seats  # G3: the neighbour holds the glimpsed card, or has laid it
        return place == neighbour or (place == view.seats and view.turn == neighbour)

    *hands, face_down, rest = deal_out(cards, room, fits, chance)
    if view.seat is not None:
        hands[view.seat] = list(view.hand)
    return [sorted(hand) for hand in hands], face_down[0] if down else view.laid, rest
