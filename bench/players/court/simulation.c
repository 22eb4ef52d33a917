/* Matches of the Court between normal and the learned player, some forty times faster than in Python, for training.

   It has the rules (engines/court), normal (players/court/policy.py), the network's inputs (players/court/features.py)
   and the learned player (players/court/learned.py). bench/players/court/check.py compares it with these. A suit is a
   number from 0 to 3 and a set of suits a sum of bits, as in players/court/chart.py; cards and squares are as in the
   rules. */

#include <math.h>
#include <stdint.h>
#include <string.h>

enum { SIDE = 22, SQUARES = SIDE * SIDE, OFF = -1, HAND = 6, FULL = 6, SEATS = 4, MENHIR = 52, NO_CARD = -1 };
enum { MAGE_INPUTS = 20, HAND_INPUTS = 17, TURN_INPUTS = 7, FIRST = 32, SECOND = 16, MOST_INPUTS = 128 };
enum { STEP, SKIP, PUSH, ATTACK, STRIKE, HEAL, SET_MENHIR, DISCARD, PLACE, GIVE };
enum { PHASE_ONE, PHASE_TWO, TURN_END, OVER };

typedef struct { double left[4], health[3][6], threat[4][4], pace[4], barred[4], held[4]; } Weights;
typedef struct { int inputs; const float *first, *first_start, *second, *second_start, *last, *last_start; } Network;
typedef struct { int kind, card, target; } Move; /* the target is a seat, a set of seats (0: all), a square or a suit */
typedef struct { Move moves[400]; double values[400]; int count; } Choices;
typedef struct { int seat, is_give; } Owed;
typedef struct {
    int seats, goal, cap, order[SEATS], phase, turn, turns;
    int mages[SEATS], menhirs[SEATS], health[SEATS], banners[SEATS], bare[SEATS], hands[SEATS][HAND], held[SEATS];
    int draw[168], drawn_from, discard[168], discarded;
    Owed owed[8];
    int owing;
} State;
typedef struct { int square, banners, health; } Mage;
typedef struct { Mage mages[SEATS]; int menhirs[SEATS]; } Table; /* Mages in turn order from the seat, Menhirs by seat */

static const int STARTS[4] = {230, 231, 252, 253}; /* K11, L11, K12, L12 */
static int STRIDE[4], steps_to_edge[4][SQUARES], edge_cards[16][SQUARES];
static double edge_turns[16][SQUARES], chances[HAND + 1][64];
static const double TURNS_TO_EDGE[22] = {1.59, 1.61, 1.73, 1.85, 2.00, 2.17, 2.37, 2.59, 2.85, 3.14, 3.47,
                                         3.58, 3.72, 3.84, 3.97, 4.09, 4.20, 4.30, 4.38, 4.44, 4.47, 4.48};
static Weights weights;
static Network network;

/* Chance: splitmix64. */

static uint64_t random_state;

static uint64_t random_bits(void) {
    uint64_t z = (random_state += 0x9E3779B97F4A7C15ull);
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ull;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBull;
    return z ^ (z >> 31);
}
static int below(int limit) { return (int)((random_bits() >> 33) % (uint64_t)limit); }
static double unit(void) { return (double)(random_bits() >> 11) / 9007199254740992.0; }
static void shuffle(int *cards, int count) {
    for (int place = count - 1; place > 0; place--) {
        int other = below(place + 1), card = cards[place];
        cards[place] = cards[other];
        cards[other] = card;
    }
}

/* Cards, squares and sets. */

static int is_number(int card) { return card < 52 && card % 13 >= 1 && card % 13 <= 9; }
static int is_court(int card) { return card < 52 && card % 13 >= 10; }
static int is_ace(int card) { return card < 52 && card % 13 == 0; }
static int kind_of(int card) { return is_number(card) ? 0 : is_court(card) ? 1 : is_ace(card) ? 2 : 3; }
static int steps_of(int card) { return is_number(card) ? card % 13 + 1 : is_court(card) ? 1 : 0; }
static int size_of(int set) { return __builtin_popcount(set); }

static void make_tables(void) {
    STRIDE[0] = -1, STRIDE[1] = 1, STRIDE[2] = -SIDE, STRIDE[3] = SIDE;
    for (int square = 0; square < SQUARES; square++) {
        int column = square % SIDE, row = square / SIDE;
        steps_to_edge[0][square] = column + 1, steps_to_edge[1][square] = SIDE - column;
        steps_to_edge[2][square] = row + 1, steps_to_edge[3][square] = SIDE - row;
        for (int set = 0; set < 16; set++) {
            double sum = 0;
            int cards = 0;
            for (int suit = 0; suit < 4; suit++)
                if (set >> suit & 1) {
                    int steps = steps_to_edge[suit][square], most = 11 - (steps > 2 ? steps : 2);
                    sum += exp(-TURNS_TO_EDGE[steps - 1] / 0.9);
                    cards += most > 0 ? most : 0;
                }
            edge_turns[set][square] = set ? -0.9 * log(sum) : 6.0;
            edge_cards[set][square] = cards;
        }
    }
    for (int unknown = 0; unknown <= HAND; unknown++)
        for (int kinds = 0; kinds < 64; kinds++) chances[unknown][kinds] = 1 - pow(1 - kinds / 54.0, unknown);
}

static int barred_suits(int square, const int *menhirs, int seats) {
    int set = 0;
    for (int seat = 0; seat < seats; seat++) {
        int menhir = menhirs[seat];
        if (menhir == OFF) continue;
        if (menhir / SIDE == square / SIDE) set |= menhir > square ? 2 : 1;
        else if (menhir % SIDE == square % SIDE) set |= menhir > square ? 8 : 4;
    }
    return set;
}

/* Where a card takes a Mage from a square; OFF: over the edge. */
static int landing(const State *state, int square, int card) {
    int steps = steps_of(card), left = steps_to_edge[card / 13][square] - 1, stride = STRIDE[card / 13];
    for (int step = 0; step < steps; step++) {
        if (step == left) return OFF;
        int next = square + stride;
        for (int seat = 0; seat < state->seats; seat++)
            if (state->mages[seat] == next || state->menhirs[seat] == next) return square;
        square = next;
    }
    return square;
}

