"""All matches of one store. `Matches` lists its parts; each is a module of this package, and works through one editor.

A part inherits from no other.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from engines.hosting.feature import Feature
from engines.hosting.match_changes import MatchEditor
from engines.hosting.matches.activity import PlayerActivity
from engines.hosting.matches.due_times import DueTimes
from engines.hosting.matches.forgetting import Forgetting
from engines.hosting.matches.late_reactions import LateReactions
from engines.hosting.matches.lobbies import Lobbies, MatchSources
from engines.hosting.matches.lookup import MatchLookup
from engines.hosting.matches.moves import Moves
from engines.hosting.matches.practice import Practice
from engines.hosting.matches.records import MatchRecords
from engines.hosting.matches.rematches import Rematches
from engines.hosting.matches.requests import Requests
from engines.hosting.matches.rests import Rests
from engines.hosting.matches.seating import Seating
from engines.kit.contract import AnyGame
from engines.store.forgetting import FullStorage
from engines.store.match_store import TableLimits

DEFAULT_LIMITS, DEFAULT_SOURCES = TableLimits(), MatchSources()


class Matches:
    """All matches of one store.

    Its parts raise RequestRefused, StaleDecision, IllegalMove (with a sentence for the player) and StoreFailure
    (nothing was written, unless it is UncertainWrite). `click` identifies the click or command behind a change: the
    change is made once, however often the click arrives and whichever process of the store handles it.
    """

    def __init__(
        self,
        store: FullStorage,
        games: Mapping[str, AnyGame],
        clock: Callable[[], int],
        *,
        features: Sequence[Feature],
        limits: TableLimits = DEFAULT_LIMITS,
        sources: MatchSources = DEFAULT_SOURCES,
    ) -> None:
        self.editor = editor = MatchEditor(store, games, clock, features)
        self.games = games
        self.cache = editor.cache
        self.lookup = MatchLookup(editor)
        self.lobbies = Lobbies(editor, limits, sources)
        self.rematches = Rematches(editor, self.lobbies)
        self.seating = Seating(editor)
        self.moves = Moves(editor)
        self.requests = Requests(editor)
        self.rests = Rests(editor)
        self.practice = Practice(editor)
        self.activity = PlayerActivity(editor)
        self.due_times = DueTimes(editor, self.activity)
        self.records = MatchRecords(editor)
        self.late_reactions = LateReactions(editor)
        self.forgetting = Forgetting(editor)
