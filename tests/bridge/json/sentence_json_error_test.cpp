// SPDX-License-Identifier: MIT
#include <limits>
#include <nlohmann/json.hpp>

#include "bridge/json/sentence_json.hpp"
#include "narsese/printer.hpp"
#include "narsese/text.hpp"
#include "tests/narsese/parsing.hpp"
#include "tests/narsese/random_term.hpp"
#include "tests/support/catch.hpp"

using namespace engram;
using namespace engram::narsese;
using bridge::sentence_from_json;
using narsese::testing::Random;
using narsese::testing::RandomTerms;
using narsese::testing::repeat;
using Json = nlohmann::json;

namespace {

// The error in the JSON of a sentence. For valid JSON, "none: " and the sentence in Narsese.
std::string error(std::string_view json, const ParseLimits& limits = {}) {
  TermTable table;
  const auto sentence = sentence_from_json(json, table, limits);
  return sentence ? "none: " + print(*sentence) : sentence.error().message();
}

// error_of_term() gives the error for a term in an otherwise valid sentence. error_of_rest() gives the error for the
// members that follow a valid term and punctuation.
std::string error_of_term(const std::string& term, const ParseLimits& limits = {}) {
  return error(R"({"term":)" + term + R"(,"punctuation":"."})", limits);
}
std::string error_of_rest(const std::string& members) {
  return error(R"({"term":{"atom":"a"},"punctuation":".",)" + members + "}");
}

}  // namespace

TEST_CASE("a sentence must be an object with a term and punctuation", "[bridge][json]") {
  CHECK(error("[]") == "expected a sentence, an object, found an array");
  CHECK(error("\"<a --> b>.\"") == "expected a sentence, an object, found \"<a --> b>.\"");
  CHECK(error("{}") == "/term: expected a term, found nothing");
  CHECK(error(R"({"term":{"atom":"a"}})") == "/punctuation: expected punctuation, found nothing");
  CHECK(error(R"({"punctuation":"."})") == "/term: expected a term, found nothing");
  CHECK(error(R"({"term":{"atom":"a"},"punctuation":","})") ==
        R"(/punctuation: expected punctuation, one of ".", "!", "?", "@", found ",")");
  CHECK(error(R"({"term":{"atom":"a"},"punctuation":46})") ==
        R"(/punctuation: expected punctuation, one of ".", "!", "?", "@", found 46)");
  CHECK(error_of_rest(R"("truht":1)") ==
        R"(/truht: expected no members but "term", "punctuation", "tense", "truth", "budget",)"
        R"( "dt", found "truht" (did you mean "truth"?))");
  CHECK(error_of_rest(R"("":1)").starts_with("/: expected no members but "));
  CHECK(error_of_rest(R"("a/b":null)").starts_with("/a~1b: expected no members but "));
}

TEST_CASE("a term must be an object of exactly one kind", "[bridge][json]") {
  CHECK(error_of_term("\"bird\"") == "/term: expected a term, an object, found \"bird\"");
  CHECK(error_of_term("null") == "/term: expected a term, an object, found null");
  CHECK(error_of_term("{}") ==
        R"(/term: expected a term, an object with one of the members "atom", "operator", "variable",)"
        R"( "interval", "connector", "copula", found an empty object)");
  CHECK(error_of_term(R"({"atm":"bird"})").ends_with(R"(, found one with "atm" (did you mean "atom"?))"));
  CHECK(error_of_term(R"({"atom":"a","copula":"-->"})") ==
        R"(/term/copula: expected no members but "atom", found "copula")");
  CHECK(error_of_term(R"({"variable":"$1","number":1})").starts_with("/term/number: expected no members"));
  CHECK(error_of_term(R"({"interval":1,"atom":"a"})").starts_with("/term/interval: expected no members"));
}