static int place_in_order(const State *state, int seat) {
    int place = 0;
    while (state->order[place] != seat) place++;
    return place;
}

static int without(const int *hand, int count, int card, int *rest) {
    int kept = 0, is_gone = 0;
    for (int place = 0; place < count; place++)
        if (!is_gone && hand[place] == card) is_gone = 1;
        else rest[kept++] = hand[place];
    return kept;
}

static void add_choice(Choices *choices, int kind, int card, int target, double value) {
    choices->moves[choices->count] = (Move){kind, card, target};
    choices->values[choices->count++] = value;
}

/* The odds of normal: players/court/odds.py. */

typedef struct { const State *state; int menhirs[SEATS], delays[SEATS], turns_left; double urgency; } Odds;
typedef struct { double value; int one, other; } Plan;

static Odds make_odds(const State *state) {
    Odds odds = {state, {0}, {0}, 8, 0};
    memcpy(odds.menhirs, state->menhirs, sizeof odds.menhirs);
    int first = place_in_order(state, state->turn) + 1;
    for (int seat = 0; seat < state->seats; seat++)
        odds.delays[seat] = (place_in_order(state, seat) - first + 2 * state->seats) % state->seats;
    if (state->cap) odds.turns_left = state->cap - state->turns;
    if (odds.turns_left < 8) odds.urgency = 30.0 / (odds.turns_left + 3);
    return odds;
}

static int health_row(int banners, int left) { return !banners ? 0 : left == 1 ? 2 : 1; }

static double endgame_bonus(const Odds *odds, int banner_count, int health, double crossing) {
    return odds->urgency * (banner_count + crossing / 2 + health / 12.0);
}

static double seat_odds(const Odds *odds, int seat, int square, int banners, int health) {
    int left = odds->state->goal - size_of(banners), wanted = 15 - banners, away;
    if (left <= 0) return exp(40.0);
    if (odds->delays[seat] >= odds->turns_left)
        return exp(weights.left[left - 1] + endgame_bonus(odds, size_of(banners), health, 0));
    if (square == OFF) square = STARTS[0];
    double sum = weights.health[health_row(banners, left)][health - 1] + weights.left[left - 1];
    if ((away = wanted & barred_suits(square, odds->menhirs, odds->state->seats))) {
        sum += weights.barred[left - 1] * size_of(away) / size_of(wanted);
        wanted -= away;
    }
    double chance = chances[HAND - odds->state->bare[seat]][edge_cards[wanted][square]];
    if (odds->urgency) sum += endgame_bonus(odds, size_of(banners), health, chance);
    return exp(sum - weights.pace[left - 1] * edge_turns[wanted][square] +
               weights.threat[left - 1][odds->delays[seat]] * chance);
}

static double knocked_out_odds(const Odds *odds, int seat, int banners) {
    if (!banners) return seat_odds(odds, seat, STARTS[0], 0, FULL);
    double most = 0;
    for (int suit = 0; suit < 4; suit++)
        if (banners >> suit & 1) most = fmax(most, seat_odds(odds, seat, STARTS[0], banners & ~(1 << suit), FULL));
    return most;
}

/* Routes to an edge: turns, and the cards they need. */
static int edge_routes(int square, int wanted, const int *hand, int count, Plan *plans) {
    int found = 0;
    for (int place = 0; place < count; place++) {
        int card = hand[place], suit = card / 13;
        if (!is_number(card)) continue;
        int missing = steps_to_edge[suit][square] - steps_of(card);
        if (!(wanted >> suit & 1)) {
            int end = missing <= 0 ? STARTS[0] : square + STRIDE[suit] * steps_of(card);
            plans[found++] = (Plan){1 + edge_turns[wanted][end], card, NO_CARD};
        } else if (missing <= 0) plans[found++] = (Plan){1, card, NO_CARD};
        else {
            int end = square + STRIDE[suit] * steps_of(card);
            plans[found++] = (Plan){1 + edge_turns[wanted][end], card, NO_CARD};
            for (int before = 0; before < place; before++) {
                int other = hand[before];
                if (is_number(other) && other / 13 == suit && missing <= steps_of(other) &&
                    steps_of(other) < missing + steps_of(card))
                    plans[found++] = (Plan){2, card, other};
            }
        }
    }
    return found;
}

static double log_odds_and_plans(const Odds *odds, int seat, int square, int banners, int health, const int *hand,
                                 int count, Plan *plans, int *plan_count) {
    int left = odds->state->goal - size_of(banners), wanted = 15 - banners, away;
    if (square == OFF) square = STARTS[0];
    double base = weights.left[left - 1] + weights.health[health_row(banners, left)][health - 1];
    if ((away = wanted & barred_suits(square, odds->menhirs, odds->state->seats))) {
        base += weights.barred[left - 1] * size_of(away) / size_of(wanted);
        wanted -= away;
    }
    for (int place = 0; place < count; place++) base += weights.held[kind_of(hand[place])];
    double pace = weights.pace[left - 1], threat = weights.threat[left - 1][odds->delays[seat]];
    if (odds->urgency) {
        base += endgame_bonus(odds, size_of(banners), health, 0);
        threat += endgame_bonus(odds, 0, 0, 1.0);
        if (odds->delays[seat] >= odds->turns_left) pace = threat = 0;
    }
    double chance = threat * chances[HAND - count][edge_cards[wanted][square]];
    int found = edge_routes(square, wanted, hand, count, plans);
    for (int each = 0; each < found; each++)
        plans[each].value = (plans[each].value == 1 ? threat : chance) - pace * plans[each].value;
    plans[found++] = (Plan){chance - pace * (edge_turns[wanted][square] + 0.5), NO_CARD, NO_CARD};
    *plan_count = found;
    return base;
}

static double log_odds_with_hand(const Odds *odds, int seat, int square, int banners, int health, const int *hand,
                                 int count) {
    Plan plans[64];
    int plan_count;
    double base = log_odds_and_plans(odds, seat, square, banners, health, hand, count, plans, &plan_count), best = -1e9;
    for (int each = 0; each < plan_count; each++) best = fmax(best, plans[each].value);
    return base + best;
}

/* Normal: players/court/policy.py. */

