"""Nothing of what is hidden is logged at any level: whole matches of every game, searched for all of it."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from random import Random

import pytest

from engines.hosting.match import Look
from engines.store.match_store import Status
from motley import logging_setup
from motley.metrics import Metrics
from storage import MatchStore
from tests import kept
from tests.contract.helpers import HELPERS
from tests.contract.walk import choose
from tests.end_to_end.players import join, look, name_of, start, table
from tests.end_to_end.world import World
from tests.games import GAMES
from tests.motley.test_metrics import labels_fit


@pytest.fixture
def everything(caplog: pytest.LogCaptureFixture) -> Iterator[pytest.LogCaptureFixture]:
    """Every record of every library, as low as can be, as the process would write it."""
    caplog.set_level(logging.DEBUG)
    caplog.handler.addFilter(logging_setup.discreet)
    yield caplog
    caplog.handler.removeFilter(logging_setup.discreet)


async def play(w: World, match: str, now: Look, rng: Random) -> None:
    """A move of somebody who may move, by a click."""
    seat, move = choose(HELPERS[now.info.game], now.state, rng)
    number, notation = now.decisions()[seat].number, now.game.write(move)
    name = name_of(w, now.info.seats[seat].user)
    await w.forge(name, await table(w, match), f"m:{match}:{number}:{notation}")


@pytest.mark.dealt(None)
@pytest.mark.parametrize("game", HELPERS)
async def test_whole_matches_at_debug_log_nothing_hidden(
    inn: World, game: str, everything: pytest.LogCaptureFixture
) -> None:
    await inn["Ada"].slash(inn.table, f"{game} new", **HELPERS[game].brief)
    (info,) = await inn.bot.matches.find()
    match, rng = info.id, Random(7)
    await join(inn, match, *("Bela", "Chidi")[: HELPERS[game].game.seats[0] - 1])
    await start(inn, match)
    hidden: set[str] = set()
    metrics = Metrics(GAMES)
    metrics.follow(inn.bot)
    metrics.live, metrics.thinkers = MatchStore(inn.database).live, inn.bot.thinkers
    while (now := await look(inn, match)).info.status is Status.RUNNING:
        hidden |= kept.hidden(inn.path)
        await play(inn, match, now, rng)
        assert now.info.moves < 200
    hidden |= kept.hidden(inn.path)
    said = "\n".join(everything.handler.format(record) for record in everything.get_records("call"))
    assert f"match {match}" in said
    assert len(hidden) > 50
    assert [secret for secret in hidden if secret in said] == []
    assert kept.OBJECT.findall(said) == []
    assert labels_fit(metrics)
    told = (await metrics.page()).decode()
    names = [part for person in inn.people.values() for part in (person.name, str(person.id))]
    assert [
        each for each in (match, *names, *hidden) if each in told and not (each.isdecimal() and len(each) < 10)
    ] == []
    assert 'motley_answer_seconds_count{part="first"} ' in told


async def test_the_search_finds_what_is_logged(inn: World, everything: pytest.LogCaptureFixture) -> None:
    await inn["Ada"].slash(inn.table, "jest new")
    (info,) = await inn.bot.matches.find()
    await join(inn, info.id, "Bela", "Chidi")
    await start(inn, info.id)
    hidden = kept.hidden(inn.path)
    saved = await MatchStore(inn.database).load(info.id)
    assert saved is not None
    for leak in (saved.seed, saved.checkpoint[60:120], f"{saved.checkpoint}"):
        assert [secret for secret in hidden if secret in f"Look: {leak}."]
    assert kept.OBJECT.findall(f"Look: {saved!r}")
