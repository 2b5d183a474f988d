/* SPDX-License-Identifier: MIT
 * C interface of Engram, for C and for languages that can call C: a memory that accepts Narsese and returns the
 * concepts and statements that deserve attention.
 *
 *   engram_memory *memory;
 *   if (engram_open(NULL, &memory) != ENGRAM_OK) return 1;
 *   engram_input(memory, "<tim --> cat>. <cat --> animal>.", NULL);
 *
 * Texts are UTF-8 and end with a zero byte. Returned texts, arrays and messages belong to the memory and stay valid
 * until the next call with the same memory.
 * Threads: use a memory from one thread at a time. Different memories may be used concurrently.
 * No call throws, ends the program or changes its locale. After any status except ENGRAM_OK, engram_message returns the
 * error, and the memory stays usable. Null for a memory, a text or a result is undefined behaviour unless the function
 * allows it.
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

/* Version of the binary interface. It increases if programs compiled with an older engram.h would break. */
#define ENGRAM_ABI 1
/* ENGRAM_ABI of the loaded library. */
ENGRAM_API int engram_abi(void);

/* A memory, as an opaque handle from engram_open. */
typedef struct engram_memory engram_memory;

/* Result of a call. */
typedef enum engram_status {
  ENGRAM_OK = 0,
  ENGRAM_REFUSED = 1, /* an argument is wrong; nothing was done, unless the function says otherwise */
  ENGRAM_FAILED = 2   /* out of memory, or a bug in Engram; the call may have had partial effects */
} engram_status;

/* Creates an empty memory. `learning` names a rule that learns link weights in addition to the counts, such as "oja" or
 * "covariance" (see `engram serve --help`); NULL: none. *memory is NULL unless ENGRAM_OK is returned. */
ENGRAM_API engram_status engram_open(const char* learning, engram_memory** memory);
/* Limits of a memory; 0 means the default. A full memory rejects new input, or forgets by a policy, such as "learnt"
 * (see --forget in `engram serve --help`); NULL: none. With a policy, half of the bytes are for learnt data. */
typedef struct engram_limits {
  size_t concepts;
  size_t links; /* Hebbian links */
  size_t statements;
  size_t bytes; /* including temporary data of calls */
  const char* forget;
} engram_limits;
/* As engram_open, with limits; NULL: the defaults. */
ENGRAM_API engram_status engram_open_within(const char* learning, const engram_limits* limits,
                                            engram_memory** memory);
/* Frees a memory. NULL is allowed. */
ENGRAM_API void engram_close(engram_memory* memory);
/* The error of the last call, in one line; "" if there was none. */
ENGRAM_API const char* engram_message(const engram_memory* memory);

/* Result of engram_input. */
typedef struct engram_intake {
  size_t accepted; /* accepted sentences */
  size_t rejected; /* rejected lines; engram_message describes the first */
  size_t concepts; /* concepts in the memory now */
  size_t links;    /* Hebbian links in the memory now */
} engram_intake;

/* Stores lines of Narsese in any dialect. A number lets this many cycles pass. Returns ENGRAM_REFUSED if any line was
 * rejected; valid lines are stored in any case. `intake` may be NULL. */
ENGRAM_API engram_status engram_input(engram_memory* memory, const char* narsese, engram_intake* intake);

/* A concept and its activation. */
typedef struct engram_activation {
  const char* term;
  double value; /* the largest is 1 */
} engram_activation;

/* The `top` concepts with the highest activation for a cue (a sentence or a term), best first. `method` is a name from
 * `engram methods`; NULL: proof_attention. */
ENGRAM_API engram_status engram_recall(engram_memory* memory, const char* cue, const char* method, size_t top,
                                       const engram_activation** found, size_t* count);

/* Kind of items for engram_allocate. */
typedef enum engram_kind { ENGRAM_CONCEPTS = 0, ENGRAM_STATEMENTS = 1 } engram_kind;

/* A concept or statement with its budget. */
typedef struct engram_budget {
  const char* narsese; /* a term, or a sentence */
  double priority;     /* all three are in [0, 1] */
  double durability;
  double quality;
} engram_budget;

/* Allocates attention for a cue: budgets for at most `capacity` concepts or statements, best first. `method` as in
 * engram_recall. */
ENGRAM_API engram_status engram_allocate(engram_memory* memory, const char* cue, const char* method,
                                         engram_kind of, size_t capacity, const engram_budget** budgets,
                                         size_t* count);

/* Runs a request of the JSON lines protocol, with `bytes` bytes and no line end. Use it for all other functions of
 * Engram. Returns the reply, which may be an error reply; NULL only if memory runs out. */
ENGRAM_API const char* engram_ask(engram_memory* memory, const char* request, size_t bytes);

#ifdef __cplusplus
}
#endif

#endif /* ENGRAM_H */
