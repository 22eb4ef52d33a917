"""Stored matches: everything is read back unchanged, and revisions follow each other."""

from __future__ import annotations

import asyncio
import dataclasses
import re
from dataclasses import replace
from typing import Any

import pytest

from engines import GAMES
from engines.features.hints import CAN_ASK
from engines.features.registry import FEATURES
from engines.hosting.match import NewerMatch
from engines.hosting.matches import Matches
from engines.store import match_store
from engines.store.match_store import LIVE, Change, MatchInfo, Move, Place, Seat, Status, StoreFailure, WriteConflict
from engines.store.surface_storage import Surface
from engines.store.table_options import TableOptions
from engines.store.undoing import ClockRest, TableRequest, Undoing
from storage.shared.match_rows import MOVE_NOT_SAVED, MOVED_ON
from tests.storage.contract.kinds import NOW, MatchStore, SqlAccess, SurfaceStore
from tests.storage.samples import NASTY_TEXTS, lobby_info, move_change, start_change, start_running


def next_change(info: MatchInfo, **changes: Any) -> Change:
    return Change(replace(info, revision=info.revision + 1, **changes), "options", 6)


async def load_saved(matches: MatchStore) -> match_store.SavedMatch:
    saved = await matches.load("m1")
    assert saved is not None
    return saved


async def stored_move_numbers(matches: MatchStore) -> list[int]:
    """Return the stored moves of the match since its base, by number."""
    return [move.number for move in (await load_saved(matches)).moves]


# Reading back


async def test_an_unknown_match_is_none_and_a_lobby_has_no_state(matches: MatchStore) -> None:
    assert await matches.load_info("m1") is None
    assert await matches.load("m1") is None
    assert await matches.load_history("m1") == []
    for name, info in (("m1", lobby_info()), ("m2", lobby_info("m2", seats=()))):
        await matches.insert(info, by=5)
        assert await matches.load_info(name) == info
        assert await matches.load(name) is None


async def test_every_field_of_a_match_comes_back(matches: MatchStore) -> None:
    await matches.insert(lobby_info(), by=5)
    info = MatchInfo(
        id="m1",
        game="wizard",
        rules=7,
        options='{"rounds": 3}',
        status=Status.PAUSED,
        host=2**62,
        place=Place(1, 12, 13),
        seats=(
            Seat(6, "Bo", "left"),
            Seat(8, "Cy", cut="00017", last_cut=1),
            Seat(9, "Di", "removed"),
            Seat(6, "Bo again"),
        ),
        revision=1,
        moves=0,
        votes=(9, 2**62, 8),
        reason="Bo has left.",
        created=1000,
        changed=2000,
        chosen=1500,
        called=1600,
        table_options=TableOptions(clock="5 minutes").set_option(CAN_ASK, False),
        banks=(7, 0, 135, 2**40),
        practice=True,
        decision_offset=2**40,
        undoing=Undoing(TableRequest(1, 41, 2060, (2, 3), (3,)), ((), (41,), (), (3, 9)), (ClockRest(2, 5, 60),), (4,)),
    )
    fresh = lobby_info()
    same = {
        field.name for field in dataclasses.fields(MatchInfo) if getattr(info, field.name) == getattr(fresh, field.name)
    }
    assert same == {"id", "game", "moves", "created", "follows", "seal", "damage", "is_newer"}
    await matches.commit(Change(info, "leave", 6))
    assert await matches.load_info("m1") == info
    assert await matches.find(statuses=frozenset({Status.PAUSED})) == [info]


async def test_every_status_comes_back(matches: MatchStore) -> None:
    for status in Status:
        await matches.insert(lobby_info(status, status=status), by=5)
        assert await matches.load_info(status) == lobby_info(status, status=status)


