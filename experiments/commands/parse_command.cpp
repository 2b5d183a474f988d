// SPDX-License-Identifier: MIT
// The command `engram parse`: checks, translates and lints Narsese.
#include <algorithm>
#include <array>
#include <bit>
#include <fstream>
#include <functional>
#include <iostream>
#include <iterator>
#include <map>
#include <optional>
#include <sstream>
#include <tuple>

#include "bridge/json/sentence_json.hpp"
#include "bridge/systems/short_names.hpp"
#include "experiments/commands/command_line.hpp"
#include "experiments/commands/diagnostics.hpp"
#include "experiments/commands/program.hpp"
#include "experiments/formats/files.hpp"
#include "experiments/imports/target_names.hpp"
#include "narsese/lint.hpp"
#include "narsese/text.hpp"
#include "narsese/translator.hpp"

namespace engram::experiments {
namespace {

using narsese::Dialect;
using narsese::NalLine;

constexpr std::array all_dialects{Dialect::common, Dialect::ona, Dialect::opennars, Dialect::pynars};

// Detects the dialect of a file. Remembers which dialects accept all lines so far, and for each other dialect the first
// construct that it rejects.
class Detection {
 public:
  void add(const NalLine& line) {
    if (line.kind == NalLine::Kind::error) return;
    any_ = any_ || line.kind == NalLine::Kind::sentence;
    for (std::size_t i = 0; i < all_dialects.size(); ++i) {
      const auto refused = line.constructs & handled(all_dialects[i], narsese::Handling::Kind::refuses);
      if (refused != 0 && !hindrances_[i])
        hindrances_[i] = {static_cast<narsese::Construct>(std::countr_zero(refused)), line.number};
    }
  }

  /// The result as text, such as "ona (not common, opennars, pynars: a truth value in braces, line 1)".
  std::string verdict() const {
    std::string readers, others;
    for (std::size_t i = 0; i < all_dialects.size(); ++i)
      if (!hindrances_[i])
        readers += (readers.empty() ? "" : ", ") + std::string(facts(all_dialects[i]).name);
    for (std::size_t i = 0; i < all_dialects.size(); ++i) {
      if (!hindrances_[i] || told_before(i)) continue;
      others += others.empty() ? "not " : "; not ";
      others += names_with(i);
      others += ": " + std::string(facts(hindrances_[i]->first).what) + ", line " +
                std::to_string(hindrances_[i]->second);
    }
    if (readers.empty()) readers = "no single dialect";
    return readers + (others.empty() ? "" : " (" + others + ")");
  }
  bool has_sentences() const { return any_; }

 private:
  bool told_before(std::size_t i) const {
    for (std::size_t k = 0; k < i; ++k)
      if (hindrances_[k] == hindrances_[i]) return true;
    return false;
  }
  std::string names_with(std::size_t i) const {
    std::string names;
    for (std::size_t k = i; k < all_dialects.size(); ++k)
      if (hindrances_[k] == hindrances_[i])
        names += (k == i ? "" : ", ") + std::string(facts(all_dialects[k]).name);
    return names;
  }

  bool any_ = false;
  std::array<std::optional<std::pair<narsese::Construct, std::size_t>>, all_dialects.size()> hindrances_;
};

// Writes lines as JSON or through a translator.
class Writer {
 public:
  Writer(const std::string& to, bool short_names, narsese::TermTable& terms, Diagnostics& diagnostics)
      : json_(to == "json"),
        terms_(terms),
        translator_(terms, narsese::find_dialect(to).value_or(Dialect::any)),
        diagnostics_(diagnostics) {
    if (short_names) names_.emplace(*narsese::find_dialect(to));
  }

  void write(const NalLine& line) {
    if (json_) return write_json(line);
    write_translated(names_ ? renamed(line) : line);
  }

 private:
  void write_translated(const NalLine& line) {
    const auto translation = translator_.line(line);
    if (!translation) return diagnostics_.error(line.number, 1, translation.error().message);
    for (const std::string& warning : translation->warnings) diagnostics_.warning(line.number, 1, warning);
    std::cout << translation->text << '\n';
  }

