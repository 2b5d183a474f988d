/* SPDX-License-Identifier: MIT
 * A toy reasoner with attention by Engram. It has one rule, <a --> b>, <b --> c> |- <a --> c>, and would have to
 * try it on every pair of its statements. Instead it gets four statements at a time from Engram, and stores its
 * conclusions in the memory.
 *
 *   cc attention_loop.c $(pkg-config --cflags --libs engram) && ./a.out
 */
#include <engram.h>
#include <stdio.h>
#include <string.h>

enum { room = 64, capacity = 4, most_cycles = 5 };

/* Parses "<subject --> predicate>. %1;0.9%". Returns 0 for anything else. */
static int read_statement(const char *narsese, char *subject, char *predicate) {
  return sscanf(narsese, "<%63[^ ] --> %63[^>]>.", subject, predicate) == 2;
}

/* Runs one cycle: selects statements for the question and draws all conclusions. Returns the number of pairs tried. */
static int think(engram_memory *memory, const char *question) {
  char subjects[capacity][room], predicates[capacity][room], derived[2 * room + 16];
  const engram_budget *budgets;
  size_t count, i, j, held = 0;
  int tried = 0;
  if (engram_allocate(memory, question, NULL, ENGRAM_STATEMENTS, capacity, &budgets, &count) != ENGRAM_OK) {
    fprintf(stderr, "%s\n", engram_message(memory));
    return 0;
  }
  for (i = 0; i < count; ++i) held += (size_t)read_statement(budgets[i].narsese, subjects[held], predicates[held]);
  for (i = 0; i < held; ++i)
    for (j = 0; j < held; ++j) {
      if (i == j) continue;
      ++tried;
      if (strcmp(predicates[i], subjects[j]) != 0) continue;
      snprintf(derived, sizeof derived, "<%s --> %s>. %%1;0.81%%", subjects[i], predicates[j]);
      engram_input(memory, derived, NULL);
    }
  return tried;
}

/* Whether the memory has a judgment with the statement of the question. */
static int answered(engram_memory *memory, const char *question) {
  char subject[room], predicate[room], a[room], b[room];
  const engram_budget *budgets;
  size_t count, i;
  if (sscanf(question, "<%63[^ ] --> %63[^>]>?", subject, predicate) != 2) return 0;
  engram_allocate(memory, question, "overlap", ENGRAM_STATEMENTS, capacity, &budgets, &count);
  for (i = 0; i < count; ++i)
    if (read_statement(budgets[i].narsese, a, b) && strcmp(a, subject) == 0 && strcmp(b, predicate) == 0) return 1;
  return 0;
}

int main(void) {
  static const char *const question = "<tim --> animal>?";
  char line[room];
  engram_memory *memory;
  engram_intake intake;
  int i, cycle, tried = 0;
  if (engram_abi() != ENGRAM_ABI || engram_open(NULL, &memory) != ENGRAM_OK) return 1;
  for (i = 0; i < 100; ++i) {
    snprintf(line, sizeof line, "<thing%d --> kind%d>.", i, i % 7);
    engram_input(memory, line, NULL);
  }
  if (engram_input(memory, "<tim --> cat>.\n<cat --> mammal>.\n<mammal --> animal>.", &intake) != ENGRAM_OK) {
    fprintf(stderr, "%s\n", engram_message(memory));
    return 1;
  }
  printf("%zu concepts, %zu links\n", intake.concepts, intake.links);
  for (cycle = 1; cycle <= most_cycles && !answered(memory, question); ++cycle) tried += think(memory, question);
  printf("%s %s after %d cycles: %d pairs of statements tried, of more than 10000 that there are\n", question,
         answered(memory, question) ? "Yes" : "No answer", cycle - 1, tried);
  engram_close(memory);
  return 0;
}