typedef struct { Odds odds; int seat; double others[SEATS], total, effects[SEATS]; } Turn;

static Turn make_turn(const State *state, int seat) {
    Turn turn = {make_odds(state), seat, {0}, 0, {0}};
    for (int other = 0; other < state->seats; other++) {
        if (other == seat) continue;
        int square = state->mages[other], banners = state->banners[other], health = state->health[other];
        turn.others[other] = seat_odds(&turn.odds, other, square, banners, health);
        turn.total += turn.others[other];
        double hurt = health > 1 ? seat_odds(&turn.odds, other, square, banners, health - 1)
                                 : knocked_out_odds(&turn.odds, other, banners);
        turn.effects[other] = hurt - turn.others[other];
    }
    return turn;
}

static void attack_choice(const Turn *turn, int card, Choices *choices) {
    int others[SEATS], count = 0, targets = 0, seats = turn->odds.state->seats;
    for (int other = 0; other < seats; other++)
        if (other != turn->seat) {
            int place = count++;
            for (; place && turn->effects[others[place - 1]] > turn->effects[other]; place--)
                others[place] = others[place - 1];
            others[place] = other;
        }
    if (count == 3 && card % 13 < 12) {
        count = card % 13 == 11 && turn->effects[others[1]] < 0 ? 2 : 1;
        for (int each = 0; each < count; each++) targets |= 1 << others[each];
    }
    double sum = 0;
    for (int each = 0; each < count; each++) sum += turn->effects[others[each]];
    add_choice(choices, ATTACK, card, targets, -log(turn->total + sum / 2));
}

static void menhir_choices(Turn *turn, Choices *choices) {
    const State *state = turn->odds.state;
    int seat = turn->seat, ranked[SEATS], count = 0, tried[16], squares = 0;
    double before =
        log(seat_odds(&turn->odds, seat, state->mages[seat], state->banners[seat], state->health[seat]));
    for (int other = 0; other < state->seats; other++)
        if (other != seat) {
            int place = count++;
            for (; place && turn->others[ranked[place - 1]] < turn->others[other]; place--)
                ranked[place] = ranked[place - 1];
            ranked[place] = other;
        }
    for (int each = 0; each < count && each < 2; each++) {
        int mage = state->mages[ranked[each]];
        for (int suit = 0; mage != OFF && suit < 4; suit++) {
            if (state->banners[ranked[each]] >> suit & 1 || steps_to_edge[suit][mage] == 1) continue;
            int square = mage + STRIDE[suit], is_free = 1;
            for (int start = 0; start < 4; start++) is_free &= STARTS[start] != square;
            for (int other = 0; other < state->seats; other++)
                is_free &= state->mages[other] != square && state->menhirs[other] != square;
            for (int place = 0; place < squares; place++) is_free &= tried[place] != square;
            if (!is_free) continue;
            tried[squares++] = square;
            turn->odds.menhirs[seat] = square;
            double sum = 0;
            for (int other = 0; other < state->seats; other++)
                if (other != seat)
                    sum += seat_odds(&turn->odds, other, state->mages[other], state->banners[other],
                                     state->health[other]);
            double own = log(seat_odds(&turn->odds, seat, state->mages[seat], state->banners[seat],
                                       state->health[seat]));
            add_choice(choices, SET_MENHIR, MENHIR, square, own - before - log(sum));
            turn->odds.menhirs[seat] = state->menhirs[seat];
        }
    }
}

static void card_uses(Turn *turn, int card, Choices *choices) {
    const State *state = turn->odds.state;
    int seat = turn->seat;
    if (is_number(card)) {
        for (int other = 0; other < state->seats; other++) {
            if (other == seat) continue;
            int square = landing(state, state->mages[other], card), banners = state->banners[other];
            if (square == OFF) banners |= 1 << card / 13;
            double after = seat_odds(&turn->odds, other, square, banners, state->health[other]);
            add_choice(choices, PUSH, card, other, -log(turn->total - turn->others[other] + after));
        }
    } else if (is_court(card)) attack_choice(turn, card, choices);
    else if (is_ace(card)) {
        double sum = turn->total;
        for (int other = 0; other < state->seats; other++) sum += turn->effects[other];
        add_choice(choices, STRIKE, card, 0, -log(sum));
        int health = state->health[seat], left = state->goal - size_of(state->banners[seat]);
        if (health < FULL) {
            const double *worths = weights.health[health_row(state->banners[seat], left)];
            double gain = worths[health] - worths[health - 1] + turn->odds.urgency / 12;
            add_choice(choices, HEAL, card, 0, gain - log(turn->total));
        }
    } else menhir_choices(turn, choices);
    add_choice(choices, DISCARD, card, 0, -log(turn->total));
}

/* Values of a hand without each of its distinct cards; returns how many there are. */
static int values_without_card(const Turn *turn, int square, int banners, const int *hand, int count, int *cards,
                               double *values) {
    const State *state = turn->odds.state;
    Plan plans[64];
    int plan_count, found = 0;
    double base = log_odds_and_plans(&turn->odds, turn->seat, square, banners, state->health[turn->seat], hand, count,
                                     plans, &plan_count);
    for (int place = 0; place < count; place++) {
        int card = hand[place], has_twin = place + 1 < count && hand[place + 1] == card;
        if (place && hand[place - 1] == card) continue;
        double best = -1e9;
        for (int each = 0; each < plan_count; each++)
            if (has_twin || (plans[each].one != card && plans[each].other != card)) best = fmax(best, plans[each].value);
        cards[found] = card;
        values[found++] = base - weights.held[kind_of(card)] + best;
    }
    return found;
}

static double value_after_step(const Turn *turn, int card, const double *best) {
    const State *state = turn->odds.state;
    int seat = turn->seat, rest[HAND], square = state->mages[seat], banners = state->banners[seat], cards[HAND];
    int count = without(state->hands[seat], state->held[seat], card, rest);
    if (card != NO_CARD) {
        square = landing(state, square, card);
        if (square == OFF) banners |= 1 << card / 13;
        if (size_of(banners) >= state->goal) return 80.0;
    }
    double values[HAND], most = -1e9;
    int found = values_without_card(turn, square, banners, rest, count, cards, values);
    for (int each = 0; each < found; each++) most = fmax(most, values[each] + best[cards[each]]);
    return most;
}

