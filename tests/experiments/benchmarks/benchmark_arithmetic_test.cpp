// SPDX-License-Identifier: MIT
// Tests of the arithmetic behind the benchmark tables, with fixed times instead of measured ones.
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <sstream>

#include "experiments/benchmarks/contest.hpp"
#include "experiments/benchmarks/limits.hpp"
#include "experiments/benchmarks/memory_growth.hpp"
#include "experiments/benchmarks/scoreboard.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/folder.hpp"

using namespace engram::benchmarks;
using engram::testing::Folder;
using engram::testing::write;

namespace {

Contestant timed(Role role, const std::string& name, std::vector<double> seconds, double pieces = 1,
                 unsigned threads = 1) {
  return {.role = role, .name = name, .pieces = pieces, .threads = threads, .seconds = std::move(seconds)};
}

// A contestant that reports `seconds[i]` as its time in round i, without doing work.
Contestant replayed(Role role, const std::string& name, std::vector<double> seconds, double pieces = 1) {
  Contestant one = timed(role, name, {}, pieces);
  one.run_and_time = [seconds, round = std::size_t{0}]() mutable { return Round{seconds.at(round++), 7}; };
  return one;
}

// The text that `print` writes to stdout.
template <class Print>
std::string printed(Print print) {
  char* text = nullptr;
  std::size_t size = 0;
  std::FILE* const before = stdout;
  stdout = open_memstream(&text, &size);
  print();
  std::fclose(stdout);
  stdout = before;
  const std::string result(text, size);
  std::free(text);
  return result;
}

}  // namespace

TEST_CASE("the median of an even number of values is the mean of the middle two", "[benchmarks]") {
  CHECK(median({5}) == 5);
  CHECK(median({9, 1, 4}) == 4);
  CHECK(median({8, 1, 2, 4}) == 3);
}

TEST_CASE("a speed is a ratio per piece, with its lowest and highest round", "[benchmarks]") {
  const Contestant ours = timed(Role::engram, "ours", {4, 2, 1}, 4),
                   other = timed(Role::peer, "other", {3, 6, 2}, 2);
  CHECK(seconds_per_piece(ours) == 0.5);
  CHECK(seconds_per_piece(other) == 1.5);
  const Speed found = speed(ours, other);
  CHECK(found.median == 3);
  CHECK(found.low == 1.5);  // lowest ratio per piece, in round 0: (3 s / 2 pieces) / (4 s / 4 pieces)
  CHECK(found.high == 6);   // highest ratio per piece, in round 1: (6 s / 2 pieces) / (2 s / 4 pieces)
}

TEST_CASE("a contestant is compared with the fastest limit, peer and single thread", "[benchmarks]") {
  const Contest contest{"suite",
                        "name",
                        "piece",
                        {timed(Role::limit, "slow limit", {2}), timed(Role::limit, "limit", {4}, 4),
                         timed(Role::limit, "limit of two", {5}, 1, 2), timed(Role::peer, "slow peer", {9}),
                         timed(Role::peer, "peer", {8}), timed(Role::engram, "ours", {6}),
                         timed(Role::engram, "ours", {3}, 1, 2), timed(Role::engram, "ours", {2}, 1, 3)}};
  const Contestant &one = contest.contestants[5], &two = contest.contestants[6],
                   &three = contest.contestants[7];
  CHECK(limit_of(contest, one)->name == "limit");
  CHECK(limit_of(contest, two)->name == "limit of two");
  // No limit has three threads, so the single-threaded limit is used.
  CHECK(limit_of(contest, three)->name == "limit");
  CHECK(best_peer(contest)->name == "peer");
  CHECK(on_one_thread(contest, one) == nullptr);
  CHECK(on_one_thread(contest, two) == &one);
  CHECK(best_peer({"suite", "name", "piece", {one}}) == nullptr);
  CHECK(limit_of({"suite", "name", "piece", {one}}, one) == nullptr);
}

TEST_CASE("all rounds must give the same result", "[benchmarks]") {
  double result = 1;
  Contest contest{"suite", "name", "piece"};
  contest.add_engram("steady", 1, [] { return 5.0; });
  contest.add_peer("drifting", 1, [&] { return result; });
  const std::vector<Contestant>& contestants = contest.contestants;
  CHECK_NOTHROW(measure(contest, 3));
  CHECK(contestants[0].seconds.size() == 3);
  CHECK(contestants[1].result == 1);
  CHECK_THROWS_AS(require_same(contestants[0], contestants[1]), ContestError);
  CHECK_THROWS_AS(require_same(contestants[0], contestants[1], 3.9), ContestError);
  CHECK_NOTHROW(require_same(contestants[0], contestants[1], 4));
  result = 2;
  CHECK_THROWS_WITH(measure(contest, 1), "name: the result of drifting differs in round 1");
}

