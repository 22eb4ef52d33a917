"""Servers divided by their numbers, and that one who is alone holds whatever it is given."""

from __future__ import annotations

import pytest

from engines.store.partition import ALL_SERVERS, Partition
from engines.store.server_ownership import SoleOwnership

GUILDS = [number << 22 | 77 for number in range(40)]


def test_every_server_is_in_one_part_and_in_the_whole() -> None:
    parts = [Partition.all_of(8).only_number(number) for number in range(8)]
    for guild in GUILDS:
        assert [part.has_server(guild) for part in parts].count(True) == 1
        assert Partition.all_of(8).has_server(guild)
        assert ALL_SERVERS.has_server(guild)
    assert [part.has_server(GUILDS[11]) for part in parts].index(True) == 3


@pytest.mark.parametrize(
    ("text", "numbers", "of"),
    [("0-7/16", range(8), 16), (" 3/16 ", [3], 16), ("0/1", [0], 1), ("8-15/16", range(8, 16), 16)],
)
def test_parts_are_written_by_their_numbers(text: str, numbers: range, of: int) -> None:
    assert Partition.parse(text) == Partition(frozenset(numbers), of)


@pytest.mark.parametrize("text", ["", "8", "16/16", "7-0/16", "0-16/16", "0-7", "0/0", "-1/8", "a/b", "0-7/16/2"])
def test_nonsense_is_refused_in_a_sentence(text: str) -> None:
    with pytest.raises(ValueError, match="0-7/16"):
        Partition.parse(text)


@pytest.mark.parametrize(
    ("named", "claimed"), [(None, Partition.all_of(4)), (Partition.parse("2-4/16"), Partition.parse("2-4/16"))]
)
async def test_one_process_holds_what_is_named_or_all_of_as_many_parts_as_are_recommended(
    named: Partition | None, claimed: Partition
) -> None:
    alone = SoleOwnership()
    assert await alone.claim_partitions(named, 4) == claimed == alone.partition
    assert alone.epoch(min(claimed.numbers) << 22) == 1
    await alone.release_all()
    assert alone.partition == claimed, "there is nobody who would take it"