  // Renames the terms of a line to names that the target accepts. Writes a comment for each new name first.
  NalLine renamed(NalLine line) {
    const std::size_t told = names_->renamed().size();
    if (line.kind == NalLine::Kind::sentence) line.sentence.term = (*names_)(terms_, line.sentence.term);
    if (line.kind == NalLine::Kind::expectation && line.expectation.sentence) {
      (*names_)(terms_, line.expectation.sentence->term);
      line.text = bridge::renamed_in(line.text, names_->renamed());
    }
    for (std::size_t i = told; i < names_->renamed().size(); ++i)
      for (const std::string& text : name_lines(names_->renamed()[i].name, names_->renamed()[i].source)) {
        NalLine comment;
        comment.kind = NalLine::Kind::comment;
        comment.number = line.number;
        comment.text = "//" + text;
        write_translated(comment);
      }
    return line;
  }

  // Writes a line as JSON, which must be UTF-8. A sentence is known to be UTF-8, but a comment or command may contain
  // any bytes.
  void write_json(const NalLine& line) {
    if (line.kind == NalLine::Kind::sentence) {
      std::cout << bridge::to_json(line.sentence) << '\n';
    } else if (const auto bad = narsese::invalid_utf8_column(line.text)) {
      diagnostics_.error(line.number, *bad, narsese::invalid_utf8_message);
    } else if (line.kind != NalLine::Kind::blank) {
      std::cout << Json{{"text", line.text}}.dump() << '\n';
    }
  }

