"""The bot's metrics: correct numbers, on this machine only, and no label that names a person or a match."""

from __future__ import annotations

import asyncio
import json
import re
import socket
from collections.abc import AsyncIterator
from contextlib import suppress
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import aiohttp
import promql_parser
import pytest
import yaml
from aiohttp import web
from aiohttp.test_utils import TestServer
from discord.http import Route

import motley.metrics as metrics_module
from cogs.system_clock import SystemClock
from cogs.table.transport.interaction_response import InteractionReply
from engines.features.registry import FEATURES
from engines.hosting.matches import Matches
from engines.store.match_store import LIVE, Place, Seat, Status, StoreFailure, WriteConflict
from engines.store.table_options import TableOptions
from motley.metrics import HOST, Metrics, serve_metrics
from storage import Database, MatchStore
from tests.engines.memory_matches import play_first_legal
from tests.engines.memory_store import MemoryStore
from tests.games import GAMES, ROOT
from tests.storage.samples import lobby_info, query_rows
from worker_pool.fair_queue import Person, Rank
from worker_pool.pool import PoolStats, WorkerPool

QUIET = TableOptions(clock=None, autoplay=False)
STEPS = ("opened", "filled", "started", "finished")
KINDS = {
    "part": {"first", "whole"},
    "how": {"saved", "failed", "answered", "lost", "gave_up"},
    "kind": {"counted", "answer"},
    "what": {"most", "workers", "busy", "waiting"},
    "game": {*GAMES, "other"},
    "step": {"opened", "filled", "started", "finished", "begun"},
    "status": {*(status.value for status in LIVE), "none", *map(str, range(100, 600))},
    "code": {str(code) for code in range(10**6)},
}


def labels_fit(metrics: Metrics) -> bool:
    """Return whether every label is known and has one of its few values: a law of all metrics."""
    samples = [sample for family in metrics.registry.collect() for sample in family.samples]
    found = {label for sample in samples for label in sample.labels.items() if label[0] != "le"}
    strange = {(name, value) for name, value in found if value not in KINDS.get(name, ())}
    assert not strange, strange
    return bool(found)


def metric_value(metrics: Metrics, name: str, **labels: str) -> float:
    found = metrics.registry.get_sample_value(name, labels)
    assert found is not None, (name, labels)
    return found


def test_a_label_that_names_somebody_would_be_found() -> None:
    metrics = Metrics(GAMES)
    metrics.requests.labels("Ada", "200").inc()
    with pytest.raises(AssertionError, match="Ada"):
        labels_fit(metrics)


# Numbers


