"""Servers divided into parts, as both kinds of SQL ask for them; and since when each part was last looked after."""

from __future__ import annotations

from collections.abc import Mapping

from engines.store.partition import GUILD_SHIFT, Partition

ALIVE_KEY = (
    "alive"  # how the notes begin of when the bot was last there; they are in this order between it and the next
)
ALIVE_KEY_END = "alivf"


def partition_condition(partition: Partition, guild: str = "guild") -> str:
    """A further condition on a server's number; nothing where all are meant, so that this costs nothing."""
    if partition.is_whole:
        return ""
    return (
        f" AND ({guild} >> {GUILD_SHIFT}) % {partition.count} IN "
        f"({', '.join(map(str, sorted(partition.numbers))) or -1})"
    )


def match_partition_condition(partition: Partition, match: str) -> str:
    """The same on a match of that name in the statement."""
    if partition.is_whole:
        return ""
    its = f"SELECT 1 FROM matches AS its WHERE its.match = {match}"
    return f" AND EXISTS ({its}{partition_condition(partition, 'its.guild')})"


def alive_note_keys(partition: Partition) -> dict[int, str]:
    """The keys of the notes of when the bot was last there for each of them."""
    if partition.count == 1:
        return dict.fromkeys(partition.numbers, ALIVE_KEY)
    return {number: f"{ALIVE_KEY} {number}/{partition.count}" for number in partition.numbers}


def last_alive_times(
    notes: Mapping[str, str], partition: Partition, until: int
) -> tuple[dict[int, int], dict[str, str]]:
    """When the bot was last there for each of them, by its notes; and the notes to take their place, if any.

    Where servers were divided otherwise before, it was there for each when it was last there for any. A note that is
    damaged, or missing, tells nothing.
    """
    keys = alive_note_keys(partition)
    anew: dict[str, str] = {}
    if notes and not notes.keys() & alive_note_keys(Partition.all_of(partition.count)).values():
        newest = max((int(value) for value in notes.values() if value.isdecimal()), default=until)
        anew = dict.fromkeys(alive_note_keys(Partition.all_of(partition.count)).values(), str(newest))
    known = anew or notes
    times = {number: known.get(key, "") for number, key in keys.items()}
    return {number: int(time) if time.isdecimal() else until for number, time in times.items()}, anew


def group_by_time(since: Mapping[int, int], of: int) -> dict[int, Partition]:
    """The parts that have the same time together."""
    return {
        time: Partition(frozenset(number for number, each in since.items() if each == time), of)
        for time in set(since.values())
    }
