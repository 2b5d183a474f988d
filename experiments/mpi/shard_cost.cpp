// SPDX-License-Identifier: MIT
// From what shard_benchmark has measured on a few ranks to what many ranks would take: `shard_cost ROWS.tsv`.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <fstream>
#include <iostream>
#include <map>
#include <sstream>

#include "experiments/benchmarks/timing.hpp"
#include "experiments/formats/files.hpp"
#include "experiments/formats/gnuplot.hpp"
#include "experiments/formats/plots.hpp"

namespace {

using namespace engram::experiments;
using Row = std::map<std::string, double>;

std::vector<Row> rows_of(const std::string& path) {
  std::ifstream file = open_input(path);
  std::vector<Row> rows;
  std::vector<std::string> names;
  for (std::string line; std::getline(file, line);) {
    std::istringstream fields(line);
    std::vector<std::string> words;
    for (std::string word; fields >> word;) words.push_back(word);
    if (names.empty()) {
      names = words;
      continue;
    }
    if (words.size() != names.size())
      throw InputError(path + ": a row must have " + std::to_string(names.size()) + " numbers, found '" +
                       line.substr(0, 80) + "'");
    Row row;
    for (std::size_t i = 0; i < names.size(); ++i) try {
        row[names[i]] = std::stod(words[i]);
      } catch (const std::logic_error&) {
        throw InputError(path + ": a row must be of numbers, found '" + words[i].substr(0, 80) + "'");
      }
    rows.push_back(row);
  }
  if (rows.empty()) throw InputError(path + ": there are no rows of shard_benchmark in it");
  return rows;
}

// The median of a number over the rows for which there is one.
template <class Of>
double constant(const std::vector<Row>& rows, const Of& of) {
  std::vector<double> numbers;
  for (const Row& row : rows)
    if (const double number = of(row); std::isfinite(number) && number > 0) numbers.push_back(number);
  if (numbers.empty())
    throw InputError(
        "there must be rows of one rank and of several: `mpirun -n 1` and `mpirun -n 2 shard_benchmark`");
  return engram::benchmarks::median(numbers);
}

// Of a question, by the parts of experiments/mpi/COST.md.
struct Parts {
  double work = 0, bytes = 0, waiting = 0, turns = 0, hub = 0;
  double all() const { return work + bytes + waiting + turns + hub; }
};

class Model {
 public:
  explicit Model(const std::vector<Row>& rows) {
    const auto at = [](const Row& row, const char* name) {
      const auto found = row.find(name);
      if (found == row.end()) throw InputError(std::string("a row must have the number ") + name);
      return found->second;
    };
    const auto others = [&](const Row& row) { return (at(row, "ranks") - 1) / at(row, "ranks"); };
    const auto alone = [&](const Row& row, const char* name) {
      return at(row, "ranks") == 1 ? at(row, name) : 0;
    };
    work_ = constant(rows, [&](const Row& row) { return alone(row, "median_s") / at(row, "statements"); });
    reading_ =
        constant(rows, [&](const Row& row) { return alone(row, "reading_s") / at(row, "statements"); });
    const auto each = [&](const Row& row, const char* name) {
      return at(row, name) * at(row, "ranks") / (at(row, "statements") * others(row));
    };
    sent_ = constant(rows, [&](const Row& row) { return each(row, "sent"); });
    reading_sent_ = constant(rows, [&](const Row& row) { return each(row, "reading_sent"); });
    meetings_ = constant(rows, [&](const Row& row) { return at(row, "meetings"); });
    turns_ = constant(rows, [&](const Row& row) { return at(row, "turns"); });
    meeting_ = constant(rows, [&](const Row& row) {
      return at(row, "ranks") > 1 ? at(row, "meeting_s") / (at(row, "ranks") - 1) : 0;
    });
    byte_ = constant(rows, [&](const Row& row) { return at(row, "ranks") > 1 ? at(row, "byte_s") : 0; });
    turn_ = constant(rows, [&](const Row& row) { return at(row, "turn_s"); });
    add_ = constant(rows, [&](const Row& row) { return alone(row, "add_s"); });
    mention_ = constant(rows, [&](const Row& row) { return alone(row, "mention_s"); });
    hub_ = constant(rows, [&](const Row& row) { return at(row, "hub") / at(row, "statements"); });
  }

