// SPDX-License-Identifier: MIT
// Commands of the shell, such as *help.
#include <algorithm>
#include <filesystem>

#include "bridge/systems/engram_nars.hpp"
#include "bridge/systems/event_text.hpp"
#include "experiments/formats/files.hpp"
#include "experiments/pages/explanation.hpp"
#include "experiments/shell/shell.hpp"
#include "narsese/parser.hpp"
#include "narsese/printer.hpp"
#include "narsese/similar_names.hpp"

namespace engram::experiments {

namespace fs = std::filesystem;

// A command of the shell. `name` includes all characters before the value, such as "*volume=".
struct Shell::Command {
  std::string name;
  std::string value;    // name of the value in the help
  std::string meaning;  // empty for commands of ONA that the shell ignores
  void (Shell::*run)(std::string_view value) = nullptr;
};

const std::vector<Shell::Command>& Shell::commands() {
  static const std::vector<Command> all{
      {"*help", "", "list sentences and commands", &Shell::print_help},
      {"*why", "", "print the proof of the last answer", &Shell::print_proof},
      {"*method ", "NAME", "choose the method that directs attention for a question", &Shell::use_method},
      {"*volume=", "N", "print conclusions with a priority above 1 - N/100; 0: none, 100: all",
       &Shell::set_volume},
      {"*query ", "E QUESTION", "print every answer with an expectation above E", &Shell::query},
      {"*concepts", "", "list the concepts", &Shell::print_concepts},
      {"*stats", "", "print counts", &Shell::print_statistics},
      {"*load ", "FILE", "read a file as if it were typed", &Shell::load},
      {"*save ", "FILE", "write the input since the last *reset to a new file", &Shell::save},
      {"*reset", "", "forget everything", &Shell::reset},
      {"*concurrent", "", "let the next event happen in the cycle of the previous one",
       &Shell::be_concurrent},
      {"*opconfig", "", "print the settings for choosing operations, as commands", &Shell::print_operators},
      {"*setopname ", "N ^NAME", "name the Nth operator", &Shell::act},
      {"*babblingops=", "N", "try only the first N operators", &Shell::act},
      {"*motorbabbling=", "SHARE", "try a random operation for this share of the goals; false: never",
       &Shell::act},
      {"*decisionthreshold=", "E", "execute an operation if the expectation of its desire is at least E",
       &Shell::act},
      {"*seed=", "N", "change the seed of the random choice of operations", &Shell::act},
      {"*setoparg ", "", ""},
      {"*setopstdin ", "", ""},
      {"*setvalue ", "", ""},
      {"*space ", "", ""},
      {"*similaritydistance=", "", ""},
      {"*anticipationconfidence=", "", ""},
      {"*questionpriming=", "", ""},
      {"*restrictedconceptcreation=", "", ""},
      {"*currenttime=", "", ""},
      {"*stampid=", "", ""},
      {"*stampimport=", "", ""},
      {"*inverted_atom_index", "", ""},
      {"*occurrence_time_index", "", ""},
      {"*cycling_belief_events", "", ""},
      {"*cycling_goal_events", "", ""},
  };
  return all;
}

void Shell::command(std::string_view text) {
  const auto known = std::ranges::find_if(commands(), [&](const Command& one) {
    const bool has_value = one.name.ends_with(' ') || one.name.ends_with('=');
    return has_value ? text.starts_with(one.name) || text == bridge::trimmed(one.name) : text == one.name;
  });
  if (known == commands().end()) {
    const std::string word(text.substr(0, text.find_first_of(" =")));
    std::vector<std::string> names;
    for (const Command& one : commands()) names.push_back(one.name.substr(0, one.name.find_first_of(" =")));
    const std::string nearest = narsese::nearest_name(word, names);
    error("unknown command " + word +
          (nearest.empty() ? "; *help lists all commands" : "; did you mean " + nearest + "?"));
  } else if (!known->run) {
    note(std::string(bridge::trimmed(known->name)) + " has no effect here");
  } else if (known->run == &Shell::act) {
    act(text);
  } else {
    (this->*known->run)(bridge::trimmed(text.substr(std::min(known->name.size(), text.size()))));
  }
}

void Shell::act(std::string_view text) {
  if (const auto wrong = bridge::configure_agent(text, acting_, mind_->agent())) return error(*wrong);
  told_.emplace_back(text);
}

void Shell::set_volume(std::string_view value) {
  const auto volume = bridge::number_in<std::uint64_t>(value);
  if (!volume || *volume > 100) return error("*volume=N: N must be a number from 0 to 100");
  threshold_ = 1 - static_cast<double>(*volume) / 100;
}

void Shell::use_method(std::string_view value) {
  const core::Method* method = core::find_method(value);
  if (!method) {
    std::vector<std::string> names;
    for (const core::Method& one : core::methods()) names.push_back(one.name);
    const std::string nearest = narsese::nearest_name(value, names);
    std::string message = "*method NAME: " + (value.empty() ? "it is " + options_.method.name()
                                                            : "unknown method " + std::string(value));
    message += nearest.empty() ? ". Known are" : "; did you mean " + nearest + "? Known are";
    for (const std::string& name : names) message += " " + name;
    return error(message);
  }
  options_.method = core::ConfiguredMethod(*method);
}

void Shell::load(std::string_view value) try {
  constexpr std::size_t most_files = 16;  // most files that are open at one time
  if (open_files_ == most_files)
    return error("*load: at most " + std::to_string(most_files) + " files may load each other");
  const std::string name(value);
  std::ifstream file = open_input(name);
  ++open_files_;
  read(file, name);
  --open_files_;
  require_whole(file, name);
} catch (const InputError& wrong) {
  error(std::string("*load: ") + wrong.what());
} catch (const std::system_error& wrong) {
  error(std::string("*load: ") + wrong.what());
}

void Shell::save(std::string_view value) try {
  const fs::path path(value);
  if (value.empty()) return error("*save FILE: expected the name of a new file");
  if (fs::exists(fs::symlink_status(path)))
    return error("*save: " + path.string() + " exists already; expected the name of a new file");
  std::string text;
  for (const std::string& line : told_) text += line + "\n";
  write_file(path, text);
} catch (const std::system_error& wrong) {
  error(std::string("*save: ") + wrong.what());
}

void Shell::reset(std::string_view) {
  acting_.operators = core::AgentOptions{}.operators;
  mind_ = new_mind();
  told_.clear();
  inputs_.clear();
  proof_.reset();
  late_ = 0;
}

void Shell::be_concurrent(std::string_view) {
  ++late_;
  told_.emplace_back("*concurrent");
}

void Shell::query(std::string_view value) {
  const std::size_t blank = std::min(value.find(' '), value.size());
  const auto above = bridge::share_in(value.substr(0, blank));
  const std::string question(bridge::trimmed(value.substr(blank)));
  narsese::TermTable& table = mind_->table();
  const auto parsed = narsese::parse_sentence(question, table);
  if (!above || !parsed || !parsed->asks())
    return error("*query E QUESTION: E must be a number from 0 to 1, and QUESTION must end in ?");
  ask(question, *parsed, *above);
}

void Shell::print_proof(std::string_view) {
  if (!proof_)
    return error("*why: no answer to explain: ask a question first, or the last question was not answered");
  out_ << proof_text(*proof_);
}

void Shell::print_operators(std::string_view) {
  out_ << "//*opconfig\n*motorbabbling=" << std::to_string(acting_.motor_babbling)
       << "\n*babblingops=" << acting_.babbling_operators << '\n';
  for (std::size_t i = 0; i < acting_.operators.size(); ++i)
    if (!acting_.operators[i].empty()) out_ << "*setopname " << i + 1 << " ^" << acting_.operators[i] << '\n';
}

void Shell::print_concepts(std::string_view) {
  out_ << "//*concepts\n";
  const core::Knowledge& knowledge = mind_->knowledge();
  for (core::SentenceId id = 0; id < knowledge.size(); ++id) {
    const core::KnownSentence& known = knowledge[id];
    if (!known.is_judgment() || knowledge.first_belief(known.term) != id) continue;
    out_ << lines_.concept_line(known.term, "\"priority\": " + std::to_string(mind_->priority(id)) +
                                                ", \"frequency\": " + std::to_string(known.truth.frequency) +
                                                ", \"confidence\": " + std::to_string(known.truth.confidence))
         << '\n'
         << lines_.term(known.term) << ". " << in_braces(known.truth) << '\n';
  }
  core::Agent& agent = mind_->agent();
  const core::TemporalMemory& events = agent.memory();
  for (core::EventConceptId id = 0; id < events.size(); ++id) {
    const core::EventConcept& one = events[id];
    const double usage = static_cast<double>(one.uses) / static_cast<double>(agent.now() - one.last_used + 1);
    out_ << lines_.concept_line(one.term, "\"usefulness\": " + std::to_string(usage / (usage + 1)) +
                                              ", \"useCount\": " + std::to_string(one.uses) +
                                              ", \"lastUsed\": " + std::to_string(one.last_used))
         << '\n';
    for (const core::ImplicationId to : one.to) {
      const core::TemporalImplication& implication = events.implication(to);
      out_ << "dt=" << std::to_string(implication.delay) << ' ' << lines_.term(agent.term_of(implication))
           << ". " << in_braces(implication.truth) << '\n';
    }
  }
  out_ << "//*done\n";
}

void Shell::print_statistics(std::string_view) {
  out_ << "//*stats\nStatistics\n----------\ncurrentTime:\t\t\t" << mind_->agent().now()
       << "\ntotal concepts:\t\t\t" << mind_->session().memory().graph().size() << "\nstatements told:\t\t"
       << mind_->session().memory().statements().size() << "\nsentences known:\t\t"
       << mind_->knowledge().size() << "\nsentences forgotten:\t\t" << mind_->reasoner().forgotten()
       << "\ninference steps:\t\t" << mind_->reasoner().steps() << "\nevent concepts:\t\t\t"
       << mind_->agent().memory().size() << "\ntemporal implications:\t\t"
       << mind_->agent().memory().implication_count() << "\nmethod:\t\t\t\t" << options_.method.name()
       << "\n//*done\n";
}

void Shell::print_help(std::string_view) {
  constexpr std::size_t column = 26;
  const auto line = [&](const std::string& what, const std::string& meaning) {
    out_ << "  " << what << std::string(column - std::min(column - 1, what.size()), ' ') << meaning << '\n';
  };
  out_ << "Sentences of Narsese:\n";
  line("<tim --> cat>.", "enter a statement that always holds");
  line("<tim --> ?x>?", "ask a question; *why prints the proof of the answer");
  line("a. :|:", "enter an event that happens now; ^left. :|: is an executed operation");
  line("g! :|:", "set a goal for now: the shell prints the operations that it executes to reach it");
  out_ << "Cycles:\n";
  line("(an empty line)", "run one cycle");
  line("10", "run ten cycles");
  out_ << "Commands:\n";
  for (const Command& one : commands())
    if (!one.meaning.empty()) line(one.name + one.value, one.meaning);
  line("//TEXT", "a comment");
  line("quit", "end the shell, as the end of the input (Ctrl-D) does");
}

std::vector<std::string> Shell::completions(std::string_view before, std::string_view word) {
  const std::string_view begun = bridge::trimmed(before);
  std::set<std::string> found;
  const auto offer = [&](std::string text) {
    if (text.starts_with(word)) found.insert(std::move(text));
  };
  if (begun.empty() && word.starts_with('*')) {
    for (const Command& one : commands())
      if (one.run) offer(one.name);
  } else if (begun == "*method") {
    for (const core::Method& method : core::methods()) offer(method.name);
  } else if (begun == "*load" || begun == "*save") {
    const std::size_t slash = word.rfind('/') + 1;  // 0 without a slash
    const std::string folder(word.substr(0, slash));
    std::error_code failed;
    for (const auto& entry : fs::directory_iterator(folder.empty() ? "." : folder, failed))
      offer(folder + entry.path().filename().string() + (entry.is_directory(failed) ? "/" : ""));
  } else if (!word.empty()) {
    const core::ConceptGraph& graph = mind_->session().memory().graph();
    for (core::ConceptId id = 0; id < graph.size(); ++id)
      if (graph[id].term.kind() == narsese::TermKind::atom) offer(std::string(graph[id].term.name()));
    for (const std::string& name : acting_.operators)
      if (!name.empty()) offer("^" + name);
  }
  return {found.begin(), found.end()};
}

}  // namespace engram::experiments
