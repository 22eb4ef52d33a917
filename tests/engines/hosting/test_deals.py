"""Sealed deals: the seed follows from what was fixed before and from what everyone added, and from nothing else."""

from __future__ import annotations

import asyncio
from hashlib import blake2b, sha256
from typing import Any

import pytest

from engines.features.deals.cutting import cut_deal, cut_last
from engines.features.registry import FEATURES
from engines.hosting.match import RequestRefused
from engines.hosting.matches import Matches
from engines.hosting.matches.lobbies import MatchSources
from engines.hosting.records import record
from engines.hosting.timing.due_times import LOBBY_SECONDS
from engines.store.match_store import MatchInfo, Place, Seat, Status, WriteConflict
from engines.store.table_options import TableOptions
from tests.engines.memory_matches import ADA, BELA, CHIDI, DORA, SEED, WIZARD, Clock, play_to_end, reload_live
from tests.engines.memory_matches import make_matches as make_unsealed_matches
from tests.engines.memory_store import MemoryStore
from tests.games import GAMES

SECRET = "c0ffee00" * 8
JOINED = {ADA: 1402687345029120001, BELA: 1402687345029120002, CHIDI: 1402687345029120003}
STARTED = 1402687345029129999
TIMELESS = TableOptions(clock=None, autoplay=False)


@pytest.fixture
def matches(store: MemoryStore, clock: Clock) -> Matches:
    return make_matches(store, clock)


def make_matches(store: MemoryStore, clock: Clock) -> Matches:
    return Matches(store, GAMES, clock, sources=MatchSources(new_secret=lambda: SECRET), features=FEATURES)


async def open_lobby(matches: Matches, *others: int, later: int = 0) -> str:
    options = WIZARD.options(rounds=1)
    host = Seat(ADA, "Ada")
    click = JOINED[ADA] + later  # a click opens one lobby
    info = await matches.lobbies.open_lobby(WIZARD, options, Place(1, 2), host, table_options=TIMELESS, click=click)
    for user in others:
        await matches.lobbies.join(info.id, user, f"user{user}", click=JOINED[user])
    return info.id


async def expect_refusal(request: Any, sentence: str) -> None:
    with pytest.raises(RequestRefused, match=sentence):
        await request


async def deal_of(matches: Matches, match: str) -> Any:
    return await matches.records.public_deal((await matches.cache.get_fresh_snapshot(match)).info)


async def test_the_seed_follows_from_the_secret_and_the_cuts_in_seat_order(
    matches: Matches, store: MemoryStore
) -> None:
    match = await open_lobby(matches, BELA)
    info = (await matches.cache.get_snapshot(match)).info
    assert info.seal == sha256(f"{SECRET} {match} wizard".encode()).hexdigest()
    await cut_deal(matches.editor, match, BELA, " 0042 ")
    await matches.lobbies.add_computers(match, ADA, "easy")
    await matches.lobbies.start_match(match, ADA, click=STARTED)
    cuts = f"0{STARTED} 0042 computer"
    assert store.deals[match].cuts == cuts
    assert store.saved[match].seed == blake2b(cuts.encode(), key=bytes.fromhex(SECRET), digest_size=16).hexdigest()


async def test_the_host_cuts_with_the_click_that_starts_the_match(matches: Matches, store: MemoryStore) -> None:
    async def start(later: int, *, digits: str = "", last: int = 0, click: int = STARTED) -> str:
        match = await open_lobby(matches, BELA, CHIDI, later=later << 30)
        if digits:
            await cut_deal(matches.editor, match, ADA, digits)
        if last:
            await cut_last(matches.editor, match, last, True)
            await cut_deal(matches.editor, match, last, "7")
        await matches.lobbies.start_match(match, ADA, click=click)
        return store.deals[match].cuts

    bela, chidi = JOINED[BELA], JOINED[CHIDI]
    assert await start(1) == f"0{STARTED} {bela} {chidi}"
    assert await start(2, click=0) == f"0{chidi} {bela} {chidi}", (
        "nobody pressed, so the last click in the lobby counts"
    )
    alone = await open_lobby(matches, later=5 << 30)
    await matches.lobbies.add_computers(alone, ADA, "easy")
    await matches.lobbies.start_match(alone, ADA)
    opening_click = JOINED[ADA] + (5 << 30)
    assert store.deals[alone].cuts == f"{opening_click} computer computer", "no click came after the seal"
    assert await start(3, digits="1907") == f"1907 {bela} {chidi}"
    assert await start(4, last=BELA) == f"{JOINED[ADA] + (4 << 30)} 7 {chidi}", "nothing comes after the last word"