  // `hub`: the share of the statements that name the most frequent name.
  Parts question(double ranks, double statements, double hub) const {
    const double mine = statements / ranks, others = (ranks - 1) / ranks;
    // What the hub's owner looks at beyond its share, in each of the projections: a step has one, and the last one more.
    const double more = std::max(hub * statements - mine, 0.0), projections = turns_ / 4;
    return {work_ * mine, byte_ * sent_ * mine * others, meeting_ * meetings_ * (ranks - 1),
            turns_ * ((ranks - 1) * turn_ + statements * add_ * others),
            projections * more * (mention_ + 8 * byte_ * others)};
  }
  double reading(double ranks, double statements) const {
    return statements / ranks * (reading_ + byte_ * reading_sent_ * (ranks - 1) / ranks);
  }
  double hub() const { return hub_; }

  void print(std::ostream& out) const {
    char text[1024];
    std::snprintf(text, sizeof text,
                  "work a statement      %.3g s a question, %.3g s to read\n"
                  "bytes a statement     %.3g a question, %.3g to read (times (N-1)/N)\n"
                  "a question            %g meetings of all, %g turns\n"
                  "a meeting             %.3g s for each other rank\n"
                  "a byte                %.3g s\n"
                  "a turn                %.3g s, and %.3g s a number in it\n"
                  "a mention             %.3g s\n"
                  "the most frequent name is in %.3g of all statements\n",
                  work_, reading_, sent_, reading_sent_, meetings_, turns_, meeting_, byte_, turn_, add_,
                  mention_, hub_);
    out << text;
  }

 private:
  double work_, reading_, sent_, reading_sent_, meetings_, turns_, meeting_, byte_, turn_, add_, mention_,
      hub_;
};

const std::vector<double> all_ranks{1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024};

double rounded(double number) {
  char text[32];
  std::snprintf(text, sizeof text, "%.3g", number);
  return std::stod(text);
}

void print_table(const Model& model) {
  std::printf("\n%-11s %6s %10s | %10s = %9s + %9s + %9s + %9s + %9s\n", "statements", "ranks", "reading",
              "question", "work", "bytes", "meetings", "turns", "hub");
  for (const double statements : {1e6, 1e7, 1e9})
    for (const double ranks : {1.0, 2.0, 4.0, 64.0, 1024.0}) {
      const Parts parts = model.question(ranks, statements, model.hub());
      std::printf("%-11.0e %6.0f %10.3g | %10.3g = %9.3g + %9.3g + %9.3g + %9.3g + %9.3g\n", statements,
                  ranks, model.reading(ranks, statements), parts.all(), parts.work, parts.bytes,
                  parts.waiting, parts.turns, parts.hub);
    }
}

void draw(const Model& model, const std::vector<Row>& rows, const std::filesystem::path& folder) {
  Plot plot{.name = "shard_cost",
            .title = "A question of attention on N ranks",
            .x_label = "ranks",
            .y_label = "seconds"};
  plot.log_log = true;
  for (const double statements : {1e6, 1e9})
    for (const bool has_hub : {true, false}) {
      char name[96];
      std::snprintf(name, sizeof name, "%.0e statements, %s", statements,
                    has_hub ? "hub as measured" : "no hub");
      Plot::Series series{name};
      series.theory = true;
      for (const double ranks : all_ranks)
        series.add(ranks, rounded(model.question(ranks, statements, has_hub ? model.hub() : 0).all()));
      plot.series.push_back(series);
    }
  Plot::Series measured{"measured"};
  for (const Row& row : rows) measured.add(row.at("ranks"), rounded(row.at("median_s")));
  plot.series.push_back(measured);
  std::filesystem::create_directories(folder);
  write_file(folder / (plot.name + ".gp"), to_gnuplot(plot));
  if (const auto failure = run_gnuplot(folder, plot.name)) std::cerr << plot.name << ": " << *failure << '\n';
}

}  // namespace

int main(int argc, char** argv) try {
  CLI::App app(
      "What a sharded memory would take on many ranks, from rows of shard_benchmark.\n"
      "Example:\n  shard_cost rows.tsv --plots .");
  std::string path, plots;
  app.add_option("rows", path, "a table of shard_benchmark")->required();
  app.add_option("--plots", plots, "a folder, into which the picture goes");
  CLI11_PARSE(app, argc, argv);
  const std::vector<Row> rows = rows_of(path);
  const Model model(rows);
  model.print(std::cout);
  std::cout << std::flush;
  print_table(model);
  if (!plots.empty()) draw(model, rows, plots);
  return 0;
} catch (const std::exception& error) {
  std::cerr << "shard_cost: " << error.what() << '\n';
  return 2;
}