@pytest.fixture
async def discord(monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[TestServer]:
    """A server that answers with the status and the error code in the path."""

    async def answer(request: web.Request) -> web.Response:
        code: Any = request.query.get("code")
        status = int(request.query["status"])
        return web.json_response({"code": int(code) if code and code.isdecimal() else code}, status=status)

    app = web.Application()
    app.router.add_get("/{path:.*}", answer)
    server = TestServer(app)
    async with server:
        monkeypatch.setattr(Route, "BASE", str(server.make_url("/api")))
        yield server


async def test_requests_are_counted_by_status_and_errors_by_discords_code(discord: TestServer) -> None:
    metrics, config = Metrics(GAMES), aiohttp.TraceConfig()
    metrics.trace_requests(config)
    async with aiohttp.ClientSession(trace_configs=[config]) as session:
        for path in (
            "channels/1?status=200",
            "channels/1?status=403&code=50013",
            "webhooks/1?status=404&code=10062",
            "channels/1?status=500&code=Ada",
            f"channels/1?status=400&code={10**17}",
        ):
            async with session.get(discord.make_url(f"/api/{path}")) as response:
                assert "code" in await response.json()  # read a second time
        with pytest.raises(aiohttp.ClientError):
            await session.get(f"http://{HOST}:1/api/channels/1")
    for status, code in (("403", "50013"), ("404", "10062"), ("500", "0"), ("400", "0")):
        assert metric_value(metrics, "motley_discord_errors_total", status=status, code=code) == 1
    for kind, status in (("counted", "200"), ("answer", "404"), ("counted", "none")):
        assert metric_value(metrics, "motley_discord_requests_total", kind=kind, status=status) == 1
    assert labels_fit(metrics)


async def test_an_answer_is_late_if_discord_has_waited_in_vain() -> None:
    metrics = Metrics(GAMES)
    for first, seconds in ((0.2, 0.4), (2.9, 5.0), (3.1, 3.1), (None, 4.0)):
        reply = SimpleNamespace(first_response_seconds=first, elapsed=seconds)
        await metrics.observe_reply(cast("InteractionReply", reply))
    assert metric_value(metrics, "motley_answers_late_total") == 2
    assert metric_value(metrics, "motley_answer_seconds_count", part="first") == 3
    assert metric_value(metrics, "motley_answer_seconds_sum", part="whole") == 8.5


async def test_writes_and_matches_are_counted(tmp_path: Path) -> None:
    metrics, path = Metrics(["wizard"]), tmp_path / "m.db"
    async with Database.open(path, clock=lambda: 7, on_transaction=metrics.observe_transaction) as database:
        matches = MatchStore(database)
        metrics.count_live = matches.count_live
        await matches.insert(lobby_info("a"), by=5)
        await matches.insert(lobby_info("b", game="whist"), by=5)
        with pytest.raises(WriteConflict):
            await matches.insert(lobby_info("a"), by=5)
        with pytest.raises(StoreFailure):
            await database.write(query_rows("INSERT INTO nowhere VALUES (1)"), what="nothing")
        await metrics.render_page()
    assert metric_value(metrics, "motley_writes_total", how="saved") == 2  # a conflict is neither
    assert metric_value(metrics, "motley_writes_total", how="failed") == 1
    assert metric_value(metrics, "motley_commit_seconds_count") == 2  # in which something was written
    for game, status, count in (("wizard", "lobby", 1), ("other", "lobby", 1), ("wizard", "running", 0)):
        assert metric_value(metrics, "motley_matches", game=game, status=status) == count


async def test_tables_are_counted_from_opening_to_result_and_where_people_left() -> None:
    metrics, matches = Metrics(GAMES), Matches(MemoryStore(), GAMES, lambda: 1000, features=FEATURES)
    matches.editor.on_edited.append(metrics.observe_edit)
    game = GAMES["wizard"]

    async def start(*users: int) -> str:
        info = await matches.lobbies.open_lobby(
            game, game.options(), Place(1, 2), Seat(users[0], "Ada"), table_options=QUIET
        )
        for user in users[1:]:
            await matches.lobbies.join(info.id, user, "Bela")
        await matches.lobbies.start_match(info.id, users[0])
        return info.id

    await matches.lobbies.open_lobby(game, game.options(), Place(1, 2), Seat(9, "Dora"))
    finished, left = await start(5, 6, 7, 8), await start(5, 6, 7)
    while (snapshot := await matches.cache.get_snapshot(finished)).due_seats():
        await play_first_legal(matches, finished)
    assert snapshot.info.status is Status.OVER
    for _ in range(6):
        await play_first_legal(matches, left)
    await matches.seating.leave_match(left, 6, "normal")
    await matches.seating.leave_match(left, 7)
    counted = [metric_value(metrics, "motley_tables_total", game="wizard", step=step) for step in STEPS]
    assert counted == [3, 2, 2, 1], "a fourth player fills nothing again"
    assert metric_value(metrics, "motley_left_turns_count", game="wizard") == 2
    assert metric_value(metrics, "motley_left_turns_sum", game="wizard") == 4
    for step in ("begun", "begun", "finished"):
        await metrics.observe_step("lessons", "wizard", step)
    await metrics.observe_step("lessons", "whist", "begun")
    assert metric_value(metrics, "motley_lessons_total", game="wizard", step="begun") == 2
    assert metric_value(metrics, "motley_lessons_total", game="other", step="begun") == 1
    assert labels_fit(metrics)


async def test_the_loop_and_the_pool_are_looked_at(monkeypatch: pytest.MonkeyPatch) -> None:
    metrics = Metrics(GAMES)
    monkeypatch.setattr(metrics_module, "SAMPLE_SECONDS", 0.01)
    watching = asyncio.create_task(metrics.watch_loop(SystemClock()))
    await asyncio.sleep(0.05)
    watching.cancel()
    assert metric_value(metrics, "motley_loop_lag_seconds_count") >= 1
    for answered in (3, 5):
        metrics._update_pool(PoolStats(most=2, workers=1, busy=1, waiting=4, answered=answered))
    assert metric_value(metrics, "motley_pool", what="waiting") == 4
    assert metric_value(metrics, "motley_pool_jobs_total", how="answered") == 5
    metrics.follow_pool(pool := WorkerPool(1))
    for _ in range(2):
        async with pool.queue.turn(Person(1), Rank.REQUEST):
            pass
    assert metric_value(metrics, "motley_pool_wait_seconds_count", kind="request") == 2


# The address


def free_port() -> int:
    with socket.socket() as one:
        one.bind((HOST, 0))
        return int(one.getsockname()[1])


async def test_it_is_told_on_this_machine_alone_and_a_database_that_fails_is_no_health() -> None:
    metrics, port = Metrics(GAMES), free_port()

    async def unreadable() -> dict[tuple[str, str], int]:
        raise StoreFailure("Not now.")

    async with serve_metrics(metrics, port, SystemClock()), aiohttp.ClientSession(f"http://{HOST}:{port}") as session:
        async with session.get("/metrics") as response:
            assert response.content_type == "text/plain"
            assert "motley_ready 0.0" in await response.text()
        async with session.get("/health") as response:
            assert response.status == 200
            assert await response.json() == {"ready": False, "discord": False, "database": True}
        metrics.count_live = unreadable
        async with session.get("/health") as response:
            assert (response.status, (await response.json())["database"]) == (503, False)


async def test_a_port_that_is_taken_is_had_once_it_is_free(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr("motley.metrics.FIRST_PAUSE", 0.01)
    taken = socket.create_server((HOST, 0))
    port = int(taken.getsockname()[1])
    async with (
        serve_metrics(Metrics(GAMES), port, SystemClock()),
        aiohttp.ClientSession(f"http://{HOST}:{port}") as session,
    ):
        assert [
            record.levelname
            for record in caplog.records
            if f"Port {port} for MOTLEY_METRICS is not available" in record.message
        ]
        taken.close()
        async with asyncio.timeout(60):
            while True:
                with suppress(aiohttp.ClientConnectorError):
                    async with session.get("/health") as response:
                        assert (await response.json())["database"]
                    break
                await asyncio.sleep(0.01)


# Documents


def metric_names(metrics: Metrics) -> set[str]:
    names = {sample.name for family in metrics.registry.collect() for sample in family.samples}
    for family in metrics.registry.collect():
        if family.type == "counter":
            names.add(f"{family.name}_total")
        if family.type == "histogram":
            names |= {f"{family.name}_{part}" for part in ("bucket", "count", "sum")}
        names.add(family.name)
    return names


def targets() -> list[dict[str, str]]:
    """Return the queries of the board and of the alerts."""
    board = json.loads((ROOT / "docs" / "grafana.json").read_text(encoding="utf-8"))
    alerts = yaml.safe_load((ROOT / "docs" / "alerts.yml").read_text(encoding="utf-8"))
    found = [{"expr": rule["expr"]} for group in alerts["groups"] for rule in group["rules"]]
    assert len(found) > 5
    return [*(target for panel in board["panels"] for target in panel["targets"]), *found]


def test_alerts_have_all_that_prometheus_wants_of_them() -> None:
    (group,) = yaml.safe_load((ROOT / "docs" / "alerts.yml").read_text(encoding="utf-8"))["groups"]
    assert (set(group), group["name"]) == ({"name", "rules"}, "motley")
    for rule in group["rules"]:
        assert set(rule) == {"alert", "expr", "for", "labels", "annotations"}, rule
        assert re.fullmatch(r"\d+m", rule["for"]), rule
        assert rule["labels"]["severity"] in ("warning", "critical")
        assert rule["annotations"]["summary"].endswith(".")
    assert len({rule["alert"] for rule in group["rules"]}) == len(group["rules"])


def test_the_board_and_the_page_name_numbers_that_there_are() -> None:
    page = (ROOT / "docs" / "operating.md").read_text(encoding="utf-8")
    queries = [target["expr"] for target in targets()]
    names = {*re.findall(r"\b(?:motley|process)_\w+", " ".join(queries)), *re.findall(r"`(motley_\w+)", page)}
    metrics = Metrics(GAMES)
    assert len(queries) > 20
    assert names - metric_names(metrics) == set()
    exported = {family.name for family in metrics.registry.collect() if family.name.startswith("motley_")}
    assert {name for name in exported if not any(each.startswith(name) for each in names)} == set()


async def test_the_endpoint_exports_every_number_that_the_board_and_the_alerts_name() -> None:
    port = free_port()
    session = aiohttp.ClientSession(f"http://{HOST}:{port}")
    async with serve_metrics(Metrics(GAMES), port, SystemClock()), session, session.get("/metrics") as response:
        kinds = dict(re.findall(r"^# TYPE (\S+) (\S+)$", await response.text(), re.MULTILINE))
    parts = {
        f"{name}_{part}" for name, kind in kinds.items() if kind == "histogram" for part in ("bucket", "count", "sum")
    }
    names = {name for target in targets() for name in re.findall(r"\b(?:motley|process)_\w+", target["expr"])}
    assert names - {*kinds} - parts == set()


def test_prometheus_can_read_the_queries_of_the_board_and_the_alerts() -> None:
    for target in targets():
        query = re.sub(r"\$__\w+", "5m", target["expr"])  # Grafana fills in its own variables
        assert promql_parser.parse(query), query
    with pytest.raises(ValueError, match="unclosed"):
        promql_parser.parse("sum(rate(motley_writes_total[5m])")


def strange_labels(target: dict[str, str]) -> set[str]:
    """Return the labels and values of a query and its legend that the bot does not have."""
    query, legend = target["expr"], target.get("legendFormat", "")
    filters = re.findall(r'(\w+)\s*=~?\s*"([^"]*)"', query)
    grouped = [name.strip() for names in re.findall(r"\bby\s*\(([^)]*)\)", query) for name in names.split(",")]
    placeholders = re.findall(r"\{\{\s*(\w+)\s*\}\}", legend)
    names = {*(name for name, _ in filters), *grouped, *placeholders} - {"le", "job"}  # Prometheus adds these itself
    values = {value for name, value in filters if name in KINDS and value not in KINDS[name]}
    return names - set(KINDS) | values


def test_the_board_names_labels_that_there_are() -> None:
    query = {"expr": 'sum by (le, user) (rate(x{how="saved", part="third"}[5m]))', "legendFormat": "{{channel}}"}
    assert strange_labels(query) == {"user", "third", "channel"}
    assert [target for target in targets() if strange_labels(target)] == []


async def test_everything_else_is_told_while_the_folder_of_backups_cannot_be_read() -> None:
    def away() -> float:
        raise OSError("Stale file handle")

    metrics = Metrics(GAMES)
    for metrics.last_backup_time in (lambda: 7.0, away):
        assert b"motley_backup_timestamp_seconds 7.0" in await metrics.render_page()
