// SPDX-License-Identifier: MIT
// Tests that write each hostile string of tests/hostile into every text field of every output format.
#include "tests/support/hostile_strings.hpp"
#include "tests/support/text.hpp"

#include <cctype>
#include <set>

#include "experiments/formats/markup.hpp"
#include "experiments/pages/explanation.hpp"
#include "experiments/pages/live_report.hpp"
#include "experiments/pages/memory_history.hpp"
#include "experiments/pages/report.hpp"
#include "experiments/provenance/provenance.hpp"
#include "experiments/runs/run.hpp"
#include "experiments/spec/spec_file.hpp"
#include "narsese/text.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/folder.hpp"
#include "tests/support/sink_readers.hpp"

using namespace engram;
using namespace engram::experiments;
using namespace engram::testing;
using engram::testing::hostile_strings;

namespace {

Conclusion conclusion_of(const std::string& text) {
  const Plot::Series line{text, {{1, 0.5, 0.25, 0.75}, {2, 0.25, 0.25, 0.25}}};
  Conclusion conclusion;
  // Rows and specs contain only valid UTF-8, because their readers reject other text. So an invalid text is escaped
  // first.
  const bool sound = narsese::find_invalid_utf8(text) == text.size();
  conclusion.question = conclusion.answer = sound ? text : legible(text);
  conclusion.summary = {{conclusion.answer, conclusion.answer}};
  Table table{text, text, {text, "value", text}, {}};
  table.rows.push_back({cell(text), interval_cell(Estimate{-0.5, -1, 0}, 2), cell(-0.5, 2)});
  table.rows.push_back({cell(text), cell("-"), cell(text)});
  table.rows.back()[2].winner = true;
  conclusion.tables = {table, table};
  conclusion.tables[1].rows.resize(60, table.rows[0]);
  Plot curves{text, text, text, text, {line, line}, {}};
  curves.marks = {{1, text}};
  Plot turned{text, text, text, text, {line, line}, {"a", text}};
  Plot list = turned;
  list.categories[0] = "a name of more than twenty-four bytes";
  Plot panels{text, text, text, text, {}, {}};
  panels.panels = {curves, curves};
  conclusion.plots = {curves, turned, list, panels};
  conclusion.plots.back().note_html = escape_html(text);
  conclusion.sections = {{text, "<p>" + escape_html(text) + "</p>"}};
  conclusion.pages = {{"cues/1.html", text, "<h1>" + escape_html(text) + "</h1>"}};
  return conclusion;
}

Spec any_spec() { return resolve_spec({{"experiment", "completion"}, {"inputs", {"a.nal"}}}, ""); }

// A valid spec in which one value is replaced by `value`.
Json spec_with(const std::string& pointer, const Json& value) {
  Json spec = {{"experiment", "answering"},
               {"inputs", {"a.nal"}},
               {"methods", {{{"method", "cosine"}, {"label", "c"}}, "attention"}},
               {"sets", {{{"kind", "chains"}, {"label", "g"}}}}};
  spec[Json::json_pointer(pointer)] = value;
  return spec;
}

// Reads an input file of tests/fuzz/report_fuzz.cpp: the spec, followed by the rows.
std::vector<Json> fuzz_input(const std::filesystem::path& file) {
  std::vector<Json> lines;
  std::ifstream in(file);
  for (std::string line; std::getline(in, line);) lines.push_back(Json::parse(line));
  return lines;
}

// JSON pointers to all values in a row. Of each list, only the first element.
std::vector<std::string> places_in(const Json& row) {
  std::vector<std::string> places;
  const Json flat = row.flatten();
  for (const auto& [place, value] : flat.items()) {
    bool first = true;
    for (std::size_t at = place.find('/'); at != std::string::npos; at = place.find('/', at + 1))
      first = first && (std::isdigit(static_cast<unsigned char>(place[at + 1])) == 0 || place[at + 1] == '0');
    if (first) places.push_back(place);
  }
  return places;
}

// Calls use(spec, rows, name) for each input file of tests/fuzz/report_fuzz.cpp. Returns the number of files.
std::size_t for_each_fuzz_input(const auto& use) {
  std::size_t files = 0;
  for (const auto& entry : std::filesystem::directory_iterator(ENGRAM_SOURCE_DIR "/tests/fuzz/report")) {
    std::vector<Json> rows = fuzz_input(entry.path());
    const Spec spec = resolve_spec(rows.at(0), "/tmp");
    rows.erase(rows.begin());
    use(spec, rows, entry.path().filename().string());
    ++files;
  }
  return files;
}

// Writes the report of changed rows and checks its files. Returns "" if all files are well-formed, or if the rows are
// refused; otherwise the first error in a file.
std::string outcome_of(const Spec& spec, const std::vector<Json>& rows) {
  try {
    return testing::flaw_of_sinks(spec, conclude_foreign(spec, rows, "rows"));
  } catch (const SpecError&) {
    return "";
  }
}

}  // namespace

