/* Ingenious in plain C: a second engine, to compare speeds and to check the package's engine.

   Written from the rules (ingenious_env/games/ingenious/RULES.md, whose paragraphs the comments cite), with
   nothing of the package but the numbering of cells and actions, so that both take the same actions. All
   presets, complete. It steps many games at once: random legal actions, masks of legal actions, new deals for
   finished games. It writes no observations, and has no staged actions, variants or threads of its own.
   `c_engine.py` compiles and calls it.

   Cells are numbered in reading order, pairs of adjacent cells by the smaller and then the larger cell, tile
   types (1, 1), (1, 2), ..., (6, 6). Action (2 slot + turned) K + pair places a tile of the rack, its lower
   colour on the pair's first cell or, turned, on the second; the last two actions keep and swap the rack. */

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { COLOURS = 6, TYPES = 21, TILES = 120, RACK = 6, PLAYERS = 4, CELLS = 169, SIDES = 6 };
enum { PAIRS = 432 }; /* 426 (8.2), and more to whole words of 8 */
enum { PLACE, CHOOSE, OVER };
enum { EMPTY = 0, OFF_BOARD = 255 };

/* Clockwise; direction d + 3 leads back. */
static const int STEP[SIDES][2] = {{1, 0}, {0, 1}, {-1, 1}, {-1, 0}, {0, -1}, {1, -1}};
static const int LATER[3] = {0, 2, 1}; /* the directions to cells with larger numbers, the nearest first */
/* The corners of the hexagon of side 6; colour s + 1 is printed on corner s (1.4, 8.1). */
static const int SYMBOL[COLOURS][2] = {{0, -5}, {5, -5}, {5, 0}, {0, 5}, {-5, 5}, {-5, 0}};

typedef struct {
    int players, sheets, side, rack, top, last; /* last: the last space of a counter (4.3, 4.4) */
    int cells, pairs, actions;
    int16_t next[CELLS + 1][SIDES]; /* the cell in each direction, `cells` off the board */
    int16_t symbol[COLOURS];
    int16_t pair[PAIRS][2];
    uint8_t direction[PAIRS]; /* from the first cell to the second */
    uint8_t touches[PAIRS];   /* bit s: next to start symbol s */
    int16_t pairs_of[CELLS][SIDES], num_pairs_of[CELLS];
    uint8_t colours[TYPES][2]; /* lower, higher */
} Table;

typedef struct {
    uint64_t random;
    uint8_t phase, to_play, plays_left, turn, touched, drawn;
    int16_t num_open;
    uint8_t rack[PLAYERS][RACK], held[PLAYERS]; /* types in ascending order, and how many */
    uint8_t scores[PLAYERS][COLOURS];
    uint8_t board[CELLS + 1];                   /* EMPTY, a colour from 1, OFF_BOARD at the end */
    uint8_t open[PAIRS];                        /* 1: both cells are empty */
    uint8_t bag[TILES];                         /* from `drawn` on, in drawing order */
} Game;

typedef struct {
    Table table;
    Game fresh; /* before anything is drawn */
    int num_games;
    Game *games;
} Engine;

/* Tables. */

static int cell_at(const Table *t, int q, int r) {
    int reach = t->side - 1, number = 0;
    if (abs(q) > reach || abs(r) > reach || abs(q + r) > reach) return t->cells;
    for (int row = -reach; row < r; row++) number += 2 * reach + 1 - abs(row);
    return number + q + reach - (r < 0 ? -r : 0);
}

static bool has_symbol(const Table *t, int cell) {
    for (int s = 0; s < COLOURS; s++)
        if (t->symbol[s] == cell) return true;
    return false;
}

static void add_pair(Table *t, int a, int b, int direction) {
    int k = t->pairs++;
    t->pair[k][0] = (int16_t)a, t->pair[k][1] = (int16_t)b;
    t->direction[k] = (uint8_t)direction;
    for (int end = 0; end < 2; end++) {
        int cell = t->pair[k][end];
        t->pairs_of[cell][t->num_pairs_of[cell]++] = (int16_t)k;
        for (int d = 0; d < SIDES; d++)
            for (int s = 0; s < COLOURS; s++)
                if (t->next[cell][d] == t->symbol[s]) t->touches[k] |= (uint8_t)(1 << s);
    }
}