TEST_CASE("a statement must have a copula and two sides", "[bridge][json]") {
  const auto statement = [](const std::string& copula) {
    return error_of_term(R"({"copula":)" + copula + R"(,"subject":{"atom":"a"},"predicate":{"atom":"b"}})");
  };
  CHECK(statement("\"->\"").starts_with(R"(/term/copula: expected a copula, one of "-->", "<->", "==>")"));
  CHECK(statement("\"->\"").ends_with(R"(, found "->" (did you mean "-->"?))"));
  CHECK(statement("\"is\"").ends_with(", found \"is\""));
  CHECK(statement("3").ends_with(", found 3"));
  CHECK(error_of_term(R"({"copula":"-->","subject":{"atom":"a"}})") ==
        "/term/predicate: expected a term, found nothing");
  CHECK(error_of_term(R"({"copula":"-->","predicate":{"atom":"a"}})") ==
        "/term/subject: expected a term, found nothing");
  CHECK(error_of_term(R"({"copula":"-->","subject":{"atom":7},"predicate":{"atom":"b"}})") ==
        "/term/subject/atom: expected a string, found 7");
  CHECK(error_of_term(R"({"copula":"-->","subject":{"atom":"a"},"predicate":[]})") ==
        "/term/predicate: expected a term, an object, found an array");
  CHECK(error_of_term(R"({"copula":"-->","subject":{"atom":"a"},"predicate":{"atom":"b"},"verb":1})") ==
        R"(/term/verb: expected no members but "copula", "subject", "predicate", found "verb")");
}

TEST_CASE("a compound must have a connector and a valid number of components", "[bridge][json]") {
  const auto compound = [](const std::string& connector, const std::string& components) {
    return error_of_term(R"({"connector":)" + connector + R"(,"components":)" + components + "}");
  };
  const std::string a = R"({"atom":"a"})", b = R"({"atom":"b"})", c = R"({"atom":"c"})";
  CHECK(compound("\"&&&\"", "[" + a + "]")
            .starts_with(R"(/term/connector: expected a connector, one of "*", "{")"));
  CHECK(compound("\"&&&\"", "[" + a + "]").ends_with(R"(, found "&&&" (did you mean "&&"?))"));
  CHECK(compound("\"}\"", "[" + a + "]").ends_with(", found \"}\""));
  CHECK(compound("null", "[" + a + "]").ends_with(", found null"));
  CHECK(error_of_term(R"({"connector":"*"})") ==
        "/term/components: expected an array of terms, found nothing");
  CHECK(compound("\"*\"", a) == "/term/components: expected an array of terms, found an object");
  CHECK(compound("\"*\"", "[" + a + ",7]") == "/term/components/1: expected a term, an object, found 7");
  CHECK(compound("\"{\"", "[]") == "/term/components: expected at least 1 component of \"{\", found 0");
  CHECK(compound("\"&/\"", "[" + a + "]") ==
        "/term/components: expected at least 2 components of \"&/\", found 1");
  CHECK(compound("\"--\"", "[" + a + "," + b + "]") ==
        "/term/components: expected 1 component of \"--\", found 2");
  CHECK(compound("\"-\"", "[" + a + "," + b + "," + c + "]") ==
        "/term/components: expected 2 components of \"-\", found 3");
  CHECK(error_of_term(R"({"connector":"*","components":[)" + a + R"(],"placeholder":1})") ==
        R"(/term/placeholder: expected no members but "connector", "components", found "placeholder")");
  CHECK(compound("\"[\"", R"([{"connector":"{","components":[{"atom":"b"},{"atom":true}]}])") ==
        "/term/components/0/components/1/atom: expected a string, found true");
}

TEST_CASE("an image's placeholder must be at one of its arguments", "[bridge][json]") {
  const auto image = [](const std::string& placeholder) {
    return error_of_term(R"({"connector":"/","components":[{"atom":"R"},{"atom":"b"}])" + placeholder + "}");
  };
  CHECK(image("") == "/term/placeholder: expected the placeholder's place, found nothing");
  for (const std::string value : {"0", "3", "-1", "1.5", "\"1\"", "null", "18446744073709551617"})
    CHECK(image(",\"placeholder\":" + value)
              .starts_with("/term/placeholder: expected a whole number in [1, 2], "));
  CHECK(image(",\"placeholder\":2") == "none: (/,R,b,_).");
  CHECK(error_of_term(R"({"connector":"\\","components":[],"placeholder":1})") ==
        R"(/term/components: expected at least 1 component of "\\", found 0)");
}

TEST_CASE("a name must be writable in Narsese", "[bridge][json]") {
  CHECK(error_of_term(R"({"atom":""})") == "/term/atom: expected a name, found none");
  CHECK(error_of_term(R"({"operator":""})") == "/term/operator: expected a name, found none");
  CHECK(error_of_term(R"({"atom":"a b"})") ==
        R"(/term/atom: expected a name that Narsese can write (one with blanks in quotes: "\"a b\""),)"
        R"( found "a b")");
  for (const std::string name :
       {R"(-->)",      R"(a-->b)", R"(a,b)",    R"(a)b)",     R"(<a)",  R"(_)",       R"(--a)",  R"($x)",
        R"(#x)",       R"(?x)",    R"(^go)",    R"(+5)",      R"(a&b)", R"(a*b)",     R"(a||b)", R"(\"a)",
        R"(\"a\"b\")", R"(a\")",   R"(\u0000)", R"(a\u0000)", R"(\n)",  R"(a\u001f)", R"(\t)",   R"(a\u007f)",
        R"(\"a\nb\")", R"( a)",    R"(a )",     R"(%)",       R"(=)",   R"(/)",       R"(~x)",   R"(:)"}) {
    INFO(name);
    CHECK(error_of_term(R"({"copula":"-->","subject":{"atom":")" + name + R"("},"predicate":{"atom":"b"}})")
              .starts_with("/term/subject/atom: expected a name that Narsese can write"));
  }
  for (const std::string name : {"a b", "a-->b", "a ", " a", "a)", "a,b", "\\\"a\\\"", "\\u0000", "\\t"}) {
    INFO(name);
    CHECK(error_of_term(R"({"operator":")" + name + "\"}")
              .starts_with("/term/operator: expected a name that Narsese can write, found \""));
    CHECK(error_of_term(R"({"variable":"#)" + name + "\"}")
              .starts_with("/term/variable: expected a name that Narsese can write, found \""));
  }
  // Outside of brackets, a punctuation character in a name would end the sentence.
  CHECK(error_of_term(R"({"atom":"a.:b"})") ==
        "/term: expected a term that Narsese can write without brackets, found \"a.:b\"");
  CHECK(error_of_term(R"({"operator":"a!%"})") ==
        "/term: expected a term that Narsese can write without brackets, found \"^a!%\"");
  CHECK(error_of_term(R"({"atom":"dt=5"})").starts_with("/term: expected a term that Narsese can write "));
  CHECK(error_of_term(R"({"connector":"&&","components":[{"atom":"a?:"},{"atom":"a?:"}]})")
            .starts_with("/term: "));
}

