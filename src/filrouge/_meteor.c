/* The alignment of METEOR 1.5, as filrouge.metrics.meteor_align states it in Python; the tests run both.

   In C because nothing else aligns like METEOR, and its search in Python takes longer than the original: bench/meteor.py
   measures both. The names, the order of the steps and the reasons are those of the Python module. */

#define PY_SSIZE_T_CLEAN
#define Py_LIMITED_API 0x030B0000
#include <Python.h>

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define STAGES 4
#define SIGNALS_EVERY 64 /* positions between two looks for a keyboard interrupt */
#define MANY 256         /* candidates of a word from which on they are handled as bits */

/* ---- words ---- */

typedef struct {
    int32_t key, stem;
    int32_t synsets, n_synsets; /* place of its synsets in the common list, which is sorted per word */
    uint64_t bloom;             /* one bit per synset: without a common bit there is no common synset */
    int8_t function;
} Word;

typedef struct {
    PyObject_HEAD
    int beam, stages;
    Word *words;
    int32_t n_words, room_words;
    int32_t *synsets;
    int32_t n_synsets, room_synsets;
} Aligner;

static int share_synset(const Aligner *self, const Word *a, const Word *b)
{
    if (!(a->bloom & b->bloom))
        return 0;
    const int32_t *p = self->synsets + a->synsets, *p_end = p + a->n_synsets;
    const int32_t *q = self->synsets + b->synsets, *q_end = q + b->n_synsets;
    while (p < p_end && q < q_end) {
        if (*p == *q)
            return 1;
        if (*p < *q)
            p++;
        else
            q++;
    }
    return 0;
}

/* ---- candidates ---- */

typedef struct {
    int32_t start, length;         /* in the reference */
    int32_t match, match_length;   /* in the hypothesis */
    int32_t stage;
} Match;

/* A candidate of single words: the place in the hypothesis and the stage. It serves all places of a reference word. */
typedef struct {
    int32_t place;
    int32_t stage;
} Candidate;

typedef struct {
    int32_t weight, chunks, last_end, busy_until;
    int64_t distance;
    int32_t slot; /* of its used words */
    int32_t node; /* of its last match, -1: none */
} Path;

/* A path of the next position. */
typedef struct {
    Path path;
    Match taken; /* stage < 0: none */
} Entry;

/* The place of an entry among all: what is compared, without the rest. */
typedef struct {
    int32_t weight, chunks;
    int64_t distance;
    int32_t entry;
} Rank;

typedef struct {
    Match match;
    int32_t before;
} Node;

typedef struct {
    int32_t n1, n2;
    const int32_t *hypothesis, *reference;
    int32_t *type;                    /* of each reference position: index of its first equal */
    int32_t *first, *count;           /* candidates of a type, at the type's first position */
    Candidate *candidates;
    size_t n_candidates, room_candidates;
    int32_t *bits;                    /* of a type with many candidates: where its bits are, -1 else */
    uint64_t *masks;                  /* for each such type and stage the candidates' places as bits */
    size_t n_masks, room_masks;
    const int32_t *phrases;           /* quadruples start, length, match, match_length */
    int32_t *phrase_first, *phrase_order;
    int32_t *coverage1, *coverage2;
    Match *fixed;                     /* stage < 0: none */
    uint8_t *in_fixed;
    Path *paths;
    uint64_t *used, *next_used;       /* words of the hypothesis that a path has matched: bits, in slots of `width` */
    size_t width;
    Entry *entries;
    Rank *ranks;
    int32_t n_ranks;
    Node *nodes;
    size_t n_nodes, room_nodes;
    void *memory;
    void *memory2;
} Work;

static void forget(Work *w)
{
    free(w->memory);
    free(w->memory2);
    free(w->candidates);
    free(w->masks);
    free(w->nodes);
}

static int grow(void **block, size_t *room, size_t needed, size_t size)
{
    if (needed <= *room)
        return 0;
    size_t wanted = *room ? *room : 64;
    while (wanted < needed)
        wanted *= 2;
    void *bigger = realloc(*block, wanted * size);
    if (!bigger) {
        PyErr_NoMemory();
        return -1;
    }
    *block = bigger;
    *room = wanted;
    return 0;
}

static int add_candidate(Work *w, int32_t place, int32_t stage)
{
    if (grow((void **)&w->candidates, &w->room_candidates, w->n_candidates + 1, sizeof(Candidate)) < 0)
        return -1;
    w->candidates[w->n_candidates].place = place;
    w->candidates[w->n_candidates++].stage = stage;
    return 0;
}

