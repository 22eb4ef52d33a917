"""Clips of finished matches: shown to one person, posted for all, and refused where they are not for somebody."""

from __future__ import annotations

from collections.abc import Callable
from io import BytesIO
from typing import Any

import pytest
from PIL import Image

from cogs.features.clips import feature_ui
from cogs.features.clips.clip_frames import WHOLE_MATCH
from cogs.table.actions.context import NOT_POSTED
from cogs.table.actions.rights import NOT_OVER
from engines.store.match_store import FORGOTTEN_NAME
from tests.end_to_end.players import THREE
from tests.end_to_end.simulated_server import PendingClick, SimulatedServer, reply_text
from tests.end_to_end.test_lessons import shown_message
from tests.end_to_end.test_privacy import ask_to_be_forgotten
from tests.games import GAMES
from tests.messages import Message, alt_texts, button_labels, control_ids, message_text
from worker_pool.pool import JobFailed

SHORT = {"wizard": {"rounds": 2}, "jokers": {"rounds": 2}}


async def finish(w: SimulatedServer, game: str = "wizard", **options: Any) -> str:
    """A match that was played to its end by as few people as may; its id."""
    names = ("Ada", "Bela", "Chidi", "Dora")[: GAMES[game].seats[0]]
    return await w.play_out_unseen(game, names, **{**SHORT.get(game, {}), **options})


async def open_clips(w: SimulatedServer, match: str, name: str = "Ada") -> Message:
    answer = await w.press_button(name, await w.find_table(match), "Share")
    assert answer.ephemeral
    return shown_message(w, answer)


def again(w: SimulatedServer, message: Message) -> Message:
    """The private message as it is now."""
    return next(
        seen_message.message
        for seen_message in reversed(w.ephemeral_messages())
        if seen_message.message["id"] == message["id"]
    )


def clips_in(w: SimulatedServer, channel: Any) -> list[Message]:
    return [message for message in w.public_messages(channel) if "posted by" in message_text(message)]


def frame_count(w: SimulatedServer, message: Message) -> int:
    (content,) = w.file_bytes(message)
    assert [file["filename"] for file in message["attachments"]] == ["clip.gif"]
    return int(getattr(Image.open(BytesIO(content)), "n_frames", 1))


@pytest.mark.parametrize("game", GAMES)
async def test_every_game_has_clips_that_are_shown_and_posted(server: SimulatedServer, game: str) -> None:
    match = await finish(server, game)
    private = await open_clips(server, match)
    assert 2 <= frame_count(server, private) <= 60
    assert "The moments that mattered" in message_text(private)
    assert "Only you can see this" in message_text(private)
    assert alt_texts(private)[0].startswith(GAMES[game].title)
    if f"clips:{match}:pick" in control_ids(private):
        await server.choose_options("Ada", private, f"clips:{match}:pick", "1")
        private = again(server, private)
        assert "The moments that mattered" not in message_text(private)
    await server.press_button("Ada", private, "Post")
    (posted,) = clips_in(server, server.thread)
    assert server.file_bytes(posted) == server.file_bytes(private)
    assert alt_texts(posted) == alt_texts(private)
    assert "posted by Ada" in message_text(posted)
    assert control_ids(posted) == []
    done = again(server, private)
    assert f"Posted in <#{server.thread.id}>" in message_text(done)
    assert "Post" not in button_labels(done)


async def test_the_menu_and_the_hands_of_a_finished_match_lead_to_its_clips(server: SimulatedServer) -> None:
    match = await finish(server)
    menu = shown_message(server, await server.press_button("Ada", await server.find_table(match), "More"))
    looks_back = ["My costliest moves", "Share", "Settings"]
    assert [label for label in button_labels(menu) if label in looks_back] == looks_back
    assert button_labels(server.newest_in_inbox("Ada"))[1:3] == ["Watch again", "Share"]
    answer = await server.press_button("Ada", menu, "Share")
    assert "The moments that mattered" in message_text(shown_message(server, answer))


async def test_a_running_match_has_no_clips(server: SimulatedServer) -> None:
    match = await server.seat_and_start()
    table = await server.find_table(match)
    assert "Share" not in button_labels(table)
    for request in ("open", "pick", "post:0", "post:1"):
        values = ["0"] if request == "pick" else None
        reply = reply_text(await server.forge_click("Ada", table, f"clips:{match}:{request}", values))
        assert reply == NOT_OVER
    assert clips_in(server, server.thread) == []


