"""Measures clips: of a random match of every game the clip of the match and the largest clip of a section.

Their bytes and frames are counted. Their processor time is compared with Pillow's way: the same frames in RGB with soft
edges, which Pillow saves as a GIF. The memory is what a worker has at most while it draws, beyond what it has when all
code is loaded and the first table is drawn.

The last rows compare a short clip of the end with the picture of the result, as if every result moved.
"""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from io import BytesIO
from pathlib import Path
from random import Random
from time import thread_time

from bench.bot.clicks import ROOT
from bench.bot.pictures import PERSON_NAMES, PlainSurface
from bench.kit.entries import load_entry, setup_of
from bench.kit.figures import Figure
from bench.kit.measure import first_due
from cogs.features.clips.clip_frames import (
    WHOLE_MATCH,
    Clip,
    ClipPlan,
    clip_frames,
    clip_of,
    plain_context,
    plan_clip,
)
from cogs.features.clips.drawing import MAX_BYTES, MAX_FRAMES, draw_clip
from cogs.games import GAME_UIS
from cogs.pictures.studio import Studio
from cogs.table.game_ui import GameUI, GameUIs
from cogs.table.state.replayed_match import ReplayedMatch
from engines.hosting.records.record import Record, RecordMove
from engines.kit.chance import Chance
from tests.record_replays import replay_record

SEED = f"{1:032x}"
MAX_TIME_RATIO = 1 / 4  # of Pillow's way
MAX_MEGABYTES = 60.0
SHORT_FRAMES = 12  # of a clip that would replace the picture of a result
REPEAT_COUNT = 3


def measure_clips(games: GameUIs = GAME_UIS) -> Iterator[Figure]:
    """Measure clips of every game."""
    for key, front in games.items():
        match, studio = random_match(front), Studio([front.layouts])
        clips = all_clips(match, front, studio)
        title, largest = front.game.title, max(clips, key=lambda each: len(each.content))
        yield Figure(f"{title}, {len(clips)} clips: KiB", len(largest.content) / 1024, "the largest", MAX_BYTES / 1024)
        frames = [each.frames for each in clips]
        yield Figure(f"{title}: frames", max(frames), f"{min(frames)} at least", MAX_FRAMES)
        motley, plain = clip_seconds(match, front, studio)
        yield Figure(f"{title}: time", motley / plain, f"{motley:.2f} to {plain:.2f} s", MAX_TIME_RATIO)
        if sys.platform == "linux":
            before, after = clip_memory(key)
            yield Figure(f"{title}: megabytes", after - before, f"{before:.0f} to {after:.0f}", MAX_MEGABYTES)
        yield from _result_figures(match, front, studio)


def random_match(front: GameUI) -> ReplayedMatch:
    """Return a random match with as many seats and the options that the game's other benchmarks have."""
    game, rng = front.game, Random(1)
    seats, options = setup_of(game, load_entry(game))
    state, moves = game.start(seats, options, Chance(SEED)), list[RecordMove]()
    while (seat := first_due(game, state)) is not None:
        move = rng.choice(game.moves(state, seat))
        moves.append(RecordMove(seat, game.format_move(move)))
        game.play(state, seat, move)
    chosen = game.options_adapter.dump_json(options).decode()
    record = Record(
        game.key, game.version, seats, chosen, SEED, tuple(moves), game.outcome(state), PERSON_NAMES[:seats]
    )
    return replay_record(game, record, "abcd2345")


def all_clips(match: ReplayedMatch, front: GameUI, studio: Studio) -> list[Clip]:
    """Return the clip of a match and those of its sections."""
    whole = clip_of(match, front.screen, studio)
    assert whole is not None
    others = (clip_of(match, front.screen, studio, number) for number in range(1, len(whole.sections) + 1))
    return [whole, *filter(None, others)]


def clip_seconds(match: ReplayedMatch, front: GameUI, studio: Studio) -> tuple[float, float]:
    """Return the processor time of the clip of a match: ours with everything, and Pillow's for the frames alone."""
    times = []
    for _ in range(REPEAT_COUNT):
        start = thread_time()
        clip_of(match, front.screen, studio)
        times.append(thread_time() - start)
    plan = whole_plan(match, front)
    frames = clip_frames([plan.opening, *plan.choose_moments(MAX_FRAMES)])
    start = thread_time()
    first, *others = (studio.lay_out(frame.spec, PlainSurface).image for frame in frames)
    first.save(BytesIO(), "GIF", save_all=True, append_images=others, duration=[each.milliseconds for each in frames])
    return min(times), thread_time() - start


def whole_plan(match: ReplayedMatch, front: GameUI) -> ClipPlan:
    """Return what the clip of a match could show."""
    plan = plan_clip(match, front.screen, WHOLE_MATCH)
    assert plan is not None
    return plan


def _result_figures(match: ReplayedMatch, front: GameUI, studio: Studio) -> Iterator[Figure]:
    """Compare the last moments of a match in a few frames with the picture of its result. Nothing is limited."""
    plan = plan_clip(match, front.screen, len(whole_plan(match, front).sections))
    assert plan is not None
    frames = clip_frames([plan.opening, *plan.moments])[-SHORT_FRAMES:]
    outcome = match.snapshot(match.last).outcome()
    assert outcome is not None
    picture = front.screen.result(match.snapshot(match.last).view(None), outcome, plain_context(match)).picture
    assert picture is not None
    start = thread_time()
    moving = draw_clip(frames, studio)
    between = thread_time()
    still = studio.render(picture.spec)
    seconds = (between - start) / (thread_time() - between)
    row = f"{front.game.title}: {len(frames)} frames instead of a result"
    yield Figure(f"{row}, bytes", len(moving) / len(still), f"{len(moving)} to {len(still)}")
    yield Figure(f"{row}, time", seconds, "times")


def clip_memory(key: str) -> tuple[float, float]:
    """Return the megabytes of a process before and after it draws the clip of a match, at most until then."""
    command = [sys.executable, "-m", "bench.bot.clips", key]
    output = subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True).stdout
    before, after = map(float, output.split())
    return before, after


def draw_alone(key: str) -> tuple[float, float]:
    """Return the same of this process."""
    front = GAME_UIS[key]
    match, studio = random_match(front), Studio([front.layouts])
    draw_clip(clip_frames([whole_plan(match, front).opening]), studio)
    before = peak_megabytes()
    clip_of(match, front.screen, studio)
    return before, peak_megabytes()


def peak_megabytes() -> float:
    """Return the most memory that this process has had, on Linux."""
    lines = Path("/proc/self/status").read_text(encoding="ascii").splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("VmHWM")) / 1024


if __name__ == "__main__":
    print(*draw_alone(sys.argv[1]))
