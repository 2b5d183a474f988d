// SPDX-License-Identifier: MIT
#include "bridge/json/sentence_json.hpp"

#include <cstdlib>
#include <fstream>
#include <limits>
#include <nlohmann/json.hpp>

#include "narsese/printer.hpp"
#include "tests/narsese/parsing.hpp"
#include "tests/narsese/random_term.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/folder.hpp"

using namespace engram;
using namespace engram::narsese;
using bridge::sentence_from_json;
using bridge::to_json;
using narsese::testing::Random;
using narsese::testing::RandomTerms;
using narsese::testing::repeat;
using Json = nlohmann::json;

namespace {

struct Example {
  std::string narsese;  // in canonical spelling
  std::string json;
};

// One example for each kind of term, connector and tense.
const std::vector<Example>& examples() {
  static const std::vector<Example> all{
      {"bird.", R"({"term":{"atom":"bird"},"punctuation":"."})"},
      {"\"a \\ b\"?", R"({"term":{"atom":"\"a \\ b\""},"punctuation":"?"})"},
      {"鸟@", R"({"term":{"atom":"鸟"},"punctuation":"@"})"},
      {"^go!", R"({"term":{"operator":"go"},"punctuation":"!"})"},
      {"+5.", R"({"term":{"interval":5},"punctuation":"."})"},
      {"(*,$1,#1,?1,?2).",
       R"({"term":{"connector":"*","components":[{"variable":"$1"},{"variable":"#1"},{"variable":"?1"},)"
       R"({"variable":"?2"}]},"punctuation":"."})"},
      {"<{tim} <-> [tall]>.",
       R"({"term":{"copula":"<->","subject":{"connector":"{","components":[{"atom":"tim"}]},)"
       R"("predicate":{"connector":"[","components":[{"atom":"tall"}]}},"punctuation":"."})"},
      {"(/,R,_,B).", R"({"term":{"connector":"/","components":[{"atom":"R"},{"atom":"B"}],"placeholder":1},)"
                     R"("punctuation":"."})"},
      {"(\\,R,A,_).",
       R"({"term":{"connector":"\\","components":[{"atom":"R"},{"atom":"A"}],"placeholder":2},)"
       R"("punctuation":"."})"},
      {"(--,a).", R"({"term":{"connector":"--","components":[{"atom":"a"}]},"punctuation":"."})"},
      {"(-,(&,a,b),(|,a,b)).",
       R"({"term":{"connector":"-","components":[{"connector":"&","components":[{"atom":"a"},)"
       R"({"atom":"b"}]},{"connector":"|","components":[{"atom":"a"},{"atom":"b"}]}]},"punctuation":"."})"},
      {"(~,(&&,a,b),(||,a,b)).",
       R"({"term":{"connector":"~","components":[{"connector":"&&","components":[{"atom":"a"},)"
       R"({"atom":"b"}]},{"connector":"||","components":[{"atom":"a"},{"atom":"b"}]}]},"punctuation":"."})"},
      {"<(&/,b,a) =/> (&|,a,b)>.",
       R"({"term":{"copula":"=/>","subject":{"connector":"&/","components":[{"atom":"b"},{"atom":"a"}]},)"
       R"("predicate":{"connector":"&|","components":[{"atom":"a"},{"atom":"b"}]}},"punctuation":"."})"},
      {"<(#,a) |-> (=,b)>.",
       R"({"term":{"copula":"|->","subject":{"connector":"#","components":[{"atom":"a"}]},)"
       R"("predicate":{"connector":"=","components":[{"atom":"b"}]}},"punctuation":"."})"},
      {"dt=-0.5 (+,a).",
       R"({"term":{"connector":"+","components":[{"atom":"a"}]},"punctuation":".","dt":-0.5})"},
      {"a. :\\:", R"({"term":{"atom":"a"},"punctuation":".","tense":"past"})"},
      {"a. :|:", R"({"term":{"atom":"a"},"punctuation":".","tense":"present"})"},
      {"a? :/:", R"({"term":{"atom":"a"},"punctuation":"?","tense":"future"})"},
      {"a. :+0:", R"({"term":{"atom":"a"},"punctuation":".","tense":{"offset":0}})"},
      {"a. :-9223372036854775808:",
       R"({"term":{"atom":"a"},"punctuation":".","tense":{"offset":-9223372036854775808}})"},
      {"a. :!9223372036854775807:",
       R"({"term":{"atom":"a"},"punctuation":".","tense":{"at":9223372036854775807}})"},
      {"a! %1;0.9%", R"({"term":{"atom":"a"},"punctuation":"!","truth":{"frequency":1.0,"confidence":0.9}})"},
      {"$0.8;0;1$ a. :|: %0.1;0.00001%",
       R"({"term":{"atom":"a"},"punctuation":".","tense":"present","truth":{"frequency":0.1,)"
       R"("confidence":1e-05},"budget":{"priority":0.8,"durability":0.0,"quality":1.0}})"},
  };
  return all;
}

Sentence parsed(std::string_view narsese, TermTable& table) {
  const auto sentence = parse_sentence(narsese, table);
  INFO(narsese);
  REQUIRE(sentence);
  return *sentence;
}

// The sentence in Narsese that a JSON text describes, or "error: " and the message.
std::string read(std::string_view json, const ParseLimits& limits = {}) {
  TermTable table;
  const auto sentence = sentence_from_json(json, table, limits);
  return sentence ? print(*sentence) : "error: " + sentence.error().message();
}

// The same term in another spelling: with other variable names, components in another order, and sometimes a component
// repeated.
Json respelled(Random& random, Json term) {
  if (term.contains("variable")) {
    const std::string text = term.at("variable");
    return {{"variable", text.substr(0, 1) + "who" + std::to_string(99 - std::stoi(text.substr(1)))}};
  }
  if (term.contains("copula")) {
    Json subject = respelled(random, term["subject"]), predicate = respelled(random, term["predicate"]);
    const auto rule = std::ranges::find(copulas, term["copula"].get<std::string>(), &CopulaFacts::text);
    if (rule->symmetric && random.one_in(2)) std::swap(subject, predicate);
    return {{"copula", term["copula"]}, {"subject", subject}, {"predicate", predicate}};
  }
  if (!term.contains("connector")) return term;
  std::vector<Json> components;
  for (const Json& component : term["components"]) components.push_back(respelled(random, component));
  const auto rule =
      std::ranges::find(connectors, term["connector"].get<std::string>(), &ConnectorFacts::text);
  if (rule->commutative) {
    if (random.one_in(4)) components.push_back(components.front());
    random.shuffle(components);
  }
  term["components"] = components;
  return term;
}

}  // namespace