static void normal_choices(const State *state, int seat, Choices *choices) {
    const int *hand = state->hands[seat];
    int count = state->held[seat];
    if (state->owing) {
        Odds odds = make_odds(state);
        if (!state->owed[0].is_give) {
            for (int start = 0; start < 4; start++) {
                int is_free = 1;
                for (int other = 0; other < state->seats; other++) is_free &= state->mages[other] != STARTS[start];
                if (is_free)
                    add_choice(choices, PLACE, 0, STARTS[start],
                               log_odds_with_hand(&odds, seat, STARTS[start], state->banners[seat],
                                                  state->health[seat], hand, count));
            }
            return;
        }
        for (int suit = 0; suit < 4; suit++)
            if (state->banners[seat] >> suit & 1)
                add_choice(choices, GIVE, 0, suit,
                           log_odds_with_hand(&odds, seat, STARTS[0], state->banners[seat] & ~(1 << suit), FULL, hand,
                                              count));
        return;
    }
    Turn turn = make_turn(state, seat);
    if (state->phase == PHASE_TWO) {
        int cards[HAND];
        double values[HAND];
        int found = values_without_card(&turn, state->mages[seat], state->banners[seat], hand, count, cards, values);
        for (int each = 0; each < found; each++) {
            int first = choices->count;
            card_uses(&turn, cards[each], choices);
            for (; first < choices->count; first++) choices->values[first] += values[each];
        }
        return;
    }
    double best[MENHIR + 1];
    int has_number = 0;
    for (int place = 0; place < count; place++) {
        Choices uses = {.count = 0};
        card_uses(&turn, hand[place], &uses);
        best[hand[place]] = -1e9;
        for (int each = 0; each < uses.count; each++) best[hand[place]] = fmax(best[hand[place]], uses.values[each]);
        has_number |= is_number(hand[place]);
    }
    for (int place = 0; place < count; place++) {
        int card = hand[place];
        if ((place && hand[place - 1] == card) || !(has_number ? is_number(card) : is_court(card))) continue;
        add_choice(choices, STEP, card, 0, value_after_step(&turn, card, best));
    }
    if (!has_number) add_choice(choices, SKIP, 0, 0, value_after_step(&turn, NO_CARD, best));
}

/* The inputs of the network: players/court/features.py. */

typedef struct {
    const State *state;
    int seat, seats[SEATS], unknown[SEATS], delay, turns_left;
    double late[3];
    Table table;
} Evaluator;

static Evaluator make_evaluator(const State *state, int seat, int turn_started) {
    Evaluator it = {.state = state, .seat = seat};
    int place = place_in_order(state, seat), first = place_in_order(state, state->turn) + !turn_started;
    for (int each = 0; each < state->seats; each++) {
        int other = it.seats[each] = state->order[(place + each) % state->seats];
        it.unknown[each] = each ? HAND - state->bare[other] : HAND;
        it.table.mages[each] = (Mage){state->mages[other], state->banners[other], state->health[other]};
    }
    memcpy(it.table.menhirs, state->menhirs, sizeof it.table.menhirs);
    it.delay = (place - first + 2 * state->seats) % state->seats;
    it.turns_left = state->cap ? state->cap - state->turns + turn_started : -1;
    for (int each = 0; each < 3; each++) it.late[each] = state->cap ? exp(-it.turns_left / (double)(4 << 2 * each)) : 0;
    return it;
}

static double score_of(Mage mage) { return size_of(mage.banners) + mage.health / 12.0; }

static int describe(const Evaluator *it, const Table *table, const int *hand, int count, float *inputs) {
    const State *state = it->state;
    float *next = inputs;
    for (int place = 0; place < state->seats; place++) {
        Mage mage = table->mages[place];
        int square = mage.square == OFF ? STARTS[0] : mage.square, left = state->goal - size_of(mage.banners);
        int wanted = 15 - mage.banners, barred = wanted & barred_suits(square, table->menhirs, state->seats);
        int open = wanted - barred, cards = edge_cards[open][square], nearest = 22, second = 22;
        double turns = edge_turns[open][square], chance = chances[it->unknown[place]][cards];
        for (int suit = 0; suit < 4; suit++) {
            int steps = open >> suit & 1 ? steps_to_edge[suit][square] : 22;
            if (steps < nearest) second = nearest, nearest = steps;
            else if (steps < second) second = steps;
        }
        *next++ = left == 1, *next++ = left == 2, *next++ = left == 3;
        *next++ = size_of(mage.banners) / 4.0, *next++ = mage.health / 6.0;
        *next++ = mage.health == 1, *next++ = mage.health == 2, *next++ = mage.health == 1 && left == 1;
        *next++ = size_of(barred) / (double)(wanted ? size_of(wanted) : 1), *next++ = size_of(open) / 4.0;
        *next++ = chance, *next++ = chance * (left == 1), *next++ = chance * (left == 2);
        *next++ = turns / 4, *next++ = turns / 4 * (left == 1), *next++ = turns / 4 * (left == 2);
        *next++ = it->unknown[place] / 6.0, *next++ = nearest / 10.0, *next++ = second / 10.0;
        *next++ = table->menhirs[it->seats[place]] != OFF;
        if (place) continue;
        Plan routes[64];
        int found = edge_routes(square, open, hand, count, routes), crossing = 0, has_two = 0;
        int kinds[4] = {0}, ahead = 0, aside = 0;
        double soonest = turns + 0.5;
        for (int each = 0; each < found; each++) {
            crossing += routes[each].value == 1, has_two |= routes[each].value == 2;
            soonest = fmin(soonest, routes[each].value);
        }
        double drawn = crossing ? 0 : chances[HAND - count][cards];
        for (int each = 0; each < count; each++) {
            kinds[kind_of(hand[each])]++;
            if (is_number(hand[each])) *(open >> hand[each] / 13 & 1 ? &ahead : &aside) += steps_of(hand[each]);
        }
        *next++ = crossing > 0, *next++ = crossing && left == 1, *next++ = crossing && left == 2;
        *next++ = crossing / 3.0, *next++ = !crossing && has_two, *next++ = !crossing && has_two && left == 1;
        *next++ = drawn, *next++ = drawn * (left == 1), *next++ = soonest / 4, *next++ = soonest / 4 * (left == 1);
        *next++ = ahead / 30.0, *next++ = aside / 30.0, *next++ = kinds[0] / 6.0, *next++ = kinds[1] / 3.0;
        *next++ = kinds[2] / 2.0, *next++ = kinds[3], *next++ = (HAND - count) / 2.0;
    }
    double best = 0;
    for (int place = 1; place < state->seats; place++) best = fmax(best, score_of(table->mages[place]));
    double lead = score_of(table->mages[0]) - best;
    *next++ = state->goal / 4.0, *next++ = it->late[0], *next++ = it->late[1], *next++ = it->late[2];
    *next++ = lead / 4, *next++ = lead * it->late[0], *next++ = lead * it->late[1];
    for (int each = 0; each < state->seats; each++) *next++ = it->delay == each;
    return (int)(next - inputs);
}

