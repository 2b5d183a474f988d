/* SPDX-License-Identifier: MIT
 * Tests of the C interface: results and errors of calls, and that a memory stays usable after both.
 */
#include <engram.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static int failures;

static void check(int right, const char* what, int line) {
  if (right) return;
  ++failures;
  fprintf(stderr, "c_test.c:%d: not so: %s\n", line, what);
}
#define CHECK(condition) check((condition) != 0, #condition, __LINE__)

static void accepts_and_returns(engram_memory* memory) {
  const engram_activation* found;
  const engram_budget* budgets;
  engram_intake intake;
  size_t count;
  CHECK(engram_input(memory, "<tim --> cat>.\n<cat --> animal>.", &intake) == ENGRAM_OK);
  CHECK(intake.accepted == 2 && intake.rejected == 0 && intake.concepts == 5 && intake.links == 2);
  CHECK(engram_recall(memory, "tim", NULL, 2, &found, &count) == ENGRAM_OK);
  CHECK(count == 2 && strcmp(found[0].term, "cat") == 0 && strcmp(found[1].term, "tim") == 0);
  CHECK(found[0].value == 1 && found[1].value > 0 && found[1].value < 1);
  const double by_default = found[1].value;
  CHECK(engram_recall(memory, "tim", "proof_attention", 2, &found, &count) == ENGRAM_OK && count == 2);
  CHECK(found[1].value == by_default);
  CHECK(engram_allocate(memory, "<tim --> ?1>?", "uniform", ENGRAM_STATEMENTS, 5, &budgets, &count) ==
        ENGRAM_OK);
  CHECK(count == 2 && strcmp(budgets[0].narsese, "<tim --> cat>.") == 0 && budgets[1].priority == 1);
  CHECK(engram_allocate(memory, "tim", NULL, ENGRAM_CONCEPTS, 1, &budgets, &count) == ENGRAM_OK);
  /* The quality of a concept is the mean of two numbers: the truth of its statements, 0.95, and the confidence
     1.8 / 2.8 that follows from its links' evidence 0.9 + 0.9. */
  CHECK(count == 1 && strcmp(budgets[0].narsese, "cat") == 0 &&
        fabs(budgets[0].quality - (0.95 + 1.8 / 2.8) / 2) < 1e-15);
  CHECK(engram_recall(memory, "nobody", NULL, 2, &found, &count) == ENGRAM_OK && count == 0);
  CHECK(engram_input(memory, "", NULL) == ENGRAM_OK);
}

static void refuses(engram_memory* memory) {
  const engram_activation* found;
  engram_intake intake;
  size_t count;
  CHECK(engram_input(memory, "<tom --> cat>.\n<tom --> ", &intake) == ENGRAM_REFUSED);
  CHECK(intake.accepted == 1 && intake.rejected == 1);
  CHECK(strstr(engram_message(memory), "line 2, column 10: ") == engram_message(memory));
  CHECK(engram_recall(memory, "tim", "attentoin", 2, &found, &count) == ENGRAM_REFUSED);
  CHECK(found == NULL && count == 0 &&
        strstr(engram_message(memory), "must be one of \"attention\",") != NULL);
  CHECK(engram_recall(memory, "<tim", NULL, 2, &found, &count) == ENGRAM_REFUSED);
  CHECK(engram_recall(memory, "t\xffm", NULL, 2, &found, &count) == ENGRAM_REFUSED);
  CHECK(strcmp(engram_message(memory), "bad_value: byte 2 is not valid UTF-8") == 0);
  CHECK(engram_recall(memory, "tim", NULL, 2, &found, &count) == ENGRAM_OK && count == 2);
  CHECK(strcmp(engram_message(memory), "") == 0);
}