TEST_CASE("a variable must have a kind and a name", "[bridge][json]") {
  for (const std::string value : {"\"x\"", "\"\"", "\"1\"", "\"@1\"", "\"ü\""})
    CHECK(error_of_term(R"({"variable":)" + value + "}") ==
          "/term/variable: expected a variable: $, # or ? with a number or a name, found " + value);
  CHECK(error_of_term(R"({"variable":1})") == "/term/variable: expected a string, found 1");
  CHECK(error_of_term(R"({"variable":"$"})") == "/term/variable: expected a name, found none");
}

TEST_CASE("whole numbers must fit into 64 bits", "[bridge][json]") {
  for (const std::string value :
       {"-1", "5.5", "1e-3", "\"5\"", "9223372036854775808", "18446744073709551616", "true"})
    CHECK(error_of_term(R"({"interval":)" + value + "}")
              .starts_with(
                  "/term/interval: expected a whole number of at least 0 in the range of 64 bits, found "));
  for (const std::string kind : {"offset", "at"})
    for (const std::string value : {"9223372036854775808", "-9223372036854775809", "0.5", "null", "[]"})
      CHECK(error_of_rest(R"("tense":{")" + kind + "\":" + value + "}")
                .starts_with("/tense/" + kind + ": expected a whole number in the range of 64 bits, found "));
}

