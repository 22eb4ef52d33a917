"""What the owner requests while the bot runs, `python -m motley block` and `say`, and whom managers shut out."""

from __future__ import annotations

import json
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from typing import Any

import pytest

from cogs.system_clock import SystemClock
from cogs.table.scheduling import owner_requests
from cogs.table.scheduling.owner_requests import ANNOUNCEMENT_PREFIX, CHECK_SECONDS, STANDS_SECONDS
from cogs.table.state.block_list import PERSON_TEXT, SERVER_TEXT, SHUT_OUT_TEXT
from engines.store.match_store import FORGOTTEN_NAME, Status
from engines.store.owner_storage import AnnouncementPost
from engines.store.partition import ALL_SERVERS
from motley.__main__ import BESIDE_THE_BOT, build_parser, main
from motley.owner_requests import run_command
from tests.end_to_end import simulated_server
from tests.end_to_end.simulated_server import SimulatedServer, reply_text
from tests.end_to_end.test_notes import field, open_menu
from tests.end_to_end.test_privacy import fetch_data
from tests.messages import Message, message_text

TEXT = "We restart at **22:00**."


@pytest.fixture(autouse=True)
def usual_pause(monkeypatch: pytest.MonkeyPatch) -> None:
    """The bot looks as often as it does for its owner."""
    monkeypatch.setattr(simulated_server, "OWNER_SECONDS", CHECK_SECONDS)


async def run(w: SimulatedServer, *arguments: object) -> list[str]:
    """Run a command of `python -m motley` beside the bot, and wait until the bot has noticed. Returns what it says."""
    lines: list[str] = []
    options = build_parser().parse_args([str(each) for each in arguments])
    assert await BESIDE_THE_BOT[options.command](options, w.path, SystemClock().now(), lines.append)
    await w.env.advance_time(CHECK_SECONDS + 1)
    await w.env.settle()
    return lines


def announcements(w: SimulatedServer, channel: Any) -> list[Message]:
    return [each for each in w.public_messages(channel) if each["content"].startswith(ANNOUNCEMENT_PREFIX)]


# Personal data


async def test_the_owner_gets_the_same_file_as_the_person(server: SimulatedServer) -> None:
    over = await server.seat_and_start(rounds=1)
    await server.play_out(over)
    match = await server.seat_and_start(rounds=2)
    await server.make_move(match)
    await server["Ada"].slash(server.table, "motley note", text="mine", match=match)
    for name in ("Ada", "Bela"):
        path, lines = server.path.with_name(f"{name}.json"), list[str]()
        theirs = await fetch_data(server, name)
        options = build_parser().parse_args(["my-data", str(server[name].id), str(path)])
        assert await BESIDE_THE_BOT["my-data"](options, server.path, SystemClock().now(), lines.append)
        assert "with 2 matches" in lines[0]
        handed_out = json.loads(path.read_text(encoding="utf-8"))
        assert theirs.pop("made")
        assert handed_out.pop("made")
        assert handed_out == theirs
        assert next(each for each in handed_out["matches"] if each["match"] == match)["what you see now"]
        assert path.stat().st_mode & 0o777 == 0o600


async def test_the_owner_has_a_person_forgotten_while_the_bot_runs(server: SimulatedServer) -> None:
    over = await server.seat_and_start(rounds=1)
    await server.play_out(over)
    match = await server.seat_and_start(rounds=2)
    lines = await run(server, "forget", server["Bela"].id, "--yes")
    assert "2 matches, 1 of them not finished" in lines[0]
    after = (await server.load_snapshot(match)).info
    assert (after.status, after.seats[1].name, after.seats[1].level) == (Status.RUNNING, FORGOTTEN_NAME, "normal")
    assert [seat.name for seat in (await server.load_snapshot(over)).info.seats] == ["Ada", FORGOTTEN_NAME, "Chidi"]
    assert await server.bot.matches.forgetting.pending_forgetting() == []
    assert (await fetch_data(server, "Bela"))["matches"] == []


async def test_a_request_made_while_the_bot_is_stopped_is_carried_out_at_its_start(server: SimulatedServer) -> None:
    match = await server.seat_and_start(rounds=2)
    arguments = ["--database", str(server.path), "forget", str(server["Bela"].id), "--yes"]
    with ThreadPoolExecutor(1) as thread:  # a loop of its own
        await server.restart(lambda: thread.submit(main, arguments).result())
    assert (await server.load_snapshot(match)).info.seats[1].name == FORGOTTEN_NAME


# Blocks


