// SPDX-License-Identifier: MIT
// Benchmark suite: parsing Narsese, compared with parsing JSON of the same content and with a scan for line feeds. The
// text consists of forms from real files that ONA, OpenNARS and PyNARS read as the same terms.
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "core/numbers/random.hpp"
#include "experiments/benchmarks/suites.hpp"
#include "narsese/parser.hpp"
#include "narsese/printer.hpp"

namespace engram::benchmarks {
namespace {

using nlohmann::json;

// A generated text of Narsese. Every line ends with a line feed.
struct NarseseMix {
  std::string_view name;
  std::uint64_t atoms = 0;  // number of names in the vocabulary
  std::string text;
};

// The distribution of atoms in the lines.
enum class Frequencies {
  zipf,     // the k-th atom has frequency 1/k (Zipf 1949), like words in texts and concepts in graphs
  uniform,  // all equal: the worst case for a term table, because look-ups are scattered over it
};

constexpr std::size_t shortest_line = 35;  // bytes, without line feed
constexpr std::size_t longest_line = 80;

// A form of sentences, and its percentage in the generated text.
struct Form {
  unsigned percent;
  std::string_view text;  // A stands for an atom that the line does not yet contain, T for a truth value
};

// The percentages follow the example files of ONA, OpenNARS and BabelNAR, restricted to sentences that the three
// systems read alike. In these files, 76 % of the sentences are inheritance or similarity between things, and 19 % are
// implications. 47 % contain an instance, 34 % a property, 13 % a product. 17 % are questions, 3 % goals, 43 % events.
//
// Half of the lines in these files have less than 27 bytes. Lines of knowledge bases and robots are longer. Therefore
// the generated lines have more truth values (49 % instead of 18 %) and names of 5 to 14 bytes.
//
// The list omits forms that one of the three systems reads differently: budgets, compounds and sets of three or more,
// images, infix, unary products, intervals, `&|`, `=|>` and similar copulas, `{--`, names with `-` or `.`, and
// `<a --> a>`.
constexpr std::array<Form, 24> forms{{
    // Inheritance: kinds of things, instances, properties.
    {10, "<A --> A>. T"},
    {3, "<A --> A>. :|: T"},
    {9, "<{A} --> A>. T"},
    {5, "<{A} --> A>. :|: T"},
    {11, "<{A} --> [A]>. :|:"},
    {4, "<A --> [A]>. :|: T"},
    {4, "<A <-> A>. T"},
    // Relations between two things.
    {10, "<(*,A,A) --> A>."},
    {3, "<(*,A,A) --> A>. T"},
    {4, "<(*,{A},{A}) --> A>. :|: T"},
    // Rules with and without variables.
    {5, "<<$1 --> A> ==> <$1 --> A>>. T"},
    {3, "<<$x --> A> ==> <$x --> [A]>>."},
    {3, "<(&&,<$x --> A>,<$x --> A>) ==> <$x --> A>>."},
    {2, "<<(*,$1,$2) --> A> ==> <(*,$2,$1) --> A>>. T"},
    {2, "<<A --> A> ==> <A --> A>>."},
    // Temporal implications.
    {3, "<<A --> [A]> =/> <A --> [A]>>."},
    {2, "<(&/,A,<(*,{SELF},A) --> ^pick>) =/> A>."},
    // Goals.
    {2, "<{A} --> [A]>! :|:"},
    {1, "<(*,{SELF},A) --> ^pick>! :|:"},
    // Questions.
    {3, "<(*,A,A) --> A>?"},
    {4, "<(*,A,?1) --> A>?"},
    {2, "<(*,?1,{A}) --> A>? :|:"},
    {4, "<{A} --> [A]>? :|:"},
    {1, "(&&,<?1 --> A>,<?1 --> A>)?"},
}};

constexpr unsigned all_percents() {
  unsigned sum = 0;
  for (const Form& form : forms) sum += form.percent;
  return sum;
}
static_assert(all_percents() == 100);

// Stems of names, shortest first. A name is a stem and a number; if the number is long, the stem is short.
constexpr std::array<std::string_view, 25> stems{
    {"cat",       "dog",       "door",      "bird",      "lock",     "robot",    "light",
     "person",    "mammal",    "animal",    "swimmer",   "vehicle",  "concept",  "musician",
     "chemical",  "building",  "location",  "predator",  "beverage", "organism", "disorder",
     "procedure", "furniture", "container", "instrument"}};
static_assert(std::ranges::is_sorted(stems, {}, &std::string_view::size));
constexpr std::size_t longest_name = 14;

std::string two_decimals(std::uint64_t hundredths) {
  const std::string digits = std::to_string(hundredths);
  return digits.size() < 2 ? "0.0" + digits : "0." + digits;
}

// Draws a truth value. Half of the frequencies are 1 and half of the confidences are 0.9, the most common values.
std::string truth(core::Rng& rng) {
  const std::string frequency = rng.below(2) == 0 ? "1.0" : two_decimals(rng.below(100));
  const std::string confidence = rng.below(2) == 0 ? "0.9" : two_decimals(1 + rng.below(99));
  return "%" + frequency + ";" + confidence + "%";
}

const Form& draw_form(core::Rng& rng) {
  auto left = static_cast<unsigned>(rng.below(100));
  const Form* form = forms.data();
  for (; left >= form->percent; ++form) left -= form->percent;
  return *form;
}

// Draws random atoms.
class Atoms {
 public:
  Atoms(std::uint64_t count, Frequencies frequencies) : count_(count) {
    double sum = 0;
    if (frequencies == Frequencies::zipf)
      for (std::uint64_t k = 1; k <= count; ++k) cumulated_.push_back(sum += 1 / static_cast<double>(k));
  }

