// SPDX-License-Identifier: MIT
#include "bridge/sentence_json.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

#include "bridge/json_reader.hpp"
#include "narsese/nearest_name.hpp"
#include "narsese/printer.hpp"
#include "narsese/variables.hpp"

namespace engram::bridge {
namespace {

using narsese::Punctuation;
using narsese::Sentence;
using narsese::Tense;
using narsese::Term;
using narsese::TermKind;

using Json = nlohmann::json;                 // read: finds a name among very many fast
using OrderedJson = nlohmann::ordered_json;  // written: in the order given

// Punctuation and tenses as they stand in the tree; copulas and connectors have such tables in symbols.hpp.
struct PunctuationText {
  Punctuation punctuation;
  std::string_view text;
};
constexpr std::array<PunctuationText, 4> punctuations{{{Punctuation::judgment, "."},
                                                       {Punctuation::goal, "!"},
                                                       {Punctuation::question, "?"},
                                                       {Punctuation::quest, "@"}}};

struct TenseText {
  Tense::Kind kind;
  std::string_view text;
};
constexpr std::array<TenseText, 3> tenses{
    {{Tense::Kind::past, "past"}, {Tense::Kind::present, "present"}, {Tense::Kind::future, "future"}}};

// --- writing -----------------------------------------------------------------------------------

OrderedJson term_json(Term term) {
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
  OrderedJson components = OrderedJson::array();
  for (const Term component : term.components()) components.push_back(term_json(component));
  OrderedJson json{{"connector", facts(term.connector()).text}, {"components", std::move(components)}};
  if (is_image(term.connector())) json["placeholder"] = term.image_position();
  return json;
}

OrderedJson tense_json(const Tense& tense) {
  if (tense.kind == Tense::Kind::offset) return {{"offset", tense.cycles}};
  if (tense.kind == Tense::Kind::at) return {{"at", tense.cycles}};
  return std::ranges::find(tenses, tense.kind, &TenseText::kind)->text;
}

// --- reading -----------------------------------------------------------------------------------

// Where a value stands. The pointer is put together only when something is wrong there.
struct Place {
  const Place* outer = nullptr;
  std::string token;

  std::string pointer() const { return outer == nullptr ? "" : outer->pointer() + pointer_to(token); }
};

[[noreturn]] void refuse(const Place& place, std::string expected, std::string found) {
  throw JsonError{place.pointer(), 0, 1, std::move(expected), std::move(found)};
}

// A value for people: as it is written, cut where it is long.
std::string describe(const Json& json) {
  if (json.is_object()) return "an object";
  if (json.is_array()) return "an array";
  constexpr std::size_t longest = 24;
  std::string text = json.dump();
  if (text.size() <= longest) return text;
  std::size_t end = longest;
  while ((static_cast<unsigned char>(text[end]) & 0xC0) == 0x80) --end;
  return text.substr(0, end) + "...";
}

std::string quoted(const std::string& text) { return Json(text).dump(); }

std::string joined(const std::vector<std::string>& texts) {
  std::string list;
  for (const std::string& text : texts) list += (list.empty() ? "" : ", ") + quoted(text);
  return list;
}

std::string hint(const std::string& text, const std::vector<std::string>& known) {
  const std::string nearest = narsese::nearest_name(text, known);
  return nearest.empty() ? "" : " (did you mean " + quoted(nearest) + "?)";
}

// The entry of a table whose text the value is.
template <class Table>
const auto& choice(const Json& json, const Place& place, const std::string& what, const Table& table) {
  const auto* text = json.get_ptr<const std::string*>();
  for (const auto& entry : table)
    if (text != nullptr && entry.text == *text) return entry;
  std::vector<std::string> known;
  for (const auto& entry : table) known.emplace_back(entry.text);
  refuse(place, what + ", one of " + joined(known),
         describe(json) + (text != nullptr ? hint(*text, known) : ""));
}

// -0 as 0, which is equal and which Narsese can write as a share.
double number(const Json& json, const Place& place, double least, double most) {
  const double value = json.is_number() ? json.get<double>() : std::numeric_limits<double>::quiet_NaN();
  if (!(value >= least && value <= most))
    refuse(place, "a number in [" + narsese::print_number(least) + ", " + narsese::print_number(most) + "]",
           describe(json));
  return value + 0.0;
}

std::int64_t whole_number(const Json& json, const Place& place, std::int64_t least, std::int64_t most) {
  const bool beyond =
      json.is_number_unsigned() && json.get<std::uint64_t>() > std::numeric_limits<std::int64_t>::max();
  if (!json.is_number_integer() || beyond || json.get<std::int64_t>() < least ||
      json.get<std::int64_t>() > most)
    refuse(place, "a whole number in [" + std::to_string(least) + ", " + std::to_string(most) + "]",
           describe(json));
  return json.get<std::int64_t>();
}

constexpr double huge = std::numeric_limits<double>::max();
constexpr std::int64_t least_cycles = std::numeric_limits<std::int64_t>::min();
constexpr std::int64_t most_cycles = std::numeric_limits<std::int64_t>::max();

// Hands out the members of an object, and so knows which of them nobody asked for.
class Object {
 public:
  Object(const Json& json, const Place& place, const std::string& what) : json_(json), place_(place) {
    if (!json.is_object()) refuse(place, what, describe(json));
  }

