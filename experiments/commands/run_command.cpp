// SPDX-License-Identifier: MIT
// The command `engram run`: runs a spec, or every point of a sweep.
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <iostream>
#include <map>
#include <numeric>

#include "experiments/commands/command_line.hpp"
#include "experiments/commands/diagnostics.hpp"
#include "experiments/commands/program.hpp"
#include "experiments/commands/shared_options.hpp"
#include "experiments/commands/standard_streams.hpp"
#include "experiments/formats/files.hpp"
#include "experiments/formats/outside_program.hpp"
#include "experiments/runs/run.hpp"
#include "experiments/runs/terminal.hpp"
#include "experiments/spec/path_sandbox.hpp"
#include "experiments/spec/spec.hpp"
#include "experiments/spec/spec_file.hpp"

namespace engram::experiments {
namespace {

namespace fs = std::filesystem;

struct RunArguments {
  std::vector<std::string> what;  // one SPEC.json, the name of a shipped spec, or Narsese files
  std::string out;                // folder of the results; empty: default_folder()
  std::vector<std::string> overrides;
  unsigned jobs = 1;
  bool resume = false;
  bool force = false;
  std::string cache;  // folder of the cache; empty: no cache
  std::size_t memory = core::MemoryLimits{}.max_bytes;
  bool dry_run = false;  // only print the plan
  bool schema = false;   // only print the schema of specs
  bool allow_programs = false;
};

// Sorted durations in milliseconds.
class Times {
 public:
  void add(const Json& row) {
    const Json each = row.contains("each") ? row.at("each") : Json::array({row.at("seconds")});
    for (const Json& seconds : each) values_.push_back(1000 * seconds.get<double>());
    std::ranges::sort(values_);
  }
  Cell median() const { return values_.empty() ? cell("-") : cell(values_[values_.size() / 2], 3); }
  Cell with_worst() const {
    return values_.empty() ? cell("-") : cell(median().text + " (" + fixed(values_.back(), 1) + ")");
  }

