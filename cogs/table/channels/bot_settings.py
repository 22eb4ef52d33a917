"""What the owner sets for the bot."""

from __future__ import annotations

from dataclasses import dataclass

from cogs.table.channels.contact_budget import ContactLimits
from cogs.table.state.person_shares import POSTS_AT_ONCE
from cogs.table.wording.command_names import CommandNames
from cogs.table.wording.operator_info import NOBODY_NAMED, OperatorInfo

DEFAULT_NAMES, DEFAULT_LIMITS = CommandNames({}), ContactLimits()


@dataclass(frozen=True, slots=True)
class BotSettings:
    """The settings of the bot, and its version. Finished matches are kept for `retention_days`; 0 means forever."""

    version: str = ""
    retention_days: int = 0
    operator: OperatorInfo = NOBODY_NAMED
    command_names: CommandNames = DEFAULT_NAMES
    contact_limits: ContactLimits = DEFAULT_LIMITS
    posts_per_person: int = POSTS_AT_ONCE