TEST_CASE("a row with one changed value is refused or gives well-formed files", "[experiments][hostile]") {
  // Tries this text and one other value at each place of a row. The fuzz target report_fuzz tries more values.
  const Json text = "</b><img src=x onerror=alert(1)>\"\n";
  const std::vector<Json> others{0, -1e300, Json::array(), nullptr};
  std::size_t turn = 0;
  const auto change_each_value = [&](const Spec& spec, const std::vector<Json>& rows,
                                     const std::string& file) {
    REQUIRE(testing::flaw_of_sinks(spec, conclude_foreign(spec, rows, "rows")) == "");
    std::set<std::string> seen;
    for (std::size_t i = 0; i < rows.size(); ++i)
      for (const std::string& place : places_in(rows[i]))
        if (seen.insert(place).second)
          for (const Json& other : {text, others[turn++ % others.size()]}) {
            INFO(file << " " << i << place << " " << other);
            std::vector<Json> odd = rows;
            odd[i][Json::json_pointer(place)] = other;
            CHECK(outcome_of(spec, odd) == "");
          }
  };
  CHECK(for_each_fuzz_input(change_each_value) >= 9);
}

TEST_CASE("missing, duplicate or reordered rows are refused or give well-formed files",
          "[experiments][hostile]") {
  for_each_fuzz_input([](const Spec& spec, std::vector<Json> rows, const std::string& file) {
    for (std::size_t i = 0; i < rows.size(); ++i) {
      INFO(file << " " << i);
      std::vector<Json> fewer = rows, twice = rows;
      fewer.erase(fewer.begin() + static_cast<std::ptrdiff_t>(i));
      twice.insert(twice.begin() + static_cast<std::ptrdiff_t>(i), rows[i]);
      if (!fewer.empty()) CHECK(outcome_of(spec, fewer) == "");
      CHECK(outcome_of(spec, twice) == "");
      if (spec.experiment->name() == std::string("comparison") && i == 0)
        CHECK_THROWS_AS(conclude_foreign(spec, twice, "rows"), SpecError);
    }
    std::ranges::reverse(rows);
    CHECK(outcome_of(spec, rows) == "");
    for (Json& row : rows)  // names that the spec does not contain
      for (const char* of : {"set", "stream", "file", "method", "figure"})
        if (row.contains(of)) row[of] = "another";
    CHECK(outcome_of(spec, rows) == "");
  });
}

TEST_CASE("a hostile string stays plain text in every format", "[experiments][hostile]") {
  for (const auto& [name, text] : hostile_strings()) {
    INFO(name);
    CHECK(testing::flaw_of_sinks(any_spec(), conclusion_of(text)) == "");
    Spec spec = any_spec();
    spec.inputs = {{text, "a"}};
    CHECK(testing::flaw_of_sinks(spec, conclusion_of("x")) == "");
  }
}

TEST_CASE("the checkers of output formats detect missing escapes", "[experiments][hostile]") {
  CHECK(testing::flaw_of_html("<p><img src=x></p>") != "");
  CHECK(testing::flaw_of_html("<p onclick=\"x\"></p>") != "");
  CHECK(testing::flaw_of_html("<a href=\"javascript:x\"></a>") != "");
  CHECK(testing::flaw_of_latex("% x\n\\input{x}") != "");
  CHECK(testing::flaw_of_latex("% x\na & b \\\\\n[1ex] & c \\\\\n") != "");
  CHECK(testing::flaw_of_dot("graph G {\n n0 [label=\"x\\\"]; n1 [URL=\"y\"]\n}") != "");
  CHECK(testing::flaw_of_gnuplot("set title 'x\nsystem(\"touch pwned\")\n#'\n") != "");
  CHECK(testing::flaw_of_gnuplot("$captions << END\nEND\nEND\n") == "");
  CHECK(testing::flaw_of_gnuplot("$captions << END\nx\nEND\n") != "");
}