 private:
  std::vector<double> values_;
};

// Returns a table of the time each method took in each set. Reads the file of timings, which has one duration for a
// trial, or one for each question of a set.
Table time_table(const fs::path& timings) {
  std::vector<std::string> methods, sets;
  std::map<std::pair<std::string, std::string>, Times> times;
  std::ifstream file = open_if_there(timings);
  for (std::string line; std::getline(file, line);) {
    const auto row = json_in(line);
    if (!row || !row->contains("method")) continue;
    const auto method = row->at("method").get<std::string>(), set = row->value("set", "");
    if (std::ranges::find(methods, method) == methods.end()) methods.push_back(method);
    if (std::ranges::find(sets, set) == sets.end()) sets.push_back(set);
    times[{method, set}].add(*row);
  }
  Table table{"time", "", {"method"}};
  for (const std::string& set : sets) table.head.push_back(set.empty() ? "median ms" : set + ": ms (worst)");
  for (const std::string& method : methods) {
    table.rows.push_back({cell(method)});
    for (const std::string& set : sets)
      table.rows.back().push_back(set.empty() ? times[{method, set}].median()
                                              : times[{method, set}].with_worst());
  }
  return table;
}

// Returns the command line that resumes a run.
std::string resuming(const RunArguments& arguments, const fs::path& out) {
  std::string text = "engram run";
  for (const std::string& word : arguments.what) text += " " + shell_word(word);
  for (const std::string& assignment : arguments.overrides) text += " --set " + shell_word(assignment);
  if (arguments.jobs > 1) text += " --jobs " + std::to_string(arguments.jobs);
  if (!arguments.cache.empty()) text += " --cache " + shell_word(arguments.cache);
  return text + " --out " + shell_word(out.string()) + " --resume";
}

// A complete plan of a run: one spec, or one for each point of a sweep.
struct Planned {
  std::vector<Spec> specs;
  std::vector<SweepCell> cells;  // one for each spec of a sweep, otherwise empty
  fs::path out;
  std::vector<std::string> remarks;  // notes for the user about the files of the spec
};

// The folder of a run without --out: the first of engram-runs/NAME, NAME-2, NAME-3, ... that does not exist, so no run
// is overwritten. With --resume, the last one that exists.
fs::path default_folder(const std::string& name, bool resume) {
  const fs::path first = fs::path("engram-runs") / name;
  fs::path last = first, next = first;
  for (std::size_t number = 2; fs::exists(next); ++number) {
    last = next;
    next = first.string() + "-" + std::to_string(number);
  }
  return resume ? last : next;
}

Planned plan(const RunArguments& arguments) {
  fs::path first = arguments.what.front();
  // A bare name that is not a file names a shipped spec.
  std::error_code ignored;
  if (arguments.what.size() == 1 && first.filename() == first && !first.has_extension() &&
      !fs::exists(first, ignored))
    first = shipped_spec(first.string());
  const bool is_spec = arguments.what.size() == 1 && first.extension() == ".json";
  SpecSource source = is_spec ? load_spec(first) : SpecSource{default_spec(arguments.what), {}};
  Planned planned;
  try {
    for (const std::string& assignment : arguments.overrides) apply_override(source.json, assignment);
    planned.cells = sweep_cells(source.json);
    if (planned.cells.empty()) planned.specs.push_back(resolve_spec(source.json, source.folders));
    for (const SweepCell& cell : planned.cells)
      planned.specs.push_back(resolve_spec(cell.spec, source.folders));
  } catch (const SpecError& error) {
    if (!is_spec || !error.pointer.starts_with("/")) throw;
    throw SpecError(first.string() + (arguments.overrides.empty() ? "" : " with --set"), error.what());
  }
  if (!arguments.allow_programs)
    for (const Spec& spec : planned.specs)
      require_consent(spec.resolved, arguments.overrides, first.string());
  planned.remarks = source.remarks;
  if (is_spec)
    for (const std::string& remark : reads_outside(planned.specs.front(), source.folders))
      planned.remarks.push_back(remark);
  // The memories of the inputs share half of the bytes; the running trials share the other half.
  for (Spec& spec : planned.specs)
    spec.memory.limits.max_bytes = arguments.memory / 2 / std::max<std::size_t>(spec.inputs.size(), 1);
  const std::string name = planned.specs.front().experiment->name() + ("-" + first.stem().string());
  planned.out = arguments.out.empty() ? default_folder(name, arguments.resume) : fs::path(arguments.out);
  return planned;
}

fs::path folder_of(const Planned& planned, std::size_t i) {
  return planned.cells.empty() ? planned.out : planned.out / "cells" / planned.cells[i].name;
}

ExitCode print_plan(const Planned& planned, unsigned jobs) {
  std::cout << plan_text(planned.specs.front(), planned.out);
  for (const SweepCell& cell : planned.cells) std::cout << "cell        cells/" << cell.name << '\n';
  const MeasuredCost cost = measure_cost(planned.specs.front());
  const std::size_t runs = planned.specs.size();
  std::cout << "trials      " << cost.trials;
  if (runs > 1) std::cout << " in the first of " << runs << " cells";
  std::cout << "\ncost        " << estimate(cost, runs, jobs) << " with --jobs " << jobs << ": "
            << cost.measured << (cost.measured == 1 ? " trial was" : " trials were") << " measured, "
            << fixed(1000 * cost.seconds, 1)
            << " ms each; others may differ\n\nspec.json, with every default:\n"
            << pretty(planned.specs.front().resolved);
  return done;
}

RunOptions options_of(const RunArguments& arguments, const fs::path& out) {
  RunOptions options;
  options.out = out;
  options.jobs = arguments.jobs;
  options.trial_bytes = arguments.memory / 2 / arguments.jobs;
  options.resume = arguments.resume;
  options.force = arguments.force;
  options.talk = &std::cerr;
  if (isatty(STDERR_FILENO) != 0) options.terminal = &StandardError::unchanged();
  options.cache = arguments.cache;
  options.crew = program_crew();
  return options;
}

ExitCode nothing_to_compare() {
  std::cerr << "engram: error: there is nothing to compare: no input has a sentence that can be a cue\n";
  return input_errors;
}

ExitCode run_one(const Planned& planned, const RunArguments& arguments) {
  tell_doubtful_lines(planned.specs.front().inputs);
  const RunReport report = run(planned.specs.front(), options_of(arguments, planned.out));
  const ExitCode code = report_rejections(report.rejections);
  if (report.conclusion.question.empty()) return nothing_to_compare();
  tell_undrawn(report.undrawn);
  const Conclusion& conclusion = report.conclusion;
  std::cout << conclusion.question << "\n\n"
            << (conclusion.brief.empty() ? wrapped(conclusion.tables.front().caption, 100) + '\n' +
                                               to_text(conclusion.tables.front())
                                         : conclusion.brief)
            << '\n'
            << to_text(time_table(planned.out / "timings.jsonl")) << '\n'
            << wrapped(conclusion.answer, 100) << unread_lines_text(report.unread) << '\n'
            << (conclusion.advice.empty() ? "" : conclusion.advice + "\n")
            << "report: " << (planned.out / "report.html").string() << '\n';
  return code;
}

Json values_json(const SweepCell& cell) {
  Json values = Json::object();
  for (const auto& [path, value] : cell.values) values[path] = value;
  return values;
}

// Returns whether the folder of any cell contains a run of another spec.
bool has_other_cell(const Planned& planned) {
  for (std::size_t i = 0; i < planned.specs.size(); ++i) {
    const fs::path spec = folder_of(planned, i) / "spec.json";
    if (fs::exists(spec) && read_file(spec) != pretty(planned.specs[i].resolved)) return true;
  }
  return false;
}

// Writes the plan of a sweep before its first trial. Only --force replaces an existing sweep.
void open_sweep(const Planned& planned, const RunArguments& arguments) {
  Json cells = Json::array();
  for (const SweepCell& cell : planned.cells)
    cells.push_back({{"folder", "cells/" + cell.name}, {"values", values_json(cell)}});
  const std::string text = pretty(cells);
  const fs::path file = planned.out / "sweep.json";
  const char* const products[] = {"cells", "sweep.csv", "sweep.md", "sweep.tex", "report.html"};
  if (fs::exists(file) && arguments.force) {
    for (const char* old : products) fs::remove_all(planned.out / old);
  } else if (fs::exists(file)) {
    if (read_file(file) != text || has_other_cell(planned))
      throw SpecError("--out", planned.out.string() +
                                   " holds another sweep. Give another folder (--out), replace that sweep "
                                   "(--force), or resume that sweep with its own spec and inputs (--resume)");
    if (!arguments.resume && !fs::exists(planned.out / "report.html"))
      throw SpecError("--out",
                      planned.out.string() +
                          " holds this sweep, unfinished. Resume it (--resume), replace it (--force), "
                          "or give another folder (--out)");
  } else if (fs::exists(planned.out) && (!fs::is_directory(planned.out) || !fs::is_empty(planned.out))) {
    throw SpecError("--out",
                    planned.out.string() + " exists and is not a sweep of Engram; choose another folder");
  }
  fs::create_directories(planned.out);
  write_file(file, text);
}

// Runs the cells of a sweep in order and returns their reports. Stops early if a cell has no results to compare.
std::vector<CellReport> cells_one_by_one(const std::vector<CellJob>& cells, const Planned& planned) {
  std::vector<CellReport> reports;
  for (const CellJob& cell : cells) {
    std::cerr << "engram: cell " << reports.size() + 1 << " of " << cells.size() << ": "
              << planned.cells[reports.size()].name << '\n';
    reports.push_back(carry_out(cell));
    if (reports.back().question.empty()) break;
  }
  return reports;
}

// Runs the cells of a sweep by a crew of processes. Each process executes whole cells.
std::vector<CellReport> cells_by(TrialShift& shift, const Planned& planned) {
  std::vector<CellReport> reports(planned.cells.size());
  std::vector<std::size_t> all(reports.size());
  std::iota(all.begin(), all.end(), std::size_t{0});
  std::size_t finished = 0;
  try {
    shift.carry_out(all, [&](std::size_t i, const TrialResult& result) {
      reports[i] = cell_report_of(result.rows.at(0));
      std::cerr << "engram: cell " << i + 1 << ", " << ++finished << " of " << reports.size() << ": "
                << planned.cells[i].name << '\n';
    });
  } catch (const core::WorkStopped& stopped) {
    if (stopped.reason != core::WorkStopped::Reason::cancelled) throw;
    throw Interrupted(finished, reports.size(), "cells");
  }
  return reports;
}

ExitCode run_sweep(const Planned& planned, const RunArguments& arguments) {
  open_sweep(planned, arguments);
  std::vector<CellJob> cells;
  for (std::size_t i = 0; i < planned.specs.size(); ++i) {
    cells.push_back({planned.specs[i], options_of(arguments, folder_of(planned, i))});
    cells.back().options.resume = true;  // open_sweep() has checked that existing cells belong to this sweep
    cells.back().options.force = false;
  }
  tell_doubtful_lines(planned.specs.front().inputs);
  TrialCrew* crew = program_crew();
  const auto shift = crew != nullptr ? crew->begin_cells(cells, planned.out / "sweep.json") : nullptr;
  const std::vector<CellReport> reports =
      shift ? cells_by(*shift, planned) : cells_one_by_one(cells, planned);
  const ExitCode code = report_rejections(reports.front().rejections);
  std::vector<SweepPoint> points;
  for (std::size_t i = 0; i < reports.size(); ++i) {
    if (reports[i].question.empty()) return nothing_to_compare();
    tell_undrawn(reports[i].undrawn);
    points.push_back({"cells/" + planned.cells[i].name, values_json(planned.cells[i]), reports[i].question,
                      reports[i].answer, reports[i].table});
  }
  write_sweep(planned.out, points);
  tell_sweep(planned.out, points);
  std::cout << unread_lines_text(UnreadLines(reports.front().rejections));
  return code;
}

struct NoArguments {};

ExitCode print_specs(const NoArguments&) {
  for (const ShippedSpec& spec : shipped_specs()) {
    std::cout << spec.name << (spec.name == spec.experiment ? "" : "  (experiment: " + spec.experiment + ")")
              << '\n';
    const std::string purpose = wrapped(spec.purpose, 90);
    for (std::size_t from = 0; from < purpose.size();) {
      const std::size_t end = std::min(purpose.find('\n', from), purpose.size());
      std::cout << "    " << purpose.substr(from, end - from) << '\n';
      from = end + 1;
    }
  }
  return done;
}

// Prints the schema or the plan, or runs the spec.
ExitCode run_or_plan(const RunArguments& arguments) {
  if (arguments.schema) {
    std::cout << spec_schema(read_file(shipped_file("schema/spec.schema.json"))).dump(2) << '\n';
    return done;
  }
  if (arguments.what.empty()) {
    std::string names;
    for (const ShippedSpec& spec : shipped_specs()) names += (names.empty() ? "" : ", ") + spec.name;
    throw InputError("expected Narsese files, a SPEC.json, or the name of a shipped spec: " + names);
  }
  for (const std::string& file : arguments.what)
    if (file == "-")
      throw InputError(
          "-: a run names its inputs, so that it can be verified. Write standard input to a file first");
  const Planned planned = plan(arguments);
  for (const std::string& remark : planned.remarks) std::cerr << "engram: note: " << remark << '\n';
  if (arguments.dry_run) return print_plan(planned, arguments.jobs);
  const Interruption interruption;
  try {
    const ExitCode code = planned.cells.empty() ? run_one(planned, arguments) : run_sweep(planned, arguments);
    if (!has_gnuplot())
      std::cerr << "engram: note: plots were not drawn: install gnuplot (apt-get install gnuplot-nox)\n";
    return code;
  } catch (const Interrupted& stopped) {
    std::cerr << "engram: " << stopped.what() << "; go on with\n  " << resuming(arguments, planned.out)
              << '\n';
    return interrupted;
  }
}

}  // namespace

void add_run(CLI::App& app, ExitCode& code) {
  auto [command, arguments] =
      add_command(app, code, "run", "compare methods on Narsese files, or run a spec of an experiment",
                  "engram run family.nal --set capacity=6", run_or_plan);
  std::vector<std::string> specs;
  for (const ShippedSpec& spec : shipped_specs()) specs.push_back(spec.name);
  add_remark(command,
             "Shipped specs: " + CLI::detail::join(specs, ", ") + ".\n`engram experiments` describes each.");
  add_option(command, "what", arguments.what,
             "one SPEC.json, the name of a shipped spec (`engram experiments` lists them), or Narsese files",
             is_file, suggested(specs));
  CLI::Option* out =
      add_option(command, "--out", arguments.out,
                 "folder for the results (default: engram-runs/EXPERIMENT-NAME, then ...-NAME-2, ...-NAME-3)",
                 is_folder);
  add_option(command, "--set", arguments.overrides,
             "path=value: changes a member of the spec, such as memory.decay=0.01", is_repeated);
  add_jobs(command, arguments.jobs);
  CLI::Option* resume =
      add_option(command, "--resume", arguments.resume, "resume an interrupted run in the same folder");
  add_option(command, "--force", arguments.force, "replace the run in the folder of --out")
      ->needs(out)
      ->excludes(resume);
  add_option(command, "--cache", arguments.cache,
             "folder that stores results of trials, so that later runs reuse them (default: none)",
             is_folder);
  add_option(command, "--allow-programs", arguments.allow_programs,
             "let the spec start the NARS or the Python file that it names");
  add_option(command, "--dry-run", arguments.dry_run,
             "print the plan and its estimated duration; write nothing");
  add_option(command, "--schema", arguments.schema, "print the JSON Schema of specs");
  add_memory_option(command, arguments.memory, "the memories of the inputs and the trials");
}

void add_experiments(CLI::App& app, ExitCode& code) {
  add_command(app, code, "experiments", "list the shipped specs, each with its purpose", "engram experiments",
              print_specs);
}

}  // namespace engram::experiments
