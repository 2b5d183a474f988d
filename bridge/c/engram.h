/* SPDX-License-Identifier: MIT
 * Engram from C, and from whatever calls C: a memory that takes Narsese and says what deserves attention.
 *
 *   engram_memory *memory;
 *   if (engram_open(NULL, &memory) != ENGRAM_OK) return 1;
 *   engram_input(memory, "<tim --> cat>. <cat --> animal>.", NULL);
 *
 * Texts are UTF-8 and end with a zero byte. What a call hands out (texts, arrays, messages) belongs to the
 * memory and stands until the next call with the same memory.
 * Threads: a memory is for one thread at a time; different memories may be used at once.
 * No call throws, ends the program or changes its locale. After any status but ENGRAM_OK, engram_message tells
 * what was wrong, and the memory can be used on. Only a null `memory`, `text` or place for a result is not
 * forgiven, where it is not said to be allowed.
 */
#ifndef ENGRAM_H
#define ENGRAM_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

#if defined(__GNUC__)
#define ENGRAM_API __attribute__((visibility("default")))
#else
#define ENGRAM_API
#endif

/* Grows when a program that was compiled with an older engram.h would no longer work. */
#define ENGRAM_ABI 1
/* ENGRAM_ABI of the library that runs. */
ENGRAM_API int engram_abi(void);

/* A memory: what engram_open makes, and only calls look into. */
typedef struct engram_memory engram_memory;

/* What came of a call. */
typedef enum engram_status {
  ENGRAM_OK = 0,
  ENGRAM_REFUSED = 1, /* something in what was given is wrong; nothing was done, but what is said below */
  ENGRAM_FAILED = 2   /* there was no room, or Engram has a defect; the call may have been done in part */
} engram_status;

/* A new empty memory. `learning` names a rule that learns link weights of its own beside the counts, such as
 * "oja" or "covariance" (`engram serve --help` lists them); NULL: none. *memory is NULL unless ENGRAM_OK. */
ENGRAM_API engram_status engram_open(const char* learning, engram_memory** memory);
/* What a memory may hold; 0: as much as by default. A memory that is full refuses what is new, or forgets by a
 * policy that `engram serve --help` lists under --forget, such as "learnt"; NULL: none. With one, half of the bytes
 * are for what is learnt. */
typedef struct engram_limits {
  size_t concepts;
  size_t links; /* Hebbian ones */
  size_t statements;
  size_t bytes; /* with what a call takes for a while */
  const char* forget;
} engram_limits;
/* As engram_open, within limits; NULL: those by default. */
ENGRAM_API engram_status engram_open_within(const char* learning, const engram_limits* limits,
                                            engram_memory** memory);
/* Frees it; NULL does no harm. */
ENGRAM_API void engram_close(engram_memory* memory);
/* What was wrong with the last call, in one line; "" if nothing was. */
ENGRAM_API const char* engram_message(const engram_memory* memory);

/* What engram_input has taken in. */
typedef struct engram_intake {
  size_t accepted; /* sentences taken in */
  size_t rejected; /* lines that were not; the message tells of the first */
  size_t concepts; /* the memory holds now */
  size_t links;    /* Hebbian ones */
} engram_intake;

/* Takes in lines of Narsese of any dialect; a number lets so many cycles pass. Good lines are kept whatever the
 * others are; ENGRAM_REFUSED if any was rejected. `intake` may be NULL. */
ENGRAM_API engram_status engram_input(engram_memory* memory, const char* narsese, engram_intake* intake);

/* A concept, and how active it is. */
typedef struct engram_activation {
  const char* term;
  double value; /* at most 1, the largest is 1 */
} engram_activation;

/* The `top` concepts most active for a cue (a sentence or a term), best first, by a method that `engram
 * methods` lists; NULL: proof_attention. */
ENGRAM_API engram_status engram_recall(engram_memory* memory, const char* cue, const char* method, size_t top,
                                       const engram_activation** found, size_t* count);

/* Of what engram_allocate gives budgets. */
typedef enum engram_kind { ENGRAM_CONCEPTS = 0, ENGRAM_STATEMENTS = 1 } engram_kind;

/* A concept or statement, and its budget. */
typedef struct engram_budget {
  const char* narsese; /* a term, or a sentence */
  double priority;     /* each within [0, 1] */
  double durability;
  double quality;
} engram_budget;

/* What of the memory deserves attention for a cue: at most `capacity` concepts or statements, best first.
 * `method`: as of engram_recall. */
ENGRAM_API engram_status engram_allocate(engram_memory* memory, const char* cue, const char* method,
                                         engram_kind of, size_t capacity, const engram_budget** budgets,
                                         size_t* count);

/* One request of the JSON lines protocol, of `bytes` bytes, without a line end: everything else that Engram can
 * do. Returns the reply, which says itself whether it is an error; NULL only if memory ran out. */
ENGRAM_API const char* engram_ask(engram_memory* memory, const char* request, size_t bytes);

#ifdef __cplusplus
}
#endif

#endif /* ENGRAM_H */
