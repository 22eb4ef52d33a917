"""A full state that could lie behind a view of Wizard."""

from __future__ import annotations

from engines.chance import Chance
from engines.sampling import deal_out, rest
from engines.wizard.deck import DECK, SUIT, suit_to_follow
from engines.wizard.model import State, View


def sample(view: View, chance: Chance) -> State:
    """Keep what the view shows and deal the rest anew."""
    hands, stock = _hidden(view, chance)
    return State(
        chance=chance.fork(),
        rounds=view.rounds,
        draws=list(view.draws),
        dealer=view.dealer,
        round=view.round,
        phase=view.phase,
        turn=view.turn,
        hands=hands,
        stock=stock,
        turned=view.turned,
        trump=view.trump,
        bids=list(view.bids),
        taken=list(view.taken),
        leader=view.leader,
        trick=list(view.trick),
        follow=suit_to_follow(view.trick),
        fallen=[card for trick in view.tricks for card in trick.cards],
        takers=[trick.winner for trick in view.tricks],
        last=view.last,
        scores=list(view.scores),
        sheet=list(view.sheet),
        numbers=list(view.numbers),
    )


def voids(view: View) -> list[set[int]]:
    """By seat, the suits it has shown this round not to hold: another suit fell where one had to be followed (W7)."""
    shown: list[set[int]] = [set() for _ in range(view.seats)]
    for leader, cards in [(t.leader, t.cards) for t in view.tricks] + [(view.leader, view.trick)]:
        for i, card in enumerate(cards):
            asked = suit_to_follow(cards[:i])
            if asked is not None and SUIT[card] not in (asked, None):
                shown[(leader + i) % view.seats].add(asked)
    return shown


def unseen(view: View) -> list[int]:
    """The cards whose place the seat cannot know, sorted."""
    turned = () if view.turned is None else (view.turned,)
    return rest(DECK, *[trick.cards for trick in view.tricks], view.trick, view.hand, turned)


def _hidden(view: View, chance: Chance) -> tuple[list[list[int]], list[int]]:
    """Everybody's hand, and the cards not dealt."""
    cards, shown = unseen(view), voids(view)
    room = [0 if seat == view.seat else size for seat, size in enumerate(view.hand_sizes)]
    room.append(len(cards) - sum(room))  # the cards not dealt
    *hands, stock = deal_out(
        cards, room, lambda place, card: place == view.seats or SUIT[card] not in shown[place], chance
    )
    if view.seat is not None:
        hands[view.seat] = list(view.hand)
    return [sorted(hand) for hand in hands], stock
