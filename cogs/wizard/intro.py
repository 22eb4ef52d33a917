"""Wizard's introduction for newcomers."""

from __future__ import annotations

from cogs.screens.intro import Intro

INTRO = Intro("Bid your tricks, then take exactly that many.", {3: 95, 4: 70, 5: 55, 6: 45}, "easy", start_here=True)