TEST_CASE("a tense must be a name or a number of cycles", "[bridge][json]") {
  CHECK(error_of_rest(R"("tense":"presnt")") ==
        R"(/tense: expected a tense, one of "past", "present", "future",)"
        R"( found "presnt" (did you mean "present"?))");
  CHECK(error_of_rest(R"("tense":null)") ==
        R"(/tense: expected a tense: a string, or an object with "offset" or "at", found null)");
  CHECK(error_of_rest(R"("tense":{})") == "/tense/offset: expected a number of cycles, found nothing");
  CHECK(error_of_rest(R"("tense":{"at":1,"offset":1})") ==
        R"(/tense/offset: expected no members but "at", found "offset")");
}

TEST_CASE("truth and budget values must all be numbers in [0, 1]", "[bridge][json]") {
  CHECK(error_of_rest(R"("truth":[1,0.9])") == "/truth: expected a truth value, an object, found an array");
  CHECK(error_of_rest(R"("truth":{"frequency":1})") ==
        "/truth/confidence: expected a number in [0, 1], found nothing");
  CHECK(error_of_rest(R"("truth":{"confidence":1})") ==
        "/truth/frequency: expected a number in [0, 1], found nothing");
  CHECK(error_of_rest(R"("budget":7)") == "/budget: expected a budget, an object, found 7");
  for (const std::string value :
       {"1.0000000000000002", "-1e-300", "2", "\"1\"", "null", "true", "[]", "-1"}) {
    const std::string shares = R"({"frequency":1,"confidence":)" + value + "}";
    CHECK(error_of_rest(R"("truth":)" + shares)
              .starts_with("/truth/confidence: expected a number in [0, 1], "));
  }
  for (const std::string name : {"priority", "durability", "quality"}) {
    Json budget{{"priority", 0.5}, {"durability", 0.5}, {"quality", 0.5}};
    budget.erase(name);
    CHECK(error_of_rest(R"("budget":)" + budget.dump()) ==
          "/budget/" + name + ": expected a number in [0, 1], found nothing");
    budget[name] = 1.5;
    CHECK(error_of_rest(R"("budget":)" + budget.dump()) ==
          "/budget/" + name + ": expected a number in [0, 1], found 1.5");
  }
  CHECK(error_of_rest(R"("truth":{"frequency":1,"confidence":0.9,"k":1})") ==
        R"(/truth/k: expected no members but "frequency", "confidence", found "k")");
  CHECK(error_of_rest(R"("budget":{"priority":1,"durability":0.9,"quality":1,"x":1})")
            .starts_with("/budget/x: "));
  CHECK(error_of_rest(R"("truth":{"frequency":1e999,"confidence":0.9})") ==
        "/truth/frequency: expected a number in the range of a double, found 1e999");
  for (const std::string mark : {"?", "@"})
    CHECK(error(R"({"term":{"atom":"a"},"punctuation":")" + mark +
                R"(","truth":{"frequency":1,"confidence":0.9}})") ==
          "/truth: expected nothing (a question or quest has no truth value), found one");
}

TEST_CASE("a delay must be a number", "[bridge][json]") {
  CHECK(error_of_rest(R"("dt":-1.5e10)") == "none: dt=-15000000000 a.");
  CHECK(error_of_rest(R"("dt":"5")").starts_with("/dt: expected a number in the range of a double, "));
  CHECK(error_of_rest(R"("dt":null)").starts_with("/dt: expected a number in the range of a double, "));
  CHECK(error_of_rest(R"("dt":-1e309)") == "/dt: expected a number in the range of a double, found -1e309");
}

TEST_CASE("a syntax error in a sentence has its offset and column", "[bridge][json]") {
  TermTable table;
  const auto found = sentence_from_json("{\"term\":{\"atom\":\"ü\"},nonsense}", table);
  REQUIRE_FALSE(found);
  CHECK(found.error().pointer == "");
  CHECK(found.error().offset == 23);
  CHECK(found.error().column == 23);
  CHECK(error(R"({"term":{"atom":"a"},"term":{"atom":"b"},"punctuation":"."})") ==
        "/term: expected each name once in an object, found one twice");
}