  const Json* find(const char* name) {
    known_.emplace_back(name);
    const auto member = json_.find(name);
    return member == json_.end() ? nullptr : &*member;
  }
  const Json& at(const char* name, const std::string& what) {
    const Json* member = find(name);
    if (member == nullptr) refuse(place(name), what, "nothing");
    return *member;
  }
  Place place(std::string name) const { return {&place_, std::move(name)}; }

  double share(const char* name) { return number(at(name, "a number in [0, 1]"), place(name), 0, 1); }

  // Call when all members have been asked for.
  void refuse_others() const {
    for (const auto& [name, value] : json_.items())
      if (std::ranges::find(known_, name) == known_.end())
        refuse(place(name), "no members but " + joined(known_), describe(name) + hint(name, known_));
  }

 private:
  const Json& json_;
  const Place& place_;
  std::vector<std::string> known_;
};

class Reader {
 public:
  Reader(narsese::TermTable& table, const narsese::ParseLimits& limits) : table_(table), limits_(limits) {
    limits_.max_components = std::min(limits_.max_components, narsese::TermTable::max_components);
    limits_.max_name_bytes = std::min(limits_.max_name_bytes, narsese::TermTable::max_name_bytes);
  }

  Sentence sentence(std::string_view text) {
    constexpr std::size_t tersest = 64;  // bytes of JSON for one of Narsese; see the header
    constexpr std::size_t longest = std::numeric_limits<std::size_t>::max() / tersest;
    const auto json = read_json<Json>(text, {.max_bytes = tersest * std::min(limits_.max_line_bytes, longest),
                                             .max_depth = 2 * max_levels});  // an object, and in it an array
    if (!json) throw json.error();
    return sentence(*json);
  }

 private:
  static constexpr std::size_t max_levels = narsese::TermTable::max_depth;

  Sentence sentence(const Json& json) {
    const Place root;
    Object object(json, root, "a sentence, an object");
    Sentence sentence;
    sentence.term = number_variables(table_, term(object.at("term", "a term"), object.place("term"), 1));
    sentence.punctuation = choice(object.at("punctuation", "punctuation"), object.place("punctuation"),
                                  "punctuation", punctuations)
                               .punctuation;
    if (const Json* tense = object.find("tense")) sentence.tense = read_tense(*tense, object.place("tense"));
    if (const Json* truth = object.find("truth")) sentence.truth = read_truth(*truth, object.place("truth"));
    if (const Json* budget = object.find("budget"))
      sentence.budget = read_budget(*budget, object.place("budget"));
    if (const Json* delay = object.find("dt"))
      sentence.delay = number(*delay, object.place("dt"), -huge, huge);
    if (sentence.truth && sentence.asks())
      refuse(object.place("truth"), "nothing (a question or quest has no truth value)", "one");
    object.refuse_others();
    check_alone(sentence, object.place("term"));
    return sentence;
  }

  // --- terms -------------------------------------------------------------------------------------

