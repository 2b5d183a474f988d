// SPDX-License-Identifier: MIT
#include "narsese/translator.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <optional>

#include "narsese/fidelity.hpp"
#include "narsese/nal_line.hpp"
#include "narsese/printer.hpp"
#include "narsese/term_queries.hpp"
#include "narsese/text.hpp"

namespace engram::narsese {
namespace {

// Names that ONA defines itself, including its default operators.
constexpr std::array<std::string_view, 23> ona_own_names{
    "A",     "B",    "C",     "M",     "R",    "S",         "P",          "X",
    "Y",     "Z",    "Op1",   "Op2",   "SELF", "^left",     "^right",     "^up",
    "^down", "^say", "^pick", "^drop", "^go",  "^activate", "^deactivate"};

void collect_names(Term term, std::vector<std::string>& names) {
  if (term.kind() == TermKind::atom || term.kind() == TermKind::op) names.push_back(print(term));
  for (const Term component : term.components()) collect_names(component, names);
}

// Commands in every dialect, indexed by common, ona, opennars and pynars. A name that ends with `=` or a blank takes
// a number.
constexpr std::array<std::array<std::string_view, 4>, 2> shared_commands{
    {{"'''RES", "*reset", "**", "''reset"}, {"'''VOL ", "*volume=", "*volume=", "/volume "}}};
// Other commands of ONA's shell and of OpenNARS. Arguments follow a blank or `=`.
constexpr auto ona_commands = std::to_array<std::string_view>({"*concurrent",
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
                                                               "*volume"});
constexpr std::array<std::string_view, 6> opennars_commands{
    "*decisionthreshold", "*volume", "*threads", "*save", "*speed", "**"};

bool knows(Dialect dialect, std::string_view command) {
  const std::string_view word = command.substr(0, command.find_first_of(" =\t"));
  if (dialect == Dialect::ona) return std::ranges::find(ona_commands, word) != ona_commands.end();
  if (dialect == Dialect::opennars)
    return std::ranges::find(opennars_commands, word) != opennars_commands.end();
  return false;
}

// Whether a file that contains this line, even as its first line, has it read as a sentence.
bool is_sentence_line(std::string_view text, Dialect dialect) {
  return kind_of_line(text, dialect) == NalLine::Kind::sentence && !text.starts_with(byte_order_mark) &&
         text.find('\n') == std::string_view::npos;
}

Refusal no_sentence_line(const std::string& text, Dialect dialect) {
  const std::string reader(dialect == Dialect::any ? "a reader of files" : facts(dialect).system);
  return {reader + " does not read the line '" + text + "' as a sentence"};
}

bool may_be_reordered(Term term) {
  const auto components = term.components();
  return (components.size() > 1 && is_commutative(term.label())) ||
         std::ranges::any_of(components, may_be_reordered);
}

// The leaves of a sentence in written order; nothing if the dialect does not read it.
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

// Translates a command such as `*volume=5` from one dialect to another; nothing if `from` does not match.
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
  if (auto why = unsupported_reason(adapted, to_); !why.empty()) return Refusal{std::move(why)};
  if (auto why = lost_evidence(adapted, to_); !why.empty()) return Refusal{std::move(why)};
  translation.text = to_ == Dialect::ona ? print_for_ona(adapted) : print(adapted);
  if (translation.text.size() > facts(to_).max_line_bytes)
    return Refusal{std::string(facts(to_).system) + " reads lines of " +
                   std::to_string(facts(to_).max_line_bytes) + " bytes, and this one would have " +
                   std::to_string(translation.text.size())};
  if (auto why = verify(translation.text, adapted, translation.warnings); !why.empty())
    return Refusal{std::move(why)};
  if (!is_sentence_line(translation.text, to_)) return no_sentence_line(translation.text, to_);
  if (auto why = count_atoms(adapted.term); !why.empty()) return Refusal{std::move(why)};
  return translation;
} catch (const TermTableFull& full) {
  return Refusal{full.what()};
}

// Adapts budget and truth value to the target.
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
      warnings.emplace_back(
          "ONA stores two components: longer compounds are nested in pairs, the first two innermost");
      term = nested;
    }
  // The stored form may change again when it is written and read back, so repeat until it is stable.
  for (Term held = as_held_by(to_, term, table_, warnings); held != term;
       held = as_held_by(to_, term, table_, warnings))
    term = held;
  return number_variables(table_, term);
}

// Quotes names: PyNARS reads few special characters outside of quotes.
Term Translator::quote_names(Term term, std::vector<std::string>& warnings) {
  return with_leaves(table_, term, [&](Term leaf) {
    const std::string name(leaf.kind() == TermKind::atom ? leaf.name() : "");
    if (name.empty() || (is_plain_for_pynars(name) && name != "_") || name.front() == '"') return leaf;
    warnings.push_back("PyNARS wants the name '" + name + "' in quotes");
    return table_.atom('"' + name + '"');
  });
}

// Parses the text with the target's grammar. Returns the reason why it is another sentence; empty if it is the same.
std::string Translator::verify(const std::string& text, const Sentence& sentence,
                               std::vector<std::string>& warnings) {
  const ParsedSentence parsed = reader_.sentence(text, table_);
  if (!parsed.result) return parsed.result.error().message();
  const ConstructSet misread = parsed.constructs & handled(to_, Handling::Kind::misreads);
  if (misread != 0) return explain(static_cast<Construct>(std::countr_zero(misread)), to_);
  for (const ParseWarning& warning : parsed.warnings) warnings.push_back(warning.message);
  return *parsed.result == sentence ? "" : std::string(facts(to_).system) + " has no spelling for this";
}

// Uses the line as written instead of the translation if ONA reads it as the same sentence.
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
      "ONA keeps the written order of components, and this order differs from that of the line");
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
    case NalLine::Kind::blank:  // ONA runs a cycle for an empty line
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
  const auto index = [](Dialect dialect) { return static_cast<std::size_t>(dialect); };
  for (const auto& names : shared_commands)
    for (const Dialect from : {Dialect::ona, Dialect::opennars, Dialect::pynars})
      if (auto renamed = renamed_command(text, names[index(from)], names[index(to_)])) return {*renamed, {}};
  const std::string_view sign = to_ == Dialect::ona ? "//" : "'";
  return {
      std::string(sign) + std::string(text),
      {std::string(facts(to_).system) + " has no command '" + std::string(text) + "': kept as a comment"}};
}

}  // namespace engram::narsese