/* The candidates of one reference word, in METEOR's order: stage by stage, from left to right. */
static int list_candidates(const Aligner *self, Work *w, const Word *word)
{
    int32_t n1 = w->n1;
    for (int32_t i = 0; i < n1; i++)
        if (self->words[w->hypothesis[i]].key == word->key && add_candidate(w, i, 0) < 0)
            return -1;
    if (self->stages > 1)
        for (int32_t i = 0; i < n1; i++) {
            const Word *ours = &self->words[w->hypothesis[i]];
            if (ours->stem == word->stem && ours->key != word->key && add_candidate(w, i, 1) < 0)
                return -1;
        }
    if (self->stages > 2 && word->n_synsets)
        for (int32_t i = 0; i < n1; i++) {
            const Word *ours = &self->words[w->hypothesis[i]];
            if (ours->key != word->key && share_synset(self, ours, word) && add_candidate(w, i, 2) < 0)
                return -1;
        }
    return 0;
}

static int as_bits(Work *w, int32_t type)
{
    w->bits[type] = -1;
    if (w->count[type] < MANY)
        return 0;
    size_t start = w->n_masks, size = (STAGES - 1) * w->width;
    if (start > INT32_MAX - size) {
        PyErr_NoMemory();
        return -1;
    }
    if (grow((void **)&w->masks, &w->room_masks, start + size, sizeof(uint64_t)) < 0)
        return -1;
    memset(w->masks + start, 0, size * sizeof(uint64_t));
    for (int32_t k = 0; k < w->count[type]; k++) {
        Candidate found = w->candidates[w->first[type] + k];
        w->masks[start + found.stage * w->width + (found.place >> 6)] |= (uint64_t)1 << (found.place & 63);
    }
    w->n_masks += size;
    w->bits[type] = (int32_t)start;
    return 0;
}

static int find_candidates(const Aligner *self, Work *w, int32_t n_phrases)
{
    int32_t n1 = w->n1, n2 = w->n2, size = 16;
    while (size < 2 * n2)
        size *= 2;
    int32_t *table = malloc(size * sizeof *table);
    int32_t *times = calloc(n2 ? n2 : 1, sizeof *times);
    if (!table || !times) {
        free(table);
        free(times);
        PyErr_NoMemory();
        return -1;
    }
    memset(table, 0xff, size * sizeof *table);
    for (int32_t j = 0; j < n2; j++) {
        uint32_t slot = ((uint32_t)w->reference[j] * 2654435761u) & (uint32_t)(size - 1);
        while (table[slot] >= 0 && w->reference[table[slot]] != w->reference[j])
            slot = (slot + 1) & (uint32_t)(size - 1);
        if (table[slot] < 0)
            table[slot] = j;
        w->type[j] = table[slot];
        times[table[slot]]++;
    }
    free(table);
    for (int32_t j = 0; j < n2; j++) {
        if (w->type[j] != j)
            continue;
        size_t before = w->n_candidates;
        if (before > INT32_MAX - (size_t)n1 * STAGES || list_candidates(self, w, &self->words[w->reference[j]]) < 0) {
            free(times);
            if (!PyErr_Occurred())
                PyErr_NoMemory();
            return -1;
        }
        w->first[j] = (int32_t)before;
        w->count[j] = (int32_t)(w->n_candidates - before);
        for (size_t k = before; k < w->n_candidates; k++)
            w->coverage1[w->candidates[k].place] += times[j];
        if (as_bits(w, j) < 0) {
            free(times);
            return -1;
        }
    }
    free(times);
    for (int32_t j = 0; j < n2; j++)
        w->coverage2[j] = w->count[w->type[j]];
    /* Phrases by their start, in the order in which they came. */
    for (int32_t p = 0; p < n_phrases; p++) {
        const int32_t *phrase = w->phrases + 4 * p;
        w->phrase_first[phrase[0] + 1]++;
        for (int32_t k = 0; k < phrase[1]; k++)
            w->coverage2[phrase[0] + k]++;
        for (int32_t k = 0; k < phrase[3]; k++)
            w->coverage1[phrase[2] + k]++;
    }
    for (int32_t j = 0; j < n2; j++)
        w->phrase_first[j + 1] += w->phrase_first[j];
    for (int32_t p = n_phrases - 1; p >= 0; p--) /* from the back: filling a bucket from its end */
        w->phrase_order[--w->phrase_first[w->phrases[4 * p] + 1]] = p;
    /* Every bucket's end has moved to its start, which is one place too far to the right. */
    for (int32_t j = 0; j < n2; j++)
        w->phrase_first[j] = w->phrase_first[j + 1];
    w->phrase_first[n2] = n_phrases;
    return 0;
}

static Match match_of_phrase(const Work *w, int32_t p)
{
    const int32_t *phrase = w->phrases + 4 * p;
    Match match = {phrase[0], phrase[1], phrase[2], phrase[3], 3};
    return match;
}