static double foresee(const float *inputs) {
    float first[FIRST], second[SECOND];
    memcpy(first, network.first_start, sizeof first);
    for (int each = 0; each < network.inputs; each++) {
        float value = inputs[each];
        if (value == 0) continue;
        const float *row = network.first + each * FIRST;
        for (int place = 0; place < FIRST; place++) first[place] += value * row[place];
    }
    memcpy(second, network.second_start, sizeof second);
    for (int each = 0; each < FIRST; each++) {
        float value = first[each];
        if (value <= 0) continue;
        const float *row = network.second + each * SECOND;
        for (int place = 0; place < SECOND; place++) second[place] += value * row[place];
    }
    float odds = *network.last_start;
    for (int each = 0; each < SECOND; each++)
        if (second[each] > 0) odds += second[each] * network.last[each];
    return 1 / (1 + exp(-odds));
}

/* The learned player: players/court/learned.py. */

static double chance(const Evaluator *it, const Table *table, const int *hand, int count) {
    int goal = it->state->goal, seats = it->state->seats;
    if (size_of(table->mages[0].banners) >= goal) return 1;
    for (int place = 1; place < seats; place++)
        if (size_of(table->mages[place].banners) >= goal) return 0;
    if (it->state->cap && it->turns_left <= 0) {
        double own = score_of(table->mages[0]);
        int equal = 1;
        for (int place = 1; place < seats; place++) {
            double other = score_of(table->mages[place]);
            if (other > own) return 0;
            equal += other == own;
        }
        return 1.0 / equal;
    }
    float inputs[MOST_INPUTS];
    describe(it, table, hand, count, inputs);
    return foresee(inputs);
}

static Mage moved(const State *state, Mage mage, int card) {
    if (mage.square == OFF) return mage;
    mage.square = landing(state, mage.square, card);
    if (mage.square == OFF) mage.banners |= 1 << card / 13;
    return mage;
}

static Mage damaged(Mage mage) {
    if (mage.health > 1) mage.health--;
    else mage = (Mage){OFF, mage.banners & (mage.banners - 1), FULL};
    return mage;
}

static void learned_hinder(const Evaluator *it, const Table *table, const int *hand, int count, Choices *choices) {
    const State *state = it->state;
    int rest[HAND];
    for (int at = 0; at < count; at++) {
        int card = hand[at];
        if (at && hand[at - 1] == card) continue;
        int kept = without(hand, count, card, rest);
        double still = chance(it, table, rest, kept);
        add_choice(choices, DISCARD, card, 0, still);
        if (is_number(card)) {
            for (int place = 1; place < state->seats; place++) {
                Table after = *table;
                after.mages[place] = moved(state, after.mages[place], card);
                add_choice(choices, PUSH, card, it->seats[place], chance(it, &after, rest, kept));
            }
        } else if (is_court(card)) {
            double effects[SEATS] = {0};
            for (int place = 1; place < state->seats; place++) {
                Table after = *table;
                after.mages[place] = damaged(after.mages[place]);
                effects[it->seats[place]] = chance(it, &after, rest, kept) - still;
            }
            int is_narrow = state->seats == 4 && card % 13 < 12, most = card % 13 == 11 ? 2 : 1;
            for (int set = 1; set < 1 << state->seats; set++) {
                if (set >> it->seat & 1 || (is_narrow ? size_of(set) > most : size_of(set) < state->seats - 1)) continue;
                double sum = 0;
                for (int other = 0; other < state->seats; other++)
                    if (set >> other & 1) sum += effects[other];
                add_choice(choices, ATTACK, card, is_narrow ? set : 0, still + sum / 2);
            }
        } else if (is_ace(card)) {
            Table after = *table;
            for (int place = 1; place < state->seats; place++) after.mages[place] = damaged(after.mages[place]);
            add_choice(choices, STRIKE, card, 0, chance(it, &after, rest, kept));
            if (table->mages[0].health < FULL) {
                after = *table;
                after.mages[0].health++;
                add_choice(choices, HEAL, card, 0, chance(it, &after, rest, kept));
            }
        } else {
            int tried[16], squares = 0;
            for (int place = 1; place < state->seats; place++) {
                Mage mage = table->mages[place];
                for (int suit = 0; mage.square != OFF && suit < 4; suit++) {
                    if (mage.banners >> suit & 1 || steps_to_edge[suit][mage.square] == 1) continue;
                    int square = mage.square + STRIDE[suit], is_free = 1;
                    for (int start = 0; start < 4; start++) is_free &= STARTS[start] != square;
                    for (int other = 0; other < state->seats; other++)
                        is_free &= state->mages[other] != square && state->menhirs[other] != square;
                    for (int each = 0; each < squares; each++) is_free &= tried[each] != square;
                    if (!is_free) continue;
                    tried[squares++] = square;
                    Table after = *table;
                    after.menhirs[it->seat] = square;
                    add_choice(choices, SET_MENHIR, card, square, chance(it, &after, rest, kept));
                }
            }
        }
    }
}

static double best_value(const Choices *choices) {
    double most = -1e9;
    for (int each = 0; each < choices->count; each++) most = fmax(most, choices->values[each]);
    return most;
}

