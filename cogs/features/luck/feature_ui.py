"""The command about luck, and its chart."""

from __future__ import annotations

from typing import ClassVar

from cogs.features.luck.commands import LuckCommands
from cogs.features.luck.luck_chart import LuckChart, lay_luck_chart
from cogs.pictures.raster.canvas import Layouts
from cogs.table.commands.feature_ui import FeatureUI
from cogs.table.pages.feature_pages import FeaturePages


class LuckPages(FeaturePages):
    """Luck adds nothing to the pages of a match."""

    name = "luck"


class LuckUI(FeatureUI):
    """Luck."""

    pages = LuckPages()
    layouts: ClassVar[Layouts] = {LuckChart: lay_luck_chart}
    motley_commands = LuckCommands


LUCK_UI = LuckUI()
