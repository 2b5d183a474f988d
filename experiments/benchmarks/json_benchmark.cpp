// SPDX-License-Identifier: MIT
// The program `json_benchmark`: measures the time to parse a byte of JSON, from small texts to the largest request that
// a server accepts.
#include <algorithm>
#include <cstdio>
#include <iostream>
#include <limits>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "bridge/json/json_reader.hpp"
#include "bridge/protocol/protocol.hpp"
#include "experiments/benchmarks/benchmark_options.hpp"
#include "experiments/benchmarks/contest.hpp"

namespace {

using namespace engram;
using namespace benchmarks;
using Json = nlohmann::ordered_json;

// A request of any size: head, repeated items with separators, tail. The sign # stands for a number of seven digits
// that increases with each item.
struct Shape {
  std::string_view name, head, item, separator, tail;
};

constexpr Shape shapes[] = {
    {"numbers", R"({"op":"hello","id":[)", "0.12345678901234567", ",", "]}"},
    {"ones", R"({"op":"hello","id":[)", "1", ",", "]}"},
    {"empty objects", R"({"op":"hello","id":[)", "{}", ",", "]}"},
    {"empty arrays", R"({"op":"hello","id":[)", "[]", ",", "]}"},
    {"small objects", R"({"op":"hello","id":[)", R"({"term":"a","value":0.5})", ",", "]}"},
    {"strings", R"({"op":"hello","id":[)", R"("bird")", ",", "]}"},
    {"escapes", R"({"op":"hello","id":")", R"(\u00e9\n\")", "", R"("})"},
    {"one string", R"({"op":"hello","id":")", "0123456789abcdef", "", R"("})"},
    {"deep arrays", R"({"op":"hello","id":[)", "[[[[[[[[[[[[[[[[[[[[[[[[]]]]]]]]]]]]]]]]]]]]]]]]", ",", "]}"},
    {"deep objects", R"({"op":"hello","id":[)",
     R"({"a":{"a":{"a":{"a":{"a":{"a":{"a":{"a":{"a":{"a":{"a":{"a":{}}}}}}}}}}}}})", ",", "]}"},
    {"one object", R"({"op":"recall","cue":{)", R"("a#":1)", ",", "}}"},
    {"a matrix", R"({"op":"weights","rule":"hebb","patterns":[)", "[1,-1,1,1,-1,-1,1,-1]", ",", "]}"},
    {"Narsese", R"({"op":"input","narsese":")", R"(<a# --> bird>.\n)", "", R"("})"},
};

std::string request(const Shape& shape, std::size_t bytes) {
  std::string text(shape.head), item(shape.item);
  const std::size_t place = item.find('#');
  std::size_t number = 0;
  while (text.size() + shape.item.size() + 8 + shape.tail.size() <= bytes || number == 0) {
    if (number > 0) text += shape.separator;
    ++number;
    if (place != std::string::npos) {
      char digits[8];
      std::snprintf(digits, sizeof digits, "%07zu", number % 10'000'000);
      item = std::string(shape.item).replace(place, 1, digits);
    }
    text += item;
  }
  return text += shape.tail;
}

constexpr bridge::JsonLimits no_limits{.max_bytes = std::numeric_limits<std::size_t>::max(),
                                       .max_values = std::numeric_limits<std::size_t>::max()};

// Median time to parse a text in nanoseconds per byte, or -1 if the text cannot be parsed. In each of `repeats` rounds,
// a short text is parsed repeatedly, until about `total_bytes` bytes have been parsed.
double cost(const std::string& text, std::size_t total_bytes, std::size_t repeats) {
  const std::size_t runs = std::max<std::size_t>(1, total_bytes / text.size());
  std::vector<double> rounds;
  for (std::size_t repeat = 0; repeat < repeats; ++repeat) {
    const double start = cpu_seconds();
    for (std::size_t run = 0; run < runs; ++run)
      if (!bridge::read_json(text, no_limits)) return -1;
    rounds.push_back(1e9 * (cpu_seconds() - start) / static_cast<double>(runs * text.size()));
  }
  return median(rounds);
}

std::vector<std::size_t> sizes_up_to(std::size_t largest) {
  std::vector<std::size_t> sizes;
  for (std::size_t bytes = 1 << 10; bytes < largest; bytes *= 8) sizes.push_back(bytes);
  sizes.push_back(largest);
  return sizes;
}

// Sends a request to a server. Returns "success" or the code of the error, and the CPU time.
std::string outcome(const std::string& text) {
  bridge::Protocol protocol;
  const double start = cpu_seconds();
  const std::string reply = protocol.handle(text);
  char seconds[32];
  std::snprintf(seconds, sizeof seconds, "%.2f s", cpu_seconds() - start);
  const bool ok = reply.find(R"(,"ok":true,)") != std::string::npos;
  const std::size_t code = reply.rfind(R"({"code":")");
  return (ok ? "success" : reply.substr(code + 9, reply.find('"', code + 9) - code - 9)) + ", " + seconds;
}

std::string text_of(std::size_t bytes) {
  return bytes >= 1 << 20 ? std::to_string(bytes >> 20) + " MB" : std::to_string(bytes >> 10) + " KB";
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app("Measures the time to parse JSON of several shapes and sizes.", "json_benchmark");
  std::size_t largest = bridge::ProtocolLimits{}.max_request_bytes, repeats = 3;
  add_option(app, "--largest", largest, "Bytes of the largest texts", 2048, 1 << 30);
  add_option(app, "--repeats", repeats, "Rounds; results are medians", 1, 1000);
  app.footer(
      "Exit codes: 0 success, 1 a text cannot be parsed, 2 wrong usage.\n"
      "Example:\n  json_benchmark --repeats 7");
  if (const auto code = exit_code(app, argc, argv)) return *code;

  const std::vector<std::size_t> sizes = sizes_up_to(largest);
  std::printf("%-14s", "ns/byte");
  for (const std::size_t bytes : sizes) std::printf(" %8s", text_of(bytes).c_str());
  std::printf("  last/first   as a request of %s\n", text_of(largest).c_str());
  for (const Shape& shape : shapes) {
    std::printf("%-14s", std::string(shape.name).c_str());
    std::vector<double> costs;
    std::string text;
    for (const std::size_t bytes : sizes) {
      text = request(shape, bytes);
      costs.push_back(cost(text, largest, repeats));
      if (costs.back() < 0) {
        std::cerr << shape.name << ": the parser rejects this text\n";
        return 1;
      }
      std::printf(" %8.1f", costs.back());
    }
    std::printf("  %10.2f   %s\n", costs.back() / costs.front(), outcome(text).c_str());
    std::fflush(stdout);
  }
  std::printf("CPU time, median of %zu rounds. Only the ratios apply to other machines.\n", repeats);
  return 0;
}