@pytest.mark.parametrize("text", NASTY_TEXTS)
async def test_texts_come_back_as_they_are(matches: MatchStore, text: str) -> None:
    info = lobby_info(f"m{text}", game=text, options=text, reason=text, seats=(Seat(5, text), Seat(6, text * 2)))
    await matches.insert(info, by=5)
    start = start_change(info, seed=text, base=text, checkpoint=text)
    await matches.commit(start)
    move = move_change(start.info, text, checkpoint=f"{text}2")
    await matches.commit(move)
    assert await matches.load(info.id) == match_store.SavedMatch(
        move.info, text, text, 0, f"{text}2", (Move(1, 1, 1, text, 6),)
    )
    await matches.insert(lobby_info("m2"), by=5)
    assert await matches.load_info("m2") == lobby_info("m2")


async def test_a_started_match_comes_back_with_its_moves(matches: MatchStore) -> None:
    info = await start_running(matches, moves=3)
    moves = (Move(1, 1, 1, "bid 2", 6), Move(2, 0, 2, "bid 2", 5), Move(3, 1, 3, "bid 2", 6))
    assert await matches.load("m1") == match_store.SavedMatch(info, "5eed", '{"n":0}', 0, '{"n":3}', moves)


async def test_seats_are_kept_with_a_move_whether_it_changes_them_or_not(matches: MatchStore) -> None:
    info = await start_running(matches)
    info = replace(info, seats=(replace(info.seats[0], missed=1), *info.seats[1:]))
    for seated in (True, False):
        change = move_change(info, seats_changed=seated)
        await matches.commit(change)
        assert await matches.load_info(info.id) == change.info
        info = change.info


async def test_a_new_base_is_what_later_moves_are_replayed_on(matches: MatchStore) -> None:
    info = await start_running(matches, moves=2)
    carried = Change(replace(info, revision=4, rules=2), "carry over", base='{"new":2}', checkpoint='{"new":2}')
    await matches.commit(carried)
    move = move_change(carried.info)
    await matches.commit(move)
    saved = match_store.SavedMatch(move.info, "5eed", '{"new":2}', 2, '{"n":3}', (Move(3, 1, 3, "bid 2", 6),))
    assert await matches.load("m1") == saved


async def test_events_are_stored_with_the_seats_that_may_learn_of_them(matches: MatchStore, sql: SqlAccess) -> None:
    info = await start_running(matches)
    events = '[{"to":null,"text":"é"},{"to":[0,2],"card":7},{"to":[],"x":{"y":[1]}}]'
    await matches.commit(move_change(info, events=events))
    query = "SELECT revision, move, recipients, body FROM events WHERE match = 'm1' ORDER BY revision, idx"
    assert await sql.query(query) == [
        (1, 0, "[0]", '{"to":[0],"card":3}'),
        (2, 1, None, '{"to":null,"text":"é"}'),
        (2, 1, "[0,2]", '{"to":[0,2],"card":7}'),
        (2, 1, "[]", '{"to":[],"x":{"y":[1]}}'),
    ]


async def test_history_tells_all_that_was_done_in_order_with_its_time(matches: MatchStore, sql: SqlAccess) -> None:
    await start_running(matches, "m2", moves=2)
    info = await start_running(matches, moves=1)
    reset = Change(replace(info, revision=3, status=Status.RESET, reason="stuck"), "reset", 99)
    await matches.commit(reset)
    expected = [("new", 5, ""), ("start", 5, ""), ("play", 6, ""), ("reset", 99, "stuck")]
    assert await matches.load_history("m1") == [match_store.Action(*each, NOW) for each in expected]
    assert await sql.query("SELECT at FROM moves") == [(NOW,)] * 3


async def test_the_effect_of_a_click_is_known_with_the_revision(matches: MatchStore) -> None:
    info = lobby_info()
    await matches.insert(info, by=5, click=1 << 62)
    change = start_change(info, click=12)
    await matches.commit(change)
    assert await matches.recent_clicks("m1") == (1, (12, 1 << 62))
    for number in range(match_store.RECENT_CLICKS + 2):
        change = move_change(change.info, click=100 + number)
        await matches.commit(change)
    await matches.commit(move_change(change.info))  # nobody has clicked
    assert await matches.recent_clicks("m1") == (
        match_store.RECENT_CLICKS + 4,
        (12, *range(102, 102 + match_store.RECENT_CLICKS), 1 << 62),
    )
    assert await matches.revision("m1") == match_store.RECENT_CLICKS + 4
    assert (await matches.revision("m2"), await matches.recent_clicks("m2")) == (None, (0, ()))