TEST_CASE("CSV cells survive a round trip and are never formulas", "[experiments][hostile]") {
  for (const auto& [name, text] : hostile_strings()) {
    INFO(name);
    const Table table{"t", "", {"a", "b"}, {{cell(text), cell("x")}}};
    CHECK(testing::read_csv(to_csv(table)).at(1).at(0) == legible(text, "\n\r\t"));
  }
  CHECK(csv_cell("-0.5") == "-0.5");
  CHECK(csv_cell("-1e-15") == "-1e-15");
  CHECK(csv_cell("-") == "-");
  CHECK(csv_cell("<a --> b>") == "<a --> b>");
  CHECK(csv_cell("=1+1") == "'=1+1");
  CHECK(csv_cell("-x") == "'-x");
  CHECK(csv_cell("'x") == "''x");
  CHECK(csv_cell("+1,5") == "\"'+1,5\"");
}

TEST_CASE("the spec reader refuses illegible text", "[experiments][hostile]") {
  CHECK_NOTHROW(resolve_spec(spec_with("/capacities", {3}), "/tmp"));
  for (const auto& [name, text] : hostile_strings())
    for (const char* place : {"/methods/0/label", "/sets/0/label", "/inputs/0", "/experiment", "/seeds",
                              "/methods/1", "/methods/0/options/similarity", "/capacities/0", "/more"}) {
      INFO(name << " at " << place);
      const bool told = illegible(text) || text.size() > 4096;
      const bool label = std::string(place).ends_with("label");
      try {
        const Spec spec = resolve_spec(spec_with(place, text), "/tmp");
        CHECK_FALSE(told);
        CHECK((label ? !text.empty() && text.size() <= 60 : std::string(place) == "/inputs/0"));
      } catch (const SpecError& error) {
        if (label || told) CHECK(error.pointer == place);
        CHECK_FALSE(illegible(error.what()));
        if (told && text.size() <= 4096) CHECK(contains(std::string(error.what()), *illegible(text)));
      }
    }
  // Names of members occur in error messages and on pages, so illegible names are errors, too.
  CHECK_THROWS_WITH(resolve_spec(spec_with("/a\nb", 1), "/tmp"), Catch::Contains("found \\u000a at byte 2"));
  Json spec = spec_with("/capacities", {3});
  CHECK_THROWS_AS(apply_override(spec, "methods.0.label=\xff"), SpecError);
  CHECK_THROWS_AS(apply_override(spec, "methods.4000000000=1"), SpecError);
}

TEST_CASE("terms are escaped in graphs and pages", "[experiments][hostile]") {
  for (const auto& [name, text] : hostile_strings()) {
    INFO(name);
    const Json numbers = {0.5, 0.25};
    const Json history = {
        {"method", text},
        {"cue", {text, "a"}},
        {"sentences", {1, 2}},
        {"concepts", {{{"term", text}, {"priority", numbers}}}},
        {"links", {{{"between", {text, text}}, {"weight", numbers}}}},
        {"graph",
         {{"nodes", {{{"term", text}, {"priority", 0.5}}, {{"term", "b"}, {"priority", 0}}}},
          {"links", {{0, 1, 0.5}}},
          {"of_links", 3}}}};
    Conclusion conclusion;
    add_history(history, 1, text, conclusion);
    CHECK(conclusion.graphs.size() == 1);
    CHECK(testing::flaw_of_sinks(any_spec(), conclusion) == "");

    ExplainedItem item{
        {1, {{text, 1, {{text, 0.5}}}}, text, {{true, 1, text, text}}, text}, text, {0.5, 0.5, 0.5}};
    CHECK(testing::flaw_of_html(explanation_html(text, text, {{text, text, {item}, {item}}})) == "");
  }
}