async def test_every_cut_and_their_order_change_the_deal(matches: Matches, store: MemoryStore) -> None:
    seeds = set()
    for number, (first, second) in enumerate([("1", "2"), ("2", "1"), ("1", "02"), ("1", "")]):
        match = await open_lobby(matches, BELA, CHIDI, later=number << 30)
        for user, digits in ((ADA, first), (BELA, second)):
            if digits:
                await cut_deal(matches.editor, match, user, digits)
        await matches.lobbies.start_match(match, ADA, click=STARTED)
        seeds.add(store.saved[match].seed)
    assert len(seeds) == 4


async def test_the_secret_of_each_lobby_is_another_and_hard_to_guess(store: MemoryStore, clock: Clock) -> None:
    matches = Matches(store, GAMES, clock, features=FEATURES)
    for number in range(3):
        await open_lobby(matches, later=number << 30)
    drawn = {deal.secret for deal in store.deals.values()}
    assert len(drawn) == 3
    assert all(len(bytes.fromhex(secret)) == 32 for secret in drawn)


@pytest.mark.parametrize(
    "typed", ["", " ", "abc", "12a", "-1", "1.5", "٣٤", "1²", "３", "123456789", "1 2", "0x1", "1\n2", "𝟙"]
)
async def test_a_text_that_is_no_cut_is_refused_and_changes_nothing(matches: Matches, typed: str) -> None:
    match = await open_lobby(matches, BELA)
    before = (await matches.cache.get_snapshot(match)).info
    await expect_refusal(cut_deal(matches.editor, match, BELA, typed), "one to eight digits")
    assert (await matches.cache.get_snapshot(match)).info == before


async def test_everyone_at_the_table_cuts_once_and_only_before_the_start(matches: Matches) -> None:
    match = await open_lobby(matches, BELA, CHIDI)
    await cut_deal(matches.editor, match, BELA, "00000000")
    await expect_refusal(cut_deal(matches.editor, match, BELA, "1"), "already cut, with 00000000")
    await expect_refusal(cut_deal(matches.editor, match, DORA, "1"), "not sitting at this table")
    await matches.seating.leave_match(match, CHIDI)
    await expect_refusal(cut_deal(matches.editor, match, CHIDI, "1"), "not sitting at this table")
    await matches.lobbies.add_computers(match, ADA, "easy")
    await matches.lobbies.start_match(match, ADA, click=STARTED)
    await expect_refusal(cut_deal(matches.editor, match, ADA, "1"), "already started")
    await expect_refusal(cut_last(matches.editor, match, ADA, True), "already started")


async def test_the_cut_of_somebody_who_left_does_not_count_and_they_cut_again_if_they_come_back(
    matches: Matches, store: MemoryStore
) -> None:
    match = await open_lobby(matches, BELA, CHIDI)
    await cut_deal(matches.editor, match, BELA, "77")
    await matches.seating.leave_match(match, BELA)
    await matches.lobbies.join(match, BELA, "Bela", click=99 << 50)
    await matches.lobbies.start_match(match, ADA, click=STARTED)
    assert store.deals[match].cuts == f"0{STARTED} {JOINED[CHIDI]} {99 << 50}"