  Term term(const Json& json, const Place& place, std::size_t level) {
    if (level > max_levels)
      refuse(place, "at most " + std::to_string(max_levels) + " levels of terms", "more");
    struct Form {
      const char* member;  // that tells it from the others
      Term (Reader::*read)(const Json& value, Object&, std::size_t level);
    };
    static constexpr std::array<Form, 6> forms{{{"atom", &Reader::atom},
                                                {"operator", &Reader::op},
                                                {"variable", &Reader::variable},
                                                {"interval", &Reader::interval},
                                                {"connector", &Reader::compound},
                                                {"copula", &Reader::statement}}};
    Object object(json, place, "a term, an object");
    std::vector<std::string> members;
    for (const Form& form : forms) {
      members.emplace_back(form.member);
      if (!json.contains(form.member)) continue;
      const Term term = (this->*form.read)(object.at(form.member, "a term"), object, level);
      object.refuse_others();
      return term;
    }
    const std::string name = json.empty() ? "" : json.begin().key();
    refuse(place, "a term, an object with one of the members " + joined(members),
           json.empty() ? "an empty object" : "one with " + describe(name) + hint(name, members));
  }

  Term statement(const Json& copula, Object& object, std::size_t level) {
    const auto& rule = choice(copula, object.place("copula"), "a copula", narsese::copulas);
    const Term subject = term(object.at("subject", "a term"), object.place("subject"), level + 1);
    const Term predicate = term(object.at("predicate", "a term"), object.place("predicate"), level + 1);
    return table_.statement(rule.copula, subject, predicate);
  }

  Term compound(const Json& connector, Object& object, std::size_t level) {
    const auto& rule = choice(connector, object.place("connector"), "a connector", narsese::connectors);
    const Json& list = object.at("components", "an array of terms");
    const Place place = object.place("components");
    if (!list.is_array()) refuse(place, "an array of terms", describe(list));
    check_arity(rule, list.size(), place);
    std::vector<Term> components;
    for (const Json& component : list)
      components.push_back(term(component, {&place, std::to_string(components.size())}, level + 1));
    if (!is_image(rule.connector)) return table_.compound(rule.connector, components);
    const auto position =
        whole_number(object.at("placeholder", "the placeholder's place"), object.place("placeholder"), 1,
                     static_cast<std::int64_t>(components.size()));
    return table_.image(rule.connector, components, static_cast<std::size_t>(position));
  }

  void check_arity(const narsese::ConnectorFacts& rule, std::size_t count, const Place& place) const {
    if (count > limits_.max_components)
      refuse(place, "at most " + std::to_string(limits_.max_components) + " components",
             std::to_string(count));
    if (count >= rule.min_arity && count <= rule.max_arity) return;
    refuse(place,
           (rule.min_arity == rule.max_arity ? "" : "at least ") + std::to_string(rule.min_arity) +
               (rule.min_arity == 1 ? " component of " : " components of ") + quoted(std::string(rule.text)),
           std::to_string(count));
  }

  Term interval(const Json& length, Object& object, std::size_t) {
    return table_.interval(whole_number(length, object.place("interval"), 0, most_cycles));
  }

  Term variable(const Json& json, Object& object, std::size_t) {
    const Place place = object.place("variable");
    const std::string& written = text(json, place);
    const std::string_view kinds = "$#?";  // in the order of VariableKind
    const std::size_t kind = written.empty() ? kinds.npos : kinds.find(written[0]);
    if (kind == kinds.npos) refuse(place, "a variable: $, # or ? with a number or a name", describe(json));
    name(TermKind::op, written.substr(1), place);  // what may follow ^ may follow $
    return table_.variable(static_cast<narsese::VariableKind>(kind), number_of(written, place));
  }

  // Any number will do that no other variable of the sentence has.
  std::int64_t number_of(const std::string& variable, const Place& place) {
    auto entry = std::ranges::find(variables_, variable);
    if (entry == variables_.end()) {
      if (variables_.size() >= limits_.max_variables)
        refuse(place, "at most " + std::to_string(limits_.max_variables) + " different variables", "more");
      entry = variables_.insert(entry, variable);
    }
    return entry - variables_.begin() + 1;
  }

  Term atom(const Json& json, Object& object, std::size_t) {
    return table_.atom(name(TermKind::atom, text(json, object.place("atom")), object.place("atom")));
  }

  Term op(const Json& json, Object& object, std::size_t) {
    return table_.op(name(TermKind::op, text(json, object.place("operator")), object.place("operator")));
  }

