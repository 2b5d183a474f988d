// SPDX-License-Identifier: MIT
#include "narsese/parser.hpp"

#include <string>
#include <string_view>
#include <vector>

#include "narsese/printer.hpp"
#include "tests/narsese/parsing.hpp"
#include "tests/narsese/random_term.hpp"
#include "tests/support/catch.hpp"

using namespace engram::narsese;
using namespace engram::narsese::testing;

namespace {

/// Reads a text and checks the result: a sentence must survive printing and reading, and an error must have a valid
/// position. Returns a description of a failure, otherwise an empty string.
std::string harm(std::string_view text, TermTable& table, std::size_t& sentences) {
  const auto sentence = parse_sentence(text, table);
  if (!sentence) {
    const std::string wrong = flaw(text, sentence.error());
    return wrong.empty() ? "" : std::string(text) + " : " + wrong;
  }
  ++sentences;
  const std::string printed = print(*sentence);
  const auto again = parse_sentence(printed, table);
  if (!again) return std::string(text) + " is printed " + printed + " : " + again.error().message();
  if (!(*again == *sentence)) return std::string(text) + " becomes " + printed + " becomes " + print(*again);
  return {};
}

}  // namespace

TEST_CASE("every prefix of a sentence is a sentence or has an error within it", "[narsese][parser][fuzz]") {
  const std::string text =
      "$0.25;0.5;0.75$ <(&&,<$x --> {鸟,\"a b\"}>,(a &/ +5 &/ #y),(R /2 S_0.3),(/,R,_,[b c]),(-- ?z),"
      "(^go,{SELF},$x)) =/> <{a} <|> (\\,R,A,_,🐦)>>! :-12: %0.5;0.25%";
  TermTable table;
  std::size_t sentences = 0;
  for (std::size_t length = 0; length <= text.size(); ++length)
    CHECK(harm(std::string_view(text).substr(0, length), table, sentences) == "");
  // Six prefixes are sentences: "$0.", and those after "!" that end with a complete tense, a complete truth value or a
  // blank.
  CHECK(sentences == 6);
}

TEST_CASE("random bytes cause no harm", "[narsese][parser][fuzz]") {
  Random random(31);
  std::string counterexample;
  std::size_t sentences = 0;
  TermTable table;
  for (int i = 0; i < 100000 && counterexample.empty(); ++i) {
    std::string text;
    for (std::size_t n = random.below(24); n > 0; --n)
      text += static_cast<char>(static_cast<unsigned char>(random.below(random.one_in(8) ? 256 : 128)));
    counterexample = harm(text, table, sentences);
  }
  CHECK(counterexample == "");
}

TEST_CASE("random pieces of Narsese cause no harm", "[narsese][parser][fuzz]") {
  const std::vector<std::string_view> pieces{
      "<",    ">",    "(",    ")",         "{",       "}",      "[",       "]",   ",",   " ",   " ",
      "a",    "b",    "-->",  "<->",       "==>",     "=/>",    "{--",     "--]", "{-]", "</>", "<\\>",
      "(*,",  "(&&,", "(--,", "(-,",       "(/,",     "(\\,",   "*",       "&&",  "||",  "&/",  "|",
      "-",    "~",    "--",   "!",         "?",       ".",      "@",       "$x",  "#y",  "?z",  "$",
      "#",    "^",    "^op",  "_",         ",_",      " /1 ",   " \\2 ",   "+5",  "+",   "\"",  ":|:",
      ":!5:", ":",    "%1%",  "%0.5;0.9%", "{1 0.5}", "$0.5$ ", "$1;1;1$", "%",   ";",   "0.5", "1",
      "=",    "\\",   "/",    "ü",         "\t",      "'",
  };
  Random random(32);
  std::string counterexample;
  std::size_t sentences = 0;
  TermTable table;
  for (int i = 0; i < 50000 && counterexample.empty(); ++i) {
    std::string text;
    for (std::size_t n = random.below(10); n > 0; --n) text += random.pick(pieces);
    if (random.one_in(2)) text += '.';
    counterexample = harm(text, table, sentences);
  }
  CHECK(counterexample == "");
  CHECK(sentences > 500);
}

TEST_CASE("damaged sentences cause no harm", "[narsese][parser][fuzz]") {
  Random random(33);
  std::string counterexample;
  std::size_t sentences = 0;
  for (int block = 0; block < 20 && counterexample.empty(); ++block) {
    TermTable table;
    RandomTerms terms(random, table, {.depth = 3, .components = 3});
    for (int i = 0; i < 250 && counterexample.empty(); ++i) {
      std::string text = Spelling(random, terms.term()).text() + ".";
      for (std::size_t n = 1 + random.below(3); n > 0 && !text.empty(); --n) {
        const std::size_t at = random.below(text.size());
        if (random.one_in(3))
          text.erase(at, 1 + random.below(3));
        else if (random.one_in(2))
          text[at] = text[random.below(text.size())];
        else
          text.insert(at, text.substr(random.below(text.size()), 1 + random.below(4)));
      }
      counterexample = harm(text, table, sentences);
    }
  }
  CHECK(counterexample == "");
  CHECK(sentences > 100);
}