static void make_table(Table *t, int players, bool partners) {
    bool two_sheets = partners || players == 1; /* end to end (4.4) */
    t->players = players, t->sheets = partners ? 2 : players;
    t->side = players <= 2 ? 6 : players + 4; /* 1.3 */
    t->rack = players == 1 ? 1 : RACK;        /* 2.1, 2.2 */
    t->top = 18, t->last = two_sheets ? 36 : 18;
    t->cells = 3 * t->side * (t->side - 1) + 1;
    int reach = t->side - 1, type = 0;
    for (int s = 0; s < COLOURS; s++) t->symbol[s] = (int16_t)cell_at(t, SYMBOL[s][0], SYMBOL[s][1]);
    for (int r = -reach; r <= reach; r++)
        for (int q = -reach; q <= reach; q++)
            for (int d = 0; d < SIDES && abs(q + r) <= reach; d++)
                t->next[cell_at(t, q, r)][d] = (int16_t)cell_at(t, q + STEP[d][0], r + STEP[d][1]);
    for (int d = 0; d < SIDES; d++) t->next[t->cells][d] = (int16_t)t->cells;
    for (int a = 0; a < t->cells; a++)
        for (int i = 0; i < 3; i++) { /* from the smaller number to the larger, in ascending order */
            int d = LATER[i], b = t->next[a][d];
            if (b < t->cells && !has_symbol(t, a) && !has_symbol(t, b)) add_pair(t, a, b, d);
        }
    t->actions = 2 * t->rack * t->pairs + 2;
    for (int low = 1; low <= COLOURS; low++)
        for (int high = low; high <= COLOURS; high++, type++)
            t->colours[type][0] = (uint8_t)low, t->colours[type][1] = (uint8_t)high;
}

static void make_fresh(const Table *t, Game *g) {
    for (int s = 0; s < COLOURS; s++) g->board[t->symbol[s]] = (uint8_t)(s + 1);
    g->board[t->cells] = OFF_BOARD;
    for (int k = 0; k < t->pairs; k++) g->open[k] = 1;
    g->num_open = (int16_t)t->pairs;
    g->phase = PLACE, g->plays_left = 1;
    for (int type = 0, at = 0; type < TYPES; type++) /* 1.2 */
        for (int copies = t->colours[type][0] == t->colours[type][1] ? 5 : 6; copies > 0; copies--)
            g->bag[at++] = (uint8_t)type;
}

/* Chance: splitmix64, one stream a game. */

static uint32_t below(Game *g, uint32_t bound) { /* the bias is below bound / 2^32 */
    uint64_t z = (g->random += 0x9e3779b97f4a7c15u);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return (uint32_t)(((z >> 32) * bound) >> 32);
}

static void shuffle(Game *g) {
    for (int at = TILES - 1; at > g->drawn; at--) {
        int other = g->drawn + (int)below(g, (uint32_t)(at - g->drawn + 1));
        uint8_t tile = g->bag[at];
        g->bag[at] = g->bag[other], g->bag[other] = tile;
    }
}

/* Racks and deals. */

static void fill_rack(const Table *t, Game *g, int seat) { /* as far as the bag goes (3.4) */
    uint8_t *rack = g->rack[seat];
    while (g->held[seat] < t->rack && g->drawn < TILES) {
        uint8_t tile = g->bag[g->drawn++];
        int at = g->held[seat]++;
        for (; at > 0 && rack[at - 1] > tile; at--) rack[at] = rack[at - 1];
        rack[at] = tile;
    }
}

static void deal(const Engine *e, Game *g, const uint8_t *order) { /* in this order, or shuffled */
    uint64_t random = g->random;
    *g = e->fresh;
    g->random = random;
    if (order) memcpy(g->bag, order, TILES);
    else shuffle(g);
    for (int seat = 0; seat < e->table.players; seat++) fill_rack(&e->table, g, seat);
}

/* What is legal (3.1, 3.2, 6.1). */

static bool pair_allowed(const Table *t, const Game *g, int k) {
    return g->open[k] && (g->turn >= t->players || (t->touches[k] && !(t->touches[k] & g->touched)));
}

