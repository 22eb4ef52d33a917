"""Where hands are stored. A hand belongs to the person in whose direct messages it is; its seat is only its place.

In a lobby, seats move up when somebody leaves. So a hand may be stored for a while under a seat that its player no
longer has. Pure functions of a match's surfaces.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from engines.store.match_store import StoreFailure
from engines.store.surface_storage import Surface, SurfaceKind

SurfacePlace = tuple[SurfaceKind, int]
Surfaces = Mapping[SurfacePlace, Surface]


class SeatInUse(StoreFailure):
    """The place is that of somebody else's hand, because seats have moved. It is free after the next redraw."""


@dataclass(frozen=True, slots=True)
class HandMove:
    """A step towards hands that are stored under their players' seats: a place to empty, and the hand to store."""

    leaves: SurfacePlace
    hand: Surface | None  # None: its direct messages have another row

    def apply(self, surfaces: Surfaces) -> Surfaces:
        """Return the surfaces after this step."""
        rest = {place: surface for place, surface in surfaces.items() if place != self.leaves}
        return rest if self.hand is None else {**rest, ("hand", self.hand.seat): self.hand}


def hand_in(surfaces: Surfaces, channel: int) -> Surface | None:
    """Return the hand in these direct messages."""
    return next((each for each in surfaces.values() if each.kind == "hand" and each.channel == channel), None)


def place_hand(surfaces: Surfaces, hand: Surface) -> Surface:
    """Return a hand with the seat under which to store it: never in the place of another person's. Raises SeatInUse."""
    if (known := hand_in(surfaces, hand.channel)) is not None:
        return replace(hand, seat=known.seat)
    if ("hand", hand.seat) in surfaces:
        raise SeatInUse("Another player's hand has to be removed from this chat first.")
    return hand


def next_move(surfaces: Surfaces, seats: Mapping[int, int]) -> HandMove | None:
    """Return the next step until each hand is stored under its seat; `seats` are the players' seats by channel.

    None if there is no more to do, or only hands are left whose places are those of people who have left.
    """
    goals: dict[SurfacePlace, SurfacePlace] = {
        place: ("hand", seats[surface.channel])
        for place, surface in sorted(surfaces.items())
        if place[0] == "hand" and seats.get(surface.channel, surface.seat) != surface.seat
    }
    for place, goal in goals.items():
        if goal not in surfaces:
            return HandMove(place, replace(surfaces[place], seat=goal[1]))
        if surfaces[goal].channel == surfaces[place].channel:  # a crash came between the two writes of a move
            return HandMove(place, None)
    circle = next((place for place in goals if _leads_back(place, goals)), None)
    if circle is None:
        return None
    return HandMove(circle, replace(surfaces[circle], seat=max(seat for _, seat in surfaces) + 1))  # to make room


def _leads_back(start: SurfacePlace, goals: Mapping[SurfacePlace, SurfacePlace]) -> bool:
    """Return whether hands wait for each other in a circle, because somebody left and came back."""
    place = goals[start]
    for _ in goals:
        if place == start or place not in goals:
            break
        place = goals[place]
    return place == start
