"""One short message when it becomes somebody's turn, and none left of the turn before."""

from __future__ import annotations

import pytest

from tests.end_to_end.players import THREE, at_random, due, leave, look, move, play_on, play_out, seat_and_start, table
from tests.end_to_end.world import Message, World, words


def pings(w: World) -> list[Message]:
    """The pings that stand in the thread."""
    return [message for message in w.public(w.thread) if "your turn" in words(message)]


async def test_exactly_one_ping_names_whose_turn_it_is(inn: World) -> None:
    match = await seat_and_start(inn, rounds=2)
    mover = None
    for _ in range(8):
        name = await due(inn, match)
        assert name is not None
        standing = pings(inn)
        if name == mover:  # who has just moved knows
            assert standing == []
        else:
            (ping,) = standing
            assert [user["username"] for user in ping["mentions"]] == [name]
            assert words(ping).startswith(inn[name].mention)
        mover = await move(inn, match)


async def test_who_takes_a_trick_with_the_last_card_of_it_leads_without_a_ping(inn: World) -> None:
    match = await seat_and_start(inn, rounds=4)
    moved_twice = 0
    while (name := await due(inn, match)) is not None and moved_twice < 2:
        mover = await move(inn, match)
        if await due(inn, match) == mover == name:
            moved_twice += 1
            assert pings(inn) == []
    assert moved_twice


async def test_every_turn_is_pinged_once(inn: World) -> None:
    match = await seat_and_start(inn, rounds=2)
    await play_out(inn, match, at_random(4))
    path = f"/channels/{inn.thread.id}/messages"
    sent = [r.json for r in inn.env.http_requests if r.method == "POST" and r.path == path and r.json]
    nonces = [each["nonce"] for each in sent if "your turn" in (each.get("content") or "")]
    assert len(nonces) == len(set(nonces))
    assert len(nonces) >= 10
    assert pings(inn) == []


async def test_a_ping_mentions_that_one_person_only(inn: World) -> None:
    match = await seat_and_start(inn, rounds=1)
    await play_out(inn, match)
    path = f"/channels/{inn.thread.id}/messages"
    for request in inn.env.http_requests:
        if request.method == "POST" and request.path == path and request.json:
            allowed = request.json.get("allowed_mentions", {})
            if "your turn" in (request.json.get("content") or ""):
                assert request.json["enforce_nonce"] is True
                assert request.json["nonce"]
                assert allowed["parse"] == []
                assert len(allowed["users"]) == 1
            else:
                assert allowed == {"parse": []}


async def test_nothing_but_pings_and_invitations_may_mention_anybody(inn: World) -> None:
    match = await seat_and_start(inn, rounds=1)
    await play_out(inn, match)
    for seen in inn.seen:
        if "your turn" not in words(seen.message):
            assert seen.message["mentions"] == [], words(seen.message)
        assert not seen.message["mention_everyone"]
        assert seen.message["mention_roles"] == []


async def test_pings_go_when_a_match_is_paused_and_come_when_it_goes_on(inn: World) -> None:
    match = await seat_and_start(inn, rounds=2)
    name = await due(inn, match)
    assert name is not None
    other = next(each for each in THREE if each != name)
    await leave(inn, match, other)
    assert pings(inn) == []
    await inn.press("Greta", await table(inn, match), "Take the empty seat")
    (ping,) = pings(inn)
    assert inn[name].mention in words(ping)


@pytest.mark.parametrize("method", ["POST", "DELETE"])
async def test_a_ping_that_discord_did_not_take_is_tried_again(inn: World, method: str) -> None:
    match = await seat_and_start(inn, rounds=2)
    path = f"/channels/{inn.thread.id}/messages" + ("/*" if method == "DELETE" else "")
    inn.env.inject_error(method, path, status=502, times=None)
    await move(inn, match)
    inn.open_dms()
    await inn.env.advance_time(20)
    name = await due(inn, match)
    assert name is not None
    (ping,) = pings(inn)
    assert inn[name].mention in words(ping)
    await move(inn, match)
    assert len(pings(inn)) <= 1