TEST_CASE("each example converts to its JSON and back", "[bridge][json]") {
  for (const Example& example : examples()) {
    TermTable table;
    CHECK(to_json(parsed(example.narsese, table)) == example.json);
    CHECK(read(example.json) == example.narsese);
  }
}

TEST_CASE("every connector occurs in an example", "[bridge][json]") {
  std::string all;
  for (const Example& example : examples()) all += example.json;
  for (const ConnectorFacts& connector : connectors)
    CHECK(all.find("{\"connector\":" + Json(std::string(connector.text)).dump()) != std::string::npos);
}

TEST_CASE("random sentences survive a round trip through JSON", "[bridge][json]") {
  Random random(51);
  for (int block = 0; block < 30; ++block) {
    TermTable table;
    RandomTerms terms(random, table);
    for (int i = 0; i < 100; ++i) {
      Sentence sentence = terms.sentence();
      if (random.one_in(4)) sentence.delay = 1e3 * random.unit() - 500;
      const std::string json = to_json(sentence);
      INFO(json);
      REQUIRE(json.find('\n') == std::string::npos);
      const auto read_back = sentence_from_json(json, table);
      REQUIRE(read_back);
      REQUIRE(*read_back == sentence);
    }
  }
}

TEST_CASE("JSON trees of equal terms give the same sentence: order, variable names and repetition",
          "[bridge][json]") {
  Random random(52);
  for (const bool commutative_only : {false, true})
    for (int block = 0; block < 15; ++block) {
      TermTable table;
      RandomTerms terms(random, table, {.depth = 3, .commutative_only = commutative_only});
      for (int i = 0; i < 100; ++i) {
        const Sentence sentence = terms.sentence();
        // The parser sorts the members by name, so their order also differs.
        Json json = Json::parse(to_json(sentence));
        json["term"] = respelled(random, json["term"]);
        INFO(to_json(sentence));
        INFO(json);
        const auto read_back = sentence_from_json(json.dump(), table);
        REQUIRE(read_back);
        REQUIRE(*read_back == sentence);
      }
    }
}

