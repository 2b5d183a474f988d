// SPDX-License-Identifier: MIT
// The command `engram import`: converts WordNet, RDF and tables of facts to Narsese.
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <iostream>
#include <map>

#include "experiments/commands/command_line.hpp"
#include "experiments/commands/diagnostics.hpp"
#include "experiments/commands/program.hpp"
#include "experiments/commands/shared_options.hpp"
#include "experiments/commands/standard_streams.hpp"
#include "experiments/formats/files.hpp"
#include "experiments/formats/markup.hpp"
#include "experiments/imports/knowledge.hpp"
#include "experiments/imports/knowledge_writer.hpp"
#include "experiments/imports/questions.hpp"
#include "experiments/imports/rdf.hpp"
#include "experiments/imports/table.hpp"
#include "experiments/imports/wordnet.hpp"
#include "experiments/runs/terminal.hpp"
#include "narsese/parser.hpp"

namespace engram::experiments {
namespace {

namespace fs = std::filesystem;

// Arguments that the three importers share.
struct ImportArguments {
  const CLI::App* command = nullptr;
  std::string to = "canonical";
  std::string truth;  // "frequency;confidence", or empty to write no truth values
  fs::path out;       // empty: standard output
  std::size_t memory = core::MemoryLimits{}.max_bytes;
  std::vector<std::string> remarks;
};

struct WordNetArguments : ImportArguments {
  WordNetOptions options;
  std::string names = "lemma";
  std::size_t questions = 0;
  std::uint64_t seed = 1;
  double wrong = 0;
};

// Names of relations, or IRIs of predicates, to write as one of three copulas. All other relations become products.
struct KindArguments {
  std::vector<std::string> inheritance, instance, similarity;
};

struct RdfArguments : ImportArguments, KindArguments {
  std::vector<std::string> files;
  std::string syntax = "auto", literals = "omit", names = "local";
};

struct TableArguments : ImportArguments, KindArguments {
  std::vector<std::string> files, ask;
  std::size_t rules = 0, least_support = 20, questions = 40;
  std::uint64_t seed = 1;
  double wrong = 0;
};

// One import: reads the files and writes the result.
class Import {
 public:
  /// Errors  CLI::ValidationError for a malformed truth value
  explicit Import(const ImportArguments& arguments)
      : arguments_(arguments),
        heading_(heading_of(arguments.command)),
        truth_(truth_of(arguments.truth)),
        knowledge_([this](const Finding& finding) { tell(finding); }) {
    knowledge_.remarks = arguments.remarks;
  }

  /// Calls `work` to read these files, and shows its progress on a terminal.  Errors  InputError before `work` begins
  void read(const std::vector<fs::path>& files, const std::function<void(const Advance&)>& work) {
    std::size_t bytes = 0;
    for (const fs::path& file : files) {
      if (file == "-")
        throw InputError(
            "-: an import names its files with their SHA-256. Write standard input to a file first");
      open_input(file);
      bytes += fs::file_size(file);
    }
    std::ostream* const terminal = isatty(STDERR_FILENO) != 0 ? &StandardError::unchanged() : nullptr;
    Progress progress(terminal, terminal, "reading", bytes, 0, "bytes");
    work([&](std::size_t more) { progress.advance(more); });
    progress.finish();
  }

  ExitCode write(const std::vector<CompositionRule>& rules, const std::vector<AskedFact>& questions) {
    WritingOptions options;
    options.heading = heading_;
    options.to = narsese::find_dialect(arguments_.to).value_or(narsese::Dialect::any);
    options.truth = truth_;
    const WrittenKnowledge written = write_knowledge(knowledge_, rules, questions, options);
    core::check_cancelled();
    if (arguments_.out.empty())
      std::cout << written.text;
    else
      write_file(arguments_.out, written.text);
    ExitCode code = done;
    for (const auto& [file, diagnostics] : diagnostics_)
      if (diagnostics.finish() != done) code = input_errors;
    std::cerr << "engram: " << written.statements << " statements of " << written.names << " names, "
              << written.renamed << " of them renamed; left out: " << written.repeated << " repetitions, "
              << written.reflexive << " about one name alone, " << written.refused << " that "
              << arguments_.to << " does not support\n";
    return code;
  }

