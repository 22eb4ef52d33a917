"""Runs the bot with a wall clock that is as many seconds ahead as its argument says."""

from __future__ import annotations

import sys

import bot
from cogs.system_clock import SystemClock


class SkewedClock(SystemClock):
    seconds_ahead = 0

    def now(self) -> int:
        return super().now() + self.seconds_ahead


def main() -> int:
    SkewedClock.seconds_ahead = int(sys.argv.pop())
    vars(bot).update(SystemClock=SkewedClock)
    return bot.main()


if __name__ == "__main__":
    sys.exit(main())
