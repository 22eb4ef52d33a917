"""Sealed deals: the secret comes in with the match, the cuts with its start, and both go with it."""

from __future__ import annotations

from dataclasses import replace

import pytest

from engines.store.match_store import Change, Place, SavedDeal, Seat, Status, WriteConflict
from tests.storage.contract.kinds import MatchStore
from tests.storage.samples import lobby_info, move_change, start_change

SECRET, CUTS = "5e" * 32, "00017 1402687345029120001"


async def test_a_deal_comes_back_and_a_match_without_has_none(matches: MatchStore) -> None:
    sealed, plain = lobby_info(seal="ab" * 32), lobby_info("m2")
    await matches.insert(sealed, by=5, secret=SECRET)
    await matches.insert(plain, by=5)
    assert await matches.load_deal("m1") == SavedDeal(SECRET)
    assert await matches.load_deal("m2") is None
    assert await matches.load_deal("nothing") is None
    assert {info.id: info.seal for info in await matches.find()} == {"m1": "ab" * 32, "m2": ""}
    started = start_change(sealed, cuts=CUTS)
    await matches.commit(started)
    await matches.commit(move_change(started.info))
    assert await matches.load_deal("m1") == SavedDeal(SECRET, CUTS)
    assert {info.id: info.seal for info in await matches.find()} == {"m1": "ab" * 32, "m2": ""}, "after moves too"


async def test_cuts_are_written_only_with_their_start(matches: MatchStore) -> None:
    await matches.insert(lobby_info(), by=5, secret=SECRET)
    with pytest.raises(WriteConflict):
        await matches.commit(start_change(lobby_info(revision=7), cuts=CUTS))
    assert await matches.load_deal("m1") == SavedDeal(SECRET)


async def test_a_cut_is_kept_with_its_seat_until_its_player_is_forgotten(matches: MatchStore) -> None:
    info = lobby_info(seats=(Seat(5, "Eve", cut="00017", last_cut=2), Seat(6, "Bo", cut="42")))
    await matches.insert(info, by=5, secret=SECRET)
    assert await matches.load_info("m1") == info
    ((_, own),) = (await matches.load_traces(6, 0, 9))[0].seats
    assert (own.cut, own.last_cut) == ("42", 0)
    started = start_change(info, cuts="00017 42")
    await matches.commit(started)
    ended = replace(started.info, status=Status.ENDED, revision=started.info.revision + 1)
    await matches.commit(Change(ended, "end", 5))
    await matches.scrub_user("m1", 6)
    after = await matches.load_info("m1")
    assert after is not None
    assert [(seat.user > 0, seat.cut) for seat in after.seats] == [(True, "00017"), (False, "")]
    assert await matches.load_deal("m1") == SavedDeal(SECRET, "00017 42"), "the proof stays"


async def test_an_erased_match_leaves_no_deal(matches: MatchStore) -> None:
    await matches.insert(lobby_info(), by=5, secret=SECRET)
    await matches.erase_match("m1")
    assert await matches.load_deal("m1") is None


async def test_the_matches_of_a_server_are_counted_and_the_last_changed_come_first(matches: MatchStore) -> None:
    for number, (status, guild, game) in enumerate(
        [
            (Status.OVER, 1, "wizard"),
            (Status.EXPIRED, 1, "jest"),
            (Status.OVER, 1, "jest"),
            (Status.OVER, 2, "wizard"),
            (Status.OVER, 1, "wizard"),
            (Status.LOBBY, 1, "wizard"),
        ]
    ):
        info = replace(lobby_info(f"m{number}", status=status, game=game), changed=2000 - 100 * (number == 4))
        await matches.insert(replace(info, place=Place(guild, 2)), by=5)
    assert await matches.count_matches(1) == {Status.OVER: 3, Status.EXPIRED: 1, Status.LOBBY: 1}
    assert await matches.count_matches(3) == {}
    statuses = frozenset({Status.OVER})
    assert await matches.newest_matches(1, statuses, 9) == ["m2", "m0", "m4"]
    assert await matches.newest_matches(1, statuses, 2) == ["m2", "m0"]
    assert await matches.newest_matches(1, statuses, 9, "wizard") == ["m0", "m4"]
    assert await matches.newest_matches(1, statuses | {Status.EXPIRED}, 9, "jest") == ["m2", "m1"]
