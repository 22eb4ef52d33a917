"""“Report a problem”: written in a form, shown to its writer alone, and sent to the log or to a channel."""

from __future__ import annotations

import logging
from dataclasses import replace
from typing import Any

import pytest

from cogs.features.reports.feature_ui import ReportActions
from cogs.features.reports.report_pages import MAX_WORDS, form_id
from engines.features.reports import MOST_REPORTS, PERIOD, REPORT_CHANNEL, REPORTS, Report
from engines.store.owner_settings import OwnerSettings
from tests.end_to_end.people_and_places import InteractionResult
from tests.end_to_end.simulated_server import PendingClick, SimulatedServer, reply_text, response_of
from tests.end_to_end.test_notes import FIELD, field, open_menu
from tests.end_to_end.test_privacy import ask_to_be_forgotten, fetch_data
from tests.messages import client_text, control_ids

WORDS = "The *sum* is wrong.\nIt says 7."


async def write_report(w: SimulatedServer, name: str, match: str, text: str = WORDS) -> InteractionResult:
    form = await w.press_answer(name, await open_menu(w, name, match), "Report a problem")
    assert form.modal is not None
    answer = await w[name].submit_modal(form, {FIELD: text})
    await w.env.settle()
    return answer


def draft_file(w: SimulatedServer, name: str) -> str:
    (file,) = w.file_bytes(w.newest_private(name))
    return file.decode()


def logged_reports(caplog: pytest.LogCaptureFixture) -> list[str]:
    return [record.getMessage() for record in caplog.records if record.getMessage().startswith("Report ")]


async def test_a_report_is_shown_before_it_is_sent_and_sent_as_it_was_shown(
    server: SimulatedServer, caplog: pytest.LogCaptureFixture
) -> None:
    match = await server.seat_and_start()
    draft = await write_report(server, "Ada", match)
    assert response_of(draft).ephemeral
    assert "Nothing is sent yet" in reply_text(draft)
    assert "> The \\*sum\\* is wrong.\n> It says 7\\." in reply_text(draft)
    file = draft_file(server, "Ada")
    assert f"from: {server['Ada'].id}, seat A\n" in file
    assert "> The *sum* is wrong.\n> It says 7.\n" in file
    assert f"match: {match}\n" in file
    last = file.partition("last interactions: ")[2].partition("\n")[0].split(", ")
    assert len(last) > 1
    assert all(each.isdecimal() for each in last)
    for name in ("Ada", "Bela", "Chidi"):
        assert name not in file, "names are nobody's business"
    await server.make_move(match)
    assert not logged_reports(caplog)
    await server.press_answer("Ada", draft, "Send")
    assert "I have sent your report" in client_text(server.newest_private("Ada"))
    (logged,) = logged_reports(caplog)
    assert logged.partition(":\n")[2] == file
    assert "seat A" in logged


async def test_it_can_be_dropped_and_nothing_of_it_stays(
    server: SimulatedServer, caplog: pytest.LogCaptureFixture
) -> None:
    match = await server.seat_and_start()
    draft = await write_report(server, "Ada", match)
    ((about, kept_report),) = await personal_reports(server, "Ada")
    assert (about, kept_report["sent"]) == (match, None)
    assert WORDS.splitlines()[0] in kept_report["text"]
    button = draft_button(draft)
    await server.press_answer("Ada", draft, "Don’t send")
    assert await personal_reports(server, "Ada") == []
    stale = await server.forge_click("Ada", await server.find_table(match), button)
    assert "already been sent" in reply_text(stale)
    assert not logged_reports(caplog)


async def personal_reports(w: SimulatedServer, name: str) -> list[tuple[str, dict[str, Any]]]:
    """The reports in a person's data, with their matches."""
    matches_data = (await fetch_data(w, name))["matches"]
    return [(each["match"], report) for each in matches_data for report in each.get("reports", ())]


async def stored_reports(w: SimulatedServer, name: str) -> list[Report]:
    return await w.bot.matches.editor.find_rows(REPORTS, "user", [w[name].id])


def draft_button(draft: InteractionResult) -> str:
    """The custom_id of the button that sends it."""
    text = str(response_of(draft).components)
    return "reports:" + text.partition("reports:")[2].partition("'")[0]


async def test_nobody_sends_the_draft_of_another_and_nobody_sends_one_twice(
    server: SimulatedServer, caplog: pytest.LogCaptureFixture
) -> None:
    match = await server.seat_and_start()
    draft = await write_report(server, "Ada", match)
    table = await server.find_table(match)
    assert "already been sent" in reply_text(await server.forge_click("Bela", table, draft_button(draft)))
    newer = await write_report(server, "Ada", match, "Another thing.")
    assert "already been sent" in reply_text(await server.forge_click("Ada", table, draft_button(draft)))
    button = draft_button(newer)
    await server.press_answer("Ada", newer, "Send")
    assert "already been sent" in reply_text(await server.forge_click("Ada", table, button))
    assert len(logged_reports(caplog)) == 1


@pytest.mark.parametrize("second", ["send", "drop"])
async def test_presses_at_once_send_a_report_once(
    server: SimulatedServer, caplog: pytest.LogCaptureFixture, second: str
) -> None:
    match = await server.seat_and_start()
    await write_report(server, "Ada", match)
    shown_page = server.newest_private("Ada")
    buttons = [each for each in control_ids(shown_page) if each.startswith("reports:")]
    send, drop = buttons
    clicks = [
        PendingClick("Ada", shown_page, send),
        PendingClick("Ada", shown_page, send if second == "send" else drop),
    ]
    answer_texts = [reply_text(answer) for answer in await server.click_at_once(*clicks)]
    assert len(logged_reports(caplog)) == 1
    assert sum("already been sent" in each for each in answer_texts) == 1
    assert not [each for each in answer_texts if "Nothing was sent" in each]
    (kept_report,) = await stored_reports(server, "Ada")
    assert kept_report.sent
    assert not kept_report.text