static double best_hinder(const Evaluator *it, const Table *table, const int *hand, int count) {
    if (size_of(table->mages[0].banners) >= it->state->goal) return 1;
    Choices uses = {.count = 0};
    learned_hinder(it, table, hand, count, &uses);
    return best_value(&uses);
}

static void learned_choices(const State *state, int seat, Choices *choices) {
    Evaluator it = make_evaluator(state, seat, 0);
    const int *hand = state->hands[seat];
    int count = state->held[seat], has_number = 0, rest[HAND];
    Table table = it.table;
    if (state->owing) {
        for (int each = 0; each < 4; each++) {
            int is_free = 1;
            table = it.table;
            if (state->owed[0].is_give) {
                if (!(table.mages[0].banners >> each & 1)) continue;
                table.mages[0].banners &= ~(1 << each);
                add_choice(choices, GIVE, 0, each, chance(&it, &table, hand, count));
                continue;
            }
            for (int other = 0; other < state->seats; other++) is_free &= state->mages[other] != STARTS[each];
            if (!is_free) continue;
            table.mages[0].square = STARTS[each];
            add_choice(choices, PLACE, 0, STARTS[each], chance(&it, &table, hand, count));
        }
        return;
    }
    if (state->phase == PHASE_TWO) {
        learned_hinder(&it, &table, hand, count, choices);
        return;
    }
    for (int at = 0; at < count; at++) has_number |= is_number(hand[at]);
    for (int at = 0; at < count; at++) {
        int card = hand[at];
        if ((at && hand[at - 1] == card) || !(has_number ? is_number(card) : is_court(card))) continue;
        int kept = without(hand, count, card, rest);
        table = it.table;
        table.mages[0] = moved(state, table.mages[0], card);
        add_choice(choices, STEP, card, 0, best_hinder(&it, &table, rest, kept));
    }
    if (!has_number) add_choice(choices, SKIP, 0, 0, best_hinder(&it, &it.table, hand, count));
}

/* The rules: engines/court/turn.py. */

static void sort_hand(State *state, int seat) {
    int *hand = state->hands[seat];
    for (int at = 1; at < state->held[seat]; at++)
        for (int place = at; place && hand[place - 1] > hand[place]; place--) {
            int card = hand[place];
            hand[place] = hand[place - 1];
            hand[place - 1] = card;
        }
}

static void draw_cards(State *state, int seat) {
    while (state->held[seat] < HAND) {
        if (!state->drawn_from) {
            memcpy(state->draw, state->discard, sizeof state->draw);
            state->drawn_from = state->discarded;
            state->discarded = 0;
            shuffle(state->draw, state->drawn_from);
        }
        state->hands[seat][state->held[seat]++] = state->draw[--state->drawn_from];
    }
    sort_hand(state, seat);
}

static State start_match(int seats, int goal, int cap) {
    State state = {.seats = seats, .goal = goal, .cap = cap, .turns = 1};
    for (int deck = 1; deck < seats; deck++)
        for (int card = 0; card < 54; card++) state.draw[state.drawn_from++] = card < 52 ? card : MENHIR;
    shuffle(state.draw, state.drawn_from);
    for (int seat = 0; seat < seats; seat++) {
        state.mages[seat] = state.menhirs[seat] = OFF;
        state.health[seat] = FULL;
        state.order[seat] = seat;
        draw_cards(&state, seat);
    }
    shuffle(state.order, seats);
    state.turn = state.order[0];
    for (int seat = 0; seat < seats; seat++) state.owed[state.owing++] = (Owed){state.order[seats - 1 - seat], 0};
    for (int seat = seats; seat < SEATS; seat++) state.menhirs[seat] = state.mages[seat] = OFF;
    return state;
}

static void lift(State *state, int mage, int is_out) {
    state->mages[mage] = OFF;
    if (is_out && state->banners[mage]) state->owed[state->owing++] = (Owed){mage, 1};
    state->owed[state->owing++] = (Owed){mage, 0};
}

static void discard(State *state, int seat, int card) {
    int rest[HAND];
    state->held[seat] = without(state->hands[seat], state->held[seat], card, rest);
    memcpy(state->hands[seat], rest, sizeof(int) * (size_t)state->held[seat]);
    state->discard[state->discarded++] = card;
    if (!is_number(card) && state->bare[seat]) state->bare[seat]--;
}

static void move_mage(State *state, int seat, int card, int mage) {
    discard(state, seat, card);
    state->mages[mage] = landing(state, state->mages[mage], card);
    if (state->mages[mage] != OFF) return;
    state->banners[mage] |= 1 << card / 13;
    if (size_of(state->banners[mage]) >= state->goal) state->phase = OVER;
    else lift(state, mage, 0);
}

static void damage(State *state, int mage) {
    if (--state->health[mage]) return;
    state->health[mage] = FULL;
    lift(state, mage, 1);
}

static void play(State *state, int seat, Move move) {
    int at = place_in_order(state, seat);
    if (move.kind == PLACE || move.kind == GIVE) {
        state->owing--;
        memmove(state->owed, state->owed + 1, sizeof(Owed) * (size_t)state->owing);
        if (move.kind == PLACE) state->mages[seat] = move.target;
        else state->banners[seat] &= ~(1 << move.target);
    } else if (move.kind == STEP || move.kind == SKIP) {
        state->phase = PHASE_TWO;
        if (move.kind == STEP) move_mage(state, seat, move.card, seat);
        if (move.kind == SKIP || !is_number(move.card)) state->bare[seat] = state->held[seat];
    } else {
        state->phase = TURN_END;
        if (move.kind == PUSH) move_mage(state, seat, move.card, move.target);
        else discard(state, seat, move.card);
        if (move.kind == SET_MENHIR) {
            state->menhirs[seat] = move.target;
            for (int mage = 0; mage < state->seats; mage++) {
                int around = 0;
                for (int suit = 0; state->mages[mage] != OFF && suit < 4; suit++)
                    for (int other = 0; other < state->seats; other++)
                        around += steps_to_edge[suit][state->mages[mage]] > 1 &&
                                  state->menhirs[other] == state->mages[mage] + STRIDE[suit];
                if (around == 4) lift(state, mage, 0);
            }
        }
        if (move.kind == HEAL) state->health[seat]++;
        int roll = move.kind == ATTACK ? below(6) : 0;
        for (int each = 1; each < state->seats && (move.kind == ATTACK || move.kind == STRIKE); each++) {
            int other = state->order[(at + each) % state->seats], own = roll;
            if (move.kind == ATTACK && move.target && !(move.target >> other & 1)) continue;
            while (move.kind == ATTACK && own == roll) own = below(6);
            if (move.kind == STRIKE || roll > own) damage(state, other);
        }
    }
    if (state->phase == TURN_END && !state->owing) {
        draw_cards(state, state->turn);
        if (state->turns == state->cap) state->phase = OVER;
        else {
            state->turns++;
            state->turn = state->order[(place_in_order(state, state->turn) + 1) % state->seats];
            state->phase = PHASE_ONE;
        }
    }
}