async def test_a_click_that_comes_twice_cuts_once(matches: Matches) -> None:
    match = await open_lobby(matches, BELA)
    for _ in range(2):
        info = await cut_deal(matches.editor, match, BELA, "5", click=777)
    assert info.seats[1].cut == "5"


async def test_options_may_change_under_the_seal(matches: Matches, store: MemoryStore) -> None:
    match = await open_lobby(matches, BELA, CHIDI)
    before = (await matches.cache.get_snapshot(match)).info.seal
    await matches.lobbies.change_option(match, ADA, "rounds", "2")
    assert (await matches.cache.get_snapshot(match)).info.seal == before
    assert store.deals[match].secret == SECRET


async def test_a_restart_between_seal_and_start_changes_nothing(
    matches: Matches, store: MemoryStore, clock: Clock
) -> None:
    match = await open_lobby(matches, BELA, CHIDI)
    await cut_deal(matches.editor, match, CHIDI, "31")
    restarted = Matches(store, GAMES, clock, sources=MatchSources(new_secret=lambda: "00" * 32), features=FEATURES)
    await reload_live(restarted)
    await restarted.lobbies.start_match(match, ADA, click=STARTED)
    assert (
        store.saved[match].seed
        == blake2b(f"0{STARTED} {JOINED[BELA]} 31".encode(), key=bytes.fromhex(SECRET), digest_size=16).hexdigest()
    )


async def test_two_starts_at_once_deal_once(matches: Matches, store: MemoryStore, clock: Clock) -> None:
    match = await open_lobby(matches, BELA, CHIDI)
    other = make_matches(store, clock)
    await other.cache.get_snapshot(match)
    results = await asyncio.gather(
        matches.lobbies.start_match(match, ADA, click=STARTED),
        other.lobbies.start_match(match, ADA, click=STARTED),
        cut_deal(other.editor, match, BELA, "9"),
        return_exceptions=True,
    )
    assert sum(isinstance(one, MatchInfo) for one in results) >= 1
    assert all(isinstance(one, (MatchInfo, RequestRefused, WriteConflict)) for one in results)
    (started,) = [change for change in store.changes if change.action == "start"]
    assert started.cuts == store.deals[match].cuts
    assert started.cuts.split(" ")[1] == started.info.seats[1].cut


# The last word


async def test_the_match_waits_for_the_last_cut(matches: Matches, store: MemoryStore) -> None:
    match = await open_lobby(matches, BELA, CHIDI)
    await cut_last(matches.editor, match, BELA, True)
    await expect_refusal(matches.lobbies.start_match(match, ADA, click=STARTED), "user12 cuts last, but has not cut")
    await cut_deal(matches.editor, match, BELA, "12")
    await expect_refusal(cut_deal(matches.editor, match, BELA, "13"), "already cut")
    await cut_deal(matches.editor, match, CHIDI, "3")
    await expect_refusal(matches.lobbies.start_match(match, ADA, click=STARTED), "user12 cuts last")
    await cut_deal(matches.editor, match, BELA, "13")
    await matches.lobbies.start_match(match, ADA, click=STARTED)
    assert store.deals[match].cuts == f"{JOINED[ADA]} 13 3"


@pytest.mark.parametrize("change", ["join", "leave", "computers", "no computer", "remove"])
async def test_the_last_cut_is_to_be_made_again_if_somebody_comes_or_goes_after_it(
    matches: Matches, change: str
) -> None:
    match = await open_lobby(matches, BELA, CHIDI)
    await matches.lobbies.add_computers(match, ADA, "easy")
    await cut_last(matches.editor, match, BELA, True)
    await cut_deal(matches.editor, match, BELA, "12")
    changes = {
        "join": lambda: matches.lobbies.join(match, DORA, "Dora", click=5 << 50),
        "leave": lambda: matches.seating.leave_match(match, CHIDI),
        "computers": lambda: matches.lobbies.add_computers(match, ADA, "easy"),
        "no computer": lambda: matches.lobbies.remove_computer(match, ADA),
        "remove": lambda: matches.seating.remove_player(match, CHIDI, by=99),
    }
    await changes[change]()
    await expect_refusal(matches.lobbies.start_match(match, ADA, click=STARTED), "user12 cuts last")
    await cut_deal(matches.editor, match, BELA, "13")
    await matches.lobbies.start_match(match, ADA, click=STARTED)