async def test_where_pings_are_refused_the_match_goes_on(inn: World) -> None:
    match = await seat_and_start(inn, rounds=1)
    inn.env.inject_error("POST", f"/channels/{inn.thread.id}/messages", status=403, code=50013, times=None)
    await play_out(inn, match)
    assert "Round 1" in words(await table(inn, match))


async def test_a_ping_that_a_moderator_deleted_is_no_trouble(inn: World) -> None:
    match = await seat_and_start(inn, rounds=1)
    (ping,) = pings(inn)
    inn.delete_message(ping)
    await move(inn, match)
    assert len(pings(inn)) == 1


async def test_a_ping_says_what_is_asked_and_leads_to_the_hand(inn: World) -> None:
    match = await seat_and_start(inn, rounds=2)
    await play_on(inn, match, "bid", 1)
    await move(inn, match)
    name = await due(inn, match)
    assert name is not None
    (ping,) = pings(inn)
    assert "bid in round 1" in words(ping)
    shown = await inn.press(name, ping, "Show my hand")
    assert shown.ephemeral
    before = (await look(inn, match)).info
    await move(inn, match)
    assert (await look(inn, match)).info.moves == before.moves + 1


async def test_pings_survive_a_restart_without_doubling(inn: World) -> None:
    match = await seat_and_start(inn, rounds=2)
    await move(inn, match)
    (before,) = pings(inn)
    await inn.restart()
    (after,) = pings(inn)
    assert after["id"] == before["id"]
    await move(inn, match)
    assert before["id"] not in [ping["id"] for ping in pings(inn)]


# How much is sent


async def test_a_move_takes_few_requests(inn: World) -> None:
    match = await seat_and_start(inn, rounds=3)
    await play_on(inn, match, "bid", 2)
    for _ in range(4):
        before = len(inn.sent())
        await move(inn, match)
        sent = inn.sent(before)
        # the answer, the table, two other hands, the lobby at most, the old ping, the new one, one look at the channel
        assert len(sent) <= 8, sent
        assert len([path for method, path in sent if method == "PATCH"]) <= 4


async def test_what_changes_no_screen_sends_nothing(inn: World) -> None:
    match = await seat_and_start(inn, rounds=2)
    inn.bot.keeper.wake(match)
    before = len(inn.sent())
    await inn.press("Ada", await table(inn, match), "Score sheet")
    assert len(inn.sent(before)) == 1  # the answer alone


async def test_when_nobody_plays_nothing_is_sent(inn: World) -> None:
    match = await seat_and_start(inn, rounds=2)
    await move(inn, match)
    before = len(inn.sent())
    await inn.env.advance_time(3 * 24 * 60 * 60)
    assert inn.sent(before) == []


async def test_an_idle_bot_has_no_task_of_its_own(inn: World) -> None:
    match = await seat_and_start(inn, rounds=1)
    await move(inn, match)
    assert set(inn.bot.tasks._running) == {"lobbies"}  # asleep until the lobby would be a day old
    await play_out(inn, match)
    await inn.env.advance_time(25 * 60 * 60)
    assert inn.bot.tasks._running == {}


async def test_of_a_finished_match_no_answers_are_kept(inn: World) -> None:
    match = await seat_and_start(inn, rounds=1)
    await inn.press("Ada", await table(inn, match), "Show my hand")
    await play_out(inn, match)
    assert inn.bot.keeper.snapshots.kept == {}


async def test_of_an_abandoned_match_answers_are_kept_no_longer_than_they_can_be_changed(inn: World) -> None:
    abandoned, other = await seat_and_start(inn), await seat_and_start(inn)
    await inn.press("Ada", await table(inn, abandoned), "Show my hand")
    for minutes, kept in ((10, {abandoned, other}), (10, {other})):
        await inn.env.advance_time(60 * minutes)
        await inn.press("Bela", await table(inn, other), "Show my hand")
        assert {match for match, _ in inn.bot.keeper.snapshots.kept} == kept