/* 1 for each allowed pair, in the game itself or, in the first round, in `space`. */
static const uint8_t *allowed_pairs(const Table *t, const Game *g, uint8_t *space) {
    if (g->turn >= t->players) return g->open;
    for (int k = 0; k < PAIRS; k++) space[k] = k < t->pairs && pair_allowed(t, g, k);
    return space;
}

static int orientations(const Table *t, const Game *g, int slot) { /* 0: an empty slot or a repeated tile */
    const uint8_t *rack = g->rack[g->to_play];
    if (slot >= g->held[g->to_play] || (slot > 0 && rack[slot] == rack[slot - 1])) return 0;
    return t->colours[rack[slot]][0] == t->colours[rack[slot]][1] ? 1 : 2;
}

static bool legal(const Table *t, const Game *g, int action) {
    int lay = action / t->pairs, k = action % t->pairs;
    if (action < 0 || action >= t->actions || g->phase == OVER) return false;
    if (action >= t->actions - 2 || g->phase == CHOOSE) return action >= t->actions - 2 && g->phase == CHOOSE;
    return lay % 2 < orientations(t, g, lay / 2) && pair_allowed(t, g, k);
}

static void write_mask(const Table *t, const Game *g, uint8_t *mask) {
    uint8_t space[PAIRS];
    const uint8_t *row = allowed_pairs(t, g, space);
    for (int lay = 0; lay < 2 * t->rack; lay++, mask += t->pairs) {
        bool can_lie = g->phase == PLACE && lay % 2 < orientations(t, g, lay / 2);
        if (can_lie) memcpy(mask, row, (size_t)t->pairs);
        else memset(mask, 0, (size_t)t->pairs);
    }
    mask[0] = mask[1] = g->phase == CHOOSE;
}

static int ones_in(const uint8_t *eight) { /* of eight bytes, each 0 or 1 */
    uint64_t word;
    memcpy(&word, eight, sizeof word);
    return (int)((word * 0x0101010101010101u) >> 56);
}

static int random_action(const Table *t, Game *g) { /* uniform over the legal ones; -1 if the game is over */
    int lays[2 * RACK], num_lays = 0, num_pairs = 0, k = 0;
    uint8_t space[PAIRS];
    if (g->phase == OVER) return -1;
    if (g->phase == CHOOSE) return t->actions - 2 + (int)below(g, 2);
    for (int slot = 0; slot < t->rack; slot++)
        for (int turned = orientations(t, g, slot) - 1; turned >= 0; turned--)
            lays[num_lays++] = 2 * slot + turned;
    const uint8_t *row = allowed_pairs(t, g, space);
    for (int at = 0; at < t->pairs; at += 8) num_pairs += ones_in(row + at);
    int chosen = (int)below(g, (uint32_t)(num_lays * num_pairs)), skip = chosen % num_pairs;
    for (; skip >= ones_in(row + k); k += 8) skip -= ones_in(row + k);
    for (; !row[k] || skip-- > 0; k++) {}
    return lays[chosen / num_pairs] * t->pairs + k;
}

/* A turn. */

static int points(const Table *t, const Game *g, int cell, int colour, int to_other_half) { /* 4.1 */
    int count = 0;
    for (int d = 0; d < SIDES; d++)
        if (d != to_other_half)
            for (int at = t->next[cell][d]; g->board[at] == colour; at = t->next[at][d]) count++;
    return count;
}

/* Returns 1 if the counter reaches a final space, else 0 (4.3, 4.4, 5.1). */
static int advance(const Table *t, uint8_t *counter, int gain) {
    int before = *counter, stop = before < t->top ? t->top : t->last;
    *counter = (uint8_t)(before + gain < stop ? before + gain : stop);
    return *counter == stop && before < stop;
}

static void cover(const Table *t, Game *g, int cell, int colour) {
    g->board[cell] = (uint8_t)colour;
    for (int i = 0; i < t->num_pairs_of[cell]; i++) {
        uint8_t *open = &g->open[t->pairs_of[cell][i]];
        g->num_open = (int16_t)(g->num_open - *open);
        *open = 0;
    }
}