/* A match whose words are in no other is certain. */
static void fix_certain(Work *w)
{
    for (int32_t j = 0; j < w->n2; j++) {
        int32_t words = w->count[w->type[j]], phrases = w->phrase_first[j + 1] - w->phrase_first[j];
        if (words + phrases != 1)
            continue;
        Match match;
        if (words) {
            Candidate found = w->candidates[w->first[w->type[j]]];
            match = (Match){j, 1, found.place, 1, found.stage};
        } else
            match = match_of_phrase(w, w->phrase_order[w->phrase_first[j]]);
        int alone = 1;
        for (int32_t k = 0; k < match.length; k++)
            alone &= w->coverage2[j + k] == 1;
        for (int32_t k = 0; k < match.match_length; k++)
            alone &= w->coverage1[match.match + k] == 1;
        if (alone) {
            w->fixed[j] = match;
            memset(w->in_fixed + j, 1, match.length);
        }
    }
}

/* ---- search ---- */

static int better(const Path *a, const Rank *b)
{
    if (a->weight != b->weight)
        return a->weight > b->weight;
    if (a->chunks != b->chunks)
        return a->chunks < b->chunks;
    return a->distance < b->distance;
}

/* Among the best `beam` entries, which are sorted; equals stay in the order in which they came. Whether it got in. */
static int keep(Work *w, int32_t beam, const Path *path, const Match *taken)
{
    Rank *ranks = w->ranks;
    int32_t n = w->n_ranks, entry = n;
    if (n == beam) {
        if (!better(path, &ranks[n - 1]))
            return 0;
        entry = ranks[--n].entry; /* the place of the worst, which falls out */
    } else
        w->n_ranks++;
    int32_t at = n;
    while (at > 0 && better(path, &ranks[at - 1])) {
        ranks[at] = ranks[at - 1];
        at--;
    }
    ranks[at] = (Rank){path->weight, path->chunks, path->distance, entry};
    w->entries[entry].path = *path;
    if (taken)
        w->entries[entry].taken = *taken;
    else
        w->entries[entry].taken.stage = -1;
    return 1;
}

static void take(Path *path, const Match *match)
{
    int32_t gain1 = match->stage ? match->match_length / 2 : match->match_length;
    int32_t gain2 = match->stage ? match->length / 2 : match->length;
    path->weight += gain1 + gain2;
    if (path->last_end != -1 && match->match != path->last_end)
        path->chunks++;
    path->busy_until = match->start + match->length;
    path->last_end = match->match + match->match_length;
}

static void leave_out(Path *path, int32_t j)
{
    if (path->last_end != -1) {
        path->chunks++;
        path->last_end = -1;
    }
    path->busy_until = j + 1;
}

static int is_used(const uint64_t *used, int32_t place)
{
    return (used[place >> 6] >> (place & 63)) & 1;
}

static int64_t distance_of(const Match *match)
{
    int64_t apart = (int64_t)match->start - match->match;
    return apart < 0 ? -apart : apart;
}

static int lowest_bit(uint64_t bits)
{
#if defined(__GNUC__)
    return __builtin_ctzll(bits);
#else
    int at = 0;
    while (!((bits >> at) & 1))
        at++;
    return at;
#endif
}

static int64_t count_bits(uint64_t x)
{
    x -= (x >> 1) & 0x5555555555555555u;
    x = (x & 0x3333333333333333u) + ((x >> 2) & 0x3333333333333333u);
    return (int64_t)((((x + (x >> 4)) & 0x0f0f0f0f0f0f0f0fu) * 0x0101010101010101u) >> 56);
}

/* The distances of reference position j from the places of these bits, the first of which is `base`. */
static int64_t distances(uint64_t bits, int64_t base, int64_t j)
{
    static const uint64_t digit[] = {0xaaaaaaaaaaaaaaaau, 0xccccccccccccccccu, 0xf0f0f0f0f0f0f0f0u,
                                     0xff00ff00ff00ff00u, 0xffff0000ffff0000u, 0xffffffff00000000u};
    if (!bits)
        return 0;
    if (j > base && j < base + 63) {
        uint64_t below = ((uint64_t)1 << (j - base)) - 1;
        int64_t left = (bits & below) ? distances(bits & below, base, base + 64) : 0;
        left -= count_bits(bits & below) * (base + 64 - j);
        bits &= ~below;
        int64_t right = bits ? distances(bits, base, base) - count_bits(bits) * (j - base) : 0;
        return left + right;
    }
    int64_t n = 64, sum = 63 * 32; /* of the places within the 64 */
    if (~bits) {
        n = count_bits(bits);
        sum = 0;
        for (int k = 0; k < 6; k++)
            sum += count_bits(bits & digit[k]) << k;
    }
    return j <= base ? sum + n * (base - j) : n * (j - base) - sum;
}

/* The ways on with a word that has many candidates. One of several that are alike in weight and chunks is no better than
   those before it: once one is not good enough for the beam, the others only add to the distance. All but the one that
   continues a chunk are alike within a stage. */
