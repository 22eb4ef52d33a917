"""Who is alone holds whatever it is given."""

from __future__ import annotations

import pytest

from engines.store.partition import Part
from engines.store.server_ownership import Alone


@pytest.mark.parametrize(("named", "held"), [(None, Part.all(4)), (Part.read("2-4/16"), Part.read("2-4/16"))])
async def test_one_process_holds_what_is_named_or_all_of_as_many_parts_as_are_recommended(
    named: Part | None, held: Part
) -> None:
    alone = Alone()
    assert await alone.divide(named, 4) == held == alone.part
    assert alone.epoch(min(held.numbers) << 22) == 1
    await alone.give_back()
    assert alone.part == held, "there is nobody who would take it"
