"""Servers divided into parts, as both kinds of SQL ask for them; and since when each part was last looked after."""

from __future__ import annotations

from collections.abc import Mapping

from engines.store.partition import SHIFT, Part

ALIVE = "alive"  # how the notes begin of when the bot was last there; they are in this order between it and the next
AFTER = "alivf"


def within(part: Part, guild: str = "guild") -> str:
    """A further condition on a server's number; nothing where all are meant, so that this costs nothing."""
    if part.whole:
        return ""
    return f" AND ({guild} >> {SHIFT}) % {part.of} IN ({', '.join(map(str, sorted(part.numbers))) or -1})"


def of_match(part: Part, match: str) -> str:
    """The same on a match of that name in the statement."""
    if part.whole:
        return ""
    its = f"SELECT 1 FROM matches AS its WHERE its.match = {match}"
    return f" AND EXISTS ({its}{within(part, 'its.guild')})"


def alive(part: Part) -> dict[int, str]:
    """The keys of the notes of when the bot was last there for each of them."""
    if part.of == 1:
        return dict.fromkeys(part.numbers, ALIVE)
    return {number: f"{ALIVE} {number}/{part.of}" for number in part.numbers}


def last(notes: Mapping[str, str], part: Part, until: int) -> tuple[dict[int, int], dict[str, str]]:
    """When the bot was last there for each of them, by its notes; and the notes to take their place, if any.

    Where servers were divided otherwise before, it was there for each when it was last there for any. A note that is
    damaged, or missing, tells nothing.
    """
    keys = alive(part)
    anew: dict[str, str] = {}
    if notes and not notes.keys() & alive(Part.all(part.of)).values():
        newest = max((int(value) for value in notes.values() if value.isdecimal()), default=until)
        anew = dict.fromkeys(alive(Part.all(part.of)).values(), str(newest))
    known = anew or notes
    times = {number: known.get(key, "") for number, key in keys.items()}
    return {number: int(time) if time.isdecimal() else until for number, time in times.items()}, anew


def by_time(since: Mapping[int, int], of: int) -> dict[int, Part]:
    """The parts that have the same time together."""
    return {
        time: Part(frozenset(number for number, each in since.items() if each == time), of)
        for time in set(since.values())
    }