async def test_a_person_sends_three_a_day_and_a_restart_does_not_change_that(
    server: SimulatedServer, caplog: pytest.LogCaptureFixture
) -> None:
    match = await server.seat_and_start()
    for _ in range(MOST_REPORTS - 1):
        await server.press_answer("Ada", await write_report(server, "Ada", match), "Send")
    draft = await write_report(server, "Ada", match)
    await server.restart()
    await server.press_answer("Ada", draft, "Send")
    assert len(logged_reports(caplog)) == MOST_REPORTS
    refused = await server.press_answer("Ada", await open_menu(server, "Ada", match), "Report a problem")
    assert refused.modal is None
    assert "three reports today" in reply_text(refused)
    forged = await server.forge_form("Ada", form_id(match), field(WORDS))
    assert "three reports today" in reply_text(forged)
    await server.press_answer("Bela", await write_report(server, "Bela", match), "Send")
    assert len(logged_reports(caplog)) == MOST_REPORTS + 1
    await server.env.advance_time(PERIOD + 1)
    await server.press_answer("Ada", await write_report(server, "Ada", match), "Send")
    assert len(logged_reports(caplog)) == MOST_REPORTS + 2


async def test_it_goes_to_the_channel_that_is_set_and_to_the_log_if_that_is_closed(
    server: SimulatedServer, caplog: pytest.LogCaptureFixture
) -> None:
    match = await server.seat_and_start()
    context = server.bot.actions.context
    context.operator = replace(context.operator, settings=OwnerSettings({REPORT_CHANNEL.name: server.table.id}))
    draft = await write_report(server, "Ada", match)
    file = draft_file(server, "Ada")
    await server.press_answer("Ada", draft, "Send")
    (posted,) = [each for each in server.public_messages(server.table) if "Report" in each["content"]]
    assert match in posted["content"]
    assert [each.decode() for each in server.file_bytes(posted)] == [file]
    assert not logged_reports(caplog)
    caplog.set_level(logging.WARNING)
    server.env.inject_error("POST", rf"/channels/{server.table.id}/messages", status=403, code=50013)
    await server.press_answer("Bela", await write_report(server, "Bela", match), "Send")
    assert "I have sent your report" in client_text(server.newest_private("Bela"))
    assert ["could not be posted" in each for each in logged_reports(caplog)] == [True, False]


async def test_somebody_who_watches_can_report_and_so_can_people_in_a_lobby_and_after_the_end(
    server: SimulatedServer,
) -> None:
    match = await server.seat_and_start()
    await write_report(server, "Greta", match)
    assert f"from: {server['Greta'].id}, watching" in draft_file(server, "Greta")
    await server.play_out(match)
    await write_report(server, "Ada", match)
    assert "status: over" in draft_file(server, "Ada")
    lobby = await server.open_lobby("Bela")
    answer = await server.forge_form("Bela", form_id(lobby), field(WORDS))
    assert answer.ephemeral
    assert "status: lobby" in draft_file(server, "Bela")


async def test_a_text_that_says_nothing_or_too_much_is_refused(server: SimulatedServer) -> None:
    match = await server.seat_and_start()
    form = form_id(match)
    for custom_id, components, expected_text in (
        (form, field(" \u200b"), "You wrote nothing"),
        (form, field("x" * (MAX_WORDS + 1)), "at most 1000 characters; yours has 1001"),
        (form, [], "out of date"),
        (form_id("zzzzzzzz"), field(WORDS), "no such match"),
    ):
        assert expected_text in reply_text(await server.forge_form("Ada", custom_id, components)), expected_text
    assert await personal_reports(server, "Ada") == []


async def test_a_report_is_forgotten_with_its_writer(server: SimulatedServer) -> None:
    match = await server.seat_and_start()
    await write_report(server, "Ada", match)
    await ask_to_be_forgotten(server, "Ada")
    assert await stored_reports(server, "Ada") == []


async def test_somebody_who_is_forgotten_while_it_is_sent_leaves_nothing(
    server: SimulatedServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def deliver_slowly(actions: ReportActions, report: Report) -> None:
        await server.bot.surfaces.forget_person(report.user)

    match = await server.seat_and_start()
    draft = await write_report(server, "Ada", match)
    monkeypatch.setattr(ReportActions, "_deliver", deliver_slowly)
    await server.press_answer("Ada", draft, "Send")
    assert "I have sent your report" in client_text(server.newest_private("Ada"))
    assert await stored_reports(server, "Ada") == []


async def test_buttons_and_the_form_of_version_1_0_0_answer(
    server: SimulatedServer, caplog: pytest.LogCaptureFixture
) -> None:
    match = await server.seat_and_start()
    table = await server.find_table(match)
    assert (await server.forge_click("Ada", table, f"t:{match}:wrong")).modal is not None
    assert "Nothing is sent yet" in reply_text(await server.forge_form("Ada", f"w:{match}:wrong", field(WORDS)))
    (first,) = await stored_reports(server, "Ada")
    await server.forge_click("Ada", table, f"w:{match}:drop.{first.id}")
    assert await stored_reports(server, "Ada") == []
    await server.forge_form("Ada", f"w:{match}:wrong", field(WORDS))
    (second,) = await stored_reports(server, "Ada")
    await server.forge_click("Ada", table, f"w:{match}:send.{second.id}")
    assert len(logged_reports(caplog)) == 1
