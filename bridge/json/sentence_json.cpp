// SPDX-License-Identifier: MIT
#include "bridge/json/sentence_json.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <nlohmann/json.hpp>
#include <utility>
#include <vector>

#include "bridge/json/object_reader.hpp"
#include "core/numbers/names.hpp"
#include "narsese/printer.hpp"
#include "narsese/term_queries.hpp"

namespace engram::bridge {
namespace {

using narsese::Punctuation;
using narsese::Sentence;
using narsese::Tense;
using narsese::Term;
using narsese::TermKind;

// symbols.hpp has the tables of copulas and connectors.
constexpr std::array<core::NamedValue<Punctuation>, 4> punctuation_marks{{{Punctuation::judgment, "."},
                                                                          {Punctuation::goal, "!"},
                                                                          {Punctuation::question, "?"},
                                                                          {Punctuation::quest, "@"}}};
constexpr std::array<core::NamedValue<Tense::Kind>, 3> tenses{
    {{Tense::Kind::past, "past"}, {Tense::Kind::present, "present"}, {Tense::Kind::future, "future"}}};

// The value of a table entry with the name that the JSON has.
template <class T, std::size_t size>
T named_value(const JsonValue& json, const char* what, const std::array<core::NamedValue<T>, size>& table) {
  return json.choice(what, table, &core::NamedValue<T>::name).value;
}

// --- writing -----------------------------------------------------------------------------------

Json term_json(Term term) {
  switch (term.kind()) {
    case TermKind::atom:
      return {{"atom", term.name()}};
    case TermKind::op:
      return {{"operator", term.name()}};
    case TermKind::variable:
      return {{"variable", narsese::print(term)}};
    case TermKind::interval:
      return {{"interval", term.number()}};
    case TermKind::statement:
      return {{"copula", facts(term.copula()).text},
              {"subject", term_json(term.subject())},
              {"predicate", term_json(term.predicate())}};
    case TermKind::compound:
      break;
  }
  Json components = Json::array();
  for (const Term component : term.components()) components.push_back(term_json(component));
  Json json{{"connector", facts(term.connector()).text}, {"components", std::move(components)}};
  if (is_image(term.connector())) json["placeholder"] = term.image_position();
  return json;
}

// --- reading -----------------------------------------------------------------------------------

constexpr double huge = std::numeric_limits<double>::max();
constexpr std::int64_t least_cycles = std::numeric_limits<std::int64_t>::min();
constexpr std::int64_t most_cycles = std::numeric_limits<std::int64_t>::max();

double share(const JsonValue& value) { return value.number(0, 1); }

class SentenceReader {
 public:
  SentenceReader(narsese::TermTable& table, const narsese::ParseLimits& limits)
      : table_(table), limits_(limits) {
    limits_.max_components = std::min(limits_.max_components, narsese::TermTable::max_components);
    limits_.max_name_bytes = std::min(limits_.max_name_bytes, narsese::TermTable::max_name_bytes);
  }

  Sentence sentence(std::string_view text) {
    constexpr std::size_t tersest = 64;  // bytes of JSON per byte of Narsese; see the header
    constexpr std::size_t longest = std::numeric_limits<std::size_t>::max() / tersest;
    const auto json = read_json(text, {.max_bytes = tersest * std::min(limits_.max_line_bytes, longest),
                                       .max_depth = 2 * max_levels});  // each level: an array in an object
    if (!json) throw json.error();
    return sentence(JsonValue(*json));
  }

 private:
  static constexpr std::size_t max_levels = narsese::TermTable::max_depth;

  Sentence sentence(const JsonValue& json) {
    ObjectReader object(json, "a sentence, an object");
    Sentence sentence;
    sentence.term = number_variables(table_, term(object["term"], 1));
    sentence.punctuation =
        named_value(object["punctuation"].required("punctuation"), "punctuation", punctuation_marks);
    if (const JsonValue tense = object["tense"]) sentence.tense = read_tense(tense);
    if (const JsonValue truth = object["truth"]) sentence.truth = read_truth(truth);
    if (const JsonValue budget = object["budget"]) sentence.budget = read_budget(budget);
    if (const JsonValue delay = object["dt"]) sentence.delay = delay.number(-huge, huge);
    if (sentence.truth && sentence.asks())
      object["truth"].refuse("nothing (a question or quest has no truth value)", "one");
    object.refuse_others();
    check_alone(sentence, object["term"]);
    return sentence;
  }