async def test_one_player_cuts_last_and_they_or_the_host_can_change_that(matches: Matches) -> None:
    match = await open_lobby(matches, BELA, CHIDI)
    await expect_refusal(cut_last(matches.editor, match, ADA, False), "Nobody has asked")
    await expect_refusal(cut_last(matches.editor, match, DORA, True), "not sitting")
    await cut_last(matches.editor, match, BELA, True)
    await expect_refusal(cut_last(matches.editor, match, BELA, True), "You have already asked to cut last")
    await expect_refusal(cut_last(matches.editor, match, CHIDI, True), "user12 has already asked to cut last")
    await expect_refusal(cut_last(matches.editor, match, CHIDI, False), "Only user12 or the host")
    await cut_last(matches.editor, match, ADA, False)
    await cut_last(matches.editor, match, CHIDI, True)
    await matches.seating.leave_match(match, CHIDI)
    assert not any(seat.last_cut for seat in (await matches.cache.get_snapshot(match)).info.seats)
    await cut_last(matches.editor, match, BELA, True)
    await matches.lobbies.hand_over_host(match, ADA, BELA)
    await cut_last(matches.editor, match, BELA, False)


# What everyone may know


async def close_in_some_way(matches: Matches, clock: Clock, ending: str) -> str:
    match = await open_lobby(matches, BELA, CHIDI, later=1 << 30)
    if ending in ("over", "voted", "reset", "left"):
        await matches.lobbies.start_match(match, ADA, click=STARTED)
    if ending == "over":
        await play_to_end(matches, match)
    elif ending == "voted":
        await matches.seating.vote_to_end(match, ADA)
        await matches.seating.vote_to_end(match, BELA)
    elif ending in ("reset", "reset lobby"):
        await matches.seating.reset_match(match, by=99)
    elif ending == "left":
        for user in (ADA, BELA, CHIDI):
            await matches.seating.leave_match(match, user)
    elif ending == "cancelled":
        await matches.lobbies.cancel_lobby(match, ADA)
    elif ending == "expired":
        clock.now += LOBBY_SECONDS
        await matches.lobbies.expire_lobby(match)
    else:
        await matches.lobbies.close_lost_lobby(match)
    return match


HOW = ("over", "voted", "reset", "left", "reset lobby", "cancelled", "expired", "lost")


@pytest.mark.parametrize("ending", HOW)
async def test_a_secret_opens_when_its_match_ends_in_any_way_and_not_before(
    matches: Matches, clock: Clock, ending: str
) -> None:
    match = await open_lobby(matches, BELA)
    assert (await deal_of(matches, match)).secret == ""
    await matches.lobbies.add_computers(match, ADA, "easy")
    await matches.lobbies.start_match(match, ADA, click=STARTED)
    running = await deal_of(matches, match)
    assert (running.secret, running.cuts) == ("", f"0{STARTED} {JOINED[BELA]} computer")
    closed = await close_in_some_way(matches, clock, ending)
    deal_ = await deal_of(matches, closed)
    assert deal_.secret == SECRET
    assert deal_.seal == sha256(f"{SECRET} {closed} wizard".encode()).hexdigest()
    text = await matches.records.build_deal_record(await matches.cache.get_fresh_snapshot(closed))
    assert bool(text) == (ending in ("over", "voted", "reset", "left"))
    if text:
        parsed = record.parse_record(text)
        record.replay(parsed, GAMES)
        assert parsed.deal is not None
        assert (parsed.deal.secret, parsed.result is None) == (SECRET, ending != "over")