async def test_a_blocked_person_gets_one_sentence_for_every_command_and_click(server: SimulatedServer) -> None:
    match = await server.seat_and_start()
    menu, table = await open_menu(server, "Ada", match), await server.find_table(match)
    hand, before = server.find_hand("Ada", match), (await server.load_snapshot(match)).info
    (line,) = await run(server, "block", "person", server["Ada"].id)
    assert "is blocked" in line
    for command, options in (
        ("motley help", {}),
        ("motley my-data", {}),
        ("wizard new", {}),
        ("wizard hand", {"match": match}),
        ("motley note", {"text": "a"}),
    ):
        answer = await server["Ada"].slash(server.table, command, **options)
        assert (reply_text(answer), answer.ephemeral) == (PERSON_TEXT, True), command
    assert reply_text(await server["Ada"].user.slash("motley matches")) == PERSON_TEXT, "in direct messages"
    assert await server["Ada"].autocomplete(server.table, "wizard hand", "match", "") == []
    for message, control in ((table, f"t:{match}:hand"), (hand, f"t:{match}:back"), (table, "nonsense")):
        assert PERSON_TEXT in reply_text(await server.forge_click("Ada", message, control))
    assert PERSON_TEXT in reply_text(await server.press_answer("Ada", menu, "Note"))
    assert PERSON_TEXT in reply_text(await server.forge_form("Ada", f"w:{match}", field("x")))
    assert len(await server.bot.matches.lookup.find()) == 1
    after = (await server.load_snapshot(match)).info
    assert [seat.user for seat in after.seats] == [seat.user for seat in before.seats]
    assert "As of" in message_text(await server.show_hand("Bela", match)), "the others play on"


async def test_blocked_people_get_their_data_and_are_forgotten_in_direct_messages(server: SimulatedServer) -> None:
    """People whom the owner blocked, people whom managers shut out, and people of a blocked server."""
    match = await server.seat_and_start(rounds=2)
    server.make_manager("Dora")
    await run(server, "block", "person", server["Ada"].id)
    await server["Dora"].slash(server.table, "admin shut-out", player=server["Bela"])
    await run(server, "block", "server", server.guild.id)
    for name, text in (("Ada", PERSON_TEXT), ("Bela", SERVER_TEXT), ("Chidi", SERVER_TEXT)):
        assert "`/motley forget-me`" in text
        for command in ("motley my-data", "motley forget-me", "motley privacy"):
            assert reply_text(await server[name].slash(server.table, command)) == text, command
        assert "What I store about you" in reply_text(await server[name].user.slash("motley privacy"))
        assert "Everything I store about you, including 1 match" in reply_text(
            await server[name].user.slash("motley my-data")
        )
        question = await server[name].user.slash("motley forget-me")
        second_question = await server.press_answer(name, question, "Continue")
        assert "I am forgetting you" in reply_text(await server.press_answer(name, second_question, "Forget me"))
    await server.env.settle()
    info = (await server.load_snapshot(match)).info
    assert not {seat.user for seat in info.seats} & {server[name].id for name in ("Ada", "Bela", "Chidi")}
    assert reply_text(await server["Ada"].user.slash("motley help")) == PERSON_TEXT, "the block stays"


async def test_the_computer_plays_on_for_a_blocked_person_until_they_are_let_in(server: SimulatedServer) -> None:
    match, lobby = await server.seat_and_start(rounds=2), await server.open_lobby("Bela")
    await server.join_lobby(lobby, "Ada")
    await run(server, "block", "person", server["Ada"].id)
    info = (await server.load_snapshot(match)).info
    assert (info.status, info.seats[0].is_away, info.seats[1].level) == (Status.RUNNING, True, "")
    assert [seat.name for seat in (await server.load_snapshot(lobby)).info.seats] == ["Bela"]
    assert "The computer takes over the seat of Ada." in str(
        [message_text(m) for m in server.public_messages(server.thread)]
    )
    await server.restart()
    assert (await server.load_snapshot(match)).info.seats[0].is_away
    (line,) = await run(server, "unblock", "person", server["Ada"].id)
    assert "no longer blocked" in line
    await server["Ada"].slash(server.table, "wizard hand", match=match)
    assert not (await server.load_snapshot(match)).info.seats[0].is_away


async def test_a_blocked_server_rests_until_it_is_let_in(server: SimulatedServer) -> None:
    match = await server.seat_and_start(rounds=2)
    channel, people = server.add_guild("The Other Inn", "Emil", "Ada")
    await run(server, "block", "server", server.guild.id)
    assert reply_text(await server["Bela"].slash(server.table, "wizard new")) == SERVER_TEXT
    hand = server.find_hand("Ada", match)
    assert SERVER_TEXT in reply_text(await server.forge_click("Ada", hand, f"t:{match}:back")), "in direct messages"
    assert reply_text(await server["Ada"].user.slash("wizard hand", match=match)) == SERVER_TEXT
    await people["Ada"].slash(channel, "wizard new")
    (lobby,) = await server.bot.matches.lookup.find(statuses=frozenset({Status.LOBBY}))
    assert lobby.place.channel == channel.id, "everything else goes on"
    info = (await server.load_snapshot(match)).info
    assert info.status is Status.PAUSED
    await server.env.advance_time(4 * 24 * 60 * 60)
    assert (await server.load_snapshot(match)).info.moves == info.moves, "nobody's time runs"
    assert "The people who run me have stopped it" in await server.table_text(match)
    await server.restart()
    await run(server, "unblock", "server", server.guild.id)
    assert await server.status(match) is Status.RUNNING
    await server.play_out(match)


