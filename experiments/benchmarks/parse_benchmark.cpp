// SPDX-License-Identifier: MIT
// The program `parse_benchmark`: how fast Narsese is read, as ratios to programs timed beside it in the same
// run.
#include <algorithm>
#include <array>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <iostream>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

#include <nlohmann/json.hpp>

#include "experiments/benchmarks/benchmark_options.hpp"
#include "experiments/benchmarks/narsese_mix.hpp"
#include "experiments/benchmarks/timing.hpp"
#include "narsese/parser.hpp"
#include "narsese/printer.hpp"

namespace {

using namespace engram;
using namespace benchmarks;
using nlohmann::json;

// What all contestants read: the same sentences in both languages, each line ended by a line feed.
struct Corpus {
  std::string narsese;
  std::string json;
  std::size_t lines = 0;
};

// What a contestant has to show for its time.
struct Outcome {
  std::size_t accepted = 0;
  std::uint64_t checksum = 0;      // over what was read, so that no work can be left out
  std::string_view first_refused;  // its line
  std::optional<std::size_t> terms, term_bytes;
};

template <class Function>
void for_each_line(std::string_view text, Function function) {
  for (const char *at = text.data(), *end = at + text.size(); at < end;) {
    const auto* stop = static_cast<const char*>(std::memchr(at, '\n', static_cast<std::size_t>(end - at)));
    function(std::string_view(at, static_cast<std::size_t>(stop - at)));
    at = stop + 1;
  }
}

void refuse(Outcome& outcome, std::string_view line) {
  if (outcome.first_refused.empty()) outcome.first_refused = line;
}

// The contestants. Cutting the text into lines and giving memory back is part of everyone's work.

Outcome scan_newlines(const Corpus& corpus) {
  Outcome outcome;
  for_each_line(corpus.narsese, [&](std::string_view line) {
    ++outcome.accepted;
    outcome.checksum += line.size();
  });
  return outcome;
}

Outcome parse_json(const Corpus& corpus) {
  Outcome outcome;
  for_each_line(corpus.json, [&](std::string_view line) {
    const json sentence = json::parse(line, nullptr, false);
    if (sentence.is_discarded()) return refuse(outcome, line);
    ++outcome.accepted;
    outcome.checksum += sentence.size() + sentence["t"].size();
  });
  return outcome;
}

void count(Outcome& outcome, const narsese::Result<narsese::Sentence, narsese::ParseError>& sentence,
           std::string_view line) {
  if (!sentence) return refuse(outcome, line);
  ++outcome.accepted;
  outcome.checksum += sentence->term.hash() + static_cast<std::uint64_t>(sentence->punctuation);
}

Outcome parse_sentences_one_by_one(const Corpus& corpus) {
  Outcome outcome;
  narsese::TermTable table;
  narsese::Parser parser;
  for_each_line(corpus.narsese,
                [&](std::string_view line) { count(outcome, parser.sentence(line, table).result, line); });
  outcome.terms = table.size();
  outcome.term_bytes = table.memory_bytes();
  return outcome;
}

Outcome parse_sentences_in_batches(const Corpus& corpus) {
  constexpr std::size_t batch = 128;
  Outcome outcome;
  narsese::TermTable table;
  narsese::Parser parser;
  std::vector<std::string_view> lines;
  const auto parse_batch = [&] {
    const auto parsed = parser.sentences(lines, table);
    for (std::size_t i = 0; i < lines.size(); ++i) count(outcome, parsed[i].result, lines[i]);
    lines.clear();
  };
  for_each_line(corpus.narsese, [&](std::string_view line) {
    lines.push_back(line);
    if (lines.size() == batch) parse_batch();
  });
  parse_batch();
  outcome.terms = table.size();
  outcome.term_bytes = table.memory_bytes();
  return outcome;
}

Outcome parse_trees(const Corpus& corpus) {
  Outcome outcome;
  narsese::Parser parser;
  narsese::SyntaxTree tree;
  for_each_line(corpus.narsese, [&](std::string_view line) {
    if (!parser.tree(line, tree)) return refuse(outcome, line);
    ++outcome.accepted;
    outcome.checksum += tree.nodes.size() + tree.nodes.begin()->label.size;
  });
  return outcome;
}

struct Contestant {
  std::string_view name;
  Outcome (*run)(const Corpus&);
};

constexpr std::array contestants{
    Contestant{"newline scan (memchr)", scan_newlines},
    Contestant{"nlohmann::json, same content as JSON lines", parse_json},
    Contestant{"Engram: shared terms, batches of 128 lines", parse_sentences_in_batches},
    Contestant{"Engram: shared terms, line by line", parse_sentences_one_by_one},
    Contestant{"Engram: plain trees", parse_trees},
};
constexpr std::size_t newline_scan = 0, json_lines = 1;  // the two that the ratios refer to

// ["-->", ["{", "tim"], "cat"]
json json_of(narsese::Term term) {
  json array = json::array();
  switch (term.kind()) {
    case narsese::TermKind::compound:
      array.push_back(narsese::facts(term.connector()).text);
      break;
    case narsese::TermKind::statement:
      array.push_back(narsese::facts(term.copula()).text);
      break;
    default:
      return narsese::print(term);
  }
  for (const narsese::Term component : term.components()) array.push_back(json_of(component));
  return array;
}

// {"c": 0.9, "f": 1.0, "p": ".", "t": term}, and "e": ":|:" for an event
json json_of(const narsese::Sentence& sentence) {
  json object{{"t", json_of(sentence.term)}, {"p", std::string(1, symbol(sentence.punctuation))}};
  if (const std::string tense = print(sentence.tense); !tense.empty()) object["e"] = tense;
  if (sentence.truth) {
    object["f"] = sentence.truth->frequency;
    object["c"] = sentence.truth->confidence;
  }
  return object;
}

Corpus make_corpus(NarseseMix&& mix) {
  Corpus corpus{std::move(mix.text), {}, 0};
  narsese::TermTable table;
  for_each_line(corpus.narsese, [&](std::string_view line) {
    const auto sentence = narsese::parse_sentence(line, table);
    if (!sentence) throw std::runtime_error(sentence.error().message() + ": " + std::string(line));
    corpus.json += json_of(*sentence).dump() + '\n';
    ++corpus.lines;
  });
  return corpus;
}

struct Standing {
  Outcome outcome;
  std::vector<double> seconds;
};

// In turn, so that whatever else the machine does strikes all alike. What was wrong, if anything, goes to
// stderr.
bool measure(const Corpus& corpus, std::size_t repeats, std::array<Standing, contestants.size()>& standings) {
  for (std::size_t repeat = 0; repeat < repeats; ++repeat) {
    for (std::size_t i = 0; i < contestants.size(); ++i) {
      const double start = cpu_seconds();
      const Outcome outcome = contestants[i].run(corpus);
      standings[i].seconds.push_back(cpu_seconds() - start);
      if (outcome.accepted != corpus.lines) {
        std::cerr << contestants[i].name << ": accepted " << outcome.accepted << " of " << corpus.lines
                  << " lines; the first refused: " << outcome.first_refused << '\n';
        return false;
      }
      if (repeat > 0 && outcome.checksum != standings[i].outcome.checksum) {
        std::cerr << contestants[i].name << ": read something else in repeat " << repeat + 1 << '\n';
        return false;
      }
      standings[i].outcome = outcome;
    }
  }
  return true;
}

// How many times as fast as the other: by the medians, and in the worst and best round.
struct Speed {
  double median, low, high;
};

Speed speed(const Standing& a, const Standing& b) {
  std::vector<double> rounds;
  for (std::size_t i = 0; i < a.seconds.size(); ++i) rounds.push_back(b.seconds[i] / a.seconds[i]);
  const auto [low, high] = std::ranges::minmax(rounds);
  return {median(b.seconds) / median(a.seconds), low, high};
}

std::string decimals(const char* format, double number) {
  char text[64];
  std::snprintf(text, sizeof text, format, number);
  return text;
}

void print_standings(const Corpus& corpus, const std::array<Standing, contestants.size()>& standings) {
  const char* row = "%-42s %16s %18s %16s %15s %10s %11s\n";
  std::printf(row, "contestant", "x nlohmann::json", "[rounds]", "of newline scan", "(statements/s)", "terms",
              "bytes/term");
  for (std::size_t i = 0; i < contestants.size(); ++i) {
    const Standing& standing = standings[i];
    const Outcome& outcome = standing.outcome;
    const Speed speed_to_json = speed(standing, standings[json_lines]);
    const std::string rounds =
        "[" + decimals("%.2f", speed_to_json.low) + ", " + decimals("%.2f", speed_to_json.high) + "]";
    const double per_second = static_cast<double>(corpus.lines) / median(standing.seconds);
    std::string terms = "-", bytes_per_term = "-";
    if (outcome.terms) terms = std::to_string(*outcome.terms);
    if (outcome.terms && outcome.term_bytes)
      bytes_per_term =
          decimals("%.1f", static_cast<double>(*outcome.term_bytes) / static_cast<double>(*outcome.terms));
    std::printf(row, std::string(contestants[i].name).c_str(), decimals("%.2f", speed_to_json.median).c_str(),
                rounds.c_str(), decimals("%.4f", speed(standing, standings[newline_scan]).median).c_str(),
                decimals("%.2fM", 1e-6 * per_second).c_str(), terms.c_str(), bytes_per_term.c_str());
  }
}

void describe(const NarseseMix& mix, std::size_t lines) {
  std::unordered_set<std::string_view> different;
  for_each_line(mix.text, [&](std::string_view line) { different.insert(line); });
  std::printf("== %s: %zu lines of %.1f bytes on average, %zu different, %llu atoms\n",
              std::string(mix.name).c_str(), lines,
              static_cast<double>(mix.text.size()) / static_cast<double>(lines) - 1, different.size(),
              static_cast<unsigned long long>(mix.atoms));
}

bool write(const NarseseMix& mix, const std::string& path) {
  std::ofstream file(path, std::ios::binary);
  file << mix.text;
  file.close();
  if (!file) std::cerr << "cannot write " << path << '\n';
  return !file.fail();
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app("Times the parser beside others on generated Narsese.", "parse_benchmark");
  std::size_t lines = 1'000'000, repeats = 5;
  std::uint64_t seed = 1;
  std::string which = "both", path;
  constexpr int a_lot = 100'000'000;
  add_option(app, "--lines", lines, "Lines of a mix", 1, a_lot);
  add_option(app, "--repeats", repeats, "Rounds; the median counts", 1, a_lot);
  app.add_option("--mix", which, "small (100 atoms), large (an atom for five lines) or both")
      ->check(CLI::IsMember({"small", "large", "both"}))
      ->capture_default_str();
  bool uniform = false;
  app.add_flag("--uniform", uniform, "All atoms equally often, the hardest case, not by Zipf's law");
  app.add_option("--seed", seed, "The lines follow from it")->capture_default_str();
  app.add_option("--write", path,
                 "Write the lines of one mix there, for other programs, and measure nothing");
  app.footer(
      "Exit codes: 0 done, 1 a contestant refused or misread a line, 2 wrong usage, 3 an outside failure.\n"
      "Example:\n  parse_benchmark --mix large --repeats 7");
  app.callback([&] {
    if (!path.empty() && which == "both") throw CLI::ValidationError("--write", "needs --mix small or large");
  });
  if (const auto code = exit_code(app, argc, argv)) return *code;

  const auto frequencies = uniform ? Frequencies::uniform : Frequencies::zipf;
  if (!path.empty()) {
    const NarseseMix mix = which == "small" ? small_vocabulary(lines, seed, frequencies)
                                            : large_vocabulary(lines, seed, frequencies);
    return write(mix, path) ? 0 : 3;
  }
  try {
    for (const std::string_view name : {"small", "large"}) {
      if (which != "both" && which != name) continue;
      NarseseMix mix = name == "small" ? small_vocabulary(lines, seed, frequencies)
                                       : large_vocabulary(lines, seed, frequencies);
      describe(mix, lines);
      const Corpus corpus = make_corpus(std::move(mix));
      std::array<Standing, contestants.size()> standings;
      if (!measure(corpus, repeats, standings)) return 1;
      print_standings(corpus, standings);
    }
  } catch (const std::runtime_error& error) {
    std::cerr << error.what() << '\n';
    return 1;
  }
  std::printf("CPU time, median of %zu. Only the ratios carry over to another machine.\n", repeats);
  return 0;
}