/* Valid lines of a text are accepted even if other lines are rejected. */
static void keeps_good_lines(engram_memory* memory) {
  const engram_activation* found;
  engram_intake intake;
  size_t count;
  CHECK(engram_input(memory, "<leo --> lion>.\n\xc3\xa9 \xff <leo --> bad>.\n<lion --> animal>.\n<broken\n",
                     &intake) == ENGRAM_REFUSED);
  CHECK(intake.accepted == 2 && intake.rejected == 2);
  CHECK(strcmp(engram_message(memory), "line 2, column 3: expected UTF-8 text, found an invalid byte") == 0);
  CHECK(engram_recall(memory, "leo", NULL, 9, &found, &count) == ENGRAM_OK && count >= 3);
  CHECK(engram_recall(memory, "bad", NULL, 9, &found, &count) == ENGRAM_OK && count == 0);
  CHECK(engram_input(memory, "<broken\n\xff", &intake) == ENGRAM_REFUSED);
  CHECK(intake.accepted == 0 && intake.rejected == 2);
  CHECK(strstr(engram_message(memory), "line 1, column ") == engram_message(memory));
  CHECK(engram_input(memory, "\xff", NULL) == ENGRAM_REFUSED);
}

static void speaks_the_protocol(engram_memory* memory) {
  static const char stats[] = "{\"id\":7,\"op\":\"stats\"}", broken[] = "{\"id\":";
  static char huge[(16 << 20) + 1];
  const char* reply = engram_ask(memory, stats, sizeof stats - 1);
  CHECK(strstr(reply, "{\"id\":7,\"ok\":true,\"result\":{\"concepts\":") == reply);
  CHECK(strstr(engram_ask(memory, broken, sizeof broken - 1), "\"code\":\"bad_json\"") != NULL);
  CHECK(strstr(engram_ask(memory, huge, sizeof huge), "\"code\":\"limit_exceeded\"") != NULL);
  CHECK(strstr(engram_ask(memory, stats, sizeof stats - 1), "\"ok\":true") != NULL);
}

static void keeps_within_limits(void) {
  static const char stats[] = "{\"id\":1,\"op\":\"stats\"}";
  const engram_limits few = {0, 0, 9, 0, "learnt"}, unknown = {0, 0, 0, 0, "no such policy"},
                      none = {0, 0, 2, 0, NULL};
  engram_memory* memory;
  engram_intake intake;
  char line[64];
  CHECK(engram_open_within(NULL, &unknown, &memory) == ENGRAM_REFUSED && memory == NULL);
  CHECK(engram_open_within(NULL, &few, &memory) == ENGRAM_OK);
  for (int i = 0; i < 100; ++i) {
    snprintf(line, sizeof line, "<a%d --> b>.", i);
    CHECK(engram_input(memory, line, &intake) == ENGRAM_OK && intake.concepts <= 9 * 2 + 1);
  }
  CHECK(strstr(engram_ask(memory, stats, sizeof stats - 1), "\"policy\":\"learnt\"") != NULL);
  engram_close(memory);
  CHECK(engram_open_within(NULL, &none, &memory) == ENGRAM_OK);
  CHECK(engram_input(memory, "<a --> b>.\n<b --> c>.\n<c --> d>.", &intake) == ENGRAM_REFUSED);
  CHECK(intake.accepted == 2);
  engram_close(memory);
}

int main(void) {
  engram_memory *memory, *other = NULL;
  CHECK(engram_abi() == ENGRAM_ABI);
  CHECK(engram_open("no such rule", &memory) == ENGRAM_REFUSED && memory == NULL);
  engram_close(NULL);
  CHECK(engram_open(NULL, &memory) == ENGRAM_OK && engram_open("oja", &other) == ENGRAM_OK);
  accepts_and_returns(memory);
  accepts_and_returns(other);
  refuses(memory);
  keeps_good_lines(memory);
  speaks_the_protocol(memory);
  engram_close(memory);
  engram_close(other);
  keeps_within_limits();
  return failures == 0 ? 0 : 1;
}
