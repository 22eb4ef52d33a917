"""How many characters of a control a telephone shows, 390 pixels wide: no screen and no page has more.

The figures are those of average English text; the page's tests measure them.
"""

from __future__ import annotations

LABEL = 38  # of a button, which is cut there
OPTION = 38  # of a line of a list
DESCRIPTION = 46  # of what stands under it, in smaller letters
PLACEHOLDER = 38  # of a list, before a line of it is chosen
NEWS = 80  # of a hand's news, in two lines
