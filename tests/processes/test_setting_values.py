"""The bot started with settings that are strange but allowed: it runs. All others are refused without a trace."""

from __future__ import annotations

from asyncio.subprocess import DEVNULL
from pathlib import Path
from typing import Any

import pytest

from motley.settings import Settings, SettingsError, load_settings
from playground.server import Playground
from tests.motley.setting_values import nasty_values
from tests.processes.bot_starts import starting_process

NOT_COMBINED = ("token", "api")  # these name the playground


def allowed_values(monkeypatch: pytest.MonkeyPatch) -> dict[str, list[str]]:
    """The strange values that are allowed, for each setting."""
    monkeypatch.setenv("DISCORD_TOKEN", "x")
    found: dict[str, list[str]] = {}
    for setting in Settings.model_fields.keys() - NOT_COMBINED:
        name = f"MOTLEY_{setting.upper()}"
        for value in nasty_values(setting):
            with monkeypatch.context() as patch:
                patch.setenv(name, value)
                try:
                    load_settings(Settings)
                except SettingsError:
                    continue
            found.setdefault(name, []).append(value)
    return found


def find_complaint(result: Any) -> str:
    wrong = [each["text"] for each in result["entries"] if each["stack"] or each["level"] in ("ERROR", "CRITICAL")]
    return str(wrong or result["status"] or "")


async def test_every_value_that_is_allowed_lets_the_bot_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    allowed = allowed_values(monkeypatch)
    assert len(allowed) > 10
    async with Playground(rate_limited=False) as playground, starting_process(playground, DEVNULL, tmp_path) as start:
        for number in range(max(map(len, allowed.values()))):
            settings = {name: values[number % len(values)] for name, values in allowed.items()}
            assert not find_complaint(await start(**settings)), settings
