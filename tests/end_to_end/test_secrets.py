"""Nothing that is hidden in a match reaches anybody else, in whatever form; nor the log."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from random import Random

import pytest

from engines.hosting.match import RequestRefused
from engines.store.match_store import Status
from motley import logging_setup
from motley.metrics import Metrics
from storage import MatchStore
from tests import log_checks
from tests.contract.helpers import HELPERS
from tests.contract.walk import choose_move
from tests.end_to_end.players import THREE
from tests.end_to_end.secrets import find_leaks
from tests.end_to_end.simulated_server import SimulatedServer
from tests.games import GAMES
from tests.messages import Message, client_text, message_text
from tests.motley.test_metrics import labels_fit


def papers(message: Message) -> list[str]:
    return [each["filename"] for each in message["attachments"] if each["filename"].endswith(".txt")]


async def test_the_record_is_there_at_the_end_and_never_before(
    server: SimulatedServer, caplog: pytest.LogCaptureFixture
) -> None:
    match = await server.seat_and_start(rounds=1)
    assert server.seed is not None
    while await server.status(match) is Status.RUNNING:
        for command, options in (("admin show", {"match": match}), ("admin matches", {}), ("motley matches", {})):
            await server["Ada"].slash(server.table, command, **options)
        seen_messages = [each.message for each in (*server.seen_messages, *server.ephemeral_messages())]
        assert not any(papers(message) for message in seen_messages)
        seen_texts = [client_text(message) for message in seen_messages]
        seen_texts += [
            each.decode(errors="replace") for message in seen_messages for each in server.file_bytes(message)
        ]
        assert not [text for text in (*seen_texts, caplog.text) if server.seed in text]
        with pytest.raises(RequestRefused):
            await server.bot.matches.records.build_record(match)
        await server.make_move(match)
    final = await server.find_table(match)
    assert papers(final) == [f"wizard-{match}.txt"]
    record = b"\n".join(server.file_bytes(final)).decode(errors="replace")
    assert server.seed in record  # so that anybody can check the deal
    assert "bid" in record


@pytest.mark.parametrize("ending", ["reset", "vote"])
async def test_a_match_without_a_result_gives_no_record(server: SimulatedServer, ending: str) -> None:
    match = await server.seat_and_start(rounds=1)
    if ending == "reset":
        question = await server["Ada"].slash(server.table, "admin reset", match=match)
        await server.press_answer("Ada", question, "End the match")
    else:
        for name in THREE[:2]:
            await server[name].slash(server.thread, "motley stop")
        assert await server.status(match) is Status.ENDED
        thread_texts = [message_text(message) for message in server.public_messages(server.thread)]
        assert any("Bela has voted to end the match (2 of 3)" in each for each in thread_texts)
    assert not any(papers(seen_message.message) for seen_message in server.seen_messages)
    now = await server.load_snapshot(match)
    for seen_message in (*server.seen_messages, *server.ephemeral_messages()):
        files = [each.decode(errors="replace") for each in server.file_bytes(seen_message.message)]
        reader = None if seen_message.viewer is None else now.info.seat_of(seen_message.viewer)
        assert find_leaks(now, "\n".join([client_text(seen_message.message), *files]), reader) == []


@pytest.fixture
def everything(caplog: pytest.LogCaptureFixture) -> Iterator[pytest.LogCaptureFixture]:
    """Every record of every library, as low as can be, as the process would write it."""
    caplog.set_level(logging.DEBUG)
    caplog.handler.addFilter(logging_setup.redact_record)
    yield caplog
    caplog.handler.removeFilter(logging_setup.redact_record)


@pytest.mark.dealt(None)
@pytest.mark.parametrize("game", HELPERS)
async def test_nothing_hidden_is_logged(
    server: SimulatedServer, game: str, everything: pytest.LogCaptureFixture
) -> None:
    seated, rng = THREE[: HELPERS[game].game.seats[0]], Random(7)
    match = await server.seat_and_start(seated, game=game, **HELPERS[game].brief_options)
    hidden: set[str] = set()
    metrics = Metrics(GAMES)
    metrics.follow_bot(server.bot)
    metrics.count_live = MatchStore(server.database).count_live
    metrics.follow_pool(server.bot.worker_pool)
    while (now := await server.load_snapshot(match)).info.status is Status.RUNNING:
        hidden |= log_checks.hidden_texts(server.path)
        seat, move = choose_move(HELPERS[game], now.state, rng)
        control = f"m:{match}:{now.decisions()[seat].number}:{now.game.format_move(move)}"
        await server.forge_click(seated[seat], await server.find_table(match), control)
        assert now.info.moves < 200
    hidden |= log_checks.hidden_texts(server.path)
    logged_text = "\n".join(everything.handler.format(record) for record in everything.get_records("call"))
    assert f"match {match}" in logged_text
    assert len(hidden) > 50
    assert [secret for secret in hidden if secret in logged_text] == []
    assert log_checks.OBJECT_PATTERN.findall(logged_text) == []
    assert labels_fit(metrics)
    metrics_text = (await metrics.render_page()).decode()
    names = [part for person in server.people.values() for part in (person.name, str(person.id))]
    given_away = [each for each in (match, *names, *hidden) if each in metrics_text]
    assert [each for each in given_away if not each.isdecimal() or len(each) >= 10] == []
    assert 'motley_answer_seconds_count{part="first"} ' in metrics_text


async def test_the_search_finds_what_is_logged(server: SimulatedServer, everything: pytest.LogCaptureFixture) -> None:
    match = await server.seat_and_start(game="jest")
    hidden, saved = log_checks.hidden_texts(server.path), await MatchStore(server.database).load(match)
    assert saved is not None
    for leak in (saved.seed, saved.checkpoint[60:120], f"{saved.checkpoint}"):
        assert [secret for secret in hidden if secret in f"Look: {leak}."]
    assert log_checks.OBJECT_PATTERN.findall(f"Look: {saved!r}")