  static const std::string& text(const Json& json, const Place& place) {
    if (!json.is_string()) refuse(place, "a string", describe(json));
    return json.get_ref<const std::string&>();
  }

  // The same name, if its Narsese reads back as it. Tried between the brackets of a statement: alone, the
  // atom of <A. --> b> would read as a judgment.
  const std::string& name(TermKind kind, const std::string& name, const Place& place) {
    if (name.empty()) refuse(place, "a name", "none");
    if (name.size() > limits_.max_name_bytes)
      refuse(place, "a name of at most " + std::to_string(limits_.max_name_bytes) + " bytes",
             std::to_string(name.size()));
    const Term named = kind == TermKind::op ? trials_.op(name) : trials_.atom(name);
    const Term statement = trials_.statement(narsese::Copula::inheritance, named, named);
    const auto read = narsese::parse_term(narsese::print(statement), trials_, no_limits());
    if (!read || *read != statement)
      refuse(place,
             std::string("a name that Narsese can write") +
                 (kind == TermKind::atom ? " (one with blanks in quotes: \"\\\"a b\\\"\")" : ""),
             describe(name));
    return name;
  }

  // A name that is the whole term can end too early even so: a.:b reads as the judgment a.
  static void check_alone(const Sentence& sentence, const Place& place) {
    if (!sentence.term.components().empty()) return;
    narsese::TermTable trials;
    const auto read = narsese::parse_sentence(narsese::print(sentence), trials, no_limits());
    if (!read || compare(read->term, sentence.term) != 0)
      refuse(place, "a term that Narsese can write without brackets",
             describe(narsese::print(sentence.term)));
  }

  static narsese::ParseLimits no_limits() {
    narsese::ParseLimits limits;
    limits.max_line_bytes = limits.max_name_bytes = std::numeric_limits<std::size_t>::max();
    return limits;
  }

  // --- what stands around the term ---------------------------------------------------------------

  static Tense read_tense(const Json& json, const Place& place) {
    if (json.is_string()) return {choice(json, place, "a tense", tenses).kind, 0};
    Object object(json, place, "a tense: a string, or an object with \"offset\" or \"at\"");
    const bool at = json.contains("at");
    const char* kind = at ? "at" : "offset";
    const auto cycles =
        whole_number(object.at(kind, "a number of cycles"), object.place(kind), least_cycles, most_cycles);
    object.refuse_others();
    return {at ? Tense::Kind::at : Tense::Kind::offset, cycles};
  }

  static narsese::TruthValue read_truth(const Json& json, const Place& place) {
    Object object(json, place, "a truth value, an object");
    const narsese::TruthValue truth{object.share("frequency"), object.share("confidence")};
    object.refuse_others();
    return truth;
  }

  static narsese::BudgetValue read_budget(const Json& json, const Place& place) {
    Object object(json, place, "a budget, an object");
    const narsese::BudgetValue budget{object.share("priority"), object.share("durability"),
                                      object.share("quality")};
    object.refuse_others();
    return budget;
  }

  narsese::TermTable& table_;
  narsese::ParseLimits limits_;
  narsese::TermTable trials_;           // of names alone, so that table_ keeps none of them
  std::vector<std::string> variables_;  // met so far, as written
};

}  // namespace

std::string to_json(const Sentence& sentence) {
  OrderedJson json{{"term", term_json(sentence.term)},
                   {"punctuation", std::string(1, symbol(sentence.punctuation))}};
  if (sentence.tense != Tense{}) json["tense"] = tense_json(sentence.tense);
  if (const auto& truth = sentence.truth)
    json["truth"] = {{"frequency", truth->frequency}, {"confidence", truth->confidence}};
  if (const auto& budget = sentence.budget)
    json["budget"] = {
        {"priority", budget->priority}, {"durability", budget->durability}, {"quality", budget->quality}};
  if (sentence.delay) json["dt"] = *sentence.delay;
  return json.dump();
}

narsese::Result<Sentence, JsonError> sentence_from_json(std::string_view text, narsese::TermTable& table,
                                                        const narsese::ParseLimits& limits) {
  try {
    return Reader(table, limits).sentence(text);
  } catch (JsonError& error) {
    return std::move(error);
  }
}

}  // namespace engram::bridge