static void expand_many(Work *w, int32_t beam, int32_t j, Path *path, const uint64_t *used)
{
    for (int32_t stage = 0; stage < STAGES - 1; stage++) {
        const uint64_t *mask = w->masks + w->bits[w->type[j]] + stage * w->width;
        int closed = 0;
        for (size_t word = 0; word < w->width; word++) {
            uint64_t free_ones = mask[word] & ~used[word];
            int64_t base = (int64_t)word * 64;
            while (free_ones) {
                uint64_t skipped = 0;
                if (closed) {
                    int64_t next = path->last_end - base; /* the one that continues a chunk */
                    int there = path->last_end >= 0 && next >= 0 && next < 64 && ((free_ones >> next) & 1);
                    skipped = there ? free_ones & (((uint64_t)1 << next) - 1) : free_ones;
                    path->distance += distances(skipped, base, j);
                    free_ones ^= skipped;
                    if (!free_ones)
                        break;
                }
                int32_t place = (int32_t)base + lowest_bit(free_ones);
                Match match = {j, 1, place, 1, stage};
                Path child = *path;
                take(&child, &match);
                if (!keep(w, beam, &child, &match))
                    closed = 1;
                path->distance += distance_of(&match);
                free_ones &= free_ones - 1;
                if (closed && place == path->last_end) {
                    path->distance += distances(free_ones, base, j);
                    free_ones = 0;
                }
            }
        }
    }
}

/* All ways to go on from a path at a reference position. */
static void expand(Work *w, int32_t beam, int32_t j, Path path)
{
    const uint64_t *used = w->used + path.slot * w->width;
    const Candidate *candidate = w->candidates + w->first[w->type[j]];
    int many = w->bits[w->type[j]] >= 0;
    if (many)
        expand_many(w, beam, j, &path, used);
    for (int32_t k = many ? 0 : w->count[w->type[j]]; k > 0; k--, candidate++) {
        if (is_used(used, candidate->place))
            continue;
        Match match = {j, 1, candidate->place, 1, candidate->stage};
        Path child = path;
        take(&child, &match);
        keep(w, beam, &child, &match);
        path.distance += distance_of(&match);
    }
    for (int32_t k = w->phrase_first[j]; k < w->phrase_first[j + 1]; k++) {
        Match match = match_of_phrase(w, w->phrase_order[k]);
        int blocked = 0;
        for (int32_t i = 0; i < match.length; i++)
            blocked |= w->in_fixed[j + i];
        for (int32_t i = 0; i < match.match_length; i++)
            blocked |= is_used(used, match.match + i);
        if (blocked)
            continue;
        Path child = path;
        take(&child, &match);
        keep(w, beam, &child, &match);
        path.distance += distance_of(&match);
    }
    leave_out(&path, j);
    keep(w, beam, &path, NULL);
}

/* At a position where no path divides the paths stay where they are, and are sorted again. */
static void go_on(Work *w, int32_t n_paths, int32_t j)
{
    Path *paths = w->paths;
    for (int32_t p = 0; p < n_paths; p++) {
        Path path = paths[p];
        if (j == w->n2)
            path.chunks += path.last_end != -1;
        else if (j >= path.busy_until) {
            if (w->in_fixed[j]) {
                take(&path, &w->fixed[j]);
                path.distance += distance_of(&w->fixed[j]);
            } else
                leave_out(&path, j);
        }
        int32_t at = p;
        for (; at > 0; at--) {
            Rank before = {paths[at - 1].weight, paths[at - 1].chunks, paths[at - 1].distance, 0};
            if (!better(&path, &before))
                break;
            paths[at] = paths[at - 1];
        }
        paths[at] = path;
    }
}

/* The entries become the paths. */
static int move_on(Work *w)
{
    if (grow((void **)&w->nodes, &w->room_nodes, w->n_nodes + w->n_ranks, sizeof(Node)) < 0)
        return -1;
    for (int32_t k = 0; k < w->n_ranks; k++) {
        const Entry *entry = &w->entries[w->ranks[k].entry];
        uint64_t *used = w->next_used + k * w->width;
        Path path = entry->path;
        memcpy(used, w->used + path.slot * w->width, w->width * sizeof *used);
        if (entry->taken.stage >= 0) {
            for (int32_t i = 0; i < entry->taken.match_length; i++) {
                int32_t place = entry->taken.match + i;
                used[place >> 6] |= (uint64_t)1 << (place & 63);
            }
            w->nodes[w->n_nodes].match = entry->taken;
            w->nodes[w->n_nodes].before = path.node;
            path.node = (int32_t)w->n_nodes++;
        }
        path.slot = k;
        w->paths[k] = path;
    }
    uint64_t *swap = w->used;
    w->used = w->next_used;
    w->next_used = swap;
    return 0;
}