  Knowledge& knowledge() { return knowledge_; }

 private:
  // Parses "1;0.9" as a truth value. Returns nothing for an empty text.
  static std::optional<narsese::TruthValue> truth_of(const std::string& text) {
    if (text.empty()) return {};
    narsese::TermTable table;
    const auto sentence = narsese::parse_sentence("a. %" + text + "%", table);
    if (!sentence || !sentence->truth || sentence->truth->confidence <= 0)
      throw CLI::ValidationError(
          "--truth", "expected F;C, frequency in [0, 1] and confidence in (0, 1], found '" + text + "'");
    return sentence->truth;
  }

  // Returns the command line, so that users can produce the same file again. It omits --out, and --remark, because the
  // remarks follow in the file.
  static std::string heading_of(const CLI::App* command) {
    std::string heading = "engram import " + command->get_name();
    for (const CLI::Option* option : command->get_options()) {
      if (option->count() == 0 || option->check_name("--out") || option->check_name("--remark")) continue;
      if (!option->get_positional()) heading += " " + option->get_name();
      for (const std::string& value : option->results())
        heading += value.find(' ') == std::string::npos ? " " + value : " '" + value + "'";
    }
    return heading;
  }

  void tell(const Finding& finding) {
    Diagnostics& of = diagnostics_.try_emplace(finding.file, finding.file, std::cerr).first->second;
    if (finding.is_error)
      of.error(finding.place.line, finding.place.column, finding.message);
    else
      of.warning(finding.place.line, finding.place.column, finding.message, finding.alike);
  }

