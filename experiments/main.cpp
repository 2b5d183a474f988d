// SPDX-License-Identifier: MIT
// The program `engram`: reads the command line and calls a command.
#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <iostream>
#include <system_error>

#include <CLI/CLI.hpp>

#include "bridge/systems/nars_system.hpp"
#include "core/methods/methods.hpp"
#include "core/numbers/work.hpp"
#include "experiments/commands/commands.hpp"
#include "experiments/commands/standard_output.hpp"
#include "experiments/formats/escapes.hpp"
#include "experiments/inputs/corpus.hpp"
#include "experiments/provenance/manifest.hpp"
#include "experiments/runs/run.hpp"
#include "experiments/spec/spec_file.hpp"
#include "narsese/nearest_name.hpp"

namespace {

using namespace engram::experiments;

std::vector<std::string> method_names() {
  std::vector<std::string> names;
  for (const auto& method : engram::core::methods()) names.push_back(method.name);
  return names;
}

// What is said of a wrong name: the nearest right one, and all of them.
std::string unknown_name(const std::string& name, const std::vector<std::string>& known) {
  const std::string nearest = engram::narsese::nearest_name(name, known);
  std::string text = "'" + name + "' is unknown";
  text += nearest.empty() ? "." : "; did you mean '" + nearest + "'?";
  text += " Known are";
  for (const std::string& right : known) text += " " + right;
  return text;
}

CLI::Validator one_of(std::vector<std::string> names) {
  return CLI::Validator(
      [names](std::string& value) {
        return std::ranges::find(names, value) != names.end() ? std::string() : unknown_name(value, names);
      },
      "NAME");
}

// What a memory and the work on it may take, with a suffix such as M or G.
void add_memory_option(CLI::App* sub, std::size_t& bytes, const std::string& what) {
  sub->add_option("--memory", bytes, what + " may take at a time, such as 500M or 2G (default: 4G)")
      ->transform(CLI::AsSizeValue(false))
      ->check(CLI::Range(std::size_t{1} << 20, std::size_t{1} << 48))
      ->type_name("BYTES");
}

CLI::App* command(CLI::App& app, const char* name, const char* what, const char* example) {
  CLI::App* sub = app.add_subcommand(name, what);
  sub->footer(std::string("Example:\n  ") + example);
  return sub;
}

// What went wrong is told, and gives the exit code.
int run_command_line(int argc, char** argv) {
  CLI::App app("Attention and associative memory for Non-Axiomatic Reasoning Systems.", "engram");
  app.set_version_flag("--version", version_line());
  app.require_subcommand(1);
  app.footer(
      "`engram COMMAND --help` tells more. Exit codes: 0 done, 1 errors in the input (the rest was\n"
      "processed), 2 wrong usage or spec, 3 an outside failure, 130 interrupted.\nExample:\n  engram run "
      "family.nal");
  ExitCode code = done;

  RunArguments run;
  CLI::App* sub = command(app, "run", "compare methods on Narsese files, or carry out an experiment's spec",
                          "engram run family.nal --set capacity=6");
  std::string specs;
  for (const ShippedSpec& spec : shipped_specs()) specs += (specs.empty() ? "" : ", ") + spec.name;
  sub->footer("Specs that come along: " + specs + ".\n`engram experiments` tells what each is for.\n" +
              sub->get_footer());
  sub->add_option("what", run.what,
                  "one SPEC.json, the name of a spec that comes along (`engram experiments` lists them), or\n"
                  "Narsese files");
  sub->add_option("--out", run.out, "folder for the results (default: engram-runs/EXPERIMENT-NAME)");
  sub->add_option("--set", run.overrides,
                  "path=value: changes a place of the spec, such as memory.decay=0.01")
      ->take_all()
      ->allow_extra_args(false);
  sub->add_option("--jobs", run.jobs, "trials at a time; changes no result")->check(CLI::Range(1u, 1024u));
  sub->add_flag("--resume", run.resume, "go on with an interrupted run in the same folder");
  sub->add_option("--cache", run.cache, "folder of trials' results, kept and used again (default: none)");
  sub->add_flag("--dry-run", run.dry_run, "print the plan and what it will take; write nothing");
  sub->add_flag("--schema", run.schema, "print the JSON Schema of specs");
  add_memory_option(sub, run.memory, "bytes that what the inputs teach and the trials");
  sub->callback([&] { code = run_command(run); });

  sub = command(app, "experiments", "list the specs that come along, each with its purpose",
                "engram experiments");
  sub->callback([&] { code = experiments_command(); });

  ParseArguments parse;
  sub = command(app, "parse", "check Narsese, translate it to another system's dialect or to JSON",
                "echo '<(*,cat,fish) --> eats>.' | engram parse --to ona");
  sub->add_option("file", parse.file, "a Narsese file, or - for standard input (default)");
  sub->add_option("--from", parse.from, "dialect of the input (default: auto, which tells what it found)")
      ->check(one_of({"auto", "common", "ona", "opennars", "pynars", "json"}));
  sub->add_option("--to", parse.to, "dialect of the output (default: canonical)")
      ->check(one_of({"canonical", "common", "ona", "opennars", "pynars", "json"}));
  sub->add_flag(
      "--lint", parse.lint,
      "tell what is likely not meant, and with --to what that system would misread; print nothing else");
  sub->callback([&] {
    if (parse.lint && (parse.from == "json" || parse.to == "json"))
      throw CLI::ValidationError("--lint", "is for Narsese, not for JSON");
    code = parse_command(parse);
  });

  RecallArguments recall;
  sub = command(
      app, "recall", "ask a memory what a cue brings back",
      "engram recall family.nal --cue '<(olav * kari) --> ?1>?' --method attention --method hopfield");
  sub->add_option("files", recall.files, "Narsese files, read into one memory")->required();
  sub->add_option("--cue", recall.cue, "a sentence or a term")->required();
  sub->add_option("--method", recall.methods, "see `engram methods`; may be repeated (default: attention)")
      ->check(one_of(method_names()))
      ->take_all()
      ->allow_extra_args(false);
  sub->add_option("--top", recall.top, "how many concepts and statements (default: 10)")
      ->check(CLI::Range(std::size_t{1}, std::size_t{1000000}));
  sub->add_flag("--json", recall.json, "print JSON with all digits");
  sub->add_flag("--explain", recall.explain,
                "tell why each got its budget: sums that can be checked by hand, and the way from the cue");
  sub->add_option("--report", recall.report, "write the same as a page, to this file");
  sub->add_option("--after", recall.after,
                  "another cue: its budget is what this one starts from, and explains with (core/budgets)");
  add_memory_option(sub, recall.memory, "bytes that what is learnt and a recall");
  sub->callback([&] { code = recall_command(recall); });

  GraphArguments graph;
  sub = command(app, "graph", "print the concept graph",
                "engram graph family.nal --format dot | sfdp -Tsvg > family.svg");
  sub->add_option("files", graph.files, "Narsese files, read into one memory")->required();
  sub->add_option("--format", graph.format, "graphml (default), dot or json")
      ->check(one_of({"graphml", "dot", "json"}));
  sub->callback([&] { code = graph_command(graph); });

  ServeArguments serve;
  sub = command(app, "serve", "answer the JSON lines protocol on standard input and output, or over sockets",
                "echo '{\"id\":1,\"op\":\"hello\"}' | engram serve");
  sub->footer(
      "SIGINT and SIGTERM end a server of sockets: what is in work has a second to be answered, and\n"
      "another to be given up; a second signal cuts it.\n" +
      sub->get_footer());
  std::vector<std::string> rules;
  for (const auto& facts : engram::core::learning_rules) rules.emplace_back(facts.name);
  sub->add_option("--learning", serve.learning,
                  "a rule that learns links of its own, for \"links\": \"learnt\"")
      ->check(CLI::IsMember(rules));
  sub->add_option("--dialect", serve.dialect, "engram (default), or navm: what BabelNAR's tools speak")
      ->check(one_of({"engram", "navm"}));
  sub->add_option("--unix", serve.unix_path,
                  "serve clients of this user on a Unix socket, a file of this name");
  CLI::Option* websocket =
      sub->add_option("--websocket", serve.websocket_port, "serve websockets on this port; 0: a free one")
          ->check(CLI::Range(0, 65535));
  sub->add_option("--address", serve.address,
                  "of the websocket (default: 127.0.0.1); any that is not loopback needs a token")
      ->needs(websocket);
  sub->add_option("--token", serve.token, "that websockets must show; better given as ENGRAM_TOKEN")
      ->envname("ENGRAM_TOKEN");
  sub->add_option("--origin", serve.origins,
                  "of web pages that may connect, such as http://localhost:8000; may be repeated")
      ->take_all()
      ->allow_extra_args(false)
      ->needs(websocket);
  sub->add_option("--max-clients", serve.max_clients,
                  "at a time, each with a thread of its own (default: 16)")
      ->check(CLI::Range(std::size_t{1}, std::size_t{1000}));
  sub->add_option(
         "--patience", serve.patience_ms,
         "milliseconds that a client may take to read its replies, or to go on with a line of the Unix\n"
         "socket (default: 30000)")
      ->check(CLI::Range(1u, 86'400'000u));
  sub->add_flag("--shared", serve.shared, "one memory for all clients (default: each client has its own)");
  sub->add_flag("--files", serve.files,
                "let clients of sockets name files of this machine: snapshot, restore, and vectors of an\n"
                "embedding (default: on standard input alone)");
  add_memory_option(sub, serve.memory, "bytes that what is learnt and a request, of all clients together,");
  sub->callback([&] { code = serve_command(serve); });

  AttachArguments attach;
  sub = command(app, "attach", "stand beside a live NARS: feed it, learn from it, choose what it thinks of",
                "engram attach --gate 12 family.nal -- ./NAR shell");
  sub->add_option("file", attach.file, "a Narsese file")->required();
  sub->add_option("command", attach.command,
                  "after --: the NARS, a program and its arguments; no shell reads them")
      ->required();
  std::vector<std::string> systems;
  for (const auto& system : engram::bridge::nars_systems()) systems.emplace_back(system.name);
  sub->add_option("--system,--dialect", attach.system,
                  "what it is: ona (default), opennars, pynars, nar_json or navm")
      ->check(one_of(systems));
  sub->add_option(
         "--gate", attach.gate,
         "for each question, a reasoner that knows nothing gets this many statements, the best for it\n"
         "(default: one reasoner gets everything)")
      ->check(CLI::Range(std::size_t{1}, std::size_t{1000000}));
  sub->add_option("--method", attach.method, "what chooses them, see `engram methods` (default: attention)")
      ->check(one_of(method_names()));
  sub->add_option("--log", attach.log, "keep a transcript, for `engram replay`");
  sub->add_option(
         "--learn", attach.learning,
         "from what the NARS says: nothing, answers (they reinforce the links of what they rest on),\n"
         "all (what it derives as well; default: all, with --gate answers)")
      ->check(one_of({"nothing", "answers", "all"}));
  sub->add_flag("--restart", attach.restart, "gate: a new process for each question, where a reset would do");
  sub->add_flag("--fresh", attach.fresh,
                "without --gate: each question goes to a new process that is told everything first");
  sub->add_option(
         "--steer", attach.steering,
         "order: what suits the next question best is told last; with ona, nar_json also\n"
         "repeat: before each question the best statements are told again, with the stamps they have;\n"
         "ask: they are asked for; reimport (with --gate): of what was told and inferred, the best come\n"
         "back after the reset, with their stamps; with opennars, pynars, navm also\n"
         "budgets: what waits for a question is told with $p;d;q$, the best first")
      ->check(one_of({"order", "repeat", "ask", "reimport", "budgets"}));
  sub->add_option("--steered", attach.steered, "how many statements repeat and ask concern (default: 12)")
      ->check(CLI::Range(std::size_t{1}, std::size_t{1000000}));
  sub->add_option(
      "--summary", attach.summary,
      "write a JSON file: each question with its answer, seconds, cycles and what was told for it");
  sub->add_option("--report", attach.report, "write a page on the session, with everything in it");
  sub->add_option(
         "--time-limit", attach.time_limit_ms,
         "milliseconds that a question may take in all; then it counts as not answered (default: none)")
      ->check(CLI::Range(1u, 86'400'000u));
  sub->add_option("--cycles-before", attach.cycles_before, "of reasoning before a question (default: 50)");
  sub->add_option("--cycles-after", attach.cycles_after,
                  "after one without an answer, before it is asked again (default: 20)");
  sub->add_option("--patience", attach.patience_ms,
                  "milliseconds that one thing may take until the NARS counts as hanging (default: 60000)")
      ->check(CLI::Range(1u, 86'400'000u));
  sub->add_option("--settling", attach.settling_ms,
                  "milliseconds that OpenNARS, which counts no cycles, gets in their place (default: 1000)")
      ->check(CLI::Range(1u, 86'400'000u));
  sub->add_option("--max-restarts", attach.max_restarts, "in a row, until it is given up (default: 3)")
      ->check(CLI::Range(0u, 100u));
  sub->add_option(
         "--back-off", attach.back_off_ms,
         "milliseconds before the first of them; each further one waits twice as long (default: 100)")
      ->check(CLI::Range(1u, 60'000u));
  add_memory_option(sub, attach.memory, "bytes that what is learnt and a recall");
  sub->callback([&] { code = attach_command(attach); });

  std::string log, session_page;
  sub = command(app, "replay", "make the memory of a transcript again, and compare it to the last bit",
                "engram replay session.jsonl");
  sub->add_option("log", log, "what `engram attach --log` kept")->required();
  sub->add_option("--report", session_page, "write a page on the session, with everything in it");
  sub->callback([&] { code = replay_command(log, session_page); });

  std::string folder;
  sub = command(app, "report", "rebuild a run's tables, plots and report without running it again",
                "engram report engram-runs/comparison-family");
  sub->add_option("folder", folder, "the folder of a run")->required();
  sub->callback([&] { code = report_command(folder); });

  std::string verified, base;
  sub = command(app, "verify", "check a run's files and inputs, do it again and compare every byte",
                "engram verify engram-runs/comparison-family");
  sub->add_option("folder", verified, "the folder of a run")->required();
  sub->add_option("--base", base, "folder that inputs' names are relative to (default: where they were)");
  unsigned verify_jobs = 1;
  sub->add_option("--jobs", verify_jobs, "trials at a time; changes no result")->check(CLI::Range(1u, 1024u));
  sub->callback([&] { code = verify_command(verified, base, verify_jobs); });

  CompareArguments compare;
  sub = command(app, "compare", "hold two runs of the same experiment against each other, pair by pair",
                "engram compare engram-runs/before engram-runs/after");
  sub->add_option("a", compare.a, "the folder of a run")->required();
  sub->add_option("b", compare.b, "the folder of another")->required();
  sub->add_option("--format", compare.format, "text (default), csv or markdown: the table alone")
      ->check(one_of({"text", "csv", "markdown"}));
  sub->callback([&] { code = compare_command(compare); });

  sub = command(app, "methods", "list the retrieval methods and their options", "engram methods");
  sub->callback([&] { code = methods_command(); });

  GenerateArguments generate;
  sub = command(app, "generate", "print Narsese whose questions have known proofs, as a .nal file",
                "engram generate chains --size 400 --seed 7 > chains.nal");
  sub->add_option(
         "kind", generate.kind,
         "families: of seven people; chains: relations that rules compose; taxonomies: properties that\n"
         "classes hand down; events: chains of what follows what")
      ->required()
      ->check(one_of({"families", "chains", "taxonomies", "events"}));
  sub->add_option("--size", generate.size, "statements, about (default: 1000)")
      ->check(CLI::Range(std::size_t{10}, std::size_t{1000000}));
  sub->add_option("--seed", generate.seed, "the same seed, the same file (default: 1)");
  sub->add_option("--questions", generate.questions, "at most (default: 40)")
      ->check(CLI::Range(std::size_t{1}, std::size_t{10000}));
  sub->add_option("--longest", generate.longest, "of chains: facts that one joins at most (default: 4)")
      ->check(CLI::Range(2, 6));
  sub->callback([&] {
    if (generate.kind == "chains" && generate.size < 100)
      throw CLI::ValidationError("--size", "of chains must be at least 100");
    code = generate_command(generate);
  });

  std::vector<std::string> commands;
  for (const CLI::App* known : app.get_subcommands([](const CLI::App*) { return true; }))
    commands.push_back(known->get_name());
  if (argc > 1 && argv[1][0] != '-' && std::ranges::find(commands, argv[1]) == commands.end()) {
    std::cerr << "engram: error: " << legible(unknown_name(argv[1], commands)) << '\n';
    return wrong_usage;
  }
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? done : wrong_usage;
  } catch (const SpecError& error) {
    std::cerr << "engram: error: " << error.what() << '\n';
    return wrong_usage;
  } catch (const InputError& error) {
    std::cerr << "engram: error: " << legible(error.what()) << '\n';
    return wrong_usage;
  } catch (const Interrupted& error) {
    std::cerr << "engram: " << error.what() << '\n';
    return interrupted;
  } catch (const engram::core::WorkStopped& why) {
    const bool asked = why.reason == engram::core::WorkStopped::Reason::asked;
    std::cerr << (asked ? "engram: " : "engram: error: ") << why.what() << '\n';
    return asked ? interrupted : outside_failure;
  } catch (const std::exception& error) {
    std::cerr << "engram: error: " << legible(error.what()) << '\n';
    return outside_failure;
  }
  return code;
}

}  // namespace

int main(int argc, char** argv) {
  // A reader that went away and a file that may grow no further are errors of writing, not deaths.
  for (const int number : {SIGPIPE, SIGXFSZ}) std::signal(number, SIG_IGN);
  // A file that is opened later must not get the number of one of the three that were closed, and our output.
  for (int number = 0; number <= STDERR_FILENO; ++number)
    if (fcntl(number, F_GETFD) < 0) open("/dev/null", O_RDONLY);
  StandardOutput output;
  const int code = run_command_line(argc, argv);
  try {
    output.finish();
  } catch (const std::system_error& error) {
    std::cerr << "engram: error: " << error.what() << '\n';
    return outside_failure;
  }
  return code;
}
