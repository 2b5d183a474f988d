// SPDX-License-Identifier: MIT
#include "experiments/commands/diagnostics.hpp"

#include <algorithm>
#include <iostream>
#include <set>

#include "core/index/unification.hpp"
#include "experiments/formats/files.hpp"
#include "experiments/formats/markup.hpp"
#include "narsese/nal_line.hpp"
#include "narsese/parser.hpp"
#include "narsese/similar_names.hpp"
#include "narsese/text.hpp"

namespace engram::experiments {

namespace fs = std::filesystem;

void Diagnostics::error(std::size_t line, std::size_t column, const std::string& message) {
  if (errors_++ < most_errors) tell(line, column, "error", message);
}

void Diagnostics::warning(std::size_t line, std::size_t column, const std::string& message,
                          const std::string& alike) {
  if (++warnings_[alike] <= most_alike) tell(line, column, "warning", message);
}

ExitCode Diagnostics::finish() const {
  if (errors_ > most_errors) out_ << "engram: ... and " << errors_ - most_errors << " more errors\n";
  for (const auto& [alike, count] : warnings_)
    if (count > most_alike)
      out_ << "engram: " << file_ << ": ... and " << count - most_alike << " more: " << alike << '\n';
  return errors_ == 0 ? done : input_errors;
}

void Diagnostics::tell(std::size_t line, std::size_t column, std::string_view kind,
                       const std::string& message) const {
  out_ << file_ << ':' << line << ':' << column << ": " << kind << ": " << message << '\n';
}

namespace {

// Warns of a reset command, which makes a NARS forget all statements above it in the file.
void warn_of_reset(std::size_t line, Diagnostics& diagnostics) {
  diagnostics.warning(
      line, 1,
      "a reset is not carried out here: all statements are one memory, and each question is asked of it");
}

}  // namespace

ExitCode report_rejections(const Rejections& rejections, std::size_t in_all) {
  constexpr std::size_t most = 100;
  for (std::size_t i = 0; i < std::min(rejections.size(), most); ++i) {
    const auto& [file, line] = rejections[i];
    std::cerr << file << ':' << line.line << ':' << line.column << ": error: " << line.message << '\n';
  }
  if (in_all > most) std::cerr << "engram: ... and " << in_all - most << " more errors\n";
  return rejections.empty() ? done : input_errors;
}

void tell_doubtful_lines(const std::vector<Input>& files) {
  for (const Input& input : files) {
    std::ifstream file = open_input(input.path);
    Diagnostics diagnostics(input.name, std::cerr);
    std::string text;
    for (std::size_t number = 1;; ++number) {
      const auto status = narsese::read_line(file, text, narsese::ParseLimits{}.max_line_bytes);
      if (status == narsese::LineStatus::end) break;
      const std::string_view line = narsese::trim(text);
      if (status != narsese::LineStatus::too_long && narsese::resets_memory(line))
        warn_of_reset(number, diagnostics);
      if (status == narsese::LineStatus::too_long || !(line.starts_with("//") || line.starts_with("''")))
        continue;
      if (const auto slip = narsese::misspelt_directive(line))
        diagnostics.warning(number, static_cast<std::size_t>(line.data() - text.data()) + slip->column,
                            slip->message);
    }
    diagnostics.finish();
  }
}

ExitCode read_files(const std::vector<std::string>& files, core::Session& session,
                    const core::LineObserver& observer) {
  Rejections rejections;
  for (const std::string& name : files) {
    std::ifstream file = open_stream(name);
    Diagnostics diagnostics(name, std::cerr);
    const auto observe = [&](const narsese::NalLine& line) {
      if (line.kind == narsese::NalLine::Kind::comment)
        for (const narsese::ParseWarning& warning : line.warnings)
          diagnostics.warning(line.number, warning.column, warning.message);
      if (line.kind != narsese::NalLine::Kind::sentence && narsese::resets_memory(line.text))
        warn_of_reset(line.number, diagnostics);
      if (observer) observer(line);
    };
    for (const core::RejectedLine& line : session.read(file, observe).rejected)
      rejections.emplace_back(name, line);
    diagnostics.finish();
    require_whole(file, name);
  }
  return report_rejections(rejections);
}

void tell_unknown_names(core::Session& session, const std::string& place, const std::string& cue) {
  constexpr std::size_t most_compared = 200'000;  // most names to compare; more would take seconds
  narsese::TermTable table;
  const auto read = narsese::parse_sentence_or_term(cue, table, narsese::Punctuation::question);
  if (!read) return;
  std::set<std::string, std::less<>> unknown;
  for (const core::Leaf& leaf : core::leaves(read->term)) {
    if (leaf.term.kind() != narsese::TermKind::atom) continue;
    const auto known = session.known_concept(leaf.term.name());
    if (known && !*known) unknown.emplace(leaf.term.name());
  }
  if (unknown.empty()) return;
  // Gives each unknown name the count 1 and each known name 3, so that similar_names() treats unknown names as
  // misspelt.
  std::vector<narsese::NameCount> names;
  for (std::size_t i = 0; i < session.memory().graph().size(); ++i) {
    const narsese::Term term = session.memory().graph()[static_cast<core::ConceptId>(i)].term;
    if (term.kind() != narsese::TermKind::atom) continue;
    if (const auto found = unknown.find(term.name()); found != unknown.end()) unknown.erase(found);
    if (names.size() < most_compared) names.push_back({term.name(), 3});
  }
  for (const std::string& name : unknown) names.push_back({name, 1});
  const std::size_t first = names.size() - unknown.size();
  const auto pairs = narsese::similar_names(names);  // sorted by `odd`, the index of the misspelt name
  for (std::size_t i = first; i < names.size(); ++i) {
    const std::string_view name = names[i].name;
    std::cerr << "engram: note: " << place << ": the memory has no name '" << legible(name) << "'";
    const auto pair = std::ranges::lower_bound(pairs, i, {}, &narsese::SimilarNames::odd);
    if (pair != pairs.end() && pair->odd == i && pair->usual < first) {
      const std::string_view usual = names[pair->usual].name;
      std::cerr << "; it " << difference(pair->kind) << " '" << legible(usual) << "'";
      if (pair->kind == narsese::SimilarNames::Kind::look)
        std::cerr << narsese::deceptive_ending(name, usual);
    }
    std::cerr << '\n';
  }
}

void tell_undrawn(const std::vector<std::string>& undrawn) {
  for (const std::string& picture : undrawn) std::cerr << "engram: note: " << picture << '\n';
}

void tell_sweep(const fs::path& folder, const std::vector<SweepPoint>& points) {
  std::cout << points.front().question << "\n\n";
  for (const SweepPoint& point : points)
    std::cout << fs::path(point.folder).filename().string() << "\n" << wrapped(point.answer, 100) << '\n';
  std::cout << "every point, method and measure: " << (folder / "report.html").string()
            << "; a row a number: " << (folder / "sweep.csv").string() << '\n';
}

}  // namespace engram::experiments