  // --- terms -------------------------------------------------------------------------------------

  Term term(const JsonValue& json, std::size_t level) {
    if (level > max_levels) json.refuse("at most " + std::to_string(max_levels) + " levels of terms", "more");
    ObjectReader object(json.required("a term"), "a term, an object");
    const Term term = term_of_kind(json, object, level);
    object.refuse_others();
    return term;
  }

  Term term_of_kind(const JsonValue& json, ObjectReader& object, std::size_t level) {
    if (json["atom"]) return table_.atom(name(TermKind::atom, object["atom"]));
    if (json["operator"]) return table_.op(name(TermKind::op, object["operator"]));
    if (json["variable"]) return variable(object["variable"]);
    if (json["interval"]) return table_.interval(object["interval"].whole_number(0, most_cycles));
    if (json["connector"]) return compound(object, level);
    if (json["copula"]) return statement(object, level);
    json.refuse_kind("a term", {"atom", "operator", "variable", "interval", "connector", "copula"});
  }

  Term statement(ObjectReader& object, std::size_t level) {
    const auto& rule = object["copula"].choice("a copula", narsese::copulas, &narsese::CopulaFacts::text);
    const Term subject = term(object["subject"], level + 1);
    const Term predicate = term(object["predicate"], level + 1);
    return table_.statement(rule.copula, subject, predicate);
  }

  Term compound(ObjectReader& object, std::size_t level) {
    const auto& rule =
        object["connector"].choice("a connector", narsese::connectors, &narsese::ConnectorFacts::text);
    const JsonValue list = object["components"];
    check_arity(rule, list.list("an array of terms"));
    std::vector<Term> components;
    for (std::size_t i = 0; i < list.size(); ++i) components.push_back(term(list[i], level + 1));
    if (!is_image(rule.connector)) return table_.compound(rule.connector, components);
    const auto position = object["placeholder"]
                              .required("the placeholder's place")
                              .whole_number(1, static_cast<std::int64_t>(components.size()));
    return table_.image(rule.connector, components, static_cast<std::size_t>(position));
  }

  void check_arity(const narsese::ConnectorFacts& rule, const JsonValue& list) const {
    const std::size_t count = list.size();
    if (count > limits_.max_components)
      list.refuse("at most " + std::to_string(limits_.max_components) + " components", std::to_string(count));
    if (count >= rule.min_arity && count <= rule.max_arity) return;
    list.refuse((rule.min_arity == rule.max_arity ? "" : "at least ") + std::to_string(rule.min_arity) +
                    (rule.min_arity == 1 ? " component of " : " components of ") + Json(rule.text).dump(),
                std::to_string(count));
  }

  Term variable(const JsonValue& json) {
    const std::string& written = json.text();
    const std::string_view kinds = "$#?";  // in the order of VariableKind
    const std::size_t kind = written.empty() ? kinds.npos : kinds.find(written[0]);
    if (kind == kinds.npos) json.refuse("a variable: $, # or ? with a number or a name");
    check_name(TermKind::op, written.substr(1), json);  // the rules for names are the same as after ^
    return table_.variable(static_cast<narsese::VariableKind>(kind), number_of(written, json));
  }

  // A number for the variable, which no other variable of the sentence has.
  std::int64_t number_of(const std::string& variable, const JsonValue& json) {
    auto entry = std::ranges::find(variables_, variable);
    if (entry == variables_.end()) {
      if (variables_.size() >= limits_.max_variables)
        json.refuse("at most " + std::to_string(limits_.max_variables) + " different variables", "more");
      entry = variables_.insert(entry, variable);
    }
    return entry - variables_.begin() + 1;
  }

  const std::string& name(TermKind kind, const JsonValue& json) {
    check_name(kind, json.text(), json);
    return json.text();
  }