static int search(const Aligner *self, Work *w, Match *chosen)
{
    int32_t n_paths = 1;
    w->paths[0] = (Path){.last_end = -1, .node = -1};
    for (int32_t j = 0; j <= w->n2; j++) {
        if (j % SIGNALS_EVERY == SIGNALS_EVERY - 1 && PyErr_CheckSignals() < 0)
            return -1;
        if (j == w->n2 || w->in_fixed[j] ||
            (!w->count[w->type[j]] && w->phrase_first[j] == w->phrase_first[j + 1])) {
            go_on(w, n_paths, j);
            continue;
        }
        w->n_ranks = 0;
        for (int32_t p = 0; p < n_paths; p++) {
            if (j < w->paths[p].busy_until)
                keep(w, self->beam, &w->paths[p], NULL);
            else
                expand(w, self->beam, j, w->paths[p]);
        }
        if (move_on(w) < 0)
            return -1;
        n_paths = w->n_ranks;
    }
    memcpy(chosen, w->fixed, w->n2 * sizeof *chosen);
    for (int32_t node = w->paths[0].node; node >= 0; node = w->nodes[node].before)
        chosen[w->nodes[node].match.start] = w->nodes[node].match;
    return 0;
}

/* ---- results ---- */

static PyObject *result(const Aligner *self, const Work *w, const Match *chosen, int with_matches)
{
    long counts[5 + 4 * STAGES] = {0};
    counts[0] = w->n1;
    counts[1] = w->n2;
    for (int32_t i = 0; i < w->n1; i++)
        counts[2] += self->words[w->hypothesis[i]].function;
    for (int32_t j = 0; j < w->n2; j++)
        counts[3] += self->words[w->reference[j]].function;
    PyObject *matches = with_matches ? PyList_New(0) : NULL;
    if (with_matches && !matches)
        return NULL;
    int32_t last_end = -1, j = 0;
    while (j < w->n2) {
        const Match *match = &chosen[j];
        if (match->stage < 0) {
            counts[4] += last_end != -1;
            last_end = -1;
            j++;
            continue;
        }
        long *of_stage = counts + 5 + 4 * match->stage;
        for (int32_t k = 0; k < match->match_length; k++)
            of_stage[self->words[w->hypothesis[match->match + k]].function ? 2 : 0]++;
        for (int32_t k = 0; k < match->length; k++)
            of_stage[self->words[w->reference[match->start + k]].function ? 3 : 1]++;
        counts[4] += last_end != -1 && match->match != last_end;
        if (matches) {
            PyObject *row = Py_BuildValue("(iiiii)", (int)match->start, (int)match->length, (int)match->match,
                                          (int)match->match_length, (int)match->stage);
            if (!row || PyList_Append(matches, row) < 0) {
                Py_XDECREF(row);
                Py_DECREF(matches);
                return NULL;
            }
            Py_DECREF(row);
        }
        j = match->start + match->length;
        last_end = match->match + match->match_length;
    }
    counts[4] += last_end != -1;
    if (matches)
        return matches;
    Py_ssize_t n = 5 + 4 * self->stages;
    PyObject *row = PyTuple_New(n);
    for (Py_ssize_t k = 0; row && k < n; k++) {
        PyObject *number = PyLong_FromLong(counts[k]);
        if (!number || PyTuple_SetItem(row, k, number) < 0) {
            Py_DECREF(row);
            return NULL;
        }
    }
    return row;
}

/* ---- the Python type ---- */

static int numbers(PyObject *object, Py_buffer *view, Py_ssize_t *n, const char *what)
{
    if (PyObject_GetBuffer(object, view, PyBUF_FORMAT | PyBUF_C_CONTIGUOUS) < 0)
        return -1;
    if (view->itemsize != 4 || !view->format || strcmp(view->format, "i") != 0) {
        PyBuffer_Release(view);
        PyErr_Format(PyExc_TypeError, "%s must be an array of 32-bit numbers", what);
        return -1;
    }
    *n = view->len / 4;
    if (*n > INT32_MAX / 64) { /* so that no product below overflows */
        PyBuffer_Release(view);
        PyErr_Format(PyExc_OverflowError, "%s is too long", what);
        return -1;
    }
    return 0;
}

static int known(const Aligner *self, const int32_t *ids, Py_ssize_t n)
{
    for (Py_ssize_t k = 0; k < n; k++)
        if (ids[k] < 0 || ids[k] >= self->n_words) {
            PyErr_SetString(PyExc_IndexError, "there is no word of that number");
            return -1;
        }
    return 0;
}

static int phrases_fit(const int32_t *phrases, Py_ssize_t n, int32_t n1, int32_t n2)
{
    for (Py_ssize_t k = 0; k + 3 < n; k += 4)
        if (phrases[k] < 0 || phrases[k + 1] < 1 || phrases[k + 1] > n2 - phrases[k] || phrases[k + 2] < 0 ||
            phrases[k + 3] < 1 || phrases[k + 3] > n1 - phrases[k + 2])
            return 0;
    return n % 4 == 0;
}

static void *piece(char **at, size_t bytes)
{
    void *block = *at;
    *at += (bytes + 15) & ~(size_t)15;
    return block;
}

