/* race.h - a race on its way from the check that finds it to the reader. */
#ifndef SIM_RACE_H
#define SIM_RACE_H

#include "checks/checks.h"

enum race_kind { RACE_RAW, RACE_WAR, RACE_WAW };
/* Why nothing orders the two: a fence or atomic between them is of block scope, and they are in
 * two blocks; they would be ordered but for the letter of PTX. */
enum race_cause { RACE_UNORDERED, RACE_NARROW, RACE_BY_LETTER };
struct race {
    enum race_kind kind;
    enum race_cause cause;
    const struct warp *warp; /* of the later access */
    unsigned int lane;
    uintptr_t pc, address;
    uintptr_t earlier_pc;
    uint16_t number, earlier_number; /* of the two, as cells hold them; 0 for none */
    uint16_t guarded_store;          /* which of them is one: guarded_stores.c */
    uint16_t poll;                   /* which of them is a volatile load that may wait: polls.c */
    uint32_t earlier_warp;           /* numbered in the launch */
    int earlier_lane;                /* -1 when it is not known */
    unsigned int bytes;
    bool later_atomic, earlier_atomic, scope_only; /* atomics of too small a scope */
    bool in_step; /* volatile accesses of lanes of one warp, which trust that it goes in step */
    const struct sim_allocation *allocation; /* NULL: in shared memory */
};

/* race_report.c */
/* No store of the launch before is waited for any more. */
void sim_race_report_start_launch(void);
/* A race was found. Two stores: it is told when the later one has stored, for a
 * value that was there already is a warning only. */
void sim_race_found(const struct race *race, bool two_stores);
/* Who made the earlier access; of a thread that is not known, the block. */
void sim_race_earlier(const struct race *race, struct sim_index *thread, struct sim_index *block);
/* Says so now; `warning` when it does no harm. */
void sim_race_tell(const struct race *race, bool warning);
/* Whether a pair of instructions, by their numbers, was told as an error. */
bool sim_race_was_reported(uint16_t earlier, uint16_t later);

/* The lane is about to store, or has stored: what is known of its store, by these and by explain.c and
 * guarded_stores.c, is looked at. */
void sim_race_before_store(struct lane *lane);
void sim_race_after_store(struct lane *lane);

/* handed_over.c */
/* What to do where the two meet at a lock, or the later thread holds one or has tried to, or where its block has asked a word that blocks count
 * in, and reads what another one wrote. False: neither is so. */
bool sim_advise_lock(const struct race *race, char *text, size_t size);
bool sim_advise_ticket(const struct race *race, char *text, size_t size);

/* deferred.c */
enum race_verdict { RACE_IS_NONE, RACE_IS_WARNING, RACE_IS_ERROR };
typedef enum race_verdict race_judge(uint16_t number);
/* At the end of the launch judge(number) says what the race is; false: it cannot be kept. */
bool sim_race_defer(const struct race *race, race_judge *judge, uint16_t number);
void sim_race_judge_deferred(void);
/* Whether a race of these two instructions is kept already. */
bool sim_race_waits(uint16_t earlier, uint16_t later);

/* polls.c */
/* A warp makes an access: who makes one twice in a row, of one word, waits. */
void sim_poll_note(const struct warp *warp, uint32_t mask, uint16_t pc);
/* Whether a race waits until it is known whether its volatile load waits for a flag. */
bool sim_poll_defers(const struct race *race);

/* guarded_stores.c */
/* Whether a race with a guarded store waits until it is known what else is stored there. */
bool sim_guard_defers(const struct race *race);
/* The lane has stored. */
void sim_guard_stored(const struct lane *lane);
void sim_guard_end_launch(void);

/* guesses.c */
struct shadow;
enum cas_load { CAS_LOAD_PLAIN, CAS_LOAD_UNDECIDED, CAS_LOAD_GUESS };
/* A warp is about to load: whether that begins a loop around atomicCAS, so that the
 * loads count as volatile; or it is not yet known, and they are to be remembered so. */
enum cas_load sim_cas_load(const struct warp *warp, uint32_t mask, unsigned int bytes, uint16_t pc,
                           struct shadow *shadow);
/* A warp is about to compare and swap; its lanes may prove what they loaded long before. */
void sim_cas_site(uint16_t pc);
void sim_cas_prove(const struct warp *warp, uint32_t mask, struct stop stop);
/* Whether the load of this number is known to begin a loop around atomicCAS. */
bool sim_cas_is_guess(uint16_t load);
/* The shadow is about to go. */
void sim_cas_forget(const struct shadow *shadow);
/* Whether a race is none, or has to wait until it is known what its load is. */
bool sim_cas_defers(const struct race *race);
/* The launch is over: what still waits is a race. */
void sim_cas_end_launch(void);

/* explain.c */
/* A race is told; `has_stored`: its later access is a store that has happened. */
void sim_explain_race(const struct race *race, bool has_stored);
/* The lane has stored, if it has a step. */
void sim_explain_stored(const struct lane *lane);
void sim_explain_start_launch(void);

#endif