async def test_a_click_opens_one_table(matches: MatchStore) -> None:
    tries = (matches.insert(lobby_info(f"m{n}"), by=5, click=7) for n in range(3))
    results = await asyncio.gather(*tries, return_exceptions=True)
    assert sorted(type(each).__name__ for each in results) == ["NoneType", "WriteConflict", "WriteConflict"]
    first = f"m{results.index(None)}"
    with pytest.raises(WriteConflict):
        await matches.insert(lobby_info("m3"), by=5, limits=match_store.TableLimits(per_person=1), click=7)
    assert (await matches.load_info("m3"), await matches.match_opened_by(7)) == (None, first)
    await matches.insert(lobby_info("m4"), by=5)
    await matches.insert(lobby_info("m5"), by=5)  # nobody has clicked: any number of them
    await matches.commit(replace(next_change(lobby_info(first)), click=8))
    assert (await matches.match_opened_by(0), await matches.match_opened_by(8)) == (None, None)


async def test_somebody_who_is_forgotten_has_clicked_nothing(matches: MatchStore) -> None:
    info = lobby_info()
    await matches.insert(info, by=5, click=7)
    change = start_change(info, click=8)
    await matches.commit(change)
    await matches.commit(move_change(change.info, click=9))  # by 6
    ended = next_change(replace(change.info, revision=2, moves=1), status=Status.ENDED)
    await matches.commit(replace(ended, click=10))  # by 6
    (trace,) = await matches.load_traces(6, 0, 9)
    assert [click for *_, click in trace.moves] == [9]
    assert [action.click for action in trace.actions] == [10]
    await matches.scrub_user("m1", 6)
    assert (await matches.recent_clicks("m1"))[1] == (7, 8)


async def test_history_tells_of_no_move_that_is_nobody_elses_business(matches: MatchStore) -> None:
    info = await start_running(matches)
    for events in ('[{"to":null},{"to":[1]},{"to":null}]', '[{"to":[0]}]', "[]", '[{"to":null}]'):
        change = move_change(info, events=events)
        await matches.commit(change)
        info = change.info
    assert [(action.action, action.by) for action in await matches.load_history("m1")][2:] == [("play", 6), ("play", 5)]


# Finding


async def test_the_newest_is_found_first(matches: MatchStore) -> None:
    for number, created in enumerate([5, 9, 9, 7]):
        await matches.insert(replace(lobby_info(f"m{number}"), created=created), by=5)
    assert [info.id for info in await matches.find()] == ["m2", "m1", "m3", "m0"]


async def test_matches_are_found_by_status_guild_and_seat(matches: MatchStore) -> None:
    eve, bo, leaver = Seat(5, "Eve"), Seat(6, "Bo"), Seat(5, "Eve", "left")
    infos = [
        lobby_info("a", place=Place(1, 2), seats=(eve, bo)),
        lobby_info("b", place=Place(2, 2), seats=(bo,), status=Status.RUNNING),
        lobby_info("c", place=Place(1, 2), seats=(leaver, bo), status=Status.PAUSED),
        lobby_info("d", place=Place(1, 2), seats=(eve, bo), status=Status.OVER),
    ]
    for info in infos:
        await matches.insert(info, by=5)

    async def ids(**query: Any) -> str:
        return "".join(sorted(info.id for info in await matches.find(**query)))

    assert await ids() == await ids(statuses=LIVE) == "abc"
    assert await ids(guild=1) == "ac"
    assert await ids(user=5) == "a"
    assert await ids(user=6) == "abc"
    assert await ids(user=6, guild=2) == "b"
    assert await ids(user=7) == await ids(guild=3) == await ids(statuses=frozenset()) == ""
    assert await ids(statuses=frozenset(Status)) == "abcd"
    assert await ids(statuses=frozenset({Status.OVER}), user=5) == "d"
    assert [info for info in await matches.find() if info.id == "c"] == [infos[2]]


# In order only