  // Rejects a name whose Narsese does not parse back to it. The test is done within a statement, because alone the atom
  // of <A. --> b> would parse as a judgment.
  void check_name(TermKind kind, const std::string& name, const JsonValue& json) {
    if (name.empty()) json.refuse("a name", "none");
    if (name.size() > limits_.max_name_bytes)
      json.refuse("a name of at most " + std::to_string(limits_.max_name_bytes) + " bytes",
                  std::to_string(name.size()));
    const Term named = kind == TermKind::op ? trials_.op(name) : trials_.atom(name);
    const Term statement = trials_.statement(narsese::Copula::inheritance, named, named);
    const auto read = narsese::parse_term(narsese::print(statement), trials_, no_limits());
    if (!read || *read != statement)
      json.refuse(std::string("a name that Narsese can write") +
                      (kind == TermKind::atom ? " (one with blanks in quotes: \"\\\"a b\\\"\")" : ""),
                  describe(name));
  }

  // A name that is the whole term needs another check: a.:b parses as the judgment a.
  static void check_alone(const Sentence& sentence, const JsonValue& term) {
    if (!sentence.term.components().empty()) return;
    narsese::TermTable trials;
    const auto read = narsese::parse_sentence(narsese::print(sentence), trials, no_limits());
    if (!read || compare(read->term, sentence.term) != 0)
      term.refuse("a term that Narsese can write without brackets", describe(narsese::print(sentence.term)));
  }

  static narsese::ParseLimits no_limits() {
    narsese::ParseLimits limits;
    limits.max_line_bytes = limits.max_name_bytes = std::numeric_limits<std::size_t>::max();
    return limits;
  }

  // --- members other than the term ---------------------------------------------------------------

  static Tense read_tense(const JsonValue& json) {
    if (json.json().is_string()) return {named_value(json, "a tense", tenses), 0};
    ObjectReader object(json, "a tense: a string, or an object with \"offset\" or \"at\"");
    const bool at = static_cast<bool>(json["at"]);
    const auto cycles =
        object[at ? "at" : "offset"].required("a number of cycles").whole_number(least_cycles, most_cycles);
    object.refuse_others();
    return {at ? Tense::Kind::at : Tense::Kind::offset, cycles};
  }

  static narsese::TruthValue read_truth(const JsonValue& json) {
    ObjectReader object(json, "a truth value, an object");
    const narsese::TruthValue truth{share(object["frequency"]), share(object["confidence"])};
    object.refuse_others();
    return truth;
  }

  static narsese::BudgetValue read_budget(const JsonValue& json) {
    ObjectReader object(json, "a budget, an object");
    const narsese::BudgetValue budget{share(object["priority"]), share(object["durability"]),
                                      share(object["quality"])};
    object.refuse_others();
    return budget;
  }

  narsese::TermTable& table_;
  narsese::ParseLimits limits_;
  narsese::TermTable trials_;           // separate table for testing names
  std::vector<std::string> variables_;  // variables so far, as written
};

}  // namespace

Json truth_json(const narsese::TruthValue& truth) {
  return {{"frequency", truth.frequency}, {"confidence", truth.confidence}};
}

Json tense_json(const Tense& tense) {
  if (tense.kind == Tense::Kind::offset) return {{"offset", tense.cycles}};
  if (tense.kind == Tense::Kind::at) return {{"at", tense.cycles}};
  return std::ranges::find(tenses, tense.kind, &core::NamedValue<Tense::Kind>::value)->name;
}

std::string to_json(const Sentence& sentence) {
  Json json{{"term", term_json(sentence.term)},
            {"punctuation", std::string(1, symbol(sentence.punctuation))}};
  if (sentence.tense != Tense{}) json["tense"] = tense_json(sentence.tense);
  if (sentence.truth) json["truth"] = truth_json(*sentence.truth);
  if (const auto& budget = sentence.budget)
    json["budget"] = {
        {"priority", budget->priority}, {"durability", budget->durability}, {"quality", budget->quality}};
  if (sentence.delay) json["dt"] = *sentence.delay;
  return json.dump();
}

narsese::Result<Sentence, JsonError> sentence_from_json(std::string_view text, narsese::TermTable& table,
                                                        const narsese::ParseLimits& limits) {
  try {
    return SentenceReader(table, limits).sentence(text);
  } catch (JsonError& error) {
    return std::move(error);
  }
}

}  // namespace engram::bridge
