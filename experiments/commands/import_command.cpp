// SPDX-License-Identifier: MIT
// The command `engram import`: converts WordNet, RDF and tables of facts to Narsese.
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <iostream>
#include <map>
#include <memory>

#include "experiments/commands/command_line.hpp"
#include "experiments/commands/commands.hpp"
#include "experiments/commands/diagnostics.hpp"
#include "experiments/commands/standard_error.hpp"
#include "experiments/formats/files.hpp"
#include "experiments/formats/markup.hpp"
#include "experiments/imports/composition_rules.hpp"
#include "experiments/imports/inheritance_questions.hpp"
#include "experiments/imports/knowledge_writer.hpp"
#include "experiments/imports/rdf.hpp"
#include "experiments/imports/table.hpp"
#include "experiments/imports/wordnet.hpp"
#include "experiments/imports/wrong_claims.hpp"
#include "experiments/runs/terminal.hpp"
#include "narsese/parser.hpp"

namespace engram::experiments {
namespace {

namespace fs = std::filesystem;

// Arguments that the three importers share.
struct ImportArguments {
  std::string to = "canonical";
  std::string truth;  // "frequency;confidence"; empty: no truth values
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

// Relations, or IRIs of predicates, that become copulas. All others become products.
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
  Import(const CLI::App* command, const ImportArguments& arguments)
      : arguments_(arguments),
        heading_(heading_of(command)),
        knowledge_([this](const Finding& finding) { tell(finding); }) {
    knowledge_.remarks = arguments.remarks;
  }