static PyObject *align_words(Aligner *self, Work *w, int32_t n_phrases, int with_matches)
{
    size_t n1 = w->n1, n2 = w->n2, beam = self->beam, width = (n1 + 63) / 64 + 1;
    int32_t same = n1 == n2;
    for (size_t k = 0; same && k < n1; k++)
        same = self->words[w->hypothesis[k]].key == self->words[w->reference[k]].key;
    /* One block for everything whose size is known. */
    size_t bytes = 16 * 24 + 4 * (4 * n2 + 1 + (n2 + 1) + n_phrases + n1 + n2) + 2 * sizeof(Match) * n2 + n2;
    size_t bytes2 = 16 * 8 + beam * (sizeof(Path) + 2 * width * 8) + beam * (sizeof(Entry) + sizeof(Rank));
    char *at = w->memory = calloc(1, bytes);
    char *at2 = w->memory2 = malloc(bytes2);
    if (!at || !at2)
        return PyErr_NoMemory();
    Match *chosen = piece(&at, n2 * sizeof(Match));
    w->fixed = piece(&at, n2 * sizeof(Match));
    w->type = piece(&at, 4 * n2);
    w->first = piece(&at, 4 * n2);
    w->count = piece(&at, 4 * n2);
    w->bits = piece(&at, 4 * n2);
    w->phrase_first = piece(&at, 4 * (n2 + 1));
    w->phrase_order = piece(&at, 4 * (size_t)n_phrases);
    w->coverage1 = piece(&at, 4 * n1);
    w->coverage2 = piece(&at, 4 * n2);
    w->in_fixed = piece(&at, n2);
    w->paths = piece(&at2, beam * sizeof(Path));
    w->used = piece(&at2, beam * width * 8);
    w->next_used = piece(&at2, beam * width * 8);
    w->entries = piece(&at2, beam * sizeof(Entry));
    w->ranks = piece(&at2, beam * sizeof(Rank));
    w->width = width;
    memset(w->used, 0, width * 8);
    for (size_t j = 0; j < n2; j++)
        w->fixed[j].stage = -1;
    if (same)
        for (int32_t j = 0; j < w->n2; j++)
            chosen[j] = (Match){j, 1, j, 1, 0};
    else {
        if (find_candidates(self, w, n_phrases) < 0)
            return NULL;
        fix_certain(w);
        if (search(self, w, chosen) < 0)
            return NULL;
    }
    return result(self, w, chosen, with_matches);
}

static PyObject *run(Aligner *self, PyObject *args, int with_matches)
{
    PyObject *hypothesis, *reference, *phrases = NULL, *answer = NULL;
    Py_buffer h, r, p;
    Py_ssize_t n1, n2, n_phrases = 0;
    if (!PyArg_ParseTuple(args, "OO|O", &hypothesis, &reference, &phrases))
        return NULL;
    if (numbers(hypothesis, &h, &n1, "the hypothesis") < 0)
        return NULL;
    if (numbers(reference, &r, &n2, "the reference") < 0)
        goto release_h;
    if (phrases && numbers(phrases, &p, &n_phrases, "the paraphrases") < 0)
        goto release_r;
    if (known(self, h.buf, n1) < 0 || known(self, r.buf, n2) < 0)
        goto release_p;
    if (phrases && (self->stages < STAGES || !phrases_fit(p.buf, n_phrases, (int32_t)n1, (int32_t)n2))) {
        PyErr_SetString(PyExc_ValueError, "the paraphrases do not fit");
        goto release_p;
    }
    Work w;
    memset(&w, 0, sizeof w);
    w.n1 = (int32_t)n1;
    w.n2 = (int32_t)n2;
    w.hypothesis = h.buf;
    w.reference = r.buf;
    w.phrases = phrases ? p.buf : NULL;
    answer = align_words(self, &w, (int32_t)(n_phrases / 4), with_matches);
    forget(&w);
release_p:
    if (phrases)
        PyBuffer_Release(&p);
release_r:
    PyBuffer_Release(&r);
release_h:
    PyBuffer_Release(&h);
    return answer;
}

static PyObject *aligner_align(PyObject *self, PyObject *args)
{
    return run((Aligner *)self, args, 0);
}

static PyObject *aligner_matches(PyObject *self, PyObject *args)
{
    return run((Aligner *)self, args, 1);
}