@pytest.mark.parametrize(
    ("request_", "values"),
    [
        *((request, None) for request in ("pick", "post", "post:99", "post:123", "post:٣", "open:1", "nonsense")),
        *(("pick", values) for values in ([], ["99"], ["-1"], ["x"], ["1", "0"], ["٣"], ["1" * 50])),
    ],
)
async def test_forged_requests_show_and_post_nothing(
    server: SimulatedServer, request_: str, values: list[str] | None
) -> None:
    match = await finish(server)
    table, before = await server.find_table(match), len(server.ephemeral_messages())
    answer = await server.forge_click("Ada", table, f"clips:{match}:{request_}", values)
    assert reply_text(answer).endswith((".", "again."))
    assert not any(seen_message.message["attachments"] for seen_message in server.ephemeral_messages()[before:])
    assert clips_in(server, server.thread) == []


async def test_those_who_only_watch_see_clips_and_post_none(server: SimulatedServer) -> None:
    match = await finish(server)
    private = await open_clips(server, match, "Greta")
    assert frame_count(server, private) > 2
    assert "Post" not in button_labels(private)
    assert "Only players" in reply_text(await server.forge_click("Greta", private, f"clips:{match}:post:0"))
    assert clips_in(server, server.thread) == []


async def test_two_presses_post_once(server: SimulatedServer) -> None:
    match = await finish(server)
    private = await open_clips(server, match)
    await server.click_at_once(*[PendingClick("Ada", private, f"clips:{match}:post:0")] * 2)
    assert len(clips_in(server, server.thread)) == 1


async def test_controls_work_after_a_restart(server: SimulatedServer) -> None:
    match = await finish(server)
    private = await open_clips(server, match)
    await server.restart()
    await server.press_button("Ada", private, "Post")
    (posted,) = clips_in(server, server.thread)
    assert server.file_bytes(posted) == server.file_bytes(private)


async def test_a_clip_is_drawn_once_for_all(server: SimulatedServer) -> None:
    match = await finish(server)
    drawn = count_jobs(server)
    for name in (*THREE, "Greta"):
        await open_clips(server, match, name)
    assert drawn == [WHOLE_MATCH]


def forget_clips(w: SimulatedServer) -> None:
    """Empty the cache of clips."""
    w.patch(w.bot.actions.service(feature_ui.ClipActions), "_cache", feature_ui.ClipCache())


def count_jobs(w: SimulatedServer) -> list[int]:
    """From now on, the sections of which the pool draws clips."""
    drawn: list[int] = []
    run: Callable[..., Any] = w.bot.worker_pool.run_in_background

    async def counted(*arguments: Any, **more: Any) -> Any:
        drawn.append(arguments[-1])
        return await run(*arguments, **more)

    w.patch(w.bot.worker_pool, "run_in_background", counted)
    return drawn


async def test_a_person_gets_one_clip_at_a_time(server: SimulatedServer) -> None:
    match = await finish(server)
    private = await open_clips(server, match)
    both = [PendingClick("Ada", await server.find_table(match), f"clips:{match}:open")] * 2
    forget_clips(server)
    answer_texts = [reply_text(answer) for answer in await server.click_at_once(*both)]
    assert sum("still making" in each for each in answer_texts) == 1
    assert frame_count(server, private)


async def test_clips_are_counted_by_the_hour(server: SimulatedServer) -> None:
    match = await finish(server)
    table = await server.find_table(match)

    async def ask(name: str = "Ada") -> str:
        forget_clips(server)
        return reply_text(await server.press_button(name, table, "Share"))

    for _ in range(feature_ui.MAX_PER_HOUR):
        assert "The moments that mattered" in await ask()
    assert "I can make at most 10 clips an hour for you" in await ask()
    assert "The moments that mattered" in await ask("Bela")
    await server.env.advance_time(feature_ui.HOUR + 1)
    assert "The moments that mattered" in await ask()


async def test_a_clip_that_cannot_be_drawn_is_refused(server: SimulatedServer) -> None:
    match = await finish(server)

    async def fail(*_: object, **__: object) -> None:
        raise JobFailed

    server.patch(server.bot.worker_pool, "run_in_background", fail)
    answer = await server.press_button("Ada", await server.find_table(match), "Share")
    assert "I could not make this clip" in reply_text(answer)


async def test_a_clip_that_cannot_be_posted_is_refused(server: SimulatedServer) -> None:
    match = await finish(server)
    private = await open_clips(server, match)
    for channel in (server.thread, server.table):
        server.env.inject_error("POST", rf"/channels/{channel.id}/messages", status=403, code=50013, times=None)
    assert NOT_POSTED in reply_text(await server.press_button("Ada", private, "Post"))
    assert "Post" in button_labels(again(server, private))


async def test_the_name_of_a_forgotten_person_is_in_no_later_clip(server: SimulatedServer) -> None:
    match = await finish(server)
    await open_clips(server, match)
    await ask_to_be_forgotten(server, "Bela")
    private = await open_clips(server, match)
    assert "Bela" not in alt_texts(private)[0]
    assert FORGOTTEN_NAME in alt_texts(private)[0]