  bool json_;
  narsese::TermTable& terms_;
  narsese::Translator translator_;
  std::optional<bridge::ShortNames> names_;
  Diagnostics& diagnostics_;
};

// Reads lines of JSON: each is the tree of a sentence, or {"text": ...} for other lines.
void translate_json(std::istream& in, narsese::TermTable& terms, Diagnostics& diagnostics,
                    const std::function<void(const NalLine&)>& take) {
  constexpr std::size_t longest = std::size_t{4} << 20;
  NalLine line;
  for (std::string text;;) {
    const auto status = narsese::read_line(in, text, longest);
    if (status == narsese::LineStatus::end) return;
    ++line.number;
    if (text.find_first_not_of(" \t") == std::string::npos) continue;
    if (const auto other = json_in(text); other && other->is_object() && other->size() == 1 &&
                                          other->contains("text") && other->at("text").is_string()) {
      std::istringstream inner(other->at("text").get<std::string>());
      auto parsed = narsese::NalReader(inner, terms).next();
      if (parsed && parsed->kind != NalLine::Kind::error) {
        parsed->number = line.number;
        take(*parsed);
        continue;
      }
    }
    auto sentence = bridge::sentence_from_json(text, terms);
    if (!sentence) {
      diagnostics.error(line.number, sentence.error().column, sentence.error().message());
      continue;
    }
    line.kind = NalLine::Kind::sentence;
    line.sentence = *sentence;
    take(line);
  }
}

// Prints errors and lint findings in the order of the lines.
void lint(narsese::NalReader& reader, narsese::Linter linter, Detection& detection, const std::string& name,
          Diagnostics& diagnostics) {
  std::vector<narsese::LintFinding> findings;
  while (const auto line = reader.next()) {
    detection.add(*line);
    linter.line(*line, name);
    if (line->kind == NalLine::Kind::error)
      findings.push_back({name, line->number, line->error.column, "syntax", line->error.message(), true});
  }
  auto more = linter.finish();
  findings.insert(findings.end(), std::make_move_iterator(more.begin()), std::make_move_iterator(more.end()));
  std::ranges::stable_sort(findings, [](const narsese::LintFinding& a, const narsese::LintFinding& b) {
    return std::tie(a.line, a.column) < std::tie(b.line, b.column);
  });
  // A wrong copula causes two findings: a syntax error, and a finding that names the right copula. Only the second one
  // is printed.
  const auto is_told_better = [&](const narsese::LintFinding& finding) {
    return finding.rule == "syntax" && std::ranges::any_of(findings, [&](const narsese::LintFinding& other) {
             return other.line == finding.line && other.rule == "unknown-copula";
           });
  };
  for (const narsese::LintFinding& finding : findings) {
    if (is_told_better(finding)) continue;
    const std::string message = finding.message + " [" + finding.rule + "]";
    if (finding.is_error)
      diagnostics.error(finding.line, finding.column, message);
    else
      diagnostics.warning(finding.line, finding.column, message);
  }
}

void translate(narsese::NalReader& reader, Writer& writer, Detection& detection, Diagnostics& diagnostics) {
  while (const auto line = reader.next()) {
    detection.add(*line);
    for (const auto& warning : line->warnings)
      diagnostics.warning(line->number, warning.column, warning.message);
    if (line->kind == NalLine::Kind::error)
      diagnostics.error(line->number, line->error.column, line->error.message());
    else
      writer.write(*line);
  }
}

struct ParseArguments {
  std::string file = "-";
  std::string from = "auto";     // name of a dialect, "auto" or "json"
  std::string to = "canonical";  // name of a dialect, "canonical" or "json"
  std::string names = "keep";
  bool lint = false;  // print lint findings instead of sentences, for system `to`
};

ExitCode parse(const ParseArguments& arguments) {
  if (arguments.lint && (arguments.from == "json" || arguments.to == "json"))
    throw CLI::ValidationError("--lint", "is for Narsese, not for JSON");
  const bool to_system = narsese::find_dialect(arguments.to).value_or(Dialect::any) != Dialect::any;
  if (arguments.names == "short" && (arguments.lint || !to_system))
    throw CLI::ValidationError("--names",
                               "short needs a target system (--to), and translation instead of --lint");
  std::ifstream file;
  const bool standard_input = arguments.file == "-";
  if (!standard_input) file = open_stream(arguments.file);
  std::istream& in = standard_input ? std::cin : file;
  const std::string name = standard_input ? "<stdin>" : arguments.file;

  narsese::TermTable terms;
  // Findings of the linter are its output, so they go to stdout.
  Diagnostics diagnostics(name, arguments.lint ? std::cout : std::cerr);
  Detection detection;
  Writer writer(arguments.to, arguments.names == "short", terms, diagnostics);
  if (arguments.from == "json") {
    translate_json(in, terms, diagnostics, [&](const NalLine& line) { writer.write(line); });
  } else {
    narsese::NalReader reader(in, terms, {}, *narsese::find_dialect(arguments.from));
    if (arguments.lint)
      lint(reader, narsese::Linter(terms, narsese::find_dialect(arguments.to)), detection, name, diagnostics);
    else
      translate(reader, writer, detection, diagnostics);
  }
  require_whole(in, name);
  const ExitCode code = diagnostics.finish();
  if (arguments.from == "auto" && detection.has_sentences()) {
    std::cout << std::flush;  // so that the dialect follows the sentences on a terminal
    std::cerr << "engram: " << name << ": dialect: " << detection.verdict() << '\n';
  }
  return code;
}

}  // namespace

void add_parse(CLI::App& app, ExitCode& code) {
  auto [command, arguments] =
      add_command(app, code, "parse", "check Narsese, translate it to another system's dialect or to JSON",
                  "echo '<(*,cat,fish) --> eats>.' | engram parse --to ona", parse);
  add_option(command, "file", arguments.file, "a Narsese file, or - for standard input", is_file);
  add_option(command, "--from", arguments.from, "dialect of the input",
             one_of({"auto", "common", "ona", "opennars", "pynars", "json"}));
  add_option(command, "--to", arguments.to, "dialect of the output",
             one_of({"canonical", "common", "ona", "opennars", "pynars", "json"}));
  add_option(
      command, "--names", arguments.names,
      "short: replace names that the target system does not support, one to one. Comments in the output\n"
      "list the replacements. keep: keep all names",
      one_of({"keep", "short"}));
  add_option(
      command, "--lint", arguments.lint,
      "print warnings about likely mistakes instead of sentences, and with --to about what that system\n"
      "would misread");
}

}  // namespace engram::experiments