static void win_shares(const State *state, float *shares) {
    double best = 0;
    int equal = 0;
    for (int seat = 0; seat < state->seats; seat++) {
        double score = score_of((Mage){OFF, state->banners[seat], state->health[seat]});
        if (score > best) best = score, equal = 0;
        equal += score == best;
    }
    for (int seat = 0; seat < state->seats; seat++)
        shares[seat] = score_of((Mage){OFF, state->banners[seat], state->health[seat]}) == best ? 1.0f / equal : 0;
}

static void scatter(State *state) {
    state->owing = 0;
    for (int seat = 0; seat < state->seats; seat++) {
        int count = below(state->goal), is_free = 0, square = 0;
        state->banners[seat] = 0;
        while (size_of(state->banners[seat]) < count) state->banners[seat] |= 1 << below(4);
        state->health[seat] = 1 + below(FULL);
        int has_menhir = unit() < 0.4, at_start = unit() < 0.3;
        for (int turn = 0; turn <= has_menhir; turn++) {
            do {
                square = !turn && at_start ? STARTS[seat] : below(SQUARES);
                is_free = 1;
                for (int start = 0; turn && start < 4; start++) is_free &= STARTS[start] != square;
                for (int other = 0; other < state->seats; other++)
                    is_free &= state->mages[other] != square && state->menhirs[other] != square;
                at_start = at_start && is_free;
            } while (!is_free);
            if (turn) state->menhirs[seat] = square;
            else state->mages[seat] = square;
        }
    }
    if (state->cap) state->turns = 1 + below(state->cap);
}

static Move pick(const Choices *choices, double luck) {
    if (luck > 0 && unit() < luck) return choices->moves[below(choices->count)];
    int best = 0;
    for (int each = 1; each < choices->count; each++)
        if (choices->values[each] > choices->values[best]) best = each;
    return choices->moves[best];
}

/* The search: players/search.py and players/court/player_model.py. Sampled worlds do not use what is known about hands
   (that somebody showed to have no number card, and which cards were shuffled last). */

enum { MOST_TRIED = 8, MOST_WORLDS = 512 };
typedef struct { Move move; int count; double values[MOST_WORLDS]; } Candidate;

static void deal_unseen(State *state, int seat) {
    int cards[168], count = 0;
    for (int other = 0; other < state->seats; other++)
        for (int card = 0; other != seat && card < state->held[other]; card++) cards[count++] = state->hands[other][card];
    for (int card = 0; card < state->drawn_from; card++) cards[count++] = state->draw[card];
    shuffle(cards, count);
    for (int other = 0; other < state->seats; other++) {
        for (int card = 0; other != seat && card < state->held[other]; card++) state->hands[other][card] = cards[--count];
        sort_hand(state, other);
    }
    for (int card = 0; card < state->drawn_from; card++) state->draw[card] = cards[--count];
}

static double value_to_next_turn(State *state, int seat) {
    while (state->phase != OVER) {
        int due = state->owing ? state->owed[0].seat : state->turn;
        if (due == seat && state->phase == PHASE_ONE && !state->owing) {
            Evaluator it = make_evaluator(state, seat, 1);
            return chance(&it, &it.table, state->hands[seat], HAND);
        }
        Choices choices = {.count = 0};
        if (due == seat) learned_choices(state, due, &choices);
        else normal_choices(state, due, &choices);
        play(state, due, pick(&choices, 0));
    }
    float shares[SEATS];
    win_shares(state, shares);
    return shares[seat];
}

static double mean_of(const double *values, int count) {
    double sum = 0;
    for (int each = 0; each < count; each++) sum += values[each];
    return sum / count;
}

/* By how much a candidate is certainly better than the first one; 0: it is not. */
static double sure_lead(const Candidate *one, const Candidate *first) {
    double apart[MOST_WORLDS], squares = 0;
    for (int each = 0; each < one->count; each++) apart[each] = one->values[each] - first->values[each];
    double mean = mean_of(apart, one->count);
    for (int each = 0; each < one->count; each++) squares += (apart[each] - mean) * (apart[each] - mean);
    double doubt = sqrt(squares / (one->count - 1) / one->count);
    return mean > doubt ? mean - doubt : 0;
}

