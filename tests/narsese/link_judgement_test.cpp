// SPDX-License-Identifier: MIT
#include "narsese/link_judgement.hpp"

#include <array>
#include <string>

#include "narsese/parser.hpp"
#include "narsese/translator.hpp"
#include "tests/support/catch.hpp"

namespace engram::narsese {
namespace {

bool is_link(const std::string& text) {
  TermTable terms;
  const auto sentence = parse_sentence(text, terms);
  REQUIRE(sentence);
  return is_link_judgement(*sentence, text);
}

const std::string zeros(31, '0');
const std::string half = "0.5" + zeros, most = "0.9" + zeros;  // 32 decimals

TEST_CASE("a link is written with its numbers in full, the terms in their order",
          "[narsese][link_judgement]") {
  TermTable terms;
  const Term a = terms.atom("a"), b = terms.atom("b");
  CHECK(print_link(b, a, {0.5, 0.9}) == "<(*,a,b) --> associated>. %" + half + ";" + most + "%");
  CHECK(print_link(a, b, {0.5, 0.9}, "goes_with") == "<(*,a,b) --> goes_with>. %" + half + ";" + most + "%");
  CHECK(print_link(a, b, {1, 0.5}) == "<(*,a,b) --> associated>. %1." + zeros + "0;" + half + "%");
  CHECK(print_link(a, b, {0, 0.5}) == "<(*,a,b) --> associated>. %0." + zeros + "0;" + half + "%");
  CHECK(print_link(a, b, {1e-40, 0.5}) ==
        "<(*,a,b) --> associated>. %0." + std::string(39, '0') + "1;" + half + "%");
}

TEST_CASE("what is written as a link is known for one, and nothing else is", "[narsese][link_judgement]") {
  const std::string truth = " %" + half + ";" + most + "%";
  CHECK(is_link("<a <-> b>." + truth));
  CHECK(is_link("  <b <-> a>." + truth + "  "));
  CHECK(is_link("<(*,a,b) --> associated>." + truth));
  CHECK(is_link("<(b * a) --> goes_with>." + truth));
  for (const char* other : {"<a --> b>.", "<(*,a,b) --> {c}>.", "<(*,a,b,c) --> d>.", "<(*,a,b) ==> c>.",
                            "<(*,a,b) --> c>!", "<a <=> b>.", "<a <-> b>!", "<a <-> b>. :|:",
                            "<a <-> b>. :!5:", "$0.5;0.5;0.5$ <a <-> b>.", "(&&,<a <-> b>,c)."}) {
    INFO(other);
    CHECK_FALSE(is_link(other + truth));
  }
  for (const char* other :
       {"<a <-> b>.", "<a <-> b>?", "<a <-> b>. %0.5%", "<a <-> b>. %0.5;0.9%",
        "<a <-> b>. %0.333333333333333315;0.9000000000000000222%", "<a <-> b>. %1;0.9%"}) {
    INFO(other);
    CHECK_FALSE(is_link(other));
  }
  CHECK_FALSE(is_link("<a <-> b>. %" + half + ";0.9%"));
  CHECK_FALSE(is_link("<a <-> b>. %0.5;" + most + "%"));
  CHECK_FALSE(is_link("<a <-> b>. %" + half.substr(0, 33) + ";" + most + "%"));  // a decimal less
}

TEST_CASE("every system reads a link as a judgement of the relation, to the last bit",
          "[narsese][link_judgement]") {
  TermTable terms;
  const Term a = terms.atom("a"), b = terms.atom("b");
  for (const TruthValue truth : {TruthValue{1.0 / 3, 2.0 / 3}, TruthValue{0, 0.9}, TruthValue{1, 0.0123},
                                 TruthValue{0.1 + 0.2, greatest_confidence}, TruthValue{0x1p-60, 0.25}})
    for (const Dialect dialect :
         {Dialect::any, Dialect::common, Dialect::ona, Dialect::opennars, Dialect::pynars}) {
      const std::string text = print_link(a, b, truth);
      INFO(text << " " << static_cast<int>(dialect));
      const auto parsed = Parser(dialect).sentence(text, terms);
      REQUIRE(parsed.result);
      CHECK(link_ends(parsed.result->term) == std::array{a, b});
      CHECK(parsed.result->truth == truth);
      CHECK(is_link_judgement(*parsed.result, text));
      const auto written = Translator(terms, dialect).sentence(*parsed.result);
      REQUIRE(written);
      if (truth.confidence < 0.99) CHECK(written->warnings.empty());  // OpenNARS reads more as 0.99
      CHECK_FALSE(is_link(written->text));                            // now somebody's belief
    }
}

}  // namespace
}  // namespace engram::narsese
