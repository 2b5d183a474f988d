// SPDX-License-Identifier: MIT
// What a sharded memory costs: `mpirun -n N shard_benchmark FILE.nal..` prints a row of numbers, or adds it to a table.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <boost/mpi/environment.hpp>
#include <fstream>
#include <iostream>

#include "core/methods/methods.hpp"
#include "core/numbers/numeric.hpp"
#include "core/shards/sharded_recall.hpp"
#include "experiments/benchmarks/timing.hpp"
#include "experiments/mpi/rank_peers.hpp"
#include "experiments/mpi/shared_files.hpp"
#include "narsese/parser.hpp"

namespace {

using namespace engram;
using benchmarks::median;

struct Settings {
  std::vector<std::string> files;
  std::string method = "attention";
  std::size_t questions = 20;
  std::string table;
};

// Seconds until all peers are there.
template <class Work>
double timed(core::Peers& peers, const Work& work) {
  peers.greatest(0);
  const double begin = benchmarks::wall_seconds();
  work();
  return peers.greatest(benchmarks::wall_seconds() - begin);
}

// Seconds of an empty exchange between all, of one more byte that each sends, and of a turn from one to the next.
struct Network {
  double exchange = 0, byte = 0, turn = 0;
};

Network network_of(core::Peers& peers) {
  constexpr std::size_t times = 200, many = std::size_t{1} << 20;
  const auto exchanging = [&](std::size_t bytes, std::size_t often) {
    const std::vector<std::size_t> sizes(peers.size(), bytes);
    std::vector<std::byte> out(bytes * peers.size()), in(out.size());
    return timed(peers,
                 [&] {
                   for (std::size_t i = 0; i < often; ++i)
                     peers.all_to_all(out.data(), sizes, in.data(), sizes);
                 }) /
           static_cast<double>(often);
  };
  Network network;
  network.exchange = exchanging(8, times);
  network.byte = (exchanging(many, 20) - network.exchange) / static_cast<double>(many * peers.size());
  if (peers.size() > 1)
    network.turn = timed(peers,
                         [&] {
                           for (std::size_t i = 0; i < times; ++i)
                             core::in_turn(peers, 0.0, [](double& x) { x += 1; });
                         }) /
                   static_cast<double>(times * (peers.size() - 1));
  return network;
}

// A statement's own words are the question: those at equal distances.
std::vector<std::string> cues_of(core::Peers& peers, const core::ShardedMemory& memory, std::size_t count) {
  std::vector<std::string> cues;
  for (std::size_t i = 0; i < count; ++i) {
    const std::uint64_t number = (memory.statements() - 1) * i / std::max<std::size_t>(count - 1, 1);
    const auto numbers = memory.statement_numbers();
    const auto found = std::ranges::lower_bound(numbers, number);
    const bool own = found != numbers.end() && *found == number;
    const std::string text = own ? memory.statement(static_cast<std::size_t>(found - numbers.begin())) : "";
    const auto all = core::gather(peers, std::span<const char>(text)).items;
    cues.emplace_back(all.begin(), all.end());
  }
  return cues;
}

// Seconds of adding a number to a sum in order, and of looking at one mention of a name.
struct Arithmetic {
  double add = 0, mention = 0;
};

Arithmetic arithmetic_of(core::Peers& peers, const core::ShardedMemory& memory) {
  constexpr std::size_t numbers = std::size_t{1} << 22, times = 5;
  const std::vector<double> ones(numbers, 1.0), weights(memory.own_statements(), 0.5);
  Arithmetic arithmetic;
  core::SumInOrder sum;
  arithmetic.add = timed(peers,
                         [&] {
                           for (std::size_t i = 0; i < times; ++i) sum.add(0, ones);
                         }) /
                   static_cast<double>(times * numbers);
  const auto mentions = static_cast<double>(core::share_of(peers, memory.own_mentions()).all);
  arithmetic.mention = timed(peers,
                             [&] {
                               for (std::size_t i = 0; i < times; ++i) memory.concept_scores(weights);
                             }) *
                       static_cast<double>(peers.size()) / (static_cast<double>(times) * mentions);
  return arithmetic;
}

void measure(core::Peers& peers, const Settings& settings) {
  const experiments::mpi::SharedFiles files(peers, settings.files);
  core::MemoryOptions options;
  constexpr std::size_t any = std::size_t{1} << 60;
  options.limits = {any, any, any, core::MemoryLimits{}.max_active, any};
  std::optional<core::ShardedMemory> memory;
  const double reading = timed(peers, [&] { memory.emplace(peers, files.texts(), options); });
  const auto most = [&](auto number) { return peers.greatest(static_cast<double>(number)); };
  const double reading_sent = most(peers.sent());
  double hub = 0;
  for (std::size_t i = 0; i < memory->own_names(); ++i)
    hub = std::max(hub, static_cast<double>(memory->mentions(i)));

  const core::Method& method = *core::find_method(settings.method);
  std::vector<double> seconds, sent, meetings, turns;
  for (const std::string& cue : cues_of(peers, *memory, settings.questions)) {
    narsese::TermTable table;
    const narsese::Term term = narsese::parse_sentence(cue, table).value().term;
    const std::uint64_t sent_before = peers.sent(), meetings_before = peers.meetings(),
                        turns_before = peers.turns();
    seconds.push_back(timed(peers, [&] { sharded_recall(*memory, method, {}, term, 10); }));
    meetings.push_back(static_cast<double>(peers.meetings() - meetings_before));
    turns.push_back(static_cast<double>(peers.turns() - turns_before));
    sent.push_back(most(peers.sent() - sent_before));
  }
  const Network network = network_of(peers);
  const Arithmetic arithmetic = arithmetic_of(peers, *memory);
  const std::vector<std::pair<const char*, double>> row{
      {"ranks", static_cast<double>(peers.size())},
      {"statements", static_cast<double>(memory->statements())},
      {"concepts", static_cast<double>(memory->concepts())},
      {"reading_s", reading},
      {"reading_sent", reading_sent},
      {"bytes", most(memory->bytes())},
      {"most_statements", most(memory->own_statements())},
      {"hub", most(hub)},
      {"median_s", median(seconds)},
      {"worst_s", std::ranges::max(seconds)},
      {"sent", median(sent)},
      {"meetings", median(meetings)},
      {"turns", median(turns)},
      {"meeting_s", network.exchange},
      {"byte_s", network.byte},
      {"turn_s", network.turn},
      {"add_s", arithmetic.add},
      {"mention_s", arithmetic.mention}};
  if (peers.rank() != 0) return;
  std::string head, numbers;
  for (const auto& [name, number] : row) {
    std::ostringstream text;
    text.precision(6);
    text << number;
    head += (head.empty() ? "" : "\t") + std::string(name);
    numbers += (numbers.empty() ? "" : "\t") + text.str();
  }
  std::cout << head << '\n' << numbers << '\n';
  if (settings.table.empty()) return;
  const bool is_new = !std::ifstream(settings.table);
  std::ofstream(settings.table, std::ios::app) << (is_new ? head + "\n" : "") << numbers << '\n';
}

}  // namespace

int main(int argc, char** argv) try {
  boost::mpi::environment mpi(argc, argv);
  CLI::App app(
      "Reads Narsese into a memory on all ranks, asks it, and tells what that took.\n"
      "Example:\n  mpirun -n 2 shard_benchmark families.nal --table rows.tsv");
  Settings settings;
  app.add_option("files", settings.files, "Narsese")->required();
  app.add_option("--method", settings.method, "one that can be split")->capture_default_str();
  app.add_option("--questions", settings.questions, "how many are asked")->capture_default_str();
  app.add_option("--table", settings.table, "a file of rows, to which this one is added");
  CLI11_PARSE(app, argc, argv);
  experiments::mpi::RankPeers peers{boost::mpi::communicator()};
  measure(peers, settings);
  return 0;
} catch (const std::exception& error) {
  std::cerr << "shard_benchmark: " << error.what() << '\n';
  boost::mpi::environment::abort(3);
}
