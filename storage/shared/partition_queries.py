"""SQL conditions for partitions of servers, and the notes of when each was last looked after."""

from __future__ import annotations

from collections.abc import Mapping

from engines.store.partition import GUILD_SHIFT, Partition

ALIVE_KEY = "alive"  # prefix of the notes that record when the bot was last alive
ALIVE_KEY_END = "alivf"


def partition_condition(partition: Partition, guild: str = "guild") -> str:
    """Return a further SQL condition on a server's number; empty for all servers, so that it costs nothing."""
    if partition.is_whole:
        return ""
    return (
        f" AND ({guild} >> {GUILD_SHIFT}) % {partition.count} IN "
        f"({', '.join(map(str, sorted(partition.numbers))) or -1})"
    )


def match_partition_condition(partition: Partition, match: str) -> str:
    """Return the same condition for a match column of that name."""
    if partition.is_whole:
        return ""
    its = f"SELECT 1 FROM matches AS its WHERE its.match = {match}"
    return f" AND EXISTS ({its}{partition_condition(partition, 'its.guild')})"


def alive_note_keys(partition: Partition) -> dict[int, str]:
    """Return the note keys for when the bot was last alive, by partition."""
    if partition.count == 1:
        return dict.fromkeys(partition.numbers, ALIVE_KEY)
    return {number: f"{ALIVE_KEY} {number}/{partition.count}" for number in partition.numbers}


def last_alive_times(
    notes: Mapping[str, str], partition: Partition, until: int
) -> tuple[dict[int, int], dict[str, str]]:
    """Return when the bot was last alive for each partition, and the notes that replace the old ones, if any.

    If the servers were divided differently before, each partition gets the latest time of any. Damaged and missing
    notes count for nothing.
    """
    keys = alive_note_keys(partition)
    filled: dict[str, str] = {}
    if notes and not notes.keys() & alive_note_keys(Partition.all_of(partition.count)).values():
        newest = max((int(value) for value in notes.values() if value.isdecimal()), default=until)
        filled = dict.fromkeys(alive_note_keys(Partition.all_of(partition.count)).values(), str(newest))
    known = filled or notes
    times = {number: known.get(key, "") for number, key in keys.items()}
    return {number: int(time) if time.isdecimal() else until for number, time in times.items()}, filled


def group_by_time(since: Mapping[int, int], of: int) -> dict[int, Partition]:
    """Group the partitions that have the same time."""
    return {
        time: Partition(frozenset(number for number, each in since.items() if each == time), of)
        for time in set(since.values())
    }
