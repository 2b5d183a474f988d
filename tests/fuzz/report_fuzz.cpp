// SPDX-License-Identifier: MIT
// Fuzz target for reports of runs from untrusted sources. A spec and its rows are either refused or become report
// files, in which their texts stay plain text. libFuzzer makes new inputs (preset `fuzz`); replay.cpp replays the
// corpus.
//
// Format of an input: the first line is a spec, and each further line is a row.
#include <cstdint>
#include <string>
#include <string_view>

#include "experiments/formats/files.hpp"
#include "experiments/formats/markup.hpp"
#include "experiments/pages/report.hpp"
#include "experiments/runs/run.hpp"
#include "tests/fuzz/promise.hpp"
#include "tests/support/sink_readers.hpp"

using namespace engram;
using namespace engram::experiments;
using engram::fuzz::promise;

namespace {

// Parses a spec. Returns nothing if it is invalid, and checks that the error message is legible.
std::optional<Spec> read_spec(std::string_view line) {
  const auto json = json_in(line);
  if (!json || !json->is_object() || json->contains("extends")) return {};
  try {
    return resolve_spec(*json, std::filesystem::path("/no/folder"));
  } catch (const SpecError& error) {
    promise(!illegible(error.what()), "an error is legible", line, error.what());
    return {};
  } catch (const InputError&) {  // the spec names a file that cannot be read
    return {};
  }
}

std::vector<Json> read_lines(const std::vector<std::string_view>& lines) {
  std::vector<Json> rows;
  for (std::size_t i = 1; i < lines.size(); ++i)
    if (auto row = json_in(lines[i]); row && row->is_object()) rows.push_back(*std::move(row));
  return rows;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const std::vector<std::string_view> lines = fuzz::split(text);
  if (lines.size() < 2) return 0;
  const auto spec = read_spec(lines[0]);
  const std::vector<Json> rows = read_lines(lines);
  if (!spec || rows.empty()) return 0;
  Conclusion conclusion;
  try {
    conclusion = conclude_foreign(*spec, rows, "rows");
  } catch (const SpecError& error) {
    promise(!illegible(error.what()), "an error is legible", text, error.what());
    return 0;
  }
  const std::string flaw = testing::flaw_of_sinks(*spec, conclusion);
  promise(flaw.empty(), "texts are text in every file", text, flaw);
  const std::vector<SweepPoint> points(2, sweep_point("cells/1", {{"a", rows[0]}}, conclusion));
  for (const Table& table : {sweep_table(points), sweep_numbers(points)}) {
    const std::string odd = testing::flaw_of_table(table);
    promise(odd.empty(), "texts are text in a sweep's files", text, odd);
  }
  return 0;
}
