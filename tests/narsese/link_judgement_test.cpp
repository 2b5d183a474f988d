// SPDX-License-Identifier: MIT
#include "narsese/link_judgement.hpp"

#include <array>
#include <sstream>
#include <string>

#include "narsese/nal_reader.hpp"
#include "narsese/parser.hpp"
#include "narsese/translator.hpp"
#include "tests/narsese/parsing.hpp"
#include "tests/support/catch.hpp"

namespace engram::narsese {
namespace {

// One letter for each sentence: l for a link, s for any other sentence; followed by w if the line has a warning.
std::string kinds_of(const std::string& text) {
  TermTable terms;
  std::string kinds;
  for (const NalLine& line : testing::read_lines(text, terms)) {
    REQUIRE(line.kind != NalLine::Kind::error);
    if (line.kind != NalLine::Kind::sentence) continue;
    kinds += line.tells_link ? 'l' : 's';
    if (!line.warnings.empty()) kinds += 'w';
  }
  return kinds;
}

const std::string zeros(31, '0');
const std::string half = "0.5" + zeros, most = "0.9" + zeros;  // 32 decimals

TEST_CASE("print_link sorts the terms and prints the shortest numbers", "[narsese][link_judgement]") {
  TermTable terms;
  const Term a = terms.atom("a"), b = terms.atom("b");
  CHECK(print_link(b, a, {0.5, 0.9}) == "<(*,a,b) --> associated>. %0.5;0.9%");
  CHECK(print_link(a, b, {0.5, 0.9}, "goes_with") == "<(*,a,b) --> goes_with>. %0.5;0.9%");
  CHECK(print_link(a, b, {1, 0.5}) == "<(*,a,b) --> associated>. %1;0.5%");
  CHECK(print_link(a, b, {1e-40, 0.5}) == "<(*,a,b) --> associated>. %0." + std::string(39, '0') + "1;0.5%");
}

TEST_CASE("judgments with the form of a link are links within a section", "[narsese][link_judgement]") {
  const std::string begin = "//engram: links\n", end = "//engram: statements\n", truth = " %0.5;0.9%\n";
  CHECK(kinds_of("<a <-> b>." + truth + begin + "<a <-> b>." + truth + end + "<a <-> b>." + truth) == "sls");
  CHECK(kinds_of("  //engram: links  \n<(*,a,b) --> associated>." + truth) == "l");
  CHECK(kinds_of(begin + "<(b * a) --> goes_with>." + truth + "// a comment\n\n3\n<a <-> b>." + truth) ==
        "ll");
  for (const char* other : {"<a --> b>.", "<(*,a,b) --> {c}>.", "<(*,a,b,c) --> d>.", "<(*,a,b) ==> c>.",
                            "<(*,a,b) --> c>!", "<a <=> b>.", "<a <-> b>!", "<a <-> b>. :|:",
                            "<a <-> b>. :!5:", "$0.5;0.5;0.5$ <a <-> b>.", "(&&,<a <-> b>,c)."}) {
    INFO(other);
    CHECK(kinds_of(begin + other + truth + "<a <-> b>." + truth) == "sl");
  }
  // A similarity without a truth value is not a link, and neither is a question.
  CHECK(kinds_of(begin + "<a <-> b>.\n<a <-> b>?\n") == "ss");
  for (const char* other : {"//engram: linked", "//engram links", "// engram: links", "'//engram: links"}) {
    INFO(other);
    CHECK(kinds_of(std::string(other) + "\n<a <-> b>." + truth) == "s");
  }
}

TEST_CASE("set_in_links continues a section in another reader", "[narsese][link_judgement]") {
  TermTable terms;
  std::istringstream first("//engram: links"), second("<a <-> b>. %0.5;0.9%");
  NalReader reader(first, terms);
  while (reader.next()) {
  }
  CHECK(reader.in_links());
  NalReader other(second, terms);
  other.set_in_links(reader.in_links());
  CHECK(other.next()->tells_link);
}

TEST_CASE("links of version 0.1 are read with a warning", "[narsese][link_judgement]") {
  const std::string truth = " %" + half + ";" + most + "%\n";
  CHECK(kinds_of("<a <-> b>." + truth) == "lw");
  CHECK(kinds_of("  <(*,a,b) --> associated>." + truth) == "lw");
  CHECK(kinds_of("//engram: links\n<a <-> b>." + truth) == "l");
  CHECK(kinds_of("<a --> b>." + truth) == "s");
  for (const char* other : {"%0.5;0.9%", "%0.333333333333333315;0.9000000000000000222%"})
    CHECK(kinds_of(std::string("<a <-> b>. ") + other + "\n") == "s");
  CHECK(kinds_of("<a <-> b>. %" + half + ";0.9%\n") == "s");
  CHECK(kinds_of("<a <-> b>. %0.5;" + most + "%\n") == "s");
  // With one decimal too few, the similarity is not a link.
  CHECK(kinds_of("<a <-> b>. %" + half.substr(0, 33) + ";" + most + "%\n") == "s");
}

TEST_CASE("every system reads a link as a judgment with the same numbers", "[narsese][link_judgement]") {
  TermTable terms;
  const Term a = terms.atom("a"), b = terms.atom("b");
  for (const TruthValue truth : {TruthValue{1.0 / 3, 2.0 / 3}, TruthValue{0, 0.9}, TruthValue{1, 0.0123},
                                 TruthValue{0.1 + 0.2, greatest_confidence}, TruthValue{0x1p-60, 0.25}})
    for (const Dialect dialect : testing::dialects) {
      const std::string text = print_link(a, b, truth);
      INFO(text << " " << static_cast<int>(dialect));
      const auto parsed = Parser(dialect).sentence(text, terms);
      REQUIRE(parsed.result);
      CHECK(link_ends(parsed.result->term) == std::array{a, b});
      CHECK(parsed.result->truth == truth);
      const auto written = Translator(terms, dialect).sentence(*parsed.result);
      REQUIRE(written);
      if (truth.confidence < 0.99) CHECK(written->warnings.empty());  // OpenNARS caps confidence at 0.99
    }
}

}  // namespace
}  // namespace engram::narsese