async def test_somebody_who_takes_over_a_seat_or_is_forgotten_breaks_no_proof(
    matches: Matches, store: MemoryStore
) -> None:
    match = await open_lobby(matches, BELA, CHIDI)
    await cut_deal(matches.editor, match, CHIDI, "31")
    await matches.lobbies.start_match(match, ADA, click=STARTED)
    cuts = store.deals[match].cuts
    await matches.seating.leave_match(match, CHIDI)
    await matches.seating.take_seat(match, DORA, "Dora", click=1)
    await matches.forgetting.forget_in_match(match, BELA, lambda game: "easy")
    while (await matches.cache.get_snapshot(match)).info.status is Status.RUNNING:
        snapshot = await matches.cache.get_snapshot(match)
        seat = snapshot.due_seats()[0]
        number, move = snapshot.decisions()[seat].number, snapshot.game.format_move(snapshot.moves(seat)[0])
        if snapshot.info.seats[seat].level:
            await matches.moves.play_computer_move(match, seat, number, move)
        else:
            await matches.moves.play_move(match, snapshot.info.seats[seat].user, number, move)
    parsed = record.parse_record(await matches.records.build_record(match))
    record.replay(parsed, GAMES)
    assert parsed.deal is not None
    assert parsed.deal.cuts == cuts == f"0{STARTED} {JOINED[BELA]} 31"


async def test_no_account_is_in_a_proof(matches: Matches, store: MemoryStore) -> None:
    match = await open_lobby(matches, BELA, CHIDI)
    await matches.lobbies.start_match(match, ADA, click=STARTED)
    assert not {str(ADA), str(BELA), str(CHIDI)} & {*store.deals[match].cuts.split(" ")}


async def test_a_rematch_is_sealed_again(store: MemoryStore, clock: Clock) -> None:
    secrets = iter(["11" * 32, "22" * 32])
    matches = Matches(store, GAMES, clock, sources=MatchSources(new_secret=lambda: next(secrets)), features=FEATURES)
    match = await open_lobby(matches, BELA, CHIDI)
    await cut_deal(matches.editor, match, ADA, "1")
    await matches.lobbies.start_match(match, ADA, click=STARTED)
    await play_to_end(matches, match)
    new = (await matches.rematches.join_rematch(match, BELA, "Bela", click=8 << 50)).info
    await matches.rematches.join_rematch(match, ADA, "Ada", click=9 << 50)
    seats = (await matches.cache.get_snapshot(new.id)).info.seats
    assert [seat.cut for seat in seats] == [str(8 << 50), str(9 << 50)]
    assert store.deals[new.id].secret == "22" * 32
    assert new.seal not in ("", (await matches.cache.get_snapshot(match)).info.seal)


async def test_a_lobby_of_an_older_version_has_no_seal_and_starts_all_the_same(
    matches: Matches, store: MemoryStore, clock: Clock
) -> None:
    old = make_unsealed_matches(store, clock)
    match = await open_lobby(old, BELA, CHIDI)
    await expect_refusal(cut_deal(matches.editor, match, ADA, "1"), "opened by an older version")
    await expect_refusal(cut_last(matches.editor, match, ADA, True), "opened by an older version")
    await matches.lobbies.start_match(match, ADA, click=STARTED)
    assert await deal_of(matches, match) is None
    await play_to_end(matches, match)
    assert (await matches.records.build_record(match)).startswith("motley-record: 1\n")
    assert "seal" not in await matches.records.build_record(match)


async def test_a_match_that_an_older_version_started_has_no_proof(
    matches: Matches, store: MemoryStore, clock: Clock
) -> None:
    match = await open_lobby(matches, BELA, CHIDI)
    store.deals.pop(match)  # an older version knows no deals
    await make_unsealed_matches(store, clock).lobbies.start_match(match, ADA, click=STARTED)
    assert store.saved[match].seed == SEED
    newer = make_matches(store, clock)
    await play_to_end(newer, match)
    assert "seal" not in await newer.records.build_record(match)