async def test_an_id_is_taken_once_and_no_match_is_not_changed(matches: MatchStore) -> None:
    await matches.insert(lobby_info(), by=5)
    with pytest.raises(WriteConflict):
        await matches.insert(lobby_info(seats=()), by=6)
    with pytest.raises(WriteConflict):
        await matches.commit(move_change(lobby_info("nowhere")))
    assert await matches.load_info("m1") == lobby_info()


async def test_a_change_builds_on_the_newest_revision_alone(matches: MatchStore) -> None:
    info = await start_running(matches, moves=2)  # revision 3: only 4 may follow
    change = move_change(info)
    for revision in (0, 2, 3, 5, 99):
        with pytest.raises(WriteConflict, match=f"^{re.escape(MOVED_ON)}$"):
            await matches.commit(replace(change, info=replace(change.info, revision=revision)))
        assert await matches.load_info("m1") == info
        assert await stored_move_numbers(matches) == [1, 2]


async def test_exactly_one_of_simultaneous_changes_wins(matches: MatchStore) -> None:
    info = await start_running(matches)
    for _ in range(5):
        commits = [matches.commit(move_change(info, f"play {n}")) for n in range(20)]
        outcomes = await asyncio.gather(*commits, return_exceptions=True)
        assert [type(outcome) for outcome in outcomes if outcome is not None] == [WriteConflict] * 19
        info = move_change(info).info
        saved = await load_saved(matches)
        assert (saved.info, saved.moves[-1].notation) == (info, f"play {outcomes.index(None)}")


async def test_one_match_in_conflict_leaves_the_others_alone(matches: MatchStore) -> None:
    infos = [await start_running(matches, f"m{n}") for n in range(10)]
    stale = move_change(replace(infos[3], revision=0))
    changes = [move_change(info) for info in infos[:5]] + [stale] + [move_change(info) for info in infos[5:]]
    outcomes = await asyncio.gather(*map(matches.commit, changes), return_exceptions=True)
    assert [type(outcome) for outcome in outcomes].count(WriteConflict) == 1
    assert isinstance(outcomes[5], WriteConflict)
    assert [info.moves for info in await matches.find()] == [1] * 10


async def test_moves_are_numbered_without_a_gap_and_none_is_lost(matches: MatchStore) -> None:
    info = await start_running(matches, moves=2)
    change = move_change(info)
    assert change.move is not None
    for number in (0, 1, 2, 4, 9):
        for moves in {3, number}:
            wrong = replace(change, move=replace(change.move, number=number), info=replace(change.info, moves=moves))
            with pytest.raises(StoreFailure, match=MOVE_NOT_SAVED):
                await matches.commit(wrong)
    with pytest.raises(StoreFailure):
        await matches.commit(next_change(info, moves=1))
    assert await matches.load_info("m1") == info
    assert await stored_move_numbers(matches) == [1, 2]


async def test_a_user_holds_one_seat_and_a_seat_is_taken_over(matches: MatchStore) -> None:
    info = await start_running(matches, moves=2)
    with pytest.raises(StoreFailure):
        await matches.commit(next_change(info, seats=(Seat(5, "Eve"), Seat(5, "Eve"))))
    assert await matches.load_info("m1") == info
    change = next_change(info, seats=(Seat(5, "Eve"), Seat(9, "Di")))
    await matches.commit(change)
    assert await matches.load_info("m1") == change.info
    assert await matches.find(user=6) == []


async def test_a_match_starts_once_and_with_a_base(matches: MatchStore) -> None:
    lobby = lobby_info()
    await matches.insert(lobby, by=5)
    starts = (start_change(lobby, base=None), start_change(lobby, checkpoint=None))
    for wrong in (*starts, move_change(lobby), replace(next_change(lobby), checkpoint="{}")):
        with pytest.raises(StoreFailure):
            await matches.commit(wrong)
    assert await matches.load_info("m1") == lobby
    await matches.commit(start_change(lobby))
    with pytest.raises(StoreFailure):
        await matches.commit(start_change(start_change(lobby).info))
    assert await matches.load_info("m1") == start_change(lobby).info


