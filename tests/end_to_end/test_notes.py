"""Private notes: written in a form or by a command, shown under one's hand, and to nobody else."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from cogs.features.notes.note_pages import MAX_NOTE_LENGTH, form_id
from cogs.table.pages import custom_ids
from engines.store.match_store import Status
from tests.end_to_end.people_and_places import InteractionResult
from tests.end_to_end.simulated_server import SimulatedServer, reply_text
from tests.end_to_end.test_privacy import ask_to_be_forgotten, fetch_data
from tests.feature_rows import player_notes
from tests.messages import Message, client_text, message_text

NOTE, OTHER = "Bela has no hearts", "Chidi keeps trumps"
FIELD = custom_ids.FORM_FIELD
OTHERS = ("Bela", "Chidi")
DEFERRED_MESSAGE, DEFERRED_UPDATE = 5, 6  # kinds of answers


async def open_menu(w: SimulatedServer, name: str, match: str) -> InteractionResult:
    return await w.press_button(name, await w.find_table(match), "More")


async def open_form(w: SimulatedServer, name: str, match: str) -> InteractionResult:
    form = await w.press_answer(name, await open_menu(w, name, match), "Note")
    assert form.modal is not None
    return form


async def write_note(w: SimulatedServer, name: str, match: str, text: str) -> InteractionResult:
    answer = await w[name].submit_modal(await open_form(w, name, match), {FIELD: text})
    await w.env.settle()
    return answer


def form_text(form: InteractionResult) -> str:
    """What stands in the form at first."""
    assert form.modal is not None
    (label,) = form.modal["components"]
    assert label["component"]["style"] == 2, "the field has no lines"
    assert label["component"]["max_length"] == MAX_NOTE_LENGTH
    assert not label["component"]["required"], "it could not be deleted"
    return str(label["component"].get("value") or "")


def seen_by_others(w: SimulatedServer, name: str) -> list[Message]:
    """All messages that somebody else has ever seen."""
    return [seen_message.message for seen_message in w.seen_messages if seen_message.viewer != w[name].id]


async def test_a_note_is_written_in_a_form_and_shown_under_the_hand(server: SimulatedServer) -> None:
    match = await server.seat_and_start()
    copy = await server.show_hand("Ada", match)
    form = await open_form(server, "Ada", match)
    assert form_text(form) == ""
    answer = await server["Ada"].submit_modal(form, {FIELD: NOTE})
    assert "Your note is saved." in reply_text(answer)
    assert f"-# Note: {NOTE}" in reply_text(answer), "the menu does not show it"
    await server.env.settle()
    assert f"\n-# Note: {NOTE}" in server.hand_text("Ada", match)
    (shown_message,) = [message for message in server.private_messages("Ada") if message["id"] == copy["id"]]
    assert f"-# Note: {NOTE}" in message_text(shown_message), "the hand on demand does not show it"
    assert form_text(await open_form(server, "Ada", match)) == NOTE
    await write_note(server, "Ada", match, OTHER)
    assert f"\n-# Note: {OTHER}" in server.hand_text("Ada", match)
    answer = await write_note(server, "Ada", match, " \u200b\n")
    assert "You have no note" in reply_text(answer)
    assert "Note:" not in server.hand_text("Ada", match)
    assert await server.stale_seats(match) == set()


async def test_a_note_stands_after_moves_and_a_restart_and_the_form_works_then(server: SimulatedServer) -> None:
    match = await server.seat_and_start()
    menu = await open_menu(server, "Ada", match)
    await write_note(server, "Ada", match, NOTE)
    for _ in range(3):
        await server.make_move(match)
    await server.env.settle()
    assert NOTE in server.hand_text("Ada", match)
    form = await server.press_answer("Ada", menu, "Note")
    await server.restart()
    assert NOTE in server.hand_text("Ada", match)
    await server["Ada"].submit_modal(form, {FIELD: OTHER})
    await server.env.settle()
    assert OTHER in server.hand_text("Ada", match)
    assert OTHER in message_text(await server.show_hand("Ada", match))


async def test_a_change_stored_before_a_crash_is_shown_after_it(
    server: SimulatedServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    match = await server.seat_and_start()
    with monkeypatch.context() as patched:
        patched.setattr(type(server.bot.reconciler), "wake", lambda *about: None)
        await server["Ada"].slash(server.thread, "motley note", text=NOTE)
        await server.env.settle()
    assert NOTE not in server.hand_text("Ada", match)
    await server.restart(killed=True)
    await server.env.settle()
    assert NOTE in server.hand_text("Ada", match)


async def test_nobody_else_ever_sees_it_also_after_taking_the_seat(server: SimulatedServer) -> None:
    match = await server.seat_and_start()
    await write_note(server, "Ada", match, NOTE)
    assert NOTE in server.hand_text("Ada", match)
    for name in OTHERS:
        assert form_text(await open_form(server, name, match)) == ""
        await server[name].slash(server.thread, "motley matches")
    await server.leave_match(match, "Ada")
    assert NOTE not in client_text(server.newest_in_inbox("Ada"))
    await server.press_button("Greta", await server.find_table(match), "Take the empty seat")
    await server.env.settle()
    assert "Your hand" in client_text(server.find_hand("Greta", match))
    assert form_text(await open_form(server, "Greta", match)) == ""
    await write_note(server, "Greta", match, OTHER)
    assert OTHER in server.hand_text("Greta", match)
    await server.leave_match(match, "Greta")
    await server.press_button("Ada", await server.find_table(match), "Take the empty seat")
    await server.env.settle()
    assert NOTE in server.hand_text("Ada", match), "it belongs to the person, who is back"
    await server.play_out(match)
    await server.env.settle()
    assert not [message for message in seen_by_others(server, "Ada") if NOTE in client_text(message)]
    assert not [message for message in seen_by_others(server, "Greta") if OTHER in client_text(message)]
    assert NOTE not in await server.bot.matches.records.build_record(match)
    for name in (*OTHERS, "Greta"):
        assert NOTE not in str(await fetch_data(server, name))


async def test_it_stays_after_the_match_and_can_be_changed_then(server: SimulatedServer) -> None:
    match = await server.seat_and_start()
    await write_note(server, "Ada", match, NOTE)
    await server.play_out(match)
    await server.env.settle()
    assert await server.status(match) is Status.OVER
    assert f"\n-# Note: {NOTE}" in server.hand_text("Ada", match)
    listed = reply_text(await server["Ada"].slash(server.table, "motley matches"))
    assert f"-# Note: {NOTE}" in listed
    assert NOTE not in reply_text(await server["Bela"].slash(server.table, "motley matches"))
    answer = await server["Ada"].slash(server.table, "motley note", text=OTHER)
    assert "Your note is saved." in reply_text(answer)
    await server.env.settle()
    assert OTHER in server.hand_text("Ada", match)
    assert OTHER in reply_text(await server["Ada"].slash(server.table, "motley matches"))


async def test_a_note_is_typed_as_a_command_too(server: SimulatedServer) -> None:
    first, second = await server.seat_and_start(), await server.seat_and_start()
    answer = await server["Ada"].user.slash("motley note", text=NOTE, match=first)
    assert "Your note is saved." in reply_text(answer)
    await server.env.settle()
    texts = {match: message_text(await server.find_surface(match, "hand", 0)) for match in (first, second)}
    assert [NOTE in texts[match] for match in (first, second)] == [True, False]
    assert "several matches" in reply_text(await server["Ada"].user.slash("motley note", text=OTHER))
    form = await server["Ada"].user.slash("motley note", match=first)
    assert form_text(form) == NOTE
    answer = await server["Ada"].user.submit_modal(form, {FIELD: ""})
    assert answer.ephemeral
    assert "You have no note" in reply_text(answer)
    await server.env.settle()
    assert "Note:" not in message_text(await server.find_surface(first, "hand", 0))


async def test_a_long_note_is_short_on_the_hand_and_in_the_menu_and_whole_in_the_form(server: SimulatedServer) -> None:
    match, long = await server.seat_and_start(), "word " * 59 + "there"
    await write_note(server, "Ada", match, long)
    for text in (server.hand_text("Ada", match), reply_text(await open_menu(server, "Ada", match))):
        (note_line,) = [line for line in text.splitlines() if "word" in line]
        assert note_line.startswith("-# Note: word word")
        assert note_line.endswith("…")
    assert form_text(await open_form(server, "Ada", match)) == long


async def test_markup_and_mentions_are_text(server: SimulatedServer) -> None:
    match = await server.seat_and_start()
    await write_note(server, "Ada", match, "@everyone **b**\n# <@1> \u202ex")
    shown_text = server.hand_text("Ada", match)
    assert "-# Note: \\@\u200beveryone \\*\\*b\\*\\* · \\# \\<\\@1\\> x" in shown_text


def field(text: Any, custom_id: str = FIELD) -> list[dict[str, Any]]:
    return [{"type": 18, "component": {"type": 4, "custom_id": custom_id, "value": text}}]


async def test_a_forged_form_changes_nothing_and_is_told_why(server: SimulatedServer) -> None:
    match, other = await server.seat_and_start(), await server.seat_and_start(OTHERS)
    lobby = await server.open_lobby("Ada")
    await write_note(server, "Ada", match, NOTE)
    form = form_id
    for name, custom_id, components, expected_text in (
        ("Ada", form(other), field(OTHER), "not sitting at this table"),
        ("Greta", form(match), field(OTHER), "not sitting at this table"),
        ("Ada", form("zzzzzzzz"), field(OTHER), "no such match"),
        ("Ada", form(lobby), field(OTHER), "as soon as the match has started"),
        ("Ada", form(match), field("x" * (MAX_NOTE_LENGTH + 1)), "at most 300 characters; yours has 301"),
        ("Ada", form(match), field("🃏" * 151), "at most 300 characters; yours has 302"),
        ("Ada", form(match), field(OTHER, "another"), "out of date"),
        ("Ada", form(match), [], "out of date"),
        ("Ada", form(match), [{"type": 18}, {"type": 1, "components": []}], "out of date"),
        ("Ada", f"w:{match}:x", field(OTHER), "out of date"),
        ("Ada", "w:", field(OTHER), "out of date"),
    ):
        assert expected_text in reply_text(await server.forge_form(name, custom_id, components)), custom_id
    assert "out of date" in reply_text(await server.forge_click("Ada", await server.find_table(match), form(match)))
    long = await server.forge_command("Ada", server.thread, "motley note", text="x" * 301, match=match)
    assert "at most 300 characters" in reply_text(long)
    assert "not sitting" in reply_text(
        await server["Greta"].slash(server.thread, "motley note", text=OTHER, match=match)
    )
    assert "as soon as" in reply_text(await server["Ada"].slash(server.thread, "motley note", text=OTHER, match=lobby))
    await server.env.settle()
    notes = [await player_notes(server.bot.surfaces.store, each) for each in (match, other, lobby)]
    assert notes == [{server["Ada"].id: NOTE}, {}, {}]


async def test_a_form_of_ones_own_cannot_be_used_for_somebody_else(server: SimulatedServer) -> None:
    """The form names the match alone. The person who submits it writes their own note."""
    match = await server.seat_and_start()
    await write_note(server, "Ada", match, NOTE)
    await server.forge_form("Bela", form_id(match), field(OTHER))
    await server.env.settle()
    assert NOTE in server.hand_text("Ada", match)
    assert OTHER in server.hand_text("Bela", match)


async def test_a_late_form_is_refused_with_a_sentence(server: SimulatedServer, monkeypatch: pytest.MonkeyPatch) -> None:
    match = await server.seat_and_start()
    menu, surfaces = await open_menu(server, "Ada", match), server.bot.surfaces
    known = surfaces.rows

    async def slowly(table: Any, about: str) -> Any:
        await asyncio.sleep(2)
        return await known(table, about)

    monkeypatch.setattr(surfaces, "rows", slowly)
    answer = await server.press_answer("Ada", menu, "Note")
    assert answer.modal is None
    await server.env.advance_time(5)
    assert "took too long" in message_text(server.newest_private("Ada"))


@pytest.mark.parametrize(("opened_by", "kind"), [("command", DEFERRED_MESSAGE), ("menu", DEFERRED_UPDATE)])
async def test_a_slow_store_is_waited_for_and_the_note_is_saved(
    server: SimulatedServer, monkeypatch: pytest.MonkeyPatch, opened_by: str, kind: int
) -> None:
    match, reconciler = await server.seat_and_start(), server.bot.reconciler
    typed = opened_by == "command"
    form = await (server["Ada"].slash(server.thread, "motley note") if typed else open_form(server, "Ada", match))
    save = reconciler.write_hand_row

    async def slowly(*about: Any) -> None:
        await asyncio.sleep(2)
        await save(*about)

    monkeypatch.setattr(reconciler, "write_hand_row", slowly)
    since = len(server.env.http_requests)
    await server["Ada"].submit_modal(form, {FIELD: NOTE})
    await server.env.advance_time(5)
    first = next(each for each in server.env.http_requests[since:] if each.path.endswith("/callback"))
    assert first.json is not None
    assert first.json["type"] == kind
    assert any("Your note is saved." in message_text(message) for message in server.private_messages("Ada"))
    assert NOTE in server.hand_text("Ada", match)


async def test_it_is_in_ones_data_and_forgotten_with_oneself(server: SimulatedServer) -> None:
    match = await server.seat_and_start()
    await write_note(server, "Ada", match, NOTE)
    (match_data,) = (await fetch_data(server, "Ada"))["matches"]
    assert match_data["your note"] == NOTE
    await ask_to_be_forgotten(server, "Ada")
    assert await player_notes(server.bot.surfaces.store, match) == {}
    await server.press_button("Ada", await server.find_table(match), "More")
    await server.press_button("Ada", server.newest_private("Ada"), "Take a seat")
    await server.env.settle()
    assert form_text(await open_form(server, "Ada", match)) == ""
    assert NOTE not in server.hand_text("Ada", match)


async def test_a_lobby_that_was_cancelled_takes_no_notes(server: SimulatedServer) -> None:
    match = await server.open_lobby()
    lobby = await server.find_lobby(match)
    await server.bot.matches.lobbies.cancel_lobby(match, server["Ada"].user.id)
    assert await server.status(match) is Status.CANCELLED
    answers = (
        await server.forge_click("Ada", lobby, f"notes:{match}:open"),
        await server["Ada"].slash(server.table, "motley note", match=match, text=NOTE),
    )
    for answer in answers:
        assert "as soon as the match has started" in reply_text(answer)
    assert await player_notes(server.bot.matches.editor.store, match) == {}
