"""Nothing of what is hidden is logged at any level: whole matches of every game, searched for all of it."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from random import Random

import pytest

from engines.store.match_store import Status
from motley import logging_setup
from motley.metrics import Metrics
from storage import MatchStore
from tests import kept
from tests.contract.helpers import HELPERS
from tests.contract.walk import choose_move
from tests.end_to_end.world import SimulatedServer
from tests.games import GAMES
from tests.motley.test_metrics import labels_fit


@pytest.fixture
def everything(caplog: pytest.LogCaptureFixture) -> Iterator[pytest.LogCaptureFixture]:
    """Every record of every library, as low as can be, as the process would write it."""
    caplog.set_level(logging.DEBUG)
    caplog.handler.addFilter(logging_setup.redact_record)
    yield caplog
    caplog.handler.removeFilter(logging_setup.redact_record)


@pytest.mark.dealt(None)
@pytest.mark.parametrize("game", HELPERS)
async def test_whole_matches_at_debug_log_nothing_hidden(
    inn: SimulatedServer, game: str, everything: pytest.LogCaptureFixture
) -> None:
    seated, rng = ("Ada", "Bela", "Chidi")[: HELPERS[game].game.seats[0]], Random(7)
    match = await inn.seat_and_start(seated, game=game, **HELPERS[game].brief_options)
    hidden: set[str] = set()
    metrics = Metrics(GAMES)
    metrics.follow_bot(inn.bot)
    metrics.count_live, metrics.worker_pool = MatchStore(inn.database).count_live, inn.bot.worker_pool
    while (now := await inn.load_snapshot(match)).info.status is Status.RUNNING:
        hidden |= kept.hidden_texts(inn.path)
        seat, move = choose_move(HELPERS[game], now.state, rng)
        control = f"m:{match}:{now.decisions()[seat].number}:{now.game.format_move(move)}"
        await inn.forge_click(seated[seat], await inn.find_table(match), control)
        assert now.info.moves < 200
    hidden |= kept.hidden_texts(inn.path)
    said = "\n".join(everything.handler.format(record) for record in everything.get_records("call"))
    assert f"match {match}" in said
    assert len(hidden) > 50
    assert [secret for secret in hidden if secret in said] == []
    assert kept.OBJECT_PATTERN.findall(said) == []
    assert labels_fit(metrics)
    told = (await metrics.render_page()).decode()
    names = [part for person in inn.people.values() for part in (person.name, str(person.id))]
    assert [
        each for each in (match, *names, *hidden) if each in told and not (each.isdecimal() and len(each) < 10)
    ] == []
    assert 'motley_answer_seconds_count{part="first"} ' in told


async def test_the_search_finds_what_is_logged(inn: SimulatedServer, everything: pytest.LogCaptureFixture) -> None:
    match = await inn.seat_and_start(game="jest")
    hidden, saved = kept.hidden_texts(inn.path), await MatchStore(inn.database).load(match)
    assert saved is not None
    for leak in (saved.seed, saved.checkpoint[60:120], f"{saved.checkpoint}"):
        assert [secret for secret in hidden if secret in f"Look: {leak}."]
    assert kept.OBJECT_PATTERN.findall(f"Look: {saved!r}")