TEST_CASE("scores are saved as JSON and compared with an earlier run relative to the limits",
          "[benchmarks]") {
  const auto contest = [](std::vector<double> ours, std::vector<double> limit) {
    return Contest{
        "suite",
        "name",
        "piece",
        {replayed(Role::limit, "limit", std::move(limit)), replayed(Role::engram, "ours", std::move(ours), 2),
         replayed(Role::peer, "peer", {8, 8, 8})}};
  };
  Scoreboard first(3, nullptr);
  Contest before = contest({8, 12, 8}, {1, 2, 3});
  const std::string table = printed([&] { first.hold(before); });
  // Median seconds per piece: 2 for the limit, 4 for Engram.
  CHECK(table.find("0.50 [0.25, 0.75]") != std::string::npos);
  CHECK(table.find("2.00 [1.33, 2.00] x peer") != std::string::npos);
  const std::string row = "\n| name | ours | 0.50 [0.25, 0.75] | 2.00 [1.33, 2.00] x peer |\n";
  CHECK(first.markdown().find("\n## suite\n") != std::string::npos);
  // The last row is Engram's: limits and peers are columns, not rows.
  CHECK(first.markdown().ends_with(row));
  const nlohmann::json& rows = first.json().at("contests").at(0).at("contestants");
  CHECK(rows.at(1).at("seconds") == nlohmann::json{8, 12, 8});
  CHECK(rows.at(1).at("to_limit") ==
        nlohmann::json{{"median", 0.5}, {"least", 0.25}, {"most", 0.75}, {"of", "limit"}});
  CHECK_FALSE(rows.at(0).contains("to_limit"));

  // The second run is on a slower machine, on which the limit takes twice the time. Engram takes half its former time,
  // so it is four times as fast relative to the limit.
  const Folder folder("scores");
  write(folder.path / "scores.json", first.json().dump());
  Scoreboard second(3, read_scores(folder.path / "scores.json"));
  Contest after = contest({4, 4, 6}, {4, 4, 4});
  CHECK(printed([&] { second.hold(after); }).find("; 4.00 x before (by limit)") != std::string::npos);
  after.name = "another";
  for (Contestant& one : after.contestants) one.run_and_time = [] { return Round{1, 7}; };
  CHECK(printed([&] { second.hold(after); }).find("; not measured before") != std::string::npos);
}

TEST_CASE("a file that is not a table of scores is refused", "[benchmarks]") {
  const Folder folder("scores");
  const auto with_seconds = [](const std::string& seconds) {
    return R"({"engram_benchmark":1,"contests":[{"suite":"a","name":"b","contestants":[{"name":"c","role":"limit",)"
           R"("threads":1,"pieces":1,"seconds":[)" +
           seconds + "]}]}]}";
  };
  const auto read = [&](const std::string& text) {
    write(folder.path / "scores.json", text);
    return read_scores(folder.path / "scores.json");
  };
  CHECK_NOTHROW(read(with_seconds("0.5")));
  for (const std::string& text :
       {std::string("{}"), std::string("["), std::string(R"({"engram_benchmark":1,"contests":3})"),
        std::string(R"({"engram_benchmark":1,"contests":[{"suite":1}]})"), with_seconds(""),
        with_seconds("0"), with_seconds("0.5,-1")}) {
    INFO(text);
    CHECK_THROWS_AS(read(text), std::invalid_argument);
  }
  CHECK_THROWS_AS(read_scores(folder.path / "missing.json"), std::invalid_argument);
}

TEST_CASE("the contestants for hardware limits do all of their work", "[benchmarks]") {
  std::vector<float> numbers(64 * 6), more(64, 2);
  for (std::size_t i = 0; i < numbers.size(); ++i) numbers[i] = static_cast<float>(i % 5);
  double sum = 128;
  for (const float x : numbers) sum += double{x};
  for (const unsigned threads : {1U, 3U}) {
    Contest contest{"suite", "name", "piece"};
    add_reading(contest, "both", {std::as_bytes(std::span(numbers)), std::as_bytes(std::span(more))}, 2,
                threads);
    const std::vector<Contestant>& readers = contest.contestants;
    REQUIRE(readers.size() == 2);
    for (const Contestant& reader : readers) {
      CHECK(reader.pieces == 2);
      CHECK(reader.threads == threads);
      // With three threads each part of `more` has fewer than 64 numbers, so the reader skips it: the sum lacks its
      // 128.
      CHECK(reader.run() == (threads == 1 ? sum : sum - 128));
    }
  }

  // The iteration x -> x / 2 + 1 converges to 2, so the twelve chains sum to 24.
  CHECK(multiplications(1e5, 3).run() == Approx(24));
  CHECK(multiplications(0, 3).run() != Approx(24));

  std::vector<double> slots{5, 5, 5};
  const std::vector<std::uint32_t> order{0, 2, 0, 0};
  const Contestant changes = random_changes(slots, order);
  CHECK(changes.pieces == 4);
  CHECK(changes.run() == 3);
  CHECK(slots == std::vector<double>{3, 0, 1});
}

TEST_CASE("growth is the exponent of the power law with the best fit", "[benchmarks]") {
  CHECK(exponent({1, 10, 100}, {3, 300, 30000}) == Approx(2));
  CHECK(exponent({1, 10, 100}, {1, 10, 1}) == Approx(0).margin(1e-12));
  CHECK(std::isnan(exponent({10}, {1})));
  CHECK(std::isnan(exponent({10, 10}, {1, 2})));
  CHECK(std::isnan(exponent({1, 10}, {0, 2})));

  std::istringstream file(
      "# "
      "comment\nx\t10000\t0.001\t0.1\t500\t600\nx\t100000\t0.001\t1\t500\t600\nx\t1000000\t0."
      "001\t100\t50\t600\n");
  const std::vector<MemoryRow> rows = read_rows(file);
  REQUIRE(rows.size() == 3);
  CHECK(rows[2].ingest == 100);
  CHECK(exponents(rows, "== ") ==
        "== x, n statements: question n^0.00, ingest n^1.50, memory n^0.50, with indexes n^1.00\n");
  CHECK(exponents({rows[0]}, "").empty());  // one size does not determine an exponent
  std::ostringstream written;
  write(written, rows[1]);
  CHECK(written.str() == "x\t100000\t0.001\t1\t500\t600\n");
  std::istringstream broken("x\t10000\tsoon\n");
  CHECK_THROWS_WITH(read_rows(broken), Catch::Matchers::Contains("line 1: expected a kind and five numbers"));
}