static bool may_swap(const Table *t, const Game *g, const uint8_t *sheet) { /* 6.1, 6.3 */
    int held = g->held[g->to_play], lowest = sheet[0];
    if (t->players == 1 || held == 0 || TILES - g->drawn < t->rack) return false;
    for (int c = 1; c < COLOURS; c++) lowest = sheet[c] < lowest ? sheet[c] : lowest;
    for (int slot = 0; slot < held; slot++)
        for (int half = 0; half < 2; half++)
            if (sheet[t->colours[g->rack[g->to_play][slot]][half] - 1] == lowest) return false;
    return true;
}

static void end_turn(const Table *t, Game *g) { /* 3.4 */
    fill_rack(t, g, g->to_play);
    g->turn++;
    g->to_play = (uint8_t)((g->to_play + 1) % t->players);
    g->phase = PLACE, g->plays_left = 1;
}

static void place(const Table *t, Game *g, int lay, int k) {
    uint8_t *rack = g->rack[g->to_play], *sheet = g->scores[g->to_play % t->sheets]; /* 4.5 */
    int slot = lay / 2, turned = lay % 2, bonus = 0;
    const uint8_t *tile = t->colours[rack[slot]];
    int a = tile[turned], b = tile[1 - turned], cell_a = t->pair[k][0], cell_b = t->pair[k][1];
    int gain_a = points(t, g, cell_a, a, t->direction[k]);
    int gain_b = points(t, g, cell_b, b, (t->direction[k] + 3) % SIDES);
    if (a == b) bonus = advance(t, &sheet[a - 1], gain_a + gain_b); /* 4.2; one tile stops once (4.4) */
    else bonus = advance(t, &sheet[a - 1], gain_a) + advance(t, &sheet[b - 1], gain_b);
    cover(t, g, cell_a, a), cover(t, g, cell_b, b);
    memmove(rack + slot, rack + slot + 1, (size_t)(RACK - 1 - slot));
    g->held[g->to_play]--;
    if (g->turn < t->players) g->touched |= t->touches[k], bonus = 0; /* 3.2 */
    bool full = true;
    for (int c = 0; c < COLOURS; c++) full = full && sheet[c] == t->last;
    if (full || g->num_open == 0) { /* 7.1, 7.2 */
        g->phase = OVER, g->plays_left = 0;
        return;
    }
    g->plays_left = (uint8_t)(g->plays_left - 1 + bonus);
    if (g->held[g->to_play] == 0) g->plays_left = 0; /* 5.3, and so 5.4 */
    if (g->plays_left > 0) return;
    if (may_swap(t, g, sheet)) g->phase = CHOOSE;
    else end_turn(t, g);
}

static void swap(const Table *t, Game *g) { /* 6.2 */
    uint8_t old[RACK];
    int count = g->held[g->to_play];
    memcpy(old, g->rack[g->to_play], RACK);
    g->held[g->to_play] = 0;
    fill_rack(t, g, g->to_play);
    for (int i = 0; i < count; i++) g->bag[--g->drawn] = old[i];
    shuffle(g);
    end_turn(t, g);
}

static void act(const Table *t, Game *g, int action) {
    if (action == t->actions - 1) swap(t, g);
    else if (action == t->actions - 2) end_turn(t, g);
    else place(t, g, action / t->pairs, action % t->pairs);
}

/* Whether sheet a is better: fewer counters on the lowest space where their numbers differ (7.3). */
static bool better(const uint8_t *a, const uint8_t *b) {
    for (int space = 0; space <= UINT8_MAX; space++) {
        int on_a = 0, on_b = 0;
        for (int c = 0; c < COLOURS; c++) on_a += a[c] == space, on_b += b[c] == space;
        if (on_a != on_b) return on_a < on_b;
    }
    return false;
}

/* What Python calls. */

Engine *engine_new(int players, int partners, int num_games, uint64_t seed) {
    Engine *e = calloc(1, sizeof *e);
    if (!e || !(e->games = calloc((size_t)num_games, sizeof *e->games))) return free(e), NULL;
    e->num_games = num_games;
    make_table(&e->table, players, partners);
    make_fresh(&e->table, &e->fresh);
    Game mixer = {.random = seed};
    for (int i = 0; i < num_games; i++) {
        e->games[i].random = (uint64_t)below(&mixer, UINT32_MAX) << 32 | below(&mixer, UINT32_MAX);
        deal(e, &e->games[i], NULL);
    }
    return e;
}