TEST_CASE("whitespace and escapes do not matter", "[bridge][json]") {
  for (const Example& example : examples()) {
    CHECK(read(" \r\n" + Json::parse(example.json).dump(2) + "\n") == example.narsese);
    // Non-ASCII characters are escaped: 鸟 becomes \u9e1f.
    CHECK(read(Json::parse(example.json).dump(-1, ' ', true)) == example.narsese);
  }
}

TEST_CASE("numbers survive a round trip exactly", "[bridge][json]") {
  TermTable table;
  Sentence sentence = parsed("a.", table);
  for (const double value :
       {0.1, 1.0 / 3, 1 - 0x1p-53, 0x1p-53, 5e-324, std::numeric_limits<double>::min()}) {
    sentence.truth = TruthValue{value, 1 - value};
    sentence.budget = BudgetValue{value / 3, value / 7, value};
    CHECK(*sentence_from_json(to_json(sentence), table) == sentence);
  }
  CHECK(read(R"({"term":{"atom":"a"},"punctuation":".","truth":{"frequency":-0.0,"confidence":-0}})") ==
        "a. %0;0%");
  CHECK(read(R"({"term":{"interval":-0},"punctuation":"."})") == "+0.");
}

TEST_CASE("a compound that reduces to one component is that component, as in Narsese", "[bridge][json]") {
  CHECK(read(R"({"term":{"connector":"&&","components":[{"atom":"a"},{"atom":"a"}]},"punctuation":"."})") ==
        "a.");
}

TEST_CASE("a name that is only valid in brackets is accepted in brackets", "[bridge][json]") {
  for (const char* text : {"A.", "a.:b", "a?", "b!%", "a@"}) {
    const std::string narsese = "<" + std::string(text) + " --> b>.";
    TermTable table;
    const std::string json = to_json(parsed(narsese, table));
    CHECK(read(json) == narsese);
  }
  CHECK(read(R"({"term":{"atom":"A."},"punctuation":"."})") == "A..");
}

TEST_CASE("the parser's longest, deepest and widest sentences survive a round trip", "[bridge][json]") {
  const ParseLimits limits;
  const std::size_t brackets = limits.max_depth;
  const std::vector<std::string> extremes{
      repeat("(^g,", brackets) + "a" + repeat(")", brackets) + ".",  // each bracket adds 2 levels of depth
      // Each bracket adds 8 levels of depth.
      repeat("(a - a * a || a && a &/ a &| a | a & ", 127) + "a" + repeat(")", 127) + ".",
      repeat("[", brackets) + "a" + repeat("]", brackets) + ".",
      // Needs the most bytes of JSON for each byte of Narsese.
      "(*" + repeat(",g(g(g(a)))", limits.max_components) + ").",
      "\"" + std::string(limits.max_name_bytes - 2, '\\') + "\".",
  };
  for (const std::string& narsese : extremes) {
    TermTable table;
    REQUIRE(narsese.size() <= limits.max_line_bytes);
    const Sentence sentence = parsed(narsese, table);
    const auto read_back = sentence_from_json(to_json(sentence), table);
    REQUIRE(read_back);
    CHECK(*read_back == sentence);
  }
}

TEST_CASE("reading a sentence adds only its own terms to the table", "[bridge][json]") {
  TermTable table;
  const Sentence sentence = parsed("<(*,a,$x) --> ^go>.", table);
  const std::size_t size = table.size();
  CHECK(*sentence_from_json(to_json(sentence), table) == sentence);
  CHECK(table.size() == size);
}