static PyObject *aligner_add(PyObject *object, PyObject *args)
{
    Aligner *self = (Aligner *)object;
    int key, stem, function;
    PyObject *synsets;
    if (!PyArg_ParseTuple(args, "iipO", &key, &stem, &function, &synsets))
        return NULL;
    Py_ssize_t n = PySequence_Size(synsets);
    if (n < 0)
        return NULL;
    if (self->n_words == INT32_MAX || n > INT32_MAX - self->n_synsets)
        return PyErr_NoMemory();
    size_t room = self->room_words;
    if (grow((void **)&self->words, &room, (size_t)self->n_words + 1, sizeof(Word)) < 0)
        return NULL;
    self->room_words = (int32_t)room;
    room = self->room_synsets;
    if (grow((void **)&self->synsets, &room, (size_t)self->n_synsets + n, sizeof(int32_t)) < 0)
        return NULL;
    self->room_synsets = (int32_t)room;
    Word word = {key, stem, self->n_synsets, (int32_t)n, 0, (int8_t)function};
    for (Py_ssize_t k = 0; k < n; k++) {
        PyObject *item = PySequence_GetItem(synsets, k);
        if (!item)
            return NULL;
        long synset = PyLong_AsLong(item);
        Py_DECREF(item);
        if (PyErr_Occurred())
            return NULL;
        if (synset < 0 || synset > INT32_MAX || (k && synset <= self->synsets[self->n_synsets + k - 1])) {
            PyErr_SetString(PyExc_ValueError, "synsets must be sorted numbers from 0");
            return NULL;
        }
        self->synsets[self->n_synsets + k] = (int32_t)synset;
        word.bloom |= (uint64_t)1 << (((uint32_t)synset * 2654435761u) >> 26);
    }
    self->words[self->n_words] = word;
    self->n_synsets += (int32_t)n;
    return PyLong_FromLong(self->n_words++);
}

static int aligner_init(PyObject *object, PyObject *args, PyObject *kwargs)
{
    static char *names[] = {"stages", "beam", NULL};
    Aligner *self = (Aligner *)object;
    int stages, beam = 40;
    if (!PyArg_ParseTupleAndKeywords(args, kwargs, "i|i", names, &stages, &beam))
        return -1;
    if (stages < 1 || stages > STAGES || beam < 1 || beam > 100000) {
        PyErr_SetString(PyExc_ValueError, "stages are 1 to 4, a beam has at least one place");
        return -1;
    }
    self->stages = stages;
    self->beam = beam;
    return 0;
}

static void aligner_dealloc(PyObject *object)
{
    Aligner *self = (Aligner *)object;
    PyTypeObject *type = Py_TYPE(object);
    free(self->words);
    free(self->synsets);
    freefunc release = (freefunc)PyType_GetSlot(type, Py_tp_free);
    release(object);
    Py_DECREF(type);
}

/* ---- paraphrases ---- */

/* The arrays of filrouge.metrics.meteor_paraphrases.Paraphrases. */
typedef struct {
    const int32_t *first, *label, *emit_first, *emit;
    int32_t n_nodes, n_emit;
} Table;

typedef struct {
    int32_t node, start, length;
    int32_t next; /* of the same node */
} Phrase;

typedef struct {
    Phrase *phrases;
    size_t n, room;
    int32_t *slots, *last; /* hash of nodes: their first and last phrase */
    uint32_t size;
} Phrases;

static int32_t child(const Table *table, int32_t node, int32_t word)
{
    int32_t low = table->first[node], high = table->first[node + 1], end = high;
    if (low < 1 || high > table->n_nodes)
        return 0;
    while (low < high) {
        int32_t middle = low + (high - low) / 2;
        if (table->label[middle] < word)
            low = middle + 1;
        else
            high = middle;
    }
    return low < end && table->label[low] == word ? low : 0;
}

static uint32_t slot_of(const Phrases *text, int32_t node)
{
    uint32_t slot = ((uint32_t)node * 2654435761u) & (text->size - 1);
    while (text->slots[slot] >= 0 && text->phrases[text->slots[slot]].node != node)
        slot = (slot + 1) & (text->size - 1);
    return slot;
}

/* All phrases of a text by start and length. */
static int find_phrases(const Table *table, const int32_t *words, int32_t n, Phrases *text)
{
    for (int32_t start = 0; start < n; start++)
        for (int32_t end = start, node = 0; end < n; end++) {
            node = words[end] < 0 ? 0 : child(table, node, words[end]);
            if (!node)
                break;
            if (grow((void **)&text->phrases, &text->room, text->n + 1, sizeof(Phrase)) < 0)
                return -1;
            text->phrases[text->n++] = (Phrase){node, start, end + 1 - start, -1};
        }
    text->size = 16;
    while (text->size < 2 * text->n)
        text->size *= 2;
    text->slots = malloc(2 * text->size * sizeof(int32_t));
    if (!text->slots) {
        PyErr_NoMemory();
        return -1;
    }
    text->last = text->slots + text->size;
    memset(text->slots, 0xff, text->size * sizeof(int32_t));
    for (size_t k = 0; k < text->n; k++) {
        uint32_t slot = slot_of(text, text->phrases[k].node);
        if (text->slots[slot] < 0)
            text->slots[slot] = (int32_t)k;
        else
            text->phrases[text->last[slot]].next = (int32_t)k;
        text->last[slot] = (int32_t)k;
    }
    return 0;
}

