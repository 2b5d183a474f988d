// SPDX-License-Identifier: MIT
#include "narsese/translator.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <optional>

#include "narsese/fidelity.hpp"
#include "narsese/line_kind.hpp"
#include "narsese/printer.hpp"
#include "narsese/variables.hpp"
#include "narsese/words.hpp"

namespace engram::narsese {
namespace {

// Names that ONA has before it reads anything, its default operators among them.
constexpr std::array<std::string_view, 23> ona_own_names{
    "A",     "B",    "C",     "M",     "R",    "S",         "P",          "X",
    "Y",     "Z",    "Op1",   "Op2",   "SELF", "^left",     "^right",     "^up",
    "^down", "^say", "^pick", "^drop", "^go",  "^activate", "^deactivate"};

void collect_names(Term term, std::vector<std::string>& names) {
  if (term.kind() == TermKind::atom || term.kind() == TermKind::op) names.push_back(print(term));
  for (const Term component : term.components()) collect_names(component, names);
}

// A command with what it is called by ona, opennars, pynars and common; `=` at the end takes a number.
struct Command {
  std::string_view ona, opennars, pynars, common;
  std::string_view in(Dialect dialect) const {
    return dialect == Dialect::ona        ? ona
           : dialect == Dialect::opennars ? opennars
           : dialect == Dialect::pynars   ? pynars
                                          : common;
  }
};
constexpr std::array<Command, 2> shared_commands{{
    {"*reset", "**", "''reset", "'''RES"},
    {"*volume=", "*volume=", "/volume ", "'''VOL "},
}};
// Further commands of ONA's shell and of OpenNARS; arguments follow a blank or `=`.
constexpr std::array<std::string_view, 27> ona_commands{"*concurrent",
                                                        "*motorbabbling",
                                                        "*decisionthreshold",
                                                        "*anticipationconfidence",
                                                        "*questionpriming",
                                                        "*similaritydistance",
                                                        "*restrictedconceptcreation",
                                                        "*babblingops",
                                                        "*currenttime",
                                                        "*stampid",
                                                        "*stampimport",
                                                        "*setopname",
                                                        "*setoparg",
                                                        "*setopstdin",
                                                        "*setvalue",
                                                        "*space",
                                                        "*query",
                                                        "*stats",
                                                        "*concepts",
                                                        "*inverted_atom_index",
                                                        "*occurrence_time_index",
                                                        "*opconfig",
                                                        "*cycling_belief_events",
                                                        "*cycling_goal_events",
                                                        "quit",
                                                        "*reset",
                                                        "*volume"};
constexpr std::array<std::string_view, 6> opennars_commands{
    "*decisionthreshold", "*volume", "*threads", "*save", "*speed", "**"};

bool knows(Dialect dialect, std::string_view command) {
  const std::string_view word = command.substr(0, command.find_first_of(" =\t"));
  if (dialect == Dialect::ona) return std::ranges::find(ona_commands, word) != ona_commands.end();
  if (dialect == Dialect::opennars)
    return std::ranges::find(opennars_commands, word) != opennars_commands.end();
  return false;
}

// Whether a sentence is one too as a line of a file, and as the first one.
bool is_sentence_line(std::string_view text, Dialect dialect) {
  return kind_of_line(text, dialect) == NalLine::Kind::sentence && !text.starts_with(byte_order_mark) &&
         text.find('\n') == std::string_view::npos;
}

Refusal no_sentence_line(const std::string& text, Dialect dialect) {
  const std::string reader(dialect == Dialect::any ? "a reader of files" : facts(dialect).system);
  return {reader + " does not take the line '" + text + "' for a sentence"};
}

bool may_be_reordered(Term term) {
  const auto components = term.components();
  return (components.size() > 1 && is_commutative(term.label())) ||
         std::ranges::any_of(components, may_be_reordered);
}

// The leaves of a sentence in the order in which they are written; nothing if the dialect does not read it.
std::optional<std::vector<std::string>> leaves_of(std::string_view text, Parser& parser) {
  SyntaxTree tree;
  if (!parser.tree(text, tree)) return {};
  std::vector<std::string> leaves;
  for (std::size_t i = 0; i < tree.nodes.size(); ++i) {
    const SyntaxNode& node = tree.nodes.begin()[i];
    if (has_components(node.label.kind)) continue;
    leaves.emplace_back(1, static_cast<char>(node.label.kind));
    leaves.back() += node.is_number ? std::to_string(node.value) : std::string(node.name());
  }
  return leaves;
}

// `*volume=5` by its name in one dialect, in another; nothing where it has another name.
std::optional<std::string> renamed_command(std::string_view text, std::string_view from,
                                           std::string_view to) {
  const bool takes_number = from.ends_with('=') || from.ends_with(' ');
  if (takes_number ? !text.starts_with(from) : text != from) return {};
  return std::string(to) + std::string(trim(text.substr(from.size())));
}

}  // namespace

Translator::Translator(TermTable& table, Dialect to) : table_(table), to_(to), reader_(to) {}

Result<Translation, Refusal> Translator::sentence(const Sentence& sentence) try {
  Translation translation;
  if (to_ == Dialect::any) {
    translation.text = print(sentence);
    if (!is_sentence_line(translation.text, to_)) return no_sentence_line(translation.text, to_);
    return translation;
  }
  Sentence adapted = sentence;
  adapt_frame(adapted, translation.warnings);
  adapted.term = adapt_term(sentence.term, translation.warnings);
  if (auto why = excess(adapted, to_); !why.empty()) return Refusal{std::move(why)};
  if (auto why = lost_evidence(adapted, to_); !why.empty()) return Refusal{std::move(why)};
  translation.text = to_ == Dialect::ona ? print_for_ona(adapted) : print(adapted);
  if (translation.text.size() > facts(to_).max_line_bytes)
    return Refusal{std::string(facts(to_).system) + " reads lines of " +
                   std::to_string(facts(to_).max_line_bytes) + " bytes, and this one would have " +
                   std::to_string(translation.text.size())};
  if (auto why = check_again(translation.text, adapted, translation.warnings); !why.empty())
    return Refusal{std::move(why)};
  if (!is_sentence_line(translation.text, to_)) return no_sentence_line(translation.text, to_);
  if (auto why = count_atoms(adapted.term); !why.empty()) return Refusal{std::move(why)};
  return translation;
} catch (const TermTableFull& full) {
  return Refusal{full.what()};
}

// What a target leaves out or rounds of what stands around the term.
void Translator::adapt_frame(Sentence& sentence, std::vector<std::string>& warnings) const {
  if (to_ == Dialect::ona && sentence.budget) {
    sentence.budget.reset();
    warnings.emplace_back("ONA has no budgets: dropped");
  }
  if (to_ != Dialect::pynars && to_ != Dialect::opennars) return;
  const std::string system(facts(to_).system);
  if (sentence.truth && (to_ == Dialect::pynars ? sentence.truth->confidence >= 1
                                                : sentence.truth->confidence > max_confidence)) {
    sentence.truth->confidence = max_confidence;
    warnings.push_back(system + " has no such high confidence: written as 0.99");
  }
  if (sentence.budget && sentence.budget->durability >= 1) {
    sentence.budget->durability = max_confidence;
    warnings.push_back(system + " has no durability of 1: written as 0.99");
  }
}

Term Translator::adapt_term(Term term, std::vector<std::string>& warnings) {
  if (to_ == Dialect::pynars) term = quote_names(term, warnings);
  if (to_ == Dialect::ona)
    if (const Term nested = nested_by_twos(term, table_); nested != term) {
      warnings.emplace_back("ONA holds two components: more are nested, the first two innermost");
      term = nested;
    }
  // What is held may be held otherwise again once it is written and read.
  for (Term held = as_held_by(to_, term, table_, warnings); held != term;
       held = as_held_by(to_, term, table_, warnings))
    term = held;
  return number_variables(table_, term);
}

// PyNARS reads few characters in a name, but any in one in quotes.
Term Translator::quote_names(Term term, std::vector<std::string>& warnings) {
  if (term.kind() == TermKind::atom && (!is_plain_for_pynars(term.name()) || term.name() == "_")) {
    const std::string_view name = term.name();
    if (name.front() == '"') return term;
    warnings.push_back("PyNARS wants the name '" + std::string(name) + "' in quotes");
    return table_.atom('"' + std::string(name) + '"');
  }
  std::vector<Term> components;
  for (const Term component : term.components()) components.push_back(quote_names(component, warnings));
  return std::ranges::equal(components, term.components()) ? term : table_.with_components(term, components);
}

// Reads the text as the target does. Why it is not the sentence, or nothing.
std::string Translator::check_again(const std::string& text, const Sentence& sentence,
                                    std::vector<std::string>& warnings) {
  const ParsedSentence parsed = reader_.sentence(text, table_);
  if (!parsed.result) return parsed.result.error().message();
  const ConstructSet misread = parsed.constructs & handled(to_, Handling::Kind::misreads);
  if (misread != 0) return explain(static_cast<Construct>(std::countr_zero(misread)), to_);
  for (const ParseWarning& warning : parsed.warnings) warnings.push_back(warning.message);
  return *parsed.result == sentence ? "" : std::string(facts(to_).system) + " has no spelling for this";
}

// Replaces the translation by the line as it is written if ONA reads that as the same sentence.
void Translator::keep_order(const NalLine& line, Translation& translation) {
  if (!may_be_reordered(line.sentence.term)) return;
  const auto translated = leaves_of(translation.text, reader_);
  auto written = leaves_of(line.text, reader_);
  const bool reads = written.has_value();
  if (Parser any; !reads) written = leaves_of(line.text, any);
  if (!translated || !written || *translated == *written) return;
  if (reads) {
    const ParsedSentence parsed = reader_.sentence(line.text, table_);
    if (parsed.result && *parsed.result == line.sentence && parsed.warnings.empty()) {
      translation.text = trim(line.text);
      return;
    }
  }
  translation.warnings.emplace_back(
      "ONA keeps components in the order in which they are written, which is another one here than in the "
      "line");
}

std::string Translator::count_atoms(Term term) {
  const std::size_t most = facts(to_).max_atoms;
  if (most == unlimited) return {};
  std::vector<std::string> names, fresh;
  collect_names(term, names);
  for (std::string& name : names)
    if (!atoms_.contains(name) && std::ranges::find(fresh, name) == fresh.end() &&
        std::ranges::find(ona_own_names, name) == ona_own_names.end())
      fresh.push_back(std::move(name));
  if (atoms_.size() + fresh.size() > most)
    return std::string(facts(to_).system) + " stops at more than " + std::to_string(most) +
           " different names, and '" + fresh.back() + "' would be one more";
  atoms_.insert(fresh.begin(), fresh.end());
  return {};
}

Result<Translation, Refusal> Translator::line(const NalLine& line) {
  switch (line.kind) {
    case NalLine::Kind::sentence: {
      auto translation = sentence(line.sentence);
      if (translation && to_ == Dialect::ona) keep_order(line, translation.value());
      return translation;
    }
    case NalLine::Kind::blank:  // ONA would run a cycle
      return Translation{to_ == Dialect::ona ? "//" : line.text, {}};
    case NalLine::Kind::cycles:
      return Translation{std::to_string(line.cycles), {}};
    case NalLine::Kind::command:
      return command(trim(line.text));
    default:
      return comment(line.text);
  }
}

Translation Translator::comment(std::string_view text) const {
  const std::string_view trimmed = trim(text);
  const bool slashes = trimmed.starts_with("//");
  if (to_ == Dialect::ona)
    return {slashes ? std::string(trimmed) : "//" + std::string(trimmed.substr(1)), {}};
  if (to_ == Dialect::common && slashes) return {"'" + std::string(trimmed.substr(2)), {}};
  return {std::string(text), {}};
}

Translation Translator::command(std::string_view text) const {
  if (to_ == Dialect::any || knows(to_, text)) return {std::string(text), {}};
  for (const Command& command : shared_commands)
    for (const Dialect from : {Dialect::ona, Dialect::opennars, Dialect::pynars})
      if (auto renamed = renamed_command(text, command.in(from), command.in(to_))) return {*renamed, {}};
  const std::string_view sign = to_ == Dialect::ona ? "//" : "'";
  return {
      std::string(sign) + std::string(text),
      {std::string(facts(to_).system) + " has no command '" + std::string(text) + "': kept as a comment"}};
}

}  // namespace engram::narsese
