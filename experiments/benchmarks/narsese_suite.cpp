// SPDX-License-Identifier: MIT
// Benchmark suite: parsing Narsese, compared with parsing JSON of the same content and with a scan for line feeds.
#include <cstring>
#include <filesystem>
#include <fstream>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

#include <unistd.h>
#include <nlohmann/json.hpp>

#include "experiments/benchmarks/narsese_mix.hpp"
#include "experiments/benchmarks/outside_peer.hpp"
#include "experiments/benchmarks/suites.hpp"
#include "narsese/parser.hpp"
#include "narsese/printer.hpp"

namespace engram::benchmarks {
namespace {

using nlohmann::json;

// Input of all contestants: the same sentences in both languages. Each line ends with a line feed.
struct Corpus {
  std::string narsese;
  std::string json;
  std::size_t lines = 0;
};

// Result of a contestant.
struct Outcome {
  std::size_t accepted = 0;
  std::uint64_t checksum = 0;      // checksum of the parsed lines
  std::string_view first_refused;  // first rejected line
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

// The contestants. Each splits the text into lines and frees its memory.

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

// Converts a term: ["-->", ["{", "tim"], "cat"].
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

// Converts a sentence: {"c": 0.9, "f": 1.0, "p": ".", "t": term}, and "e": ":|:" for an event.
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

// Creates a contestant that parses the corpus. Its note is the number of terms.
Contestant reader(Role role, const char* name, Outcome (*read)(const Corpus&), const Corpus& corpus) {
  return {.role = role, .name = name, .pieces = static_cast<double>(corpus.lines), .run = [=, &corpus] {
            const Outcome outcome = read(corpus);
            if (outcome.accepted != corpus.lines)
              throw ContestError(std::string(name) + " refused " + std::string(outcome.first_refused));
            return static_cast<double>(outcome.checksum >> 11);
          }};
}

std::string description(const NarseseMix& mix, std::size_t lines, Frequencies frequencies) {
  std::unordered_set<std::string_view> different;
  for_each_line(mix.text, [&](std::string_view line) { different.insert(line); });
  return std::string(mix.name) + (frequencies == Frequencies::zipf ? "" : ", all atoms equally often") +
         ": " + std::to_string(lines) + " lines, " + std::to_string(different.size()) + " different, " +
         std::to_string(mix.atoms) + " atoms";
}

// RAII temporary file with the lines, for external programs.
class LinesFile {
 public:
  explicit LinesFile(const std::string& text) {
    std::string name = (std::filesystem::temp_directory_path() / "engram-lines-XXXXXX").string();
    const int file = mkstemp(name.data());
    if (file < 0) throw ContestError("cannot write to " + name);
    close(file);
    path = name;
    std::ofstream(path, std::ios::binary) << text;
  }
  ~LinesFile() { std::filesystem::remove(path); }
  LinesFile(const LinesFile&) = delete;
  LinesFile& operator=(const LinesFile&) = delete;

  std::filesystem::path path;
};

void read_mix(NarseseMix&& mix, Frequencies frequencies, const Sizes& sizes, Scoreboard& board) {
  const std::string name = description(mix, sizes.lines, frequencies);
  const Corpus corpus = make_corpus(std::move(mix));
  Contest contest{"narsese", name, "line", {}};
  std::vector<Contestant>& all = contest.contestants;
  all.push_back(reader(Role::limit, "find line feeds (memchr)", scan_newlines, corpus));
  all.push_back(reader(Role::peer, "nlohmann::json, JSON lines", parse_json, corpus));
  std::optional<LinesFile> file;
  if (!sizes.parsers.empty()) file.emplace(corpus.narsese);
  for (const auto& [parser, program] : sizes.parsers)
    all.push_back(outside_peer(parser, {program, file->path.string()}, static_cast<double>(corpus.lines)));
  all.push_back(reader(Role::engram, "shared terms, batches of 128", parse_sentences_in_batches, corpus));
  all.back().note = [&corpus] {
    const Outcome shared = parse_sentences_in_batches(corpus);
    return std::to_string(*shared.terms) + " terms of " +
           std::to_string(*shared.term_bytes / std::max<std::size_t>(*shared.terms, 1)) + " bytes";
  };
  all.push_back(reader(Role::engram, "shared terms, line by line", parse_sentences_one_by_one, corpus));
  all.push_back(reader(Role::engram, "plain trees", parse_trees, corpus));
  board.hold(contest);
}

}  // namespace

void narsese_suite(const Sizes& sizes, Scoreboard& board) {
  for (const Frequencies frequencies :
       {Frequencies::zipf, Frequencies::uniform})  // uniform is the worst case
    for (const auto make : {small_vocabulary, large_vocabulary})
      read_mix(make(sizes.lines, sizes.seed, frequencies), frequencies, sizes, board);
}

}  // namespace engram::benchmarks