TEST_CASE("sentences in JSON obey the limits of the Narsese parser", "[bridge][json]") {
  ParseLimits limits;
  limits.max_name_bytes = 3;
  CHECK(error_of_term(R"({"atom":"üb"})", limits) == "none: üb.");
  CHECK(error_of_term(R"({"atom":"übe"})", limits) ==
        "/term/atom: expected a name of at most 3 bytes, found 4");
  CHECK(error_of_term(R"({"operator":"long"})", limits)
            .starts_with("/term/operator: expected a name of at most 3"));
  CHECK(error_of_term(R"({"variable":"$abc"})", limits) == "none: $1.");
  CHECK(error_of_term(R"({"variable":"$long"})", limits)
            .starts_with("/term/variable: expected a name of at most 3"));

  limits = {};
  limits.max_components = 2;
  CHECK(error_of_term(R"({"connector":"*","components":[{"atom":"a"},{"atom":"a"}]})", limits) ==
        "none: (*,a,a).");
  CHECK(error_of_term(R"({"connector":"*","components":[{"atom":"a"},{"atom":"a"},{"atom":"a"}]})", limits) ==
        "/term/components: expected at most 2 components, found 3");

  limits = {};
  limits.max_variables = 2;
  const std::string variables =
      R"({"connector":"*","components":[{"variable":"$x"},{"variable":"#x"},{"variable":"$x"})";
  CHECK(error_of_term(variables + "]}", limits) == "none: (*,$1,#1,$1).");
  CHECK(error_of_term(variables + R"(,{"variable":"?x"}]})", limits) ==
        "/term/components/3/variable: expected at most 2 different variables, found more");

  limits = {};
  limits.max_line_bytes = 2;  // a limit of 2 bytes of Narsese allows 128 bytes of JSON
  const std::string text = R"({"term":{"atom":"a"},"punctuation":"."})";
  CHECK(error(text + std::string(128 - text.size(), ' '), limits) == "none: a.");
  CHECK(error(text + std::string(129 - text.size(), ' '), limits) ==
        "expected at most 128 bytes of JSON, found 129");
}

TEST_CASE("terms may nest as deep as the term table allows", "[bridge][json]") {
  constexpr std::size_t most = TermTable::max_depth - 1;
  const auto negations = [](std::size_t count) {
    return repeat(R"({"connector":"--","components":[)", count) + R"({"atom":"a"})" + repeat("]}", count);
  };
  const auto statements = [](std::size_t count) {
    return repeat(R"({"copula":"-->","subject":)", count) + R"({"atom":"a"})" +
           repeat(R"(,"predicate":{"atom":"b"}})", count);
  };
  CHECK(error_of_term(negations(most)).starts_with("none: (--,(--,"));
  CHECK(error_of_term(negations(most + 1))
            .ends_with(": expected at most 2048 levels of arrays and objects, found more"));
  CHECK(error_of_term(statements(most)).starts_with("none: <<<"));
  CHECK(error_of_term(statements(most + 1))
            .ends_with("/subject/subject: expected at most 1024 levels of terms, found more"));
}

TEST_CASE("the bounds of the term table apply if the limits are larger", "[bridge][json]") {
  constexpr std::size_t endless = std::numeric_limits<std::size_t>::max();
  const ParseLimits limits{endless, endless, endless, endless, endless};
  CHECK(error_of_term(R"({"atom":")" + std::string(TermTable::max_name_bytes, 'a') + "\"}", limits)
            .starts_with("none: aaa"));
  CHECK(error_of_term(R"({"atom":")" + std::string(TermTable::max_name_bytes + 1, 'a') + "\"}", limits)
            .starts_with("/term/atom: expected a name of at most 65536 bytes"));
  std::string list = R"({"interval":0})" + repeat(R"(,{"interval":0})", TermTable::max_components - 1);
  CHECK(error_of_term(R"({"connector":"*","components":[)" + list + "]}", limits).starts_with("none: (*,+0"));
  list += R"(,{"interval":0})";
  CHECK(error_of_term(R"({"connector":"*","components":[)" + list + "]}", limits)
            .starts_with("/term/components: expected at most " + std::to_string(TermTable::max_components) +
                         " components"));
}