TEST_CASE("writing a name with invalid UTF-8 throws", "[bridge][json]") {
  TermTable table;
  Sentence sentence;
  sentence.term = table.atom("\xff");
  CHECK_THROWS_AS(to_json(sentence), std::exception);
}

// --- tests of the JSON schema of sentences

TEST_CASE("the schema accepts exactly the valid trees", "[bridge][json][schema]") {
  const engram::testing::Folder folder("sentence_json");
  const std::string path = (folder.path / "lines").string();
  std::ofstream lines(path);
  for (const Example& example : examples()) lines << "ok " << example.json << '\n';
  Random random(53);
  TermTable table;
  RandomTerms terms(random, table, {.depth = 3});
  for (int i = 0; i < 500; ++i) lines << "ok " << to_json(terms.sentence()) << '\n';
  // One member of each tree is removed, renamed or given a value of another type. The reader and the schema must refuse
  // the same trees, except for errors that a schema cannot express.
  std::size_t bad = 0;
  for (int i = 0; i < 1500; ++i) {
    Json json = Json::parse(to_json(terms.sentence()));
    const Json flat = json.flatten();
    std::size_t place = random.below(flat.size());
    auto leaf = flat.items().begin();
    while (place-- > 0) ++leaf;
    const std::string pointer = leaf.key();
    const std::size_t cut = pointer.rfind('/');
    Json& parent = json[Json::json_pointer(pointer.substr(0, cut))];
    const std::string name = pointer.substr(cut + 1);
    if (!parent.is_object()) continue;
    switch (random.below(4)) {
      case 0:
        parent.erase(name);
        break;
      case 1:
        parent[name + "s"] = parent[name];
        break;
      case 2:
        parent[name] =
            random.pick(std::vector<Json>{{}, Json::array(), Json::object(), true, -7, 1.5, "", "-->"});
        break;
      default:
        parent["tense"] = "never";
    }
    const std::string text = json.dump();
    const auto sentence = sentence_from_json(text, table);
    const std::string expected = sentence ? "" : sentence.error().expected;
    if (expected.starts_with("a name that") || expected.starts_with("a term that")) continue;
    lines << (sentence ? "ok " : "no ") << text << '\n';
    bad += sentence ? 0 : 1;
  }
  CHECK(bad > 1000);
  lines.close();
  CHECK(std::system((R"(PATH=/usr/bin:$PATH python3 - ')" ENGRAM_SOURCE_DIR R"(' ')" + path +
                     R"(' <<'PY'
import json, sys
import jsonschema
schema = json.load(open(sys.argv[1] + "/bridge/schema/sentence.schema.json"))
jsonschema.Draft202012Validator.check_schema(schema)
validator = jsonschema.Draft202012Validator(schema)
wrong = 0
for line in open(sys.argv[2], encoding="utf-8"):
    wanted, text = line[:2], line[3:]
    if validator.is_valid(json.loads(text)) != (wanted == "ok"):
        wrong += 1
        print("the schema does not say", wanted, "to", text)
sys.exit(wrong > 0)
PY)")
                        .c_str()) == 0);
}

TEST_CASE("the schema lists all copulas, connectors and tenses", "[bridge][json][schema]") {
  std::ifstream file(ENGRAM_SOURCE_DIR "/bridge/schema/sentence.schema.json");
  const Json definitions = Json::parse(file).at("$defs");
  std::vector<std::string> texts;
  for (const CopulaFacts& copula : copulas) texts.emplace_back(copula.text);
  CHECK(definitions["statement"]["properties"]["copula"]["enum"] == Json(texts));
  std::size_t listed = 0;
  for (const Json& group : definitions["compound"]["oneOf"])
    for (const std::string text : group["properties"]["connector"]["enum"]) {
      const auto rule = std::ranges::find(connectors, text, &ConnectorFacts::text);
      REQUIRE(rule != connectors.end());
      const Json& arity = group["properties"]["components"];
      CHECK(arity["minItems"] == rule->min_arity);
      CHECK((arity.contains("maxItems") ? arity["maxItems"].get<std::size_t>() : any_arity) ==
            rule->max_arity);
      ++listed;
    }
  CHECK(listed + definitions["image"]["properties"]["connector"]["enum"].size() == connectors.size());
}
