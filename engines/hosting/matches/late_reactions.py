"""Retries reactions of features that failed."""

from __future__ import annotations

from contextlib import suppress

from engines.hosting.feature import Feature
from engines.hosting.match import RequestRefused
from engines.hosting.match_changes import MatchEditor
from engines.hosting.reactions import LATE_REACTIONS, LateReaction, next_try, react_late, report_failure
from engines.store.rows import DropRow, PutRow


class LateReactions:
    """Retries what features have to write with changes that were committed without it."""

    def __init__(self, editor: MatchEditor) -> None:
        self._editor = editor

    async def retry_reactions(self) -> tuple[list[str], list[LateReaction]]:
        """Retry the reactions of features that are late. Return the matches that have them now, and those given up."""
        done, given_up, now = list[str](), list[LateReaction](), self._editor.clock()
        features = {feature.name: feature for feature in self._editor.features}
        for late in await self._editor.store.load_rows(LATE_REACTIONS):
            if late.is_given_up or late.feature not in features:
                given_up.append(late)
            elif late.retry <= now:
                with suppress(RequestRefused):  # it is gone, or of a newer version, which reacts itself
                    if await self._retry_reaction(features[late.feature], late, now):
                        done.append(late.match)
        return done, given_up

    async def _retry_reaction(self, feature: Feature, late: LateReaction, now: int) -> bool:
        async with self._editor.cache.exclusive_match(late.match) as current:
            saved = await self._editor.store.load(late.match)
            key = (late.match, late.revision, late.feature)
            try:
                writes = react_late(feature, current.game, saved.info, saved, late) if saved else []
            except Exception as error:  # noqa: BLE001  # a boundary, as at the first try
                after = next_try(late, now)
                report_failure(late.match, feature.name, error, is_last=after.is_given_up)
                await self._editor.store.write_rows([PutRow(LATE_REACTIONS, after)], late.match)
                return False
            await self._editor.store.write_rows([*writes, DropRow(LATE_REACTIONS, key)], late.match)
            return True