TEST_CASE("hostile texts are refused quickly", "[bridge][json]") {
  CHECK(error(repeat("[", 1000000)).ends_with("levels of arrays and objects, found more"));
  CHECK(error(repeat("{\"term\":", 200000)).ends_with("levels of arrays and objects, found more"));
  CHECK(error_of_term(repeat(R"({"copula":"-->","subject":)", 60000)).ends_with(", found more"));
  CHECK(error(std::string(5000000, ' ')).starts_with("expected at most 4194304 bytes of JSON"));
  CHECK(error_of_term(R"({"connector":"*","components":[)" + repeat("0,", 900000) + "0]}") ==
        "/term/components: expected at most 4096 components, found 900001");
  CHECK(error_of_term(R"({"copula":")" + std::string(2000000, '-') + "\"}").starts_with("/term/copula: "));
  CHECK(error_of_term(R"({"copula":")" + std::string(2000000, '-') + "\"}").size() < 200);
  std::string members;
  for (int i = 0; i < 150000; ++i) members += '"' + std::to_string(i) + "\":0,";
  CHECK(error_of_rest(members + "\"x\":0").starts_with("/0: expected no members but "));
  CHECK(error_of_term(R"({"atom":"\ud800"})").starts_with("expected JSON, found invalid string"));
  CHECK(error_of_term("{\"atom\":\"\xff\"}").starts_with("expected JSON, found invalid string"));
  CHECK(error_of_term(R"({"interval":)" + std::string(1000, '9') + "}").starts_with("/term/interval: "));
}

TEST_CASE("a long value in an error message is cut between characters", "[bridge][json]") {
  CHECK(error_of_rest("\"tense\":\"" + repeat("ü", 20) + "\"")
            .ends_with(", found \"" + repeat("ü", 11) + "..."));
  CHECK(error_of_rest("\"tense\":\"" + std::string(22, 'x') + "\"")
            .ends_with(", found \"" + std::string(22, 'x') + "\""));
}

TEST_CASE("damaged trees are refused, or give sentences that can be printed and parsed",
          "[bridge][json][fuzz]") {
  Random random(61);
  std::size_t accepted = 0, refused = 0;
  const std::vector<std::string_view> names{"a b", "-->", "_", "^x", "$1", "a--", "\"q q\"", "A.", "a.:b",
                                            "x=",  "a|",  "{", "--", "+1", "鸟",  "%1%",     "'"};
  for (int block = 0; block < 20; ++block) {
    TermTable table;
    RandomTerms terms(random, table, {.depth = 3, .components = 3});
    for (int i = 0; i < 300; ++i) {
      std::string text = bridge::to_json(terms.sentence());
      if (random.one_in(2)) {  // renames one atom wherever it occurs in the text
        const std::string old = Json(std::string(random.pick(narsese::testing::atom_names))).dump();
        const std::string name = Json(std::string(random.pick(names))).dump();
        for (std::size_t at = text.find("{\"atom\":" + old); at != text.npos;
             at = text.find("{\"atom\":" + old, at + 1))
          text.replace(at + 8, old.size(), name);
      } else {
        for (std::size_t n = 1 + random.below(3); n > 0 && !text.empty(); --n) {
          const std::size_t at = random.below(text.size());
          if (random.one_in(3))
            text.erase(at, 1 + random.below(3));
          else if (random.one_in(3))
            text[at] = text[random.below(text.size())];
          else if (random.one_in(4))
            text[at] = static_cast<char>(random.below(256));
          else
            text.insert(at, text.substr(random.below(text.size()), 1 + random.below(4)));
        }
      }
      INFO(text);
      const auto sentence = sentence_from_json(text, table);
      if (!sentence) {
        ++refused;
        const std::string message = sentence.error().message();
        REQUIRE_FALSE(sentence.error().expected.empty());
        REQUIRE_FALSE(sentence.error().found.empty());
        REQUIRE(find_invalid_utf8(message) == message.size());
        REQUIRE(sentence.error().offset <= text.size());
        continue;
      }
      ++accepted;
      const auto parsed = parse_sentence(print(*sentence), table);
      INFO(print(*sentence));
      REQUIRE(parsed);
      REQUIRE(*parsed == *sentence);
      REQUIRE(*sentence_from_json(bridge::to_json(*sentence), table) == *sentence);
    }
  }
  CHECK(accepted > 500);
  CHECK(refused > 500);
}