MOVE = "INSERT INTO moves (match, number, seat, decision, notation, user, at) VALUES"
SEAT = "INSERT INTO seats (match, seat, user, name, gone) VALUES"
OUT_OF_ORDER = [
    f"{MOVE} ('m1', 2, 0, 9, 'x', 5, 0)",
    f"{MOVE} ('m1', 4, 0, 9, 'x', 5, 0)",
    f"{MOVE} ('m1', 3, 0, 9, 'x', 5, 0)",  # the match counts two
    f"{MOVE} ('m9', 1, 0, 9, 'x', 5, 0)",
    f"{SEAT} ('m1', 1, 7, 'x', '')",
    f"{SEAT} ('m1', 2, 5, 'x', '')",
    f"{SEAT} ('m1', 2, 7, 'x', 'away')",
    "UPDATE matches SET revision = revision",
    "UPDATE matches SET revision = revision + 2",
    "UPDATE matches SET moves = 1, revision = revision + 1",
    "UPDATE matches SET host = 'Eve', revision = revision + 1",
    "DELETE FROM matches",
]


async def test_the_database_itself_keeps_the_order(matches: MatchStore, sql: SqlAccess) -> None:
    """SQL refuses what our code would never write. Valid rows are accepted, so the reason is the intended one."""
    info = await start_running(matches, moves=2)
    for statement in OUT_OF_ORDER:
        with pytest.raises(StoreFailure):
            await sql.execute(statement)
        assert await stored_move_numbers(matches) == [1, 2], statement
    await sql.execute(f"{SEAT} ('m1', 2, 7, 'x', '')")
    await sql.execute("UPDATE matches SET moves = 3, revision = revision + 1")
    await sql.execute(f"{MOVE} ('m1', 3, 0, 9, 'x', 5, 0)")
    assert await matches.load_info("m1") == replace(info, seats=(*info.seats, Seat(7, "x")), revision=4, moves=3)


# A failure leaves nothing, and reveals nothing


async def test_a_failing_last_part_leaves_nothing_of_the_change(matches: MatchStore) -> None:
    info = await start_running(matches, moves=1)
    for events in ("", "[", "{", "no json"):
        with pytest.raises(StoreFailure, match=MOVE_NOT_SAVED):
            await matches.commit(move_change(info, events=events))
        saved = await load_saved(matches)
        assert (saved.info, saved.checkpoint, len(saved.moves)) == (info, '{"n":1}', 1)


async def test_the_log_tells_what_failed_and_no_secret(matches: MatchStore, caplog: pytest.LogCaptureFixture) -> None:
    info = lobby_info()
    await matches.insert(info, by=5)
    secret = start_change(info, seed="SECRET", base=None, checkpoint="SECRET", events='[{"hand":"SECRET"}]')
    with pytest.raises(StoreFailure) as caught:
        await matches.commit(secret)
    await matches.commit(start_change(info))
    with pytest.raises(StoreFailure):
        await matches.commit(move_change(start_change(info).info, "SECRET \ud800", checkpoint="SECRET"))
    assert "match m1, revision 1, start" in caplog.text
    assert re.search("(?i)not.null constraint", caplog.text)
    assert "match m1, revision 2, play" in caplog.text
    assert "SECRET" not in caplog.text + str(caught.value)


async def test_matches_and_other_writes_share_a_group(
    matches: MatchStore, surfaces: SurfaceStore, transactions: list[tuple[int, int]]
) -> None:
    transactions.clear()
    writes = (
        matches.insert(lobby_info(), by=5),
        surfaces.put_note("a", "b"),
        matches.commit(move_change(lobby_info("x"))),
    )
    await asyncio.gather(*writes, return_exceptions=True)
    assert transactions == [(2, 0)], "a conflict is no failure, and costs the others nothing"


async def test_one_that_fails_costs_the_others_nothing(matches: MatchStore, surfaces: SurfaceStore) -> None:
    changes = [move_change(await start_running(matches, f"m{n}")) for n in range(5)]
    changes[2] = replace(changes[2], checkpoint=None, base=None, events="no list")
    tries = [*map(matches.commit, changes), surfaces.put(Surface("nowhere", "table")), surfaces.put_note("a", "b")]
    outcomes = await asyncio.gather(*tries, return_exceptions=True)
    assert [isinstance(each, StoreFailure) for each in outcomes] == [False] * 2 + [True] + [False] * 2 + [True, False]
    assert sorted((info.id, info.moves) for info in await matches.find()) == [(f"m{n}", int(n != 2)) for n in range(5)]
    assert await surfaces.read_note("a") == "b"


