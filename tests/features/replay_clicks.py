"""Reads the custom ids of replays, new and old."""

from __future__ import annotations

from cogs.features.replays.replay_place import ReplayClick, parse_click, parse_led_click
from tests.features.parsing import parse


def read_click(custom_id: str) -> ReplayClick | None:
    """Return what a control of a replay is for; None if it is none. Raises RequestRefused for a forged one."""
    control = parse(custom_id)
    if control is None or control.kind != "replays":
        return None
    word, _, rest = control.rest.partition(":")
    return (parse_led_click if word == "led" else parse_click)(control.match, rest)
