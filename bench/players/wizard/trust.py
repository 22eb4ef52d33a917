"""Measures how far a search of Wizard can trust the networks: `python -m bench.players.wizard.trust 4 --minutes 10`.

At some decisions of *normal*'s matches the search values its candidates. Then each of them is played on in the real
world, which shows what it was worth, give or take luck. For bids and for cards this prints by how much that follows the
networks and the sampled worlds (least squares), and what moves would gain that are chosen with each standard error of
the networks: `BID_ERROR` and `CARD_ERRORS` in `players/wizard/player_model.py` come from it. The last lines say how
many equally likely deals the weights of the worlds are worth before a card is played.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from math import sqrt
from random import Random
from statistics import fmean, quantiles, stdev
from time import process_time
from typing import NamedTuple

from engines.kit.chance import Chance
from engines.wizard import WIZARD
from engines.wizard.model import State
from engines.wizard.sample import make_dealer
from engines.wizard.view import View
from players.wizard import PLAYER_MODEL
from players.wizard.batch_odds import np
from players.wizard.batch_search import DEALS_BY_SEAT, LIKELY_DEALS, WORLDS, weigh_by_bids, weigh_by_cards

ERRORS = (2.0, 3.0, 4.0, 6.0, 8.0, 12.0, 20.0)
TRIED_WORLDS = {"bid": 240, "play": 60}
SHARE = 0.06  # of the decisions
MARGIN = 15.0  # as in the budget of *hard*


class Lead(NamedTuple):
    """The lead of a candidate over *normal*'s move: as the networks, the worlds and the real world see it."""

    expected: float
    shown: float
    shown_error: float
    real: float


def decision_leads(state: State, view: View, rng: Random) -> list[Lead]:
    """Return the leads of the candidates of a decision, without those that *hard* would not try."""
    moves = WIZARD.moves(state, state.turn)
    found = list(PLAYER_MODEL.candidate_moves(view, moves, rng))[:3]
    expected = PLAYER_MODEL.expected_values(view, found)
    if expected is None or len(found) < 2:
        return []
    draw = PLAYER_MODEL.world_sampler(view, rng)
    worlds = [(draw(), 0) for _ in range(TRIED_WORLDS[view.phase])]
    values = PLAYER_MODEL.evaluate_moves(view, found, worlds)
    real = PLAYER_MODEL.evaluate_moves(view, found, [(state, 0)])
    leads = []
    for number in range(1, len(found)):
        if expected[0] - expected[number] > MARGIN:
            continue
        differences = [mine - theirs for mine, theirs in zip(values[number], values[0], strict=True)]
        error = stdev(differences) / sqrt(len(differences))
        leads.append(Lead(expected[number] - expected[0], fmean(differences), error, real[number][0] - real[0][0]))
    return leads


def effective_numbers(view: View, rng: Random) -> tuple[float, float]:
    """Return how many equally likely deals the weights by bids are worth, and those by cards after them."""
    deal, chance = make_dealer(view), Chance(f"{rng.getrandbits(128):032x}")
    deals = [deal(chance) for _ in range(DEALS_BY_SEAT * view.seats)]
    likely = weigh_by_bids(view, deals, LIKELY_DEALS, rng)
    return likely.effective, weigh_by_cards(view, likely.deals, WORLDS, rng).effective


def gain_with(decisions: Sequence[Sequence[Lead]], error: float) -> tuple[float, float]:
    """Return the mean gain of a decision if the networks are trusted so far, and its standard error."""
    gains = []
    for leads in decisions:
        best, gain = 0.0, 0.0
        for lead in leads:
            trust = lead.shown_error**2 / (lead.shown_error**2 + error**2)
            mean = lead.shown + trust * (lead.expected - lead.shown)
            if mean > best:
                best, gain = mean, lead.real
        gains.append(gain)
    return fmean(gains), stdev(gains) / sqrt(len(gains))


def report(phase: str, decisions: Sequence[Sequence[Lead]]) -> None:
    """Print what was found for bids or for cards."""
    leads = np.array([lead for each in decisions for lead in each])
    (networks, worlds), *_ = np.linalg.lstsq(leads[:, :2], leads[:, 3], rcond=None)
    print(f"{phase}: {len(decisions)} decisions; of a lead there is {networks:.2f} network and {worlds:.2f} worlds")
    for error in ERRORS:
        mean, doubt = gain_with(decisions, error)
        print(f"  error {error:g}: {mean:.2f} ± {doubt:.2f} points a decision")


def main() -> None:
    """Run the command line (see the module)."""
    parser = argparse.ArgumentParser(prog="python -m bench.players.wizard.trust", description="Measure the networks.")
    parser.add_argument("seats", type=int, choices=range(3, 7))
    parser.add_argument("--first", type=int, default=91001, help="the seed of the first deal")
    parser.add_argument("--minutes", type=float, default=10.0, help="of processor time")
    arguments = parser.parse_args()
    found: dict[str, list[list[Lead]]] = {"bid": [], "play": []}
    numbers: list[tuple[float, float]] = []
    seed, start = arguments.first, process_time()
    while process_time() - start < 60 * arguments.minutes:
        state, rng = WIZARD.start(arguments.seats, WIZARD.options(), Chance(f"{seed:032x}")), Random(seed)
        while WIZARD.decisions(state):
            view, moves = WIZARD.view(state, state.turn), WIZARD.moves(state, state.turn)
            if view.phase in found and len(moves) > 1 and rng.random() < SHARE * (2 if view.phase == "bid" else 1):
                found[view.phase].append(decision_leads(state, view, rng))
                if view.phase == "play":
                    numbers.append(effective_numbers(view, rng))
            WIZARD.play(state, state.turn, PLAYER_MODEL.choose_move(view, moves, rng))
        seed += 1
    for phase, decisions in found.items():
        report(phase, decisions)
    for name, each in zip(("bids", "cards"), zip(*numbers, strict=True), strict=True):
        low, middle, high = quantiles(each, n=10)[::4]
        print(f"effective number of deals by {name}: {middle:.0f} (8 of 10 between {low:.0f} and {high:.0f})")


if __name__ == "__main__":
    main()