# The same on both


async def test_ids_are_in_the_order_of_their_characters_and_numbers_are_whole(matches: MatchStore) -> None:
    ids = ["B", "a", "\x00", "\x01", "\x00b", "Z", "é", "_", "10", "9", "aa", "🃏", "\uffff"]
    for match in ids:
        await matches.insert(lobby_info(match, host=2**63 - 1), by=5)
        assert await matches.load_info(match) == lobby_info(match, host=2**63 - 1)
    assert await matches.live_matches_after("", 99) == sorted(ids)
    assert await matches.live_matches_after("B", 2) == ["Z", "_"]
    with pytest.raises(StoreFailure):
        await matches.insert(lobby_info(host=2**63), by=5)
    assert await matches.load_info("m1") is None


# Written by a newer version


@pytest.mark.parametrize(
    "table_options", ['{"clock":null,"hints":true,"guests":3}', '{"clock":"2 weeks"}', '{"hints":"few"}']
)
async def test_choices_of_a_newer_version_are_left_as_they_are(
    matches: MatchStore, sql: SqlAccess, table_options: str
) -> None:
    info, before = await load_with_table_options(matches, sql, table_options)
    assert (info.is_newer, info.damage) == (True, "")
    bot = Matches(matches, GAMES, lambda: 7, features=FEATURES)
    for refused in (bot.cache.get_snapshot("m1"), bot.lobbies.join("m1", 9, "Zoe")):
        with pytest.raises(NewerMatch):
            await refused
    assert await sql.query("SELECT * FROM matches") == before


async def load_with_table_options(matches: MatchStore, sql: SqlAccess, table_options: str) -> tuple[MatchInfo, object]:
    """Return a match whose table options were written by somebody else, and its row."""
    await matches.insert(lobby_info(), by=5)
    await sql.execute("UPDATE matches SET house = ?, revision = revision + 1", table_options)
    info = await matches.load_info("m1")
    assert info is not None
    return info, await sql.query("SELECT * FROM matches")


async def test_a_computer_of_a_newer_versions_level_is_left_as_it_is(matches: MatchStore, sql: SqlAccess) -> None:
    await matches.insert(lobby_info(seats=(Seat(5, "Ada"), Seat(0, "Feste", level="hard"))), by=5)
    info = await matches.load_info("m1")
    assert info is not None
    assert not info.is_newer
    await sql.execute("UPDATE seats SET level = 'master' WHERE seat = 1")
    before = await sql.query("SELECT * FROM seats")
    with pytest.raises(NewerMatch):
        await Matches(matches, GAMES, lambda: 7, features=FEATURES).lobbies.remove_computer("m1", 5)
    assert await sql.query("SELECT * FROM seats") == before


@pytest.mark.parametrize("table_options", ["", "[]", '{"clock":', '"24 hours"'])
async def test_unreadable_parts_count_as_damage(matches: MatchStore, sql: SqlAccess, table_options: str) -> None:
    info, _ = await load_with_table_options(matches, sql, table_options)
    assert (info.is_newer, info.damage) == (False, "the table options cannot be read")


BAD_TAKE_BACKS = [
    *("1", "{}{}", '{"asked":[[1]]}', '{"asked":[[],["a"]]}', '{"request":{"seat":2}}'),
    '{"clocks":[{"seat":2,"number":1,"seconds":1}]}',
]


@pytest.mark.parametrize("text", BAD_TAKE_BACKS)
async def test_take_backs_that_cannot_be_read_are_damage(matches: MatchStore, sql: SqlAccess, text: str) -> None:
    await matches.insert(lobby_info(), by=5)
    await sql.execute("UPDATE matches SET take_backs = ?, revision = revision + 1", text)
    info = await matches.load_info("m1")
    assert info is not None
    assert info.damage == "its undone moves cannot be read"
