"""What the services of the tables work with."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import discord

from cogs.pictures.studio import Studio
from cogs.screens.screen import Screens
from cogs.table.pages.feature_pages import FeaturePages
from cogs.table.state.server_lease import ServerLease
from cogs.table.state.surface_store import SurfaceCache
from cogs.table.transport.background_tasks import BackgroundTasks
from engines.hosting.matches import Matches
from engines.store.clock import Clock


@dataclass(frozen=True, slots=True)
class TableServices:
    """The client, the matches with their messages, the time, and which servers this process looks after."""

    client: discord.Client
    matches: Matches
    surfaces: SurfaceCache
    clock: Clock
    tasks: BackgroundTasks
    lease: ServerLease


@dataclass(frozen=True, slots=True)
class PageMakers:
    """What pages are made with: the screen of each game, the studio that draws pictures, and what features add."""

    screens: Screens
    studio: Studio
    features: Sequence[FeaturePages]
