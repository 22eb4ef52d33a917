"""The command about luck, and its chart."""

from __future__ import annotations

from typing import ClassVar

from cogs.features.luck.commands import LuckCommands
from cogs.features.luck.luck_chart import LuckChart, lay_luck_chart
from cogs.pictures.raster.canvas import Layouts
from cogs.table.commands.feature_ui import FeatureUI


class LuckUI(FeatureUI):
    """Luck: a command alone."""

    name = "luck"
    layouts: ClassVar[Layouts] = {LuckChart: lay_luck_chart}
    motley_commands = LuckCommands