async def test_a_match_of_a_blocked_server_rests_whatever_becomes_of_its_seats(server: SimulatedServer) -> None:
    match = await server.seat_and_start(rounds=2)
    await run(server, "block", "server", server.guild.id)
    await run(server, "block", "person", server["Ada"].id)
    info = (await server.load_snapshot(match)).info
    assert (info.status, info.seats[0].is_away) == (Status.PAUSED, True)
    await server.bot.matches.seating.leave_match(match, server["Bela"].id, "easy")  # as when somebody left the server
    assert await server.status(match) is Status.PAUSED
    await run(server, "unblock", "server", server.guild.id)
    assert await server.status(match) is Status.RUNNING


async def test_a_host_in_direct_messages_changes_no_lobby_of_a_blocked_server(server: SimulatedServer) -> None:
    lobby = await server.open_lobby("Ada")
    before = (await server.load_snapshot(lobby)).info
    await run(server, "block", "server", server.guild.id)
    for given in ({"match": lobby}, {}):
        answer = await server["Ada"].user.slash("motley options", **given, option="clock", value="none")
        assert reply_text(answer) == SERVER_TEXT
    assert (await server.load_snapshot(lobby)).info == before


async def test_a_click_in_direct_messages_gives_nobody_back_who_is_shut_out(server: SimulatedServer) -> None:
    match = await server.seat_and_start(rounds=2)
    server.make_manager("Dora")
    await server["Dora"].slash(server.table, "admin shut-out", player=server["Ada"])
    hand = server.find_hand("Ada", match)
    server.bot.matches.cache.evict_partition(ALL_SERVERS)  # as of a match that was not looked at for long
    assert SHUT_OUT_TEXT in reply_text(await server.forge_click("Ada", hand, f"t:{match}:back"))
    assert (await server.load_snapshot(match)).info.seats[0].is_away


async def test_blocks_that_were_lifted_while_the_bot_was_down_count_at_its_start(server: SimulatedServer) -> None:
    match = await server.seat_and_start()
    await run(server, "block", "server", server.guild.id)
    unblock = build_parser().parse_args(["unblock", "server", str(server.guild.id)])
    assert await run_command(unblock, server.path, SystemClock().now(), lambda line: None)
    await server.restart()
    assert await server.status(match) is Status.RUNNING


async def test_a_click_is_enough_for_a_block_to_be_noticed(server: SimulatedServer) -> None:
    options = build_parser().parse_args(["block", "person", str(server["Ada"].id)])
    assert await run_command(options, server.path, SystemClock().now(), lambda line: None)
    await server.env.advance_time(owner_requests.SHORTEST_PAUSE + 1)
    await server["Bela"].slash(server.table, "motley help")
    assert reply_text(await server["Ada"].slash(server.table, "motley help")) == PERSON_TEXT


async def test_managers_shut_people_out_of_their_server_alone(server: SimulatedServer) -> None:
    match = await server.seat_and_start()
    channel, people = server.add_guild("The Other Inn", "Emil", "Ada")
    server.make_manager("Dora")
    server.show_command("admin", "Bela")
    assert "Manage Server" in reply_text(
        await server["Bela"].slash(server.table, "admin shut-out", player=server["Ada"])
    )
    assert "yourself or a bot" in reply_text(
        await server["Dora"].slash(server.table, "admin shut-out", player=server["Dora"])
    )
    answer = await server["Dora"].slash(server.table, "admin shut-out", player=server["Ada"])
    assert "You shut Ada out" in reply_text(answer)
    assert answer.ephemeral
    assert "already" in reply_text(await server["Dora"].slash(server.table, "admin shut-out", player=server["Ada"]))
    assert f"<@{server['Ada'].id}>" in reply_text(await server["Dora"].slash(server.table, "admin shut-out"))
    assert reply_text(await server["Ada"].slash(server.table, "wizard new")) == SHUT_OUT_TEXT
    hand = server.find_hand("Ada", match)
    assert SHUT_OUT_TEXT in reply_text(await server.forge_click("Ada", hand, f"t:{match}:back"))
    assert reply_text(await server["Ada"].user.slash("wizard hand", match=match)) == SHUT_OUT_TEXT
    assert (await server.load_snapshot(match)).info.seats[0].is_away
    await people["Ada"].slash(channel, "wizard new")
    found = [info for info in await server.bot.matches.lookup.find() if info.place.channel == channel.id]
    assert len(found) == 1, "elsewhere they may play"
    await server.restart()
    assert reply_text(await server["Ada"].slash(server.table, "wizard new")) == SHUT_OUT_TEXT
    assert "may play" in reply_text(await server["Dora"].slash(server.table, "admin let-in", player=server["Ada"]))
    assert "is not shut out" in reply_text(
        await server["Dora"].slash(server.table, "admin let-in", player=server["Ada"])
    )
    await server["Ada"].slash(server.table, "wizard hand", match=match)
    assert not (await server.load_snapshot(match)).info.seats[0].is_away