  std::uint64_t draw(core::Rng& rng) const {
    if (cumulated_.empty()) return rng.below(count_);
    const auto place = std::ranges::upper_bound(cumulated_, rng.uniform() * cumulated_.back());
    return std::min(static_cast<std::uint64_t>(place - cumulated_.begin()), count_ - 1);
  }

 private:
  std::uint64_t count_;
  std::vector<double> cumulated_;  // cumulated weights 1/k; empty for a uniform distribution
};

// Returns a name of 5 to 14 bytes for numbers up to 999,999: cat_7, mammal_41, concept_123456.
std::string atom_name(std::uint64_t number) {
  const std::string digits = std::to_string(number);
  const auto fits = [&](std::string_view stem) { return stem.size() + 1 + digits.size() <= longest_name; };
  const auto fitting = static_cast<std::size_t>(std::ranges::count_if(stems, fits));
  const std::string_view stem = stems[number % std::max<std::size_t>(fitting, 1)];
  return std::string(stem) + "_" + digits;
}

std::string fill(const Form& form, const Atoms& atoms, core::Rng& rng) {
  std::string line;
  std::vector<std::uint64_t> used;
  for (const char c : form.text) {
    if (c == 'T') {
      line += truth(rng);
    } else if (c == 'A') {
      do used.push_back(atoms.draw(rng));
      while (std::find(used.begin(), used.end() - 1, used.back()) != used.end() - 1);
      line += atom_name(used.back());
    } else {
      line += c;
    }
  }
  return line;
}

// Generates the text. A line depends only on the seed, its number and the atoms.
//
// Small vocabulary: 100 atoms and frequently repeated terms, like a small domain. ONA's default build, which has space
// for 182 atoms, can read it.
// Large vocabulary: one atom for every five lines (at least 100) and mostly new statements, like a knowledge base.
NarseseMix mix(bool large_vocabulary, const Sizes& sizes, Frequencies frequencies) {
  const std::string_view name = large_vocabulary ? "large_vocabulary" : "small_vocabulary";
  const std::uint64_t count = large_vocabulary ? std::max<std::uint64_t>(sizes.lines / 5, 100) : 100;
  NarseseMix mix{name, count, {}};
  const Atoms atoms(count, frequencies);
  for (std::size_t i = 0; i < sizes.lines; ++i) {
    core::Rng rng(sizes.seed, name, i);
    const Form& form = draw_form(rng);
    std::string line;
    do line = fill(form, atoms, rng);
    while (line.size() < shortest_line || line.size() > longest_line);
    mix.text += line;
    mix.text += '\n';
  }
  return mix;
}

// Input of all contestants: the same sentences as Narsese and as JSON. Every line ends with a line feed.
struct Corpus {
  std::string narsese;
  std::string json;
  std::size_t lines = 0;
};

// Result of parsing the corpus by one contestant.
struct Outcome {
  std::size_t accepted = 0;
  std::uint64_t checksum = 0;       // checksum of the parsed lines
  std::string_view first_rejected;  // first rejected line
  std::size_t terms = 0, term_bytes = 0;
};

template <class Function>
void for_each_line(std::string_view text, Function function) {
  for (const char *at = text.data(), *end = at + text.size(); at < end;) {
    const auto* stop = static_cast<const char*>(std::memchr(at, '\n', static_cast<std::size_t>(end - at)));
    function(std::string_view(at, static_cast<std::size_t>(stop - at)));
    at = stop + 1;
  }
}

void reject(Outcome& outcome, std::string_view line) {
  if (outcome.first_rejected.empty()) outcome.first_rejected = line;
}

// The functions below are the contestants. Their time includes splitting the text into lines and freeing memory.

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
    if (sentence.is_discarded()) return reject(outcome, line);
    ++outcome.accepted;
    outcome.checksum += sentence.size() + sentence["t"].size();
  });
  return outcome;
}