TEST_CASE("a NARS's output is escaped in a session's page", "[experiments][hostile]") {
  using Kind = bridge::TranscriptEntry::Kind;
  const auto& system = *bridge::find_nars_system("ona");
  for (const auto& [name, text] : hostile_strings()) {
    INFO(name);
    std::vector<bridge::TranscriptEntry> entries{{Kind::fresh, ""}, {Kind::input, "<a --> b>?"}};
    for (const Kind kind : {Kind::input, Kind::sent, Kind::heard}) entries.push_back({kind, text});
    entries.push_back(
        {Kind::heard, "Answer: <\"" + text + "\" --> b>. Truth: frequency=1.0, confidence=0.9"});
    CHECK(testing::flaw_of_html(session_report({&system}, entries)) == "");
    CHECK(testing::flaw_of_html(stream_report(text, {}, {}, {text})) == "");
  }
}

TEST_CASE("a sweep's plan may name only its own folders", "[experiments][hostile]") {
  const Folder folder("hostile_sweep");
  const auto plan = [&](const std::string& name, const Json& values) {
    write(folder.path / "sweep.json", Json::array({{{"folder", "cells/1"}, {"values", {{"a", 1}}}},
                                                   {{"folder", name}, {"values", values}}})
                                          .dump());
    return read_sweep(folder.path);
  };
  CHECK(plan("cells/00001_a=1", {{"a", 2}}).at(1).path == folder.path / "cells/00001_a=1");
  CHECK_THROWS_AS(plan("cells/1", {{"b", 2}}), SpecError);
  CHECK_THROWS_AS(plan("cells/1", 5), SpecError);
  for (const auto& [name, text] : hostile_strings()) {
    if (legible(text, "\n\r\t") != text) continue;  // illegible texts are not tried as paths
    INFO(name);
    for (const std::string start : {"", "cells/"})
      if (start + text != "cells/" + file_name(text))
        CHECK_THROWS_AS(plan(start + text, {{"a", 2}}), SpecError);
  }
}

TEST_CASE("names in a manifest are escaped in the archive's metadata, and links stay within the archive",
          "[experiments][hostile]") {
  for (const auto& [name, text] : hostile_strings()) {
    if (narsese::find_invalid_utf8(text) < text.size()) continue;  // JSON cannot contain invalid UTF-8
    INFO(name);
    const Folder folder("hostile_crate");
    const Json manifest = {{"experiment", text},
                           {"engram", text},
                           {"git", {{"revision", text}, {"dirty", false}, {"date", text}}},
                           {"inputs", {{{"name", text}, {"bytes", 1}, {"sha256", std::string(64, 'a')}}}}};
    Conclusion conclusion;
    conclusion.question = conclusion.answer = text;
    write_provenance(folder.path, manifest, conclusion);
    const Json crate = Json::parse(read(folder.path / "ro-crate-metadata.json"));
    std::set<std::string> ids;
    for (const Json& entity : crate.at("@graph")) ids.insert(entity.at("@id").get<std::string>());
    for (const std::string& id : ids) CHECK_FALSE(illegible(id));
    CHECK(ids.contains("nih:sha-256;" + std::string(64, 'a')));
    CHECK(ids.size() == crate.at("@graph").size());
    Json wrong = manifest;
    wrong["inputs"][0]["sha256"] = text;
    CHECK_THROWS_AS(write_provenance(folder.path, wrong, conclusion), SpecError);

    write(folder.path / "SHA256SUMS", std::string(64, 'a') + "  ../" + text + "\n");
    CHECK_THROWS_AS(read_sums(folder.path), SpecError);
  }
}

TEST_CASE("file names are plain, short and unique", "[experiments][hostile]") {
  for (const auto& [name, text] : hostile_strings()) {
    INFO(name);
    const std::string file = file_name(text);
    CHECK(!file.empty());
    CHECK(file.size() <= 100);
    CHECK(file.find_first_of("/\\ \n'\"`$|&;<>") == std::string::npos);
    CHECK((file[0] != '.' && file[0] != '-'));
  }
  CHECK(file_name("00001_decay=0.1") == "00001_decay=0.1");
}
