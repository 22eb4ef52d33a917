"""Reports if several processes, some of an older version, share the database; and the owner's commands on it."""

from __future__ import annotations

import json
from pathlib import Path

from engines.features.reports import REPORTS, Report
from engines.store.rows import PutRow, Second
from motley.__main__ import BESIDE_THE_BOT, build_parser
from storage.postgres import Database, MatchStore
from tests.storage.postgres.test_opening import query
from tests.storage.samples import start_running


async def test_a_version_that_knows_no_reports_forgets_them_all_the_same(address: str) -> None:
    async with Database.open(address, clock=lambda: 7) as database:
        matches = MatchStore(database)
        for number, (match, user) in enumerate((("m1", 7), ("m2", 8), ("m3", 9))):
            await start_running(matches, match)
            await matches.write_rows([PutRow(REPORTS, Report(number, match, user, "text", Second(7)))], match)
        await matches.request_forgetting(7)
        await query(address, "DELETE FROM forgetting WHERE match = ''")
        assert await query(address, "SELECT match FROM reports ORDER BY 1") == [("m2",), ("m3",)]
        for table in ("behind", "due", "events", "history", "bases", "states", "seats", "forgetting", "matches"):
            await query(address, f"DELETE FROM {table} WHERE match = 'm3'")
        assert await query(address, "SELECT match FROM reports ORDER BY 1") == [("m2",)]


async def test_the_owner_hands_out_a_persons_data_and_has_them_forgotten(address: str, tmp_path: Path) -> None:
    async def run(*arguments: object) -> tuple[bool, str]:
        lines: list[str] = []
        options = build_parser().parse_args([str(each) for each in arguments])
        return await BESIDE_THE_BOT[options.command](options, address, 7, lines.append), " ".join(lines)

    async with Database.open(address, clock=lambda: 7) as database:  # as a running bot does
        matches = MatchStore(database)
        await start_running(matches, "m1", moves=1)
        assert (await run("my-data", 6, tmp_path / "data.json"))[0]
        (match,) = json.loads((tmp_path / "data.json").read_text())["matches"]
        assert (match["match"], len(match["moves"])) == ("m1", 1)
        assert await run("my-data", 99) == (False, "Nothing is stored about the person 99.")
        assert (await run("forget", 6, "--yes"))[0]
        assert await matches.pending_forgetting() == [(6, "m1"), (6, "")]