# Announcements


async def test_an_announcement_is_posted_once_at_every_open_table_and_can_be_withdrawn(server: SimulatedServer) -> None:
    await server.seat_and_start()
    thread = server.thread
    await server.open_lobby("Dora")
    await server.open_lobby("Greta")
    (line,) = await run(server, "say", TEXT)
    assert "announced once" in line
    for channel in (thread, server.table):
        assert [each["content"] for each in announcements(server, channel)] == [f"{ANNOUNCEMENT_PREFIX}{TEXT}"]
    await server.seat_and_start()
    later = server.thread
    await server.restart()
    await server.env.advance_time(5 * CHECK_SECONDS)
    assert [len(announcements(server, channel)) for channel in (thread, server.table, later)] == [1, 1, 0]
    (line,) = await run(server, "say", "--withdraw")
    assert "1 announcement is withdrawn" in line
    assert [announcements(server, channel) for channel in (thread, server.table)] == [[], []]
    assert await server.bot.owner_requests._storage.announcements() == []
    await server.env.advance_time(5 * CHECK_SECONDS)
    assert [announcements(server, channel) for channel in (thread, server.table)] == [[], []]


async def test_an_announcement_that_was_interrupted_is_posted_once(
    server: SimulatedServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The bot dies between the message and the note that it was sent: the nonce finds the message again."""
    await server.seat_and_start()
    storage = server.bot.owner_requests._storage
    with monkeypatch.context() as patched:

        async def lose(post: AnnouncementPost) -> None:
            return

        patched.setattr(storage, "note_announcement_message", lose)
        await run(server, "say", TEXT)
        assert len(announcements(server, server.thread)) == 1
        await server.restart(killed=True)
    await server.env.advance_time(CHECK_SECONDS + 1)
    assert len(announcements(server, server.thread)) == 1
    await run(server, "say", "--withdraw")
    assert not announcements(server, server.thread)


async def test_an_old_announcement_is_no_news_and_a_forbidden_channel_is_left_alone(server: SimulatedServer) -> None:
    await server.seat_and_start()
    number = server.thread.id
    server.env.inject_error("POST", rf"/channels/{number}/messages", status=403, code=50013, times=None)
    since = len(server.sent_requests())
    await run(server, "say", TEXT)
    await server.env.advance_time(10 * CHECK_SECONDS)
    tried = [path for method, path in server.sent_requests(since) if method == "POST" and f"/{number}/messages" in path]
    assert len(tried) == 1, "it is not tried again and again"
    server.env.refusals.clear()
    await server.env.advance_time(STANDS_SECONDS)
    await server.restart()
    await server.env.advance_time(CHECK_SECONDS + 1)
    assert not announcements(server, server.thread)


async def test_while_discord_is_unreachable_an_announcement_waits(server: SimulatedServer) -> None:
    await server.seat_and_start()
    server.env.inject_error("POST", r"/channels/\d+/messages", status=500, code=0, times=2)
    await run(server, "say", TEXT)
    await server.env.advance_time(3 * CHECK_SECONDS)
    assert len(announcements(server, server.thread)) == 1


async def test_nobody_is_pinged_by_an_announcement(server: SimulatedServer) -> None:
    await server.seat_and_start()
    since = len(server.env.http_requests)
    await run(server, "say", f"@everyone <@{server['Ada'].id}>")
    (sent,) = [
        r for r in server.env.http_requests[since:] if r.json and ANNOUNCEMENT_PREFIX in str(r.json.get("content"))
    ]
    assert sent.json is not None
    assert sent.json["allowed_mentions"] == {"parse": []}


@pytest.mark.parametrize("words", [("block", "server"), ("block", "list", "5"), ("block", "person", "0"), ("say", " ")])
async def test_a_command_that_makes_no_sense_changes_nothing(server: SimulatedServer, words: tuple[str, ...]) -> None:
    lines: list[str] = []
    with suppress(SystemExit):
        assert not await run_command(build_parser().parse_args(words), server.path, SystemClock().now(), lines.append)
        assert lines
    assert await server.bot.owner_requests._storage.blocks() == frozenset()
