"""Who is alone holds whatever it is given."""

from __future__ import annotations

import pytest

from engines.store.partition import Partition
from engines.store.server_ownership import SoleOwnership


@pytest.mark.parametrize(
    ("named", "held"), [(None, Partition.all_of(4)), (Partition.parse("2-4/16"), Partition.parse("2-4/16"))]
)
async def test_one_process_holds_what_is_named_or_all_of_as_many_parts_as_are_recommended(
    named: Partition | None, held: Partition
) -> None:
    alone = SoleOwnership()
    assert await alone.claim_partitions(named, 4) == held == alone.partition
    assert alone.epoch(min(held.numbers) << 22) == 1
    await alone.release_all()
    assert alone.partition == held, "there is nobody who would take it"