  /// Calls `work` to read these files, and shows its progress on a terminal.  Errors  InputError before `work` begins
  void read(const std::vector<fs::path>& files, const std::function<void(const Advance&)>& work) {
    std::size_t bytes = 0;
    for (const fs::path& file : files) {
      if (file == "-")
        throw InputError(
            "-: an import names its files with their SHA-256: write standard input to a file first");
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
    options.truth = truth_of(arguments_.truth);
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
              << written.renamed << " of them renamed; left out: " << written.repeated << " said before, "
              << written.reflexive << " of a name about itself, " << written.refused << " that "
              << arguments_.to << " does not take\n";
    return code;
  }

  Knowledge& knowledge() { return knowledge_; }

  /// Parses "1;0.9" as a truth value. Returns nothing for an empty text.  Errors  CLI::ValidationError
  static std::optional<narsese::TruthValue> truth_of(const std::string& text) {
    if (text.empty()) return {};
    narsese::TermTable table;
    const auto sentence = narsese::parse_sentence("a. %" + text + "%", table);
    if (!sentence || !sentence->truth || sentence->truth->confidence <= 0)
      throw CLI::ValidationError(
          "--truth", "expected F;C, frequency in [0, 1] and confidence in (0, 1], found '" + text + "'");
    return sentence->truth;
  }

 private:
  // The command line, so that users can produce the same file again. Remarks are not part of it; they follow below.
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
  std::map<std::string, Diagnostics> diagnostics_;
  Knowledge knowledge_;
};

std::set<std::string> set_of(const std::vector<std::string>& names) { return {names.begin(), names.end()}; }

std::vector<fs::path> paths_of(const std::vector<std::string>& files) { return {files.begin(), files.end()}; }

ExitCode import_wordnet(const CLI::App* command, WordNetArguments arguments) {
  const Interruption interruption;
  const core::WorkBudget work({.bytes = arguments.memory});
  arguments.options.names = arguments.names == "offset"  ? WordNetNames::offset
                            : arguments.names == "sense" ? WordNetNames::sense
                                                         : WordNetNames::lemma;
  Import importing(command, arguments);
  importing.read(wordnet_files(arguments.options), [&](const Advance& advance) {
    read_wordnet(arguments.options, importing.knowledge(), advance);
  });
  const auto questions = inheritance_questions(importing.knowledge(), arguments.questions, arguments.seed);
  add_wrong_claims(importing.knowledge(), arguments.wrong, arguments.seed);
  return importing.write({}, questions);
}

// Rejects relations that occur in no statement, because they are likely misspelt.
void check_kinds(const KindArguments& arguments, const std::set<std::string>& found) {
  for (const auto* const chosen : {&arguments.inheritance, &arguments.instance, &arguments.similarity})
    for (const std::string& relation : *chosen)
      if (!found.contains(relation))
        throw SpecError("engram import",
                        unknown_name(relation, std::vector<std::string>(found.begin(), found.end())));
}

ExitCode import_rdf(const CLI::App* command, const RdfArguments& arguments) {
  const Interruption interruption;
  const core::WorkBudget work({.bytes = arguments.memory});
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
  Import importing(command, arguments);
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
    std::cerr << "engram: left out: " << all.literals << " statements of a literal (see --literals)\n";
  return importing.write({}, {});
}

ExitCode import_table(const CLI::App* command, const TableArguments& arguments) {
  const Interruption interruption;
  const core::WorkBudget work({.bytes = arguments.memory});
  const TableOptions options{set_of(arguments.inheritance), set_of(arguments.instance),
                             set_of(arguments.similarity)};
  std::vector<fs::path> files = paths_of(arguments.files);
  std::ranges::copy(arguments.ask, std::back_inserter(files));
  Import importing(command, arguments);
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

void add_seed(CLI::App* sub, std::uint64_t& seed, double& wrong) {
  add_option(sub, "--seed", seed, "which of them; the same one gives the same file");
  add_option(sub, "--wrong", wrong,
             "this share of what is written is wrong: claims are added whose second name is drawn by the\n"
             "seed, to see how much of that a method stands")
      ->check(CLI::Range(0.0, 0.9));
}

void add_common(CLI::App* sub, ImportArguments& arguments) {
  add_option(sub, "--to", arguments.to, "the dialect that is written, whose names are taken")
      ->check(one_of({"canonical", "common", "ona", "opennars", "pynars"}));
  add_option(sub, "--truth", arguments.truth,
             "F;C: frequency and confidence of each statement (default: none is written, which every NARS "
             "reads as 1;0.9)");
  add_option(sub, "--remark", arguments.remarks,
             "a line for the head of the file, such as where its knowledge is from; may be repeated")
      ->take_all()
      ->allow_extra_args(false);
  add_memory_option(sub, arguments.memory, "bytes that what is read, and made of it,");
  sub->add_option("--out", arguments.out, "write this file, whole or not at all (default: standard output)")
      ->type_name(file_type);
}

void add_kinds(CLI::App* sub, KindArguments& kinds, const std::string& of_each) {
  const std::string repeated = "; may be repeated";
  for (CLI::Option* option :
       {add_option(sub, "--inheritance", kinds.inheritance, of_each + " written <a --> b>" + repeated),
        add_option(sub, "--instance", kinds.instance, of_each + " written <{a} --> b>" + repeated),
        add_option(sub, "--similarity", kinds.similarity, of_each + " written <a <-> b>" + repeated)})
    option->take_all()->allow_extra_args(false);
}

void add_wordnet(CLI::App& group, ExitCode& code) {
  const auto arguments = std::make_shared<WordNetArguments>();
  std::vector<std::string> relations;
  for (const WordNetRelation& relation : wordnet_relations) relations.emplace_back(relation.name);
  CLI::App* sub = add_command(
      group, "wordnet", "WordNet's synsets, from the files of Debian's package wordnet-base",
      "engram import wordnet --parts noun --relations hypernym instance_hypernym --out nouns.nal");
  sub->add_option("--folder", arguments->options.folder,
                  "where data.noun and the like are (default: " + arguments->options.folder.string() + ")")
      ->type_name(folder_type);
  add_option(sub, "--parts", arguments->options.parts, "parts of speech")
      ->check(one_of({"noun", "verb", "adj", "adv"}));
  add_option(sub, "--relations", arguments->options.relations,
             "hypernym <a --> b>, instance_hypernym <{a} --> b>, similar_to <a <-> b>; others\n"
             "<(*,a,b) --> name>: b is the name of a; known are also hyponym and the like, which say\n"
             "the same from the other end")
      ->check(one_of(relations));
  add_option(sub, "--names", arguments->names,
             "of a synset: lemma (entity; dog_n_1 where the word has several senses), sense (always\n"
             "dog_n_1: the first sense of the noun) or offset (n02084071)")
      ->check(one_of({"lemma", "sense", "offset"}));
  add_option(sub, "--questions", arguments->questions,
             "so many: whether a synset is of a class two to six hypernyms above it, with what proves it;\n"
             "each is followed by one near it whose answer is no")
      ->check(CLI::Range(std::size_t{0}, std::size_t{1000000}));
  add_seed(sub, arguments->seed, arguments->wrong);
  add_common(sub, *arguments);
  sub->callback([&code, arguments, sub] {
    Import::truth_of(arguments->truth);
    code = import_wordnet(sub, *arguments);
  });
}

void add_rdf(CLI::App& group, ExitCode& code) {
  const auto arguments = std::make_shared<RdfArguments>();
  CLI::App* sub =
      add_command(group, "rdf", "RDF, from Turtle and N-Triples",
                  "engram import rdf ontology.ttl --literals names --to pynars --out ontology.nal");
  add_option(sub, "files", arguments->files, "files, read into one set of names")
      ->type_name(file_type)
      ->required();
  add_option(sub, "--syntax", arguments->syntax, "turtle, ntriples, or auto: by the end of the file's name")
      ->check(one_of({"auto", "turtle", "ntriples"}));
  add_option(sub, "--literals", arguments->literals,
             "omit what is said by a literal, or write its text as names, or as quoted names, where\n"
             "the target reads these")
      ->check(one_of({"omit", "names", "quoted"}));
  add_option(sub, "--names", arguments->names,
             "of an IRI: local (Person), prefixed (foaf_Person, by the file's prefixes) or full")
      ->check(one_of({"local", "prefixed", "full"}));
  add_kinds(sub, *arguments, "IRIs of predicates, instead of RDF's own,");
  add_common(sub, *arguments);
  sub->callback([&code, arguments, sub] {
    Import::truth_of(arguments->truth);
    code = import_rdf(sub, *arguments);
  });
}

void add_table(CLI::App& group, ExitCode& code) {
  const auto arguments = std::make_shared<TableArguments>();
  CLI::App* sub =
      add_command(group, "table", "facts, a line each: head TAB relation TAB tail",
                  "engram import table train.tsv --ask test.tsv --rules 30 --questions 60 --out facts.nal");
  add_option(sub, "files", arguments->files, "tables, read one after the other")
      ->type_name(file_type)
      ->required();
  add_kinds(sub, *arguments, "relations");
  add_option(sub, "--rules", arguments->rules,
             "so many rules of two premises (if r leads from x to y and s from y to z, t leads from x\n"
             "to z), those that hold in the largest share of cases; the share is their frequency")
      ->check(CLI::Range(std::size_t{0}, std::size_t{10000}));
  add_option(sub, "--support", arguments->least_support, "cases that a rule must hold in")
      ->check(CLI::Range(std::size_t{1}, std::size_t{1000000}));
  add_option(sub, "--ask", arguments->ask,
             "a table of facts that are not stated, but asked: those that a rule derives; may be repeated")
      ->take_all()
      ->allow_extra_args(false);
  add_option(sub, "--questions", arguments->questions,
             "how many of them; each is followed by one near it whose answer is no")
      ->check(CLI::Range(std::size_t{1}, std::size_t{1000000}));
  add_seed(sub, arguments->seed, arguments->wrong);
  add_common(sub, *arguments);
  sub->callback([&code, arguments, sub] {
    Import::truth_of(arguments->truth);
    if (!arguments->ask.empty() && arguments->rules == 0)
      throw CLI::ValidationError("--ask", "wants --rules: a question is asked that one of them answers");
    code = import_table(sub, *arguments);
  });
}

}  // namespace

void add_import(CLI::App& app, ExitCode& code) {
  CLI::App* group = add_command(app, "import", "write what others wrote down as Narsese",
                                "engram import wordnet --parts noun --out nouns.nal");
  group->require_subcommand(1);
  add_wordnet(*group, code);
  add_rdf(*group, code);
  add_table(*group, code);
}

}  // namespace engram::experiments
