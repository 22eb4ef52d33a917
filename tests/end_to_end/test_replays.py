"""Watching a finished match again: step by step, in every view, together with others, and with a “what if”."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace
from random import Random
from typing import Any

import pytest

from cogs.features.registry import ACTION_TEXTS
from cogs.features.replays.feature_ui import LEADER_ONLY, NO_SUCH_MOMENT, ReplayActions
from cogs.features.replays.replay_pages import HIDE, PURPLE
from cogs.features.replays.replay_place import ReplayPlace, control_id
from cogs.table.actions.match_history import history_text
from cogs.table.actions.rights import NOT_OVER
from engines.hosting.match import RequestRefused
from engines.hosting.timing.due_times import PRACTICE_SECONDS
from engines.store.match_store import Status
from tests.contract.helpers import HELPERS
from tests.end_to_end.simulated_server import SimulatedServer, reply_text, walk_components
from tests.features.replay_clicks import read_click
from tests.games import GAMES
from tests.messages import SELECT, Message, button_labels, control_ids, message_text

PLAYERS = ("Ada", "Bela", "Chidi", "Dora")
UNSEEN = "no such match here"


async def finish_match(w: SimulatedServer, game: str = "wizard", **options: Any) -> str:
    """A short match between as few people as the game allows."""
    names = PLAYERS[: GAMES[game].seats[0]]
    return await w.play_out_unseen(game, names, **{**HELPERS[game].short_options, **options})


async def watch(w: SimulatedServer, name: str, match: str) -> Message:
    """The first moment, opened from the result."""
    await w.press_button(name, await w.find_table(match), "Watch again")
    return w.newest_private(name)


async def step(w: SimulatedServer, name: str, message: Message, label: str) -> Message:
    await w.press_button(name, message, label)
    return w.newest_private(name)


async def pick(w: SimulatedServer, name: str, message: Message, role: str, value: str) -> Message:
    await w.choose_options(name, message, select_id(message, role), value)
    return w.newest_private(name)


def select_id(message: Message, role: str) -> str:
    found = [each["custom_id"] for each in walk_components(message["components"]) if each["type"] == SELECT]
    (custom_id,) = [each for each in found if role_of(each) == role]
    return str(custom_id)


def role_of(custom_id: str) -> str:
    click = read_click(custom_id)
    assert click is not None
    return str(click.role)


def section_titles(message: Message) -> list[str]:
    (menu,) = [
        each
        for each in walk_components(message["components"])
        if each["type"] == SELECT and role_of(each["custom_id"]) == "section"
    ]
    return [line["label"] for line in menu["options"]]


def accent(message: Message) -> int:
    colour = message["components"][0]["accent_color"]
    assert isinstance(colour, int)
    return colour


@pytest.mark.parametrize("game", GAMES)
async def test_every_game_is_stepped_through_to_its_result(server: SimulatedServer, game: str) -> None:
    match = await finish_match(server, game)
    moves = (await server.load_snapshot(match)).info.moves
    shown_page = await watch(server, "Ada", match)
    assert f"move 0 of {moves}" in message_text(shown_page)
    assert "The match begins." in message_text(shown_page)
    for moment in range(1, min(moves, 12) + 1):
        shown_page = await step(server, "Ada", shown_page, "▶")
        assert f"move {moment} of {moves}" in message_text(shown_page)
    shown_page = await step(server, "Ada", shown_page, "⏭")
    assert f"move {moves} of {moves}" in message_text(shown_page)
    shown_page = await step(server, "Ada", shown_page, "◀")
    assert f"move {moves - 1} of {moves}" in message_text(shown_page)
    shown_page = await pick(server, "Ada", shown_page, "view", "o")
    for name in (seat.name for seat in (await server.load_snapshot(match)).info.seats):
        assert name in message_text(shown_page)
    shown_page = await pick(server, "Ada", shown_page, "view", "1")
    shown_page = await step(server, "Ada", shown_page, "⏮")
    assert f"move 0 of {moves}" in message_text(shown_page)


async def test_anybody_on_the_server_watches_and_a_restart_changes_nothing(server: SimulatedServer) -> None:
    match = await finish_match(server)
    shown_page = await watch(server, "Greta", match)
    await server.restart(killed=True)
    shown_page = await step(server, "Greta", shown_page, "▶")
    assert "move 1 of" in message_text(shown_page)
    titles = section_titles(shown_page)
    assert titles == ["Round 1", "Round 2"]
    shown_page = await pick(server, "Greta", shown_page, "section", "6")
    assert "move 6 of" in message_text(shown_page)


async def test_it_is_opened_by_the_command_and_from_the_list_of_matches(server: SimulatedServer) -> None:
    match = await finish_match(server)
    answer = await server["Ada"].slash(server.table, "motley replay")
    assert answer.ephemeral
    assert "move 0 of" in reply_text(answer)
    named = await server["Greta"].slash(server.table, "motley replay", match=match)
    assert "move 0 of" in reply_text(named)
    nothing = await server["Greta"].slash(server.table, "motley replay")
    assert "You have not finished a match yet" in reply_text(nothing)
    listed = await server["Ada"].slash(server.table, "motley matches")
    replay_again = await server.press_answer("Ada", listed, "Watch again")
    assert "move 0 of" in reply_text(replay_again)


async def test_nothing_of_a_match_that_goes_on_or_of_another_server_is_told(server: SimulatedServer) -> None:
    running, over = await server.seat_and_start(rounds=2), await finish_match(server)
    table = await server.find_table(running)
    for place in (ReplayPlace(running), ReplayPlace(running, 1, "o"), ReplayPlace(running, what_if=())):
        for role in ("next", "own", "together", "what if", "practice"):
            answer = await server.forge_click("Ada", table, control_id(place, role))
            assert reply_text(answer) == NOT_OVER, role
    named = await server["Ada"].slash(server.table, "motley replay", match=running)
    assert "once it has been played to its end" in reply_text(named)
    other, people = server.add_guild("Elsewhere", "Fumi")
    elsewhere = await people["Fumi"].slash(other, "motley replay", match=over)
    assert UNSEEN in reply_text(elsewhere)
    last = (await server.load_snapshot(over)).info.moves
    for place in (ReplayPlace(over, last + 1), ReplayPlace(over, 99999), ReplayPlace(over, 0, "3")):
        answer = await server.forge_click("Ada", table, control_id(place, "next"))
        assert NO_SUCH_MOMENT in reply_text(answer)
    for values in (["x"], [], ["²"], ["1", "2"], ["123456"]):
        answer = await server.forge_click("Ada", table, control_id(ReplayPlace(over), "section"), values)
        assert "out of date" in reply_text(answer), values
    assert (await server.load_snapshot(running)).info.moves == 0


async def test_the_length_of_the_match_can_be_hidden(server: SimulatedServer) -> None:
    match = await finish_match(server)
    shown_page = await pick(server, "Ada", await watch(server, "Ada", match), "view", HIDE)
    assert " of " not in message_text(shown_page).split("move 0")[1].split("\n")[0]
    assert "⏭" not in button_labels(shown_page)
    assert section_titles(shown_page) == ["Round 1"]
    while "Round 2" not in message_text(shown_page).split("\n")[0]:
        shown_page = await step(server, "Ada", shown_page, "▶")
    assert section_titles(shown_page) == ["Round 1", "Round 2"]


async def share(w: SimulatedServer, name: str, match: str) -> Message:
    """The message for everybody."""
    answer = await w.press_button(name, await watch(w, name, match), "Watch together")
    posted = w.public_messages(w.thread)[-1]
    assert posted["id"] in reply_text(answer)
    return posted


async def test_one_leads_and_everybody_reads(server: SimulatedServer) -> None:
    match = await finish_match(server)
    posted = await share(server, "Ada", match)
    assert f"<@{server['Ada'].id}> is leading" in message_text(posted)
    answer = await server.press_button("Bela", posted, "▶")
    assert LEADER_ONLY in reply_text(answer)
    assert answer.ephemeral
    await server.press_button("Ada", posted, "▶")
    posted = server.public_messages(server.thread)[-1]
    assert "move 1 of" in message_text(posted)
    own = await server.press_button("Bela", posted, "On my own")
    assert own.ephemeral
    assert "move 1 of" in reply_text(own)
    assert "is leading" not in reply_text(own)
    await server.restart(killed=True)
    await server.press_button("Ada", posted, "▶")
    assert "move 2 of" in message_text(server.public_messages(server.thread)[-1])


async def test_nobody_becomes_the_leader_by_a_forged_id(server: SimulatedServer) -> None:
    match = await finish_match(server)
    posted = await share(server, "Ada", match)
    for place in (ReplayPlace(match, 3, leader=server["Bela"].id), ReplayPlace(match, 3, leader=server["Ada"].id)):
        for message in (posted, await server.find_table(match)):
            answer = await server.forge_click("Bela", message, control_id(place, "next"))
            assert LEADER_ONLY in reply_text(answer)
    assert server.public_messages(server.thread)[-1] == posted


async def test_a_what_if_is_another_mode_and_leads_back(server: SimulatedServer) -> None:
    match = await finish_match(server)
    posted = await share(server, "Ada", match)
    before = message_text(posted)

    async def press(label: str) -> Message:
        await server.press_button("Ada", posted, label)
        return server.public_messages(server.thread)[-1]

    posted = await press("What if")
    assert accent(posted) == PURPLE
    assert "What if…" in message_text(posted)
    await server.choose_options("Ada", posted, select_id(posted, "move"), "1")
    posted = server.public_messages(server.thread)[-1]
    assert "1 made-up move" in message_text(posted)
    posted = await press("Let computers play on")
    assert "made-up moves" in message_text(posted)
    assert LEADER_ONLY in reply_text(await server.press_button("Bela", posted, "◀"))
    posted = await press("◀")
    posted = await press("Back to the match")
    assert message_text(posted) == before
    assert accent(posted) != PURPLE
    assert await server.status(match) is Status.OVER


async def test_a_what_if_that_is_full_says_so(server: SimulatedServer) -> None:
    match = await finish_match(server, rounds=8)
    shown_page = await step(server, "Ada", await watch(server, "Ada", match), "What if")
    for _ in range(40):
        if "Let computers play on" not in button_labels(shown_page):
            break
        shown_page = await step(server, "Ada", shown_page, "Let computers play on")
    assert "cannot be longer" in message_text(shown_page)
    assert "The match is over" not in message_text(shown_page)
    shown_page = await step(server, "Ada", shown_page, "◀")
    assert "cannot be longer" not in message_text(shown_page)
    assert max(map(len, control_ids(shown_page))) <= 100


async def test_a_thread_that_is_gone_is_no_obstacle(server: SimulatedServer) -> None:
    await finish_match(server)
    shown_page = await server["Ada"].slash(server.table, "motley replay")
    server.delete_channel(server.thread)
    answer = await server.press_answer("Ada", shown_page, "Watch together")
    posted = server.public_messages(server.table)[-1]
    assert posted["id"] in reply_text(answer)
    assert "is leading" in message_text(posted)


async def test_it_is_shared_where_the_match_was_played_also_from_direct_messages(server: SimulatedServer) -> None:
    match = await finish_match(server)
    await server.press_button("Ada", server.newest_in_inbox("Ada"), "Watch again")
    answer = await server.press_button("Ada", server.newest_private("Ada"), "Watch together")
    posted = server.public_messages(server.thread)[-1]
    assert posted["id"] in reply_text(answer)
    assert "is leading" in message_text(posted)
    assert await server.status(match) is Status.OVER


async def test_practice_from_direct_messages_is_opened_where_the_match_was_played(server: SimulatedServer) -> None:
    await finish_match(server)
    await server.press_button("Ada", server.newest_in_inbox("Ada"), "Watch again")
    answer = await server.press_button("Ada", server.newest_private("Ada"), "Play from here")
    (practice,) = await server.bot.matches.lookup.find()
    assert practice.practice
    assert practice.place.channel == server.table.id
    lobby = await server.find_lobby(practice.id)
    assert lobby["channel_id"] == str(server.table.id)
    assert lobby["id"] in reply_text(answer)
    assert "(practice)" in message_text(server.find_hand("Ada", practice.id))


def test_places_of_several_people_never_clash() -> None:
    place = ReplayPlace("abcd2345", 3, leader=7)
    assert control_id(place, "next") != control_id(replace(place, leader=8), "next")


# Play from here


async def play_from(w: SimulatedServer, name: str, match: str, moment: int, view: str = "t") -> str:
    """The practice match that somebody opens at that moment."""
    known = {info.id for info in await w.bot.matches.lookup.find()}
    place = ReplayPlace(match, moment, view)
    await w.forge_click(name, await w.find_table(match), control_id(place, "practice"))
    (opened,) = [info.id for info in await w.bot.matches.lookup.find() if info.id not in known]
    return opened


async def play_to_end(w: SimulatedServer, match: str) -> None:
    """Everybody makes any legal move, computers too, while nobody looks."""
    matches, rng = w.bot.matches, Random(match)
    while (now := await matches.cache.get_snapshot(match)).info.status is Status.RUNNING:
        seat = now.due_seats()[0]
        number, notation = now.decisions()[seat].number, now.game.format_move(rng.choice(now.moves(seat)))
        with suppress(RequestRefused):  # a computer was quicker
            if now.info.seats[seat].level:
                await matches.moves.play_computer_move(match, seat, number, notation)
            else:
                await matches.moves.play_move(match, now.info.seats[seat].user, number, notation)


@pytest.mark.parametrize("game", GAMES)
async def test_every_game_is_played_on_from_its_middle(server: SimulatedServer, game: str) -> None:
    match = await finish_match(server, game)
    info = (await server.load_snapshot(match)).info
    middle = info.moves // 2
    replayed = await server.bot.actions.service(ReplayActions)._replays.replayed_match(info)
    opened = await play_from(server, "Greta", match, middle, "1")
    info = (await server.load_snapshot(opened)).info
    assert info.practice
    assert [bool(seat.level) for seat in info.seats] == [number != 1 for number in range(len(info.seats))]
    assert info.seats[1].name == "Greta"
    saved = await server.bot.matches.editor.store.load(opened)
    assert saved is not None
    first_state = replayed.game.checkpoint_adapter.validate_json(saved.base)
    assert first_state == replayed.snapshot(middle).state
    server.bot.matches.cache.evict(opened)  # so that it is loaded again
    await play_to_end(server, opened)
    assert (await server.load_snapshot(opened)).info.practice
    assert (await server.load_snapshot(match)).info == replayed.info, "the match itself was changed"
    shown_page = await server["Greta"].slash(server.table, "motley replay", match=opened)
    assert "move 0 of" in reply_text(shown_page)


async def test_practice_shows_no_seal_and_says_what_it_is(server: SimulatedServer) -> None:
    match = await finish_match(server)
    opened = await play_from(server, "Ada", match, 3)
    info = (await server.load_snapshot(opened)).info
    assert not info.seal
    for expected_text in (await server.lobby_text(opened), await server.table_text(opened)):
        assert "seal" not in expected_text.lower()
    for _ in ("while it runs", "after its end"):
        expected_text = reply_text(await server["Ada"].slash(server.table, "motley check-deal", match=opened))
        assert f"match `{opened}` is a practice match" in expected_text
        assert "with the same cards" in expected_text
        assert "older version" not in expected_text
        assert "check it without me" not in expected_text, "there is nothing to check"
        await play_to_end(server, opened)


async def test_practice_is_marked_and_nobody_joins_it(server: SimulatedServer) -> None:
    match = await finish_match(server)
    opened = await play_from(server, "Ada", match, 3)
    info = (await server.load_snapshot(opened)).info
    assert [seat.name for seat in info.seats if seat.has_owner] == ["Ada"]
    assert info.seats[0].name == "Ada", "she sat there in the match"
    for expected_text in (
        await server.lobby_text(opened),
        await server.table_text(opened),
        message_text(server.newest_in_inbox("Ada")),
        reply_text(await server["Ada"].slash(server.table, "motley matches")),
        reply_text(await server["Ada"].slash(server.table, "wizard status", match=opened)),
    ):
        assert "(practice)" in expected_text
    with pytest.raises(RequestRefused, match="already started"):
        await server.bot.matches.lobbies.join(opened, server["Bela"].id, "Bela")


async def test_a_newer_practice_match_takes_the_place_of_the_older_one(server: SimulatedServer) -> None:
    match = await finish_match(server)
    first, other = await play_from(server, "Ada", match, 3), await play_from(server, "Bela", match, 3)
    second = await play_from(server, "Ada", match, 2)
    for practice, status in ((first, Status.ENDED), (other, Status.RUNNING), (second, Status.RUNNING)):
        assert (await server.load_snapshot(practice)).info.status is status
    assert "Its player began another practice match from a replay." in await server.table_text(first)
    info = (await server.load_snapshot(first)).info
    history = history_text(info, await server.bot.matches.lookup.load_history(first), 2000, ACTION_TEXTS)
    assert "Ada began another practice match, so this one ended" in history


async def test_practice_ends_after_a_day_without_a_move(server: SimulatedServer) -> None:
    match = await finish_match(server)
    opened = await play_from(server, "Ada", match, 3)
    await server.restart()  # the match before was played without the simulated clock
    for _ in range(10):  # computers move
        await server.env.advance_time(10)
    ends = (await server.load_snapshot(opened)).info.changed + PRACTICE_SECONDS
    await server.env.advance_time(ends - server.bot.clock.now() - 10)
    assert (await server.load_snapshot(opened)).info.status is Status.RUNNING
    await server.env.advance_time(20)
    await server.env.settle()
    assert (await server.load_snapshot(opened)).info.status is Status.ENDED
    assert "A practice match ends when nobody has played for a day." in await server.table_text(opened)


async def test_practice_has_the_rules_of_its_match_whatever_rules_the_server_has_fixed(server: SimulatedServer) -> None:
    match = await finish_match(server, "wizard")
    await server.bot.matches.lobbies.change_server_settings(
        server.guild.id, lambda old: old.with_preset("wizard", "hook")
    )
    opened = await play_from(server, "Ada", match, 3)
    before, after = await server.load_snapshot(match), await server.load_snapshot(opened)
    assert (after.info.status, after.options) == (Status.RUNNING, before.options)
    answer = await server["Ada"].slash(server.table, "wizard new", rules="quick hands")
    assert "on this server play the *hook* rules" in reply_text(answer), "other tables do"


async def test_no_practice_begins_at_the_end_or_if_computers_are_not_allowed(server: SimulatedServer) -> None:
    match = await finish_match(server)
    table, last = await server.find_table(match), (await server.load_snapshot(match)).info.moves
    answer = await server.forge_click("Ada", table, control_id(ReplayPlace(match, last), "practice"))
    assert "over at this point" in reply_text(answer)
    await server.bot.matches.lobbies.change_server_settings(server.guild.id, lambda old: replace(old, computers=False))
    answer = await server.forge_click("Ada", table, control_id(ReplayPlace(match, 1), "practice"))
    assert "turned them off" in reply_text(answer)
    assert await server.bot.matches.lookup.find() == []