/* Phrases of a whose paraphrases are in b, as quadruples; `swap`: a is the hypothesis. */
static int common_phrases(const Table *table, const Phrases *a, const Phrases *b, int swap, int32_t **found,
                          size_t *n, size_t *room)
{
    for (size_t k = 0; k < a->n; k++) {
        const Phrase *source = &a->phrases[k];
        int32_t from = table->emit_first[source->node], to = table->emit_first[source->node + 1];
        for (int32_t e = from < 0 ? 0 : from; e < to && e < table->n_emit; e++)
            for (int32_t at = b->slots[slot_of(b, table->emit[e])]; at >= 0; at = b->phrases[at].next) {
                if (grow((void **)found, room, *n + 4, sizeof(int32_t)) < 0)
                    return -1;
                const Phrase *theirs = swap ? &b->phrases[at] : source, *ours = swap ? source : &b->phrases[at];
                int32_t *quadruple = *found + *n;
                quadruple[0] = theirs->start;
                quadruple[1] = theirs->length;
                quadruple[2] = ours->start;
                quadruple[3] = ours->length;
                *n += 4;
            }
    }
    return 0;
}

static PyObject *paraphrases(PyObject *module, PyObject *args)
{
    static const char *names[] = {"first", "label", "emit_first", "emit", "the hypothesis", "the reference"};
    PyObject *objects[6], *answer = NULL;
    Py_buffer views[6];
    Py_ssize_t sizes[6];
    int open = 0;
    if (!PyArg_ParseTuple(args, "OOOOOO", &objects[0], &objects[1], &objects[2], &objects[3], &objects[4], &objects[5]))
        return NULL;
    while (open < 6 && numbers(objects[open], &views[open], &sizes[open], names[open]) == 0)
        open++;
    Phrases ours = {0}, theirs = {0};
    int32_t *found = NULL;
    size_t n = 0, room = 0;
    if (open < 6)
        goto release;
    if (sizes[0] < 2 || sizes[0] != sizes[1] + 1 || sizes[2] != sizes[0]) {
        PyErr_SetString(PyExc_ValueError, "these arrays are no index of paraphrases");
        goto release;
    }
    Table table = {views[0].buf, views[1].buf, views[2].buf, views[3].buf, (int32_t)sizes[1], (int32_t)sizes[3]};
    if (find_phrases(&table, views[4].buf, (int32_t)sizes[4], &ours) == 0 &&
        find_phrases(&table, views[5].buf, (int32_t)sizes[5], &theirs) == 0 &&
        common_phrases(&table, &theirs, &ours, 0, &found, &n, &room) == 0 &&
        common_phrases(&table, &ours, &theirs, 1, &found, &n, &room) == 0)
        answer = PyBytes_FromStringAndSize((const char *)found, (Py_ssize_t)(n * sizeof(int32_t)));
release:
    free(ours.phrases);
    free(ours.slots);
    free(theirs.phrases);
    free(theirs.slots);
    free(found);
    while (open > 0)
        PyBuffer_Release(&views[--open]);
    return answer;
}

/* ---- the module ---- */

static PyMethodDef methods[] = {
    {"add", aligner_add, METH_VARARGS, "add(key, stem, function, synsets): the number of a new word"},
    {"align", aligner_align, METH_VARARGS, "align(hypothesis, reference[, paraphrases]): counts of the best alignment"},
    {"matches", aligner_matches, METH_VARARGS, "matches(hypothesis, reference[, paraphrases]): the best alignment"},
    {NULL, NULL, 0, NULL},
};

static PyType_Slot slots[] = {
    {Py_tp_doc, "Aligns words as METEOR 1.5; see filrouge.metrics.meteor_align."},
    {Py_tp_init, aligner_init},
    {Py_tp_dealloc, aligner_dealloc},
    {Py_tp_methods, methods},
    {0, NULL},
};

static PyType_Spec spec = {"filrouge._meteor.Aligner", sizeof(Aligner), 0, Py_TPFLAGS_DEFAULT, slots};

static PyMethodDef functions[] = {
    {"paraphrases", paraphrases, METH_VARARGS,
     "paraphrases(first, label, emit_first, emit, hypothesis, reference): matches, four 32-bit numbers each"},
    {NULL, NULL, 0, NULL},
};

static struct PyModuleDef module = {
    PyModuleDef_HEAD_INIT, "filrouge._meteor", NULL, -1, functions, NULL, NULL, NULL, NULL,
};

PyMODINIT_FUNC PyInit__meteor(void)
{
    PyObject *made = PyModule_Create(&module);
    PyObject *type = made ? PyType_FromSpec(&spec) : NULL;
    if (!type || PyModule_AddObjectRef(made, "Aligner", type) < 0) {
        Py_XDECREF(type);
        Py_XDECREF(made);
        return NULL;
    }
    Py_DECREF(type);
    return made;
}
