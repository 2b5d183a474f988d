// SPDX-License-Identifier: MIT
#include "experiments/imports/table.hpp"

#include "core/numbers/work_budget.hpp"
#include "tests/experiments/imports/gathered.hpp"
#include "tests/support/catch.hpp"

using namespace engram;
using namespace engram::experiments;
using namespace engram::testing;
using Lines = std::vector<std::string>;

namespace {

// Reads a table in which the relations is_a, instance_of and same_as are copulas.
Gathered& read_kinds(Gathered& gathered, const std::string& text) {
  read_facts(gathered, text, {{"is_a"}, {"instance_of"}, {"same_as"}});
  return gathered;
}

}  // namespace

TEST_CASE("relations of a table become products unless options make them copulas", "[experiments][imports]") {
  Gathered facts;
  const auto written = read_kinds(facts,
                                  "cat\tis_a\tanimal\n"
                                  "cat\tsame_as\tpussycat\r\n"
                                  "\n"
                                  "cat\teats\tfish")
                           .written();
  CHECK(lines_of(written.text) ==
        Lines{"<cat --> animal>.", "<cat <-> pussycat>.", "<(*,cat,fish) --> eats>."});
  CHECK(facts.told.empty());
  CHECK(written.statements == 3);
  CHECK(statements_read(written.text) == 3);
  CHECK(lines_of(read_kinds(facts, "").written(narsese::Dialect::ona).text).back() ==
        "<(cat * fish) --> eats>.");
}

TEST_CASE("an individual is always in braces, a class only if it is used as an individual",
          "[experiments][imports]") {
  Gathered facts;
  read_kinds(facts,
             "tim\tlikes\tfelix\n"
             "tim\tinstance_of\tcat\n"
             "tim\tsame_as\ttimothy\n"
             "cat\tinstance_of\tspecies\n"
             "likes\tinstance_of\trelation\n");
  CHECK(lines_of(facts.written().text) == Lines{"<(*,{tim},felix) --> likes>.", "<{tim} --> cat>.",
                                                "<timothy <-> {tim}>.", "<{cat} --> species>.",
                                                "<{likes} --> relation>."});
}

TEST_CASE("an error in a table has its line and column, and parsing continues", "[experiments][imports]") {
  Gathered facts;
  read_kinds(facts,
             "a\tr\tb\n"
             "a\tr\n"
             "a\t\tb\n"
             "a\tr\tb\tc\n"
             "a\tr\tb\xFF\n"
             "b\tr\tc\n");
  CHECK(facts.told == Lines{"t.tsv:2:4: error: expected a tab",
                            "t.tsv:3:3: error: expected a name, found nothing",
                            "t.tsv:4:6: error: expected the end of the line after three names",
                            "t.tsv:5:6: error: expected UTF-8 text, found an invalid byte"});
  CHECK(lines_of(facts.written().text) == Lines{"<(*,a,b) --> r>.", "<(*,b,c) --> r>."});
}

TEST_CASE("a byte order mark is skipped at the start of a table and an error elsewhere",
          "[experiments][imports]") {
  const std::string
      mark = "\xEF\xBB\xBF",
      found = "expected text, found a byte order mark (U+FEFF), which is allowed only at the start of a file";
  for (const std::string first : {"cat\tis_a\tanimal\n", "\ncat\tis_a\tanimal\n", "cat\tis_a\tanimal\r\n"}) {
    Gathered facts;
    read_kinds(facts, mark + first + "tim\tis_a\tcat\n");
    CHECK(facts.told.empty());
    CHECK(lines_of(facts.written().text) == Lines{"<cat --> animal>.", "<tim --> cat>."});
  }
  // A byte order mark in the middle of a file, as in two concatenated tables, is an error.
  Gathered facts;
  read_kinds(facts, mark + "a\tr\tb\n" + mark + "b\tr\tc\nc\tr\t" + mark + "d\n" + mark + "\n");
  CHECK(facts.told ==
        Lines{"t.tsv:2:1: error: " + found, "t.tsv:3:5: error: " + found, "t.tsv:4:1: error: " + found});
  CHECK(lines_of(facts.written().text) == Lines{"<(*,a,b) --> r>."});
}

TEST_CASE("repeated and reflexive facts are omitted", "[experiments][imports]") {
  Gathered facts;
  read_kinds(facts,
             "a\tsame_as\tb\nb\tsame_as\ta\na\tis_a\ta\na\tsame_as\ta\na\tr\ta\nb\tis_a\ta\nb\tis_a\ta\n");
  const auto written = facts.written();
  CHECK(lines_of(written.text) == Lines{"<a <-> b>.", "<(*,a,a) --> r>.", "<b --> a>."});
  CHECK(written.repeated == 2);
  CHECK(written.reflexive == 2);
}

TEST_CASE("each cycle of inheritance is reported once by its shortest path, and kept",
          "[experiments][imports]") {
  Gathered facts;
  read_kinds(facts,
             "x\tis_a\ta\n"
             "a\tis_a\tb\n"
             "b\tis_a\tc\n"
             "c\tis_a\td\n"
             "d\tis_a\ta\n"
             "c\tis_a\ta\n"
             "p\tis_a\tq\n"
             "q\tis_a\tp\n"
             "q\tis_a\tx\n"
             "s\tis_a\ts\n");
  const auto written = facts.written();
  CHECK(facts.told == Lines{"t.tsv:2:1: warning: cyclic inheritance, all of it written: a --> b --> c --> a",
                            "t.tsv:7:1: warning: cyclic inheritance, all of it written: p --> q --> p"});
  CHECK(written.statements == 9);
}

TEST_CASE("an import can be cancelled", "[experiments][imports]") {
  Gathered facts;
  std::string text;
  for (int i = 0; i < 2000; ++i) text += "a\tr\tb\n";
  const core::WorkBudget work({.steps = 1000}, {});
  CHECK_THROWS_AS(read_kinds(facts, text), core::WorkStopped);
}
