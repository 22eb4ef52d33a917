"""The laws that every game keeps, by subject."""

from __future__ import annotations

from collections.abc import Mapping

from tests.contract.laws import (
    boards,
    commands,
    controls,
    hints,
    intros,
    news,
    notations,
    pages,
    pictures,
    pieces,
    players,
    rules,
    secrets,
    states,
)
from tests.contract.laws.law import Law

LAWS: Mapping[str, Law] = {
    law.__name__: law
    for law in (
        rules.over_exactly_when_nobody_may_act,
        rules.decisions_are_numbered_by_seat,
        rules.check_accepts_what_moves_lists,
        rules.check_refuses_what_is_malformed,
        rules.refusals_cite_the_rule_that_forbids,
        notations.notation_reads_back,
        notations.seats_go_by_letters,
        states.checkpoints_round_trip,
        states.copies_share_nothing,
        states.values_are_frozen,
        states.the_same_seed_gives_the_same_match,
        states.events_can_be_stored_and_addressed,
        secrets.samples_look_the_same,
        secrets.nothing_hidden_is_told,
        boards.boards_can_be_read,
        boards.boards_tell_moments_apart,
        secrets.reveals_excuses_nobody_without_need,
        pieces.pieces_are_conserved,
        controls.controls_are_the_legal_moves,
        controls.moves_take_few_taps,
        commands.every_move_can_be_typed,
        intros.newcomers_read_what_awaits_them,
        pages.pages_keep_discords_limits,
        pages.a_telephone_shows_whole_controls,
        pages.a_paused_match_says_so_first,
        pages.words_fit_a_message,
        pages.pages_show_no_empty_box,
        pages.hands_lead_to_their_rule,
        pictures.pictures_are_drawn,
        pictures.pictures_are_whole,
        pictures.pictures_are_read_on_a_telephone,
        pictures.pictures_name_people_as_plates_do,
        pictures.pictures_are_written_in_our_typeface,
        pictures.names_stay_on_their_plates,
        pictures.alt_texts_tell_pictures_apart,
        pictures.pictures_mark_the_seats_of_computers,
        news.every_event_is_told,
        news.private_news_stay_private,
        hints.hints_are_legal_moves,
        hints.hints_know_what_their_seat_knows,
        hints.reasons_are_short_sentences,
        hints.reasons_know_what_their_seat_knows,
        players.players_know_what_their_seat_knows,
        players.players_go_on_from_anywhere,
        players.choices_need_the_view_alone,
        players.playouts_go_as_the_policy_plays,
    )
}

__all__ = ["LAWS", "Law"]