void engine_free(Engine *e) {
    free(e->games);
    free(e);
}

int engine_num_actions(const Engine *e) { return e->table.actions; }

/* orders [games, 120]: the tiles of each game in drawing order; racks are dealt from it seat by seat. */
void engine_deal(Engine *e, const uint8_t *orders) {
    for (int i = 0; i < e->num_games; i++) deal(e, &e->games[i], orders + (size_t)TILES * (size_t)i);
}

/* The order of what is left in a game's bag; false, and no change, unless these are the same tiles. */
bool engine_order_bag(Engine *e, int game, const uint8_t *order, int count) {
    Game *g = &e->games[game];
    int balance[256] = {0};
    if (count != TILES - g->drawn) return false;
    for (int i = 0; i < count; i++) balance[order[i]]++, balance[g->bag[g->drawn + i]]--;
    for (int type = 0; type < 256; type++)
        if (balance[type]) return false;
    memcpy(g->bag + g->drawn, order, (size_t)count);
    return true;
}

void engine_sample(Engine *e, int32_t *actions) {
    for (int i = 0; i < e->num_games; i++) actions[i] = random_action(&e->table, &e->games[i]);
}

/* One action a game, -1 for those that are over. Returns the first game whose action is illegal, and then no
   game has changed, or -1. `mask` may be null; `done` is 1 where the game ended (and was dealt anew). */
int engine_step(Engine *e, const int32_t *actions, int auto_reset, uint8_t *mask, uint8_t *done) {
    const Table *t = &e->table;
    for (int i = 0; i < e->num_games; i++)
        if (e->games[i].phase == OVER ? actions[i] != -1 : !legal(t, &e->games[i], actions[i])) return i;
    for (int i = 0; i < e->num_games; i++) {
        Game *g = &e->games[i];
        if (g->phase != OVER) act(t, g, actions[i]);
        done[i] = g->phase == OVER;
        if (done[i] && auto_reset) deal(e, g, NULL);
        if (mask) write_mask(t, g, mask + (size_t)t->actions * (size_t)i);
    }
    return -1;
}

void engine_mask(const Engine *e, uint8_t *mask) {
    const Table *t = &e->table;
    for (int i = 0; i < e->num_games; i++, mask += t->actions) write_mask(t, &e->games[i], mask);
}

/* Positions as bytes: board [games, cells], scores [games, sheets, 6], racks [games, players, rack] with 255
   for empty slots, and facts [games, 5]: phase, seat to move, plays left, turn, tiles in the bag. */
void engine_read(const Engine *e, uint8_t *board, uint8_t *scores, uint8_t *racks, uint8_t *facts) {
    const Table *t = &e->table;
    for (int i = 0; i < e->num_games; i++) {
        const Game *g = &e->games[i];
        memcpy(board + t->cells * i, g->board, (size_t)t->cells);
        memcpy(scores + t->sheets * COLOURS * i, g->scores, (size_t)(t->sheets * COLOURS));
        for (int seat = 0; seat < t->players; seat++)
            for (int slot = 0; slot < t->rack; slot++)
                *racks++ = slot < g->held[seat] ? g->rack[seat][slot] : 255;
        uint8_t found[] = {g->phase, g->to_play, g->plays_left, g->turn, (uint8_t)(TILES - g->drawn)};
        memcpy(facts + sizeof found * (size_t)i, found, sizeof found);
    }
}

/* ranks [games, sheets]: 1 is best, equal sheets share a rank (7.3). */
void engine_ranks(const Engine *e, uint8_t *ranks) {
    for (int i = 0; i < e->num_games; i++)
        for (int sheet = 0; sheet < e->table.sheets; sheet++, ranks++) {
            *ranks = 1;
            for (int other = 0; other < e->table.sheets; other++)
                if (better(e->games[i].scores[other], e->games[i].scores[sheet])) ++*ranks;
        }
}
