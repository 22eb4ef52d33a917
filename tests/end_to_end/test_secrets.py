"""Nothing that is hidden in a match reaches anybody else, in whatever form; nor the log."""

from __future__ import annotations

import pytest

from engines.hosting.match import RequestRefused
from engines.store.match_store import Status
from tests.end_to_end.players import THREE, random_chooser
from tests.end_to_end.secrets import find_leaks
from tests.end_to_end.world import SimulatedServer, reply_text
from tests.messages import Message, client_text, message_text

FOUR = ("Ada", "Bela", "Chidi", "Dora")


def papers(message: Message) -> list[str]:
    return [each["filename"] for each in message["attachments"] if each["filename"].endswith(".txt")]


async def test_the_record_is_there_at_the_end_and_never_before(
    inn: SimulatedServer, caplog: pytest.LogCaptureFixture
) -> None:
    match = await inn.seat_and_start(rounds=1)
    assert inn.seed is not None
    while await inn.status(match) is Status.RUNNING:
        for command, options in (("admin show", {"match": match}), ("admin matches", {}), ("motley matches", {})):
            await inn["Ada"].slash(inn.table, command, **options)
        seen = [each.message for each in (*inn.seen_messages, *inn.ephemeral_messages())]
        assert not any(papers(message) for message in seen)
        said = [client_text(message) for message in seen]
        said += [each.decode(errors="replace") for message in seen for each in inn.file_bytes(message)]
        assert not [text for text in (*said, caplog.text) if inn.seed in text]
        with pytest.raises(RequestRefused):
            await inn.bot.matches.build_record(match)
        await inn.make_move(match)
    final = await inn.find_table(match)
    assert papers(final) == [f"wizard-{match}.txt"]
    record = b"\n".join(inn.file_bytes(final)).decode(errors="replace")
    assert inn.seed in record  # so that anybody can check the deal
    assert "bid" in record


@pytest.mark.parametrize("ending", ["reset", "vote"])
async def test_a_match_without_a_result_gives_no_record(inn: SimulatedServer, ending: str) -> None:
    match = await inn.seat_and_start(rounds=1)
    if ending == "reset":
        asked = await inn["Ada"].slash(inn.table, "admin reset", match=match)
        await inn.press_answer("Ada", asked, "Reset the match")
    else:
        for name in THREE[:2]:
            await inn[name].slash(inn.thread, "motley stop")
        assert await inn.status(match) is Status.ENDED
        said = [message_text(message) for message in inn.public_messages(inn.thread)]
        assert any("Bela votes to end the match (2 of 3)" in each for each in said)
    assert not any(papers(seen.message) for seen in inn.seen_messages)
    now = await inn.load_snapshot(match)
    for seen in (*inn.seen_messages, *inn.ephemeral_messages()):
        files = [each.decode(errors="replace") for each in inn.file_bytes(seen.message)]
        reader = None if seen.viewer is None else now.info.seat_of(seen.viewer)
        assert find_leaks(now, "\n".join([client_text(seen.message), *files]), reader) == []


async def test_whoever_left_learns_nothing_more(inn: SimulatedServer) -> None:
    match = await inn.seat_and_start(FOUR, rounds=2)
    await inn.leave_match(match, "Bela")
    since = len(inn.seen_messages)
    await inn.press_button("Greta", await inn.find_table(match), "Take the empty seat")
    await inn.play_out(match, random_chooser(5))
    assert [seen for seen in inn.seen_messages[since:] if seen.viewer == inn["Bela"].id] == []


async def test_a_lobby_and_its_match_are_told_apart_from_another_one(inn: SimulatedServer) -> None:
    first = await inn.seat_and_start(rounds=1)
    second = await inn.open_lobby("Dora")
    answer = reply_text(await inn["Dora"].slash(inn.table, "wizard hand", match=first))
    assert "not sitting at this table" in answer
    assert second not in answer
