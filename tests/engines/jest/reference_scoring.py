"""Jest's scoring again: plainly, slowly, on card names, and knowing nothing of the engine. J10–J13.

A Jest is a set of names: `{"AS", "3H", "joker"}`.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

STRENGTH = "HDCS"
ALL = [f"{rank}{suit}" for suit in STRENGTH for rank in "A234"] + ["joker"]
Jest = Collection[str]

HIGHEST_TROPHIES = {"AS": "C", "AC": "S", "3C": "H", "2D": "D"}
LOWEST_TROPHIES = {"4S": "C", "4C": "S", "2C": "H", "3D": "D"}
MAJORITY_TROPHIES = {"2S": "3", "3S": "2", "AD": "4"}


def cards_of_suit(jest: Jest, suit: str) -> list[str]:
    return [card for card in jest if card != "joker" and card[1] == suit]


def face_value(jest: Jest, card: str) -> int:
    """J12."""
    if card == "joker":
        return 0
    if card[0] != "A":
        return int(card[0])
    return 5 if cards_of_suit(jest, card[1]) == [card] else 1


def jest_value(jest: Jest) -> int:
    """J13."""
    spades, clubs = cards_of_suit(jest, "S"), cards_of_suit(jest, "C")
    hearts, diamonds = cards_of_suit(jest, "H"), cards_of_suit(jest, "D")
    total = sum(face_value(jest, card) for card in spades) + sum(face_value(jest, card) for card in clubs)
    total -= sum(face_value(jest, card) for card in diamonds)
    for spade in spades:
        for club in clubs:
            if face_value(jest, spade) == face_value(jest, club):
                total += 2
    if "joker" in jest:
        if not hearts:
            total += 4
        elif len(hearts) < 4:
            total -= sum(face_value(jest, card) for card in hearts)
        else:
            total += sum(face_value(jest, card) for card in hearts)
    return total


def trophy_owner(trophy: str, jests: Sequence[Jest]) -> int | None:
    """J11: whose Jest meets the condition printed on that card."""
    seats = range(len(jests))
    if trophy in HIGHEST_TROPHIES or trophy in LOWEST_TROPHIES:
        suit = HIGHEST_TROPHIES.get(trophy) or LOWEST_TROPHIES[trophy]
        found = sorted(
            (face_value(jests[seat], card), seat) for seat in seats for card in cards_of_suit(jests[seat], suit)
        )
        if not found:
            return None
        return (found[-1] if trophy in HIGHEST_TROPHIES else found[0])[1]
    if trophy in MAJORITY_TROPHIES:
        rank = MAJORITY_TROPHIES[trophy]
        counts = {seat: [card for card in jests[seat] if card[0] == rank] for seat in seats}
        most = max(len(cards) for cards in counts.values())
        tied = [seat for seat in seats if len(counts[seat]) == most]
        return max(tied, key=lambda seat: max(STRENGTH.index(card[1]) for card in counts[seat])) if most else None
    if trophy.endswith("H"):
        holders = [seat for seat in seats if "joker" in jests[seat]]
        return holders[0] if holders else None
    assert trophy in ("joker", "4D")
    allowed = [seat for seat in seats if trophy == "joker" or "joker" not in jests[seat]]
    best = max(jest_value(jests[seat]) for seat in allowed)
    tied = [seat for seat in allowed if jest_value(jests[seat]) == best]
    return max(
        tied,
        key=lambda seat: max((face_value(jests[seat], c), STRENGTH.index(c[1])) for c in jests[seat] if c != "joker"),
    )


def final_values(trophies: Sequence[str], jests: Sequence[Jest]) -> list[int]:
    """J10: the values with the trophies, all judged before any is given."""
    owners = [trophy_owner(trophy, jests) for trophy in trophies]
    final = [
        {*jest, *(t for t, owner in zip(trophies, owners, strict=True) if owner == seat)}
        for seat, jest in enumerate(jests)
    ]
    return [jest_value(jest) for jest in final]