static Move search(const State *state, int seat, int simulations, int most) {
    static Candidate tried[MOST_TRIED];
    static State worlds[MOST_WORLDS];
    static uint64_t seeds[MOST_WORLDS];
    Choices choices = {.count = 0};
    learned_choices(state, seat, &choices);
    if (choices.count < 2) return choices.moves[0];
    int count = choices.count < most ? choices.count : most, rounds = 0, known = 0, remaining[MOST_TRIED], left = count;
    for (int each = 0; each < count; each++) {
        int best = 0;
        for (int other = 1; other < choices.count; other++)
            if (choices.values[other] > choices.values[best]) best = other;
        tried[each].move = choices.moves[best], tried[each].count = 0, choices.values[best] = -1e9;
        remaining[each] = each;
    }
    while (1 << rounds < count) rounds++;
    for (int round = 0; round < rounds; round++) {
        int more = simulations / rounds / left, first = tried[0].count;
        for (int number = first; number < first + (more > 2 ? more : 2); number++) {
            if (number == known) {
                worlds[known] = *state;
                deal_unseen(&worlds[known], seat);
                seeds[known++] = random_bits();
            }
            for (int each = 0; each < left; each++) {
                Candidate *one = &tried[remaining[each]];
                State world = worlds[number];
                uint64_t kept = random_state;
                random_state = seeds[number];
                play(&world, seat, one->move);
                one->values[one->count++] = value_to_next_turn(&world, seat);
                random_state = kept;
            }
        }
        for (int each = 1; each < left; each++)
            for (int place = each; place; place--) {
                Candidate *one = &tried[remaining[place]], *other = &tried[remaining[place - 1]];
                if (mean_of(one->values, one->count) <= mean_of(other->values, other->count)) break;
                int moved_down = remaining[place - 1];
                remaining[place - 1] = remaining[place];
                remaining[place] = moved_down;
            }
        int has_first = 0;
        left = left / 2 > 1 ? left / 2 : 1;
        for (int each = 0; each < left; each++) has_first |= !remaining[each];
        if (!has_first) remaining[left++] = 0;
        if (left == 1 && !remaining[0]) break;
    }
    int best = 0;
    double lead = 0;
    for (int each = 0; each < left; each++) {
        double found = remaining[each] ? sure_lead(&tried[remaining[each]], &tried[0]) : 0;
        if (found > lead) lead = found, best = remaining[each];
    }
    return tried[best].move;
}

/* What Python calls. */

void set_up(const double *numbers, int seats, const float *net, int inputs) {
    make_tables();
    memset(&weights, 0, sizeof weights);
    memcpy(weights.left, numbers, sizeof weights.left), numbers += 4;
    memcpy(weights.health, numbers, sizeof weights.health), numbers += 18;
    for (int left = 0; left < 4; left++)
        for (int delay = 0; delay < seats; delay++) weights.threat[left][delay] = *numbers++;
    memcpy(weights.pace, numbers, sizeof weights.pace), numbers += 4;
    memcpy(weights.barred, numbers, sizeof weights.barred), numbers += 4;
    memcpy(weights.held, numbers, sizeof weights.held);
    network.inputs = inputs;
    network.first = net, network.first_start = net + inputs * FIRST;
    network.second = network.first_start + FIRST, network.second_start = network.second + FIRST * SECOND;
    network.last = network.second_start + SECOND, network.last_start = network.last + SECOND;
}

/* Plays a match; `learned` is the set of seats of the learned player, which searches if it has simulations. A third seat
   is described in every `bystanders`-th turn. Each sample has its inputs, its seat, and whether it is in turn. Returns
   the number of samples. */
int play_match(uint64_t seed, int seats, int goal, int cap, int learned, int is_scattered, double luck, int bystanders,
               int simulations, int most, int room, float *inputs, int *samples, float *shares, int *turns) {
    random_state = seed * 0x2545F4914F6CDD1Dull + 1;
    State state = start_match(seats, goal, cap);
    if (is_scattered) scatter(&state);
    int count = 0, kept[HAND], keeping = 0, last = 0;
    while (state.phase != OVER) {
        if (!state.owing && state.phase == PHASE_ONE && last != state.turns) {
            last = state.turns;
            int at = place_in_order(&state, state.turn), before = state.order[(at + seats - 1) % seats];
            int third = state.order[(at + 1 + below(seats - 1)) % seats];
            int viewers[3] = {before, state.turn, third};
            for (int each = keeping ? 0 : 1; each < 3; each++) {
                int seat = viewers[each];
                if (count >= room || (each == 2 && (!bystanders || seats == 2 || state.turns % bystanders))) continue;
                Evaluator it = make_evaluator(&state, seat, 1);
                describe(&it, &it.table, each ? state.hands[seat] : kept, each ? HAND : keeping,
                         inputs + (size_t)count * (size_t)network.inputs);
                samples[2 * count] = seat, samples[2 * count + 1] = each < 2;
                count++;
            }
        }
        int seat = state.owing ? state.owed[0].seat : state.turn;
        Choices choices = {.count = 0};
        Move move;
        if (learned >> seat & 1 && simulations) {
            uint64_t kept_state = random_state;
            random_state ^= 0x9E3779B97F4A7C15ull;
            move = search(&state, seat, simulations, most);
            random_state = kept_state;
        } else {
            if (learned >> seat & 1) learned_choices(&state, seat, &choices);
            else normal_choices(&state, seat, &choices);
            move = pick(&choices, luck);
        }
        if (!state.owing && state.phase == PHASE_TWO) keeping = without(state.hands[seat], state.held[seat], move.card, kept);
        play(&state, seat, move);
    }
    win_shares(&state, shares);
    *turns = state.turns;
    return count;
}

/* For the comparison with Python: the values of a position's choices, and the inputs for the seat that decides. The
   numbers of a position: goal, cap, phase (0 or 1), turn, turns, seat, whether a banner is owed (-1: nothing is), then by
   seat the order, Mages, Menhirs, health, banners, bare cards, cards held, and six cards. */
int value_position(const int *numbers, int seats, int is_learned, int *moves, double *values, float *inputs) {
    State state = {.seats = seats};
    state.goal = *numbers++, state.cap = *numbers++, state.phase = *numbers++, state.turn = *numbers++;
    state.turns = *numbers++;
    int seat = *numbers++, owed = *numbers++;
    int *lists[] = {state.order, state.mages, state.menhirs, state.health, state.banners, state.bare, state.held};
    for (int list = 0; list < 7; list++)
        for (int each = 0; each < seats; each++) lists[list][each] = *numbers++;
    for (int each = 0; each < seats; each++)
        for (int card = 0; card < HAND; card++) state.hands[each][card] = *numbers++;
    if (owed >= 0) state.owed[0] = (Owed){seat, owed}, state.owing = 1;
    Evaluator it = make_evaluator(&state, seat, 1);
    describe(&it, &it.table, state.hands[seat], state.held[seat], inputs);
    Choices choices = {.count = 0};
    if (is_learned) learned_choices(&state, seat, &choices);
    else normal_choices(&state, seat, &choices);
    for (int each = 0; each < choices.count; each++) {
        moves[3 * each] = choices.moves[each].kind, moves[3 * each + 1] = choices.moves[each].card;
        moves[3 * each + 2] = choices.moves[each].target;
        values[each] = choices.values[each];
    }
    return choices.count;
}