void count(Outcome& outcome, const narsese::Result<narsese::Sentence, narsese::ParseError>& sentence,
           std::string_view line) {
  if (!sentence) return reject(outcome, line);
  ++outcome.accepted;
  outcome.checksum += sentence->term.hash() + static_cast<std::uint64_t>(sentence->punctuation);
}

Outcome parse_sentences_one_by_one(const Corpus& corpus) {
  Outcome outcome;
  narsese::TermTable table;
  narsese::Parser parser;
  for_each_line(corpus.narsese,
                [&](std::string_view line) { count(outcome, parser.sentence(line, table).result, line); });
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
    if (!parser.tree(line, tree)) return reject(outcome, line);
    ++outcome.accepted;
    outcome.checksum += tree.nodes.size() + tree.nodes.begin()->label.size;
  });
  return outcome;
}

// Converts a term to JSON, such as ["-->", ["{", "tim"], "cat"].
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

// Converts a sentence to JSON, such as {"c": 0.9, "f": 1.0, "p": ".", "t": term}, and "e": ":|:" for an event.
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

// Creates a contestant that reads the corpus.  Errors  ContestError if it rejects a line
Contestant reader(Role role, const char* name, Outcome (*read)(const Corpus&), const Corpus& corpus) {
  return {.role = role, .name = name, .pieces = static_cast<double>(corpus.lines), .run = [=, &corpus] {
            const Outcome outcome = read(corpus);
            if (outcome.accepted != corpus.lines)
              throw ContestError(std::string(name) + " rejected " + std::string(outcome.first_rejected));
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
  Contest contest{"narsese", name, "line"};
  std::vector<Contestant>& all = contest.contestants;
  all.push_back(reader(Role::limit, "find line feeds (memchr)", scan_newlines, corpus));
  all.push_back(reader(Role::peer, "nlohmann::json, JSON lines", parse_json, corpus));
  std::optional<LinesFile> file;
  if (!sizes.parsers.empty()) file.emplace(corpus.narsese);
  for (const auto& [parser, program] : sizes.parsers)
    all.push_back(external_peer(parser, {program, file->path.string()}, static_cast<double>(corpus.lines)));
  all.push_back(reader(Role::engram, "shared terms, batches of 128", parse_sentences_in_batches, corpus));
  all.back().note = [&corpus] {
    const Outcome shared = parse_sentences_in_batches(corpus);
    return std::to_string(shared.terms) + " terms of " +
           std::to_string(shared.term_bytes / std::max<std::size_t>(shared.terms, 1)) + " bytes";
  };
  all.push_back(reader(Role::engram, "shared terms, line by line", parse_sentences_one_by_one, corpus));
  all.push_back(reader(Role::engram, "plain trees", parse_trees, corpus));
  board.hold(contest);
}

}  // namespace

std::string narsese_lines(bool large_vocabulary, const Sizes& sizes) {
  return mix(large_vocabulary, sizes, Frequencies::zipf).text;
}

void narsese_suite(const Sizes& sizes, Scoreboard& board) {
  for (const Frequencies frequencies : {Frequencies::zipf, Frequencies::uniform})
    for (const bool large : {false, true})
      read_mix(mix(large, sizes, frequencies), frequencies, sizes, board);
}

}  // namespace engram::benchmarks