  const ImportArguments& arguments_;
  std::string heading_;
  std::optional<narsese::TruthValue> truth_;
  std::map<std::string, Diagnostics> diagnostics_;
  Knowledge knowledge_;
};

std::set<std::string> set_of(const std::vector<std::string>& names) { return {names.begin(), names.end()}; }

std::vector<fs::path> paths_of(const std::vector<std::string>& files) { return {files.begin(), files.end()}; }

ExitCode import_wordnet(const WordNetArguments& arguments) {
  const Interruption interruption;
  const core::WorkBudget work({.bytes = arguments.memory});
  Import importing(arguments);
  WordNetOptions options = arguments.options;
  options.names = arguments.names == "offset"  ? WordNetNames::offset
                  : arguments.names == "sense" ? WordNetNames::sense
                                               : WordNetNames::lemma;
  importing.read(wordnet_files(options),
                 [&](const Advance& advance) { read_wordnet(options, importing.knowledge(), advance); });
  const auto questions = inheritance_questions(importing.knowledge(), arguments.questions, arguments.seed);
  add_wrong_claims(importing.knowledge(), arguments.wrong, arguments.seed);
  return importing.write({}, questions);
}

// Rejects relations of options that occur in no statement, because they are likely misspelt.
void check_kinds(const KindArguments& arguments, const std::set<std::string>& found) {
  for (const auto* const chosen : {&arguments.inheritance, &arguments.instance, &arguments.similarity})
    for (const std::string& relation : *chosen)
      if (!found.contains(relation))
        throw SpecError("engram import",
                        unknown_name(relation, std::vector<std::string>(found.begin(), found.end())));
}

ExitCode import_rdf(const RdfArguments& arguments) {
  const Interruption interruption;
  const core::WorkBudget work({.bytes = arguments.memory});
  Import importing(arguments);
  RdfOptions options;
  options.literals = arguments.literals == "quoted"  ? RdfLiterals::quoted
                     : arguments.literals == "names" ? RdfLiterals::names
                                                     : RdfLiterals::omit;
  options.names = arguments.names == "full"       ? RdfNames::full
                  : arguments.names == "prefixed" ? RdfNames::prefixed
                                                  : RdfNames::local;
  for (const auto& [iris, set] : {std::pair{&arguments.inheritance, &options.inheritance},
                                  std::pair{&arguments.instance, &options.instance},
                                  std::pair{&arguments.similarity, &options.similarity}})
    if (!iris->empty()) *set = set_of(*iris);
  RdfRead all;
  importing.read(paths_of(arguments.files), [&](const Advance& advance) {
    for (const std::string& file : arguments.files) {
      std::ifstream in = open_input(file);
      Knowledge& knowledge = importing.knowledge();
      auto syntax = rdf_syntax(file);
      if (arguments.syntax != "auto")
        syntax = arguments.syntax == "turtle" ? RdfSyntax::turtle : RdfSyntax::ntriples;
      if (!syntax) {
        std::string beginning(4096, ' ');
        in.read(beginning.data(), static_cast<std::streamsize>(beginning.size()));
        beginning.resize(static_cast<std::size_t>(in.gcount()));
        knowledge.error({knowledge.add_file(file, sha256_of_file(file)), 1, 1},
                        foreign_syntax(file, beginning));
        continue;
      }
      RdfRead read = read_rdf(file, in, *syntax, options, knowledge, advance);
      all.literals += read.literals;
      all.predicates.merge(read.predicates);
    }
  });
  check_kinds(arguments, all.predicates);
  if (all.literals > 0)
    std::cerr << "engram: left out: " << all.literals << " statements with a literal (see --literals)\n";
  return importing.write({}, {});
}

ExitCode import_table(const TableArguments& arguments) {
  if (!arguments.ask.empty() && arguments.rules == 0)
    throw CLI::ValidationError("--ask", "needs --rules, because only facts that a rule derives are asked");
  const Interruption interruption;
  const core::WorkBudget work({.bytes = arguments.memory});
  Import importing(arguments);
  const TableOptions options{set_of(arguments.inheritance), set_of(arguments.instance),
                             set_of(arguments.similarity)};
  std::vector<fs::path> files = paths_of(arguments.files);
  std::ranges::copy(arguments.ask, std::back_inserter(files));
  std::set<std::string> relations;
  importing.read(files, [&](const Advance& advance) {
    for (std::size_t i = 0; i < files.size(); ++i) {
      std::ifstream in = open_input(files[i]);
      relations.merge(read_table(files[i].string(), in, options, i >= arguments.files.size(),
                                 importing.knowledge(), advance));
    }
  });
  check_kinds(arguments, relations);
  std::vector<CompositionRule> rules;
  if (arguments.rules > 0)
    rules = composition_rules(importing.knowledge(), arguments.rules, arguments.least_support);
  const auto questions = provable_questions(importing.knowledge(), rules,
                                            arguments.ask.empty() ? 0 : arguments.questions, arguments.seed);
  add_wrong_claims(importing.knowledge(), arguments.wrong, arguments.seed);
  return importing.write(rules, questions);
}

void add_seed(CLI::App* command, std::uint64_t& seed, double& wrong) {
  add_option(command, "--seed", seed, "seed of random choices; the same seed gives the same file");
  add_option(
      command, "--wrong", wrong,
      "share of wrong statements. They are added to the file, each with a random second name, to measure\n"
      "how well a method copes with errors",
      in_range(0.0, 0.9));
}

void add_common(CLI::App* command, ImportArguments& arguments) {
  arguments.command = command;
  add_option(command, "--to", arguments.to, "dialect of the output, which also limits the names",
             one_of({"canonical", "common", "ona", "opennars", "pynars"}));
  add_option(
      command, "--truth", arguments.truth,
      "F;C: frequency and confidence of each statement (default: none, which every NARS reads as 1;0.9)");
  add_option(command, "--remark", arguments.remarks,
             "comment for the beginning of the file, such as the source of the knowledge", is_repeated);
  add_memory_option(command, arguments.memory, "the facts and the text that is written");
  add_option(command, "--out", arguments.out,
             "file to write, completely or not at all (default: standard output)", is_file);
}

// Adds the options that assign relations to copulas. `relations` is the beginning of their help texts.
void add_kinds(CLI::App* command, KindArguments& kinds, const std::string& relations) {
  add_option(command, "--inheritance", kinds.inheritance, relations + " to write as <a --> b>", is_repeated);
  add_option(command, "--instance", kinds.instance, relations + " to write as <{a} --> b>", is_repeated);
  add_option(command, "--similarity", kinds.similarity, relations + " to write as <a <-> b>", is_repeated);
}

void add_wordnet(CLI::App& group, ExitCode& code) {
  std::vector<std::string> relations;
  for (const WordNetRelation& relation : wordnet_relations) relations.emplace_back(relation.name);
  auto [command, arguments] = add_command(
      group, code, "wordnet", "convert WordNet's synsets, from the files of Debian's package wordnet-base",
      "engram import wordnet --parts noun --relations hypernym instance_hypernym --out nouns.nal",
      import_wordnet);
  add_option(command, "--folder", arguments.options.folder, "folder of data.noun and the other files",
             is_folder);
  add_option(command, "--parts", arguments.options.parts, "parts of speech",
             one_of({"noun", "verb", "adj", "adv"}));
  add_option(command, "--relations", arguments.options.relations,
             "relations to write: hypernym as <a --> b>, instance_hypernym as <{a} --> b>, similar_to as\n"
             "<a <-> b>, and others as <(*,a,b) --> name>, which means that b is the name of a. Inverse\n"
             "relations such as hyponym give the same statements",
             one_of(relations));
  add_option(command, "--names", arguments.names,
             "names of synsets: lemma (entity, or dog_n_1 if the word has several senses), sense (always\n"
             "dog_n_1, the first sense of the noun) or offset (n02084071)",
             one_of({"lemma", "sense", "offset"}));
  add_option(
      command, "--questions", arguments.questions,
      "number of questions whether a synset belongs to a class two to six hypernyms above it, with their\n"
      "proofs. A similar question with the answer no follows each",
      in_range(0, 1'000'000));
  add_seed(command, arguments.seed, arguments.wrong);
  add_common(command, arguments);
}

void add_rdf(CLI::App& group, ExitCode& code) {
  auto [command, arguments] = add_command(
      group, code, "rdf", "convert RDF, from Turtle and N-Triples",
      "engram import rdf ontology.ttl --literals names --to pynars --out ontology.nal", import_rdf);
  add_option(command, "files", arguments.files, "files; a name means the same in all files", is_file,
             is_required);
  add_option(command, "--syntax", arguments.syntax,
             "turtle, ntriples, or auto: by the extension of the file name",
             one_of({"auto", "turtle", "ntriples"}));
  add_option(
      command, "--literals", arguments.literals,
      "omit: leave out statements with literals; names: write the texts as names; quoted: write them as\n"
      "quoted names, if the target system reads these",
      one_of({"omit", "names", "quoted"}));
  add_option(command, "--names", arguments.names,
             "names of IRIs: local (Person), prefixed (foaf_Person, by the prefixes of the file) or full",
             one_of({"local", "prefixed", "full"}));
  add_kinds(command, arguments, "IRIs of predicates, instead of RDF's own,");
  add_common(command, arguments);
}

void add_table(CLI::App& group, ExitCode& code) {
  auto [command, arguments] = add_command(
      group, code, "table", "convert facts, one on each line: head TAB relation TAB tail",
      "engram import table train.tsv --ask test.tsv --rules 30 --questions 60 --out facts.nal", import_table);
  add_option(command, "files", arguments.files, "tables, read one after the other", is_file, is_required);
  add_kinds(command, arguments, "relations");
  add_option(
      command, "--rules", arguments.rules,
      "number of rules with two premises: if r leads from x to y, and s from y to z, then t leads from x\n"
      "to z. The rules that hold in the largest share of cases are written, with this share as frequency",
      in_range(0, 10'000));
  add_option(command, "--support", arguments.least_support, "least number of cases that a rule must hold in",
             in_range(1, 1'000'000));
  add_option(command, "--ask", arguments.ask,
             "table of facts to ask for instead of stating them, if a rule derives them", is_repeated);
  add_option(command, "--questions", arguments.questions,
             "number of questions. A similar question with the answer no follows each",
             in_range(1, 1'000'000));
  add_seed(command, arguments.seed, arguments.wrong);
  add_common(command, arguments);
}

}  // namespace

void add_import(CLI::App& app, ExitCode& code) {
  CLI::App* group = add_command(app, "import", "convert WordNet, RDF or tables of facts to Narsese",
                                "engram import wordnet --parts noun --out nouns.nal");
  group->require_subcommand(1);
  add_wordnet(*group, code);
  add_rdf(*group, code);
  add_table(*group, code);
}

}  // namespace engram::experiments
