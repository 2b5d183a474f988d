// SPDX-License-Identifier: MIT
// Tests of the experiment `flood`: the same reasoner works under many policies, which differ only in how they choose
// the next inference.
#include "experiments/flood/flood.hpp"

#include <algorithm>
#include <cctype>
#include <functional>
#include <map>
#include <set>
#include <sstream>
#include <tuple>

#include "core/methods/method.hpp"
#include "core/numbers/random.hpp"
#include "core/reasoner/reasoner.hpp"
#include "experiments/flood/asking.hpp"
#include "experiments/formats/markup.hpp"
#include "experiments/inputs/asked_questions.hpp"
#include "experiments/inputs/corpus.hpp"
#include "experiments/inputs/proof_sets.hpp"
#include "narsese/parser.hpp"
#include "narsese/printer.hpp"
#include "narsese/term.hpp"
#include "tests/experiments/answering/trial_rows.hpp"

namespace engram::experiments::flood {
namespace {

using testing::measured;
using testing::rows_of;

const Json small_sets = {{{"kind", "families"}, {"groups", 3}, {"questions", 3}},
                         {{"kind", "taxonomies"}, {"groups", 3}, {"questions", 3}}};

// A small spec: two seeds, two sets and one method, which runs in each mode.
Json small_flood() {
  return testing::generated_json(
      "flood", {{"seeds", {1, 2}}, {"sets", small_sets}, {"methods", {"proof_attention"}}, {"steps", 300}});
}

// Rows of all trials in order, computed from the last trial to the first.
std::vector<Json> rows_backwards(const Spec& spec) {
  const auto trials = spec.experiment->trials(spec);
  CHECK(trials->prepare().empty());
  std::vector<Json> rows;
  for (std::size_t trial = trials->count(); trial-- > 0;) {
    const std::vector<Json> of_trial = trials->run(trial).rows;
    rows.insert(rows.begin(), of_trial.begin(), of_trial.end());
  }
  return rows;
}

// The spec of small_flood() and its rows, computed once for all tests that only read them.
const Spec& small_spec() {
  static const Spec spec = resolve_spec(small_flood(), "");
  return spec;
}
const std::vector<Json>& small_rows() {
  static const std::vector<Json> rows = rows_of(small_spec());
  return rows;
}

// The Narsese text with each name replaced by `each(name)`. Variables, numbers and comments that are directives do not
// change.
std::string with_names(const std::string& nal, const std::function<std::string(const std::string&)>& each) {
  std::istringstream in(nal);
  std::string all, line;
  const auto in_name = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; };
  while (std::getline(in, line)) {
    std::size_t at = 0;
    for (const std::string prefix : {"//expected: Answer: ", "//needed: "})
      if (line.starts_with(prefix)) at = prefix.size();
    if (at == 0 && line.starts_with("//")) continue;
    all += line.substr(0, at);
    while (at < line.size()) {
      std::size_t end = at + 1;
      if (line[at] == '%') {
        end = line.find('%', end) + 1;
      } else if (line[at] == '$' || line[at] == '#' || line[at] == '?' || in_name(line[at])) {
        while (end < line.size() && in_name(line[end])) ++end;
      }
      const std::string piece = line.substr(at, end - at);
      all += in_name(line[at]) ? each(piece) : piece;
      at = end;
    }
    all += '\n';
  }
  return all;
}

// Replaces each name by another of the same length. The new names sort in the same order as the old ones, or in a
// random order if `seed` is given.
std::string renamed(const std::string& nal, std::optional<std::uint64_t> seed) {
  std::map<std::string, std::size_t> names;
  with_names(nal, [&](const std::string& name) { return names[name] = 0, name; });
  std::vector<std::size_t> places;
  for (std::size_t i = 0; i < names.size(); ++i) places.push_back(1000 + i);
  core::Rng rng(seed.value_or(0), "other names");
  for (std::size_t i = places.size(); seed && i-- > 1;) std::swap(places[i], places[rng.below(i + 1)]);
  auto place = places.begin();
  for (auto& [name, number] : names) number = *place++;
  return with_names(nal, [&](const std::string& name) { return "w" + std::to_string(names.at(name)); });
}

std::string generated(const std::string& kind, std::size_t size, std::uint64_t seed) {
  ChainOptions options;
  options.size = size;
  options.questions = 3;
  std::ostringstream text;
  write_nal(text, generate(kind, options, seed), kind);
  return text.str();
}

// The results of each policy: answered questions, steps, and the number of uses of each rule.
Json outcome(const std::string& nal) {
  const testing::FileExperiment file("flood", nal);
  const Spec spec = file.spec({{"methods", {"proof_attention", "pagerank", "hopfield"}},
                               {"modes", {"loop", "weighed", "gate", "again"}},
                               {"steps", 350}});
  Json all = Json::object();
  for (const Json& row : rows_of(spec)) {
    Json& one = all[row.at("method").get<std::string>()];
    one["answered"] = row.at("measures").at("answered");
    one["steps"] = row.at("measures").at("steps");
    for (const Json& question : row.at("shown")) one["rules"].push_back(question.at("rules"));
  }
  return all;
}

}  // namespace

TEST_CASE("flood's resolved spec has every default, and errors have their place", "[experiments][flood]") {
  const Spec spec = testing::generated_spec("flood", Json::object());
  const FloodOptions& options = testing::options_of<FloodOptions>(spec);
  CHECK(options.controls == control_names());
  std::map<std::string, std::size_t> sizes;  // number of sets of each kind
  for (const answering::SeededSet& set : options.asked.sets) {
    CHECK(set.label == set.kind + " " + std::to_string(set.options.groups));
    ++sizes[set.kind];
  }
  CHECK(sizes.size() == 3);
  for (const auto& [kind, times] : sizes) CHECK(times >= 3);
  REQUIRE(options.modes.size() == modes.size());
  for (std::size_t i = 0; i < modes.size(); ++i) CHECK(options.modes[i] == modes[i].value);
  CHECK(options.gate == 12);
  CHECK(options.steps == 2000);
  CHECK(spec.seeds.size() == 3);
  CHECK(spec.resolved.at("gate") == 12);
  CHECK(spec.resolved.at("steps") == 2000);
  CHECK(spec.resolved.at("controls").size() == control_names().size());
  CHECK(resolve_spec(spec.resolved, "").resolved == spec.resolved);

  testing::check_errors(small_flood(),
                        {{{{"sets", Json::array()}}, "/inputs must "},
                         {{{"sets", {{{"kind", "family"}}}}}, "/sets/0/kind must be one of "},
                         {{{"sets", {{{"kind", "chains"}, {"gates", {12}}}}}}, "/sets/0/gates: unknown "},
                         {{{"sets", {{{"kind", "chains"}}, {{"kind", "chains"}}}}}, "/sets/1: "},
                         {{{"controls", {"random", "fifo"}}}, "/controls/1 "},
                         {{{"modes", {"loop", "gated"}}}, "/modes/1 "},
                         {{{"gate", 0}}, "/gate must "},
                         {{{"steps", 0}}, "/steps must "},
                         {{{"steps", 20'000'000}}, "/steps must "},
                         {{{"steps", "many"}}, "/steps must "},
                         {{{"experience", -1}}, "/experience must "},
                         {{{"round", 0}}, "/round must "},
                         {{{"questions", 0}}, "/questions must "},
                         {{{"half", "third"}}, "/half must "},
                         {{{"methods", {"path_atention"}}}, "/methods/0"},
                         {{{"cues", 3}}, "/cues: unknown field"}});
  Json json = small_flood();
  json["controls"] = {"simplist"};
  CHECK(testing::spec_error(json).find("simplest") != std::string::npos);
}

TEST_CASE("make_control knows exactly the listed names", "[experiments][flood]") {
  const std::vector<std::string> names = control_names();
  for (const char* known : {"first_in_first_out", "random", "simplest", "opennars_bags", "ona_queue"})
    CHECK(std::ranges::count(names, known) == 1);
  for (const std::string& name : names) CHECK(make_control(name, 1) != nullptr);
  for (const char* other : {"", "fifo", "Random", "random ", "oracle", "proof_attention"})
    CHECK_THROWS_AS(make_control(other, 1), std::invalid_argument);
}

TEST_CASE("every policy gets every question of every set and seed", "[experiments][flood]") {
  const std::vector<FloodPolicy> policies =
      flood_policies(small_spec(), testing::options_of<FloodOptions>(small_spec()));
  std::vector<std::string> labels;
  for (const FloodPolicy& policy : policies) labels.push_back(policy.label);
  std::vector<std::string> wanted = control_names();
  for (const std::string method : {"proof_attention", "overlap", "frequency", "uniform"})
    for (const char* mode : {"", ", weighed", ", gate 12", ", gate 12 and weighed", ", again"})
      wanted.push_back(method + mode);
  wanted.push_back(known_proof);
  CHECK(labels == wanted);
  std::map<std::pair<std::string, std::uint64_t>, std::vector<std::string>> seen;
  std::map<std::pair<std::string, std::uint64_t>, std::set<std::size_t>> trials, statements;
  for (const Json& row : small_rows()) {
    const std::pair place(row.at("set").get<std::string>(), row.at("seed").get<std::uint64_t>());
    seen[place].push_back(row.at("method"));
    trials[place].insert(row.at("trial").get<std::size_t>());
    statements[place].insert(row.at("statements").get<std::size_t>());
    CHECK(row.at("questions") == 3);
    for (const char* name : {"answered", "weaker", "steps", "provable"})
      CHECK(measured(row, name).size() == 3);
    // Only rows of the first seed have pages, whose content is in `shown`.
    CHECK(row.contains("shown") == (place.second == 1));
  }
  REQUIRE(seen.size() == 4);
  for (const auto& [place, methods] : seen) {
    CHECK(methods == labels);
    CHECK(trials[place].size() == 1);
    CHECK(statements[place].size() == 1);
    CHECK(*statements[place].begin() > 20);
  }
  const std::vector<RowSet> sets = flood_sets(testing::options_of<FloodOptions>(small_spec()), small_rows());
  REQUIRE(sets.size() == 2);
  CHECK(sets[0].label == "families 3");
  CHECK(kind_of(sets[0]) == "families");
  CHECK(statements_of(sets[0]) == 22);
  for (const RowSet& set : sets)
    for (const std::string& label : labels) {
      CHECK(row_values(set, label, "answered").size() == 2);  // one value for each of the two seeds
      CHECK(each_of(set, label, "answered").size() == 6);
    }
}

TEST_CASE("the known proof answers everything, proof attention equally much, and no policy exceeds its steps",
          "[experiments][flood]") {
  std::map<std::string, double> answered, steps;
  for (const Json& row : small_rows()) {
    const auto found = measured(row, "answered"), took = measured(row, "steps"),
               weaker = measured(row, "weaker"), provable = measured(row, "provable");
    for (std::size_t i = 0; i < found.size(); ++i) {
      CHECK(provable[i] == 1);
      CHECK((found[i] == 0 || found[i] == 1));
      CHECK(found[i] + weaker[i] <= 1);
      CHECK(took[i] <= 300);
      CHECK((found[i] == 1 || took[i] == 300));
      answered[row.at("method")] += found[i];
      steps[row.at("method")] += took[i];
    }
  }
  CHECK(answered.at(known_proof) == 12);
  CHECK(answered.at("proof_attention") == 12);
  CHECK(answered.at("proof_attention, gate 12 and weighed") == 12);
  CHECK(steps.at(known_proof) < 12 * 30);
  // The main result: if several families are in memory, policies that ignore the question need many steps or fail.
  for (const std::string& control : control_names()) {
    INFO(control);
    CHECK(answered.at(control) < 12);
    CHECK(steps.at(control) > 5 * steps.at("proof_attention"));
  }
  for (const RowSet& set : flood_sets(testing::options_of<FloodOptions>(small_spec()), small_rows())) {
    std::vector<double> before(2, 0);
    for (const double s : {0.0, 10.0, 20.0, 100.0, 300.0}) {
      const std::vector<double> within = answered_within(set, "proof_attention", s);
      REQUIRE(within.size() == 2);
      for (std::size_t i = 0; i < 2; ++i) CHECK(within[i] >= before[i]);
      before = within;
    }
    CHECK(before == std::vector<double>{1, 1});
    CHECK(before == row_values(set, "proof_attention", "answered"));
    CHECK(answered_within(set, "proof_attention", 0) == std::vector<double>{0, 0});
  }
}

TEST_CASE("questions answered in fewer steps are also answered in more", "[experiments][flood]") {
  Json json = small_flood();
  json["steps"] = 40;
  json["sets"] = Json::array({small_sets.at(0)});
  json["seeds"] = {1};
  const std::vector<Json> few = rows_of(resolve_spec(json, ""));
  for (const Json& row : few) {
    const auto more = std::ranges::find_if(small_rows(), [&](const Json& other) {
      return other.at("trial") == 0 && other.at("method") == row.at("method");
    });
    REQUIRE(more != small_rows().end());
    INFO(row.at("method"));
    const auto found = measured(row, "answered"), took = measured(row, "steps"),
               found_later = measured(*more, "answered"), took_later = measured(*more, "steps");
    for (std::size_t i = 0; i < found.size(); ++i) {
      CHECK(took[i] <= 40);
      CHECK((found[i] == 1) == (found_later[i] == 1 && took_later[i] <= 40));
      if (found[i] == 1) CHECK(took[i] == took_later[i]);
    }
  }
}

TEST_CASE("flood's rows do not depend on the order of trials or on other seeds", "[experiments][flood]") {
  CHECK(rows_backwards(small_spec()) == small_rows());
  const auto trials = small_spec().experiment->trials(small_spec());
  REQUIRE(trials->count() == 4);
  Json json = small_flood();
  json["seeds"] = {2, 7};
  json["sets"] = Json::array({small_sets.at(1)});
  const Spec other = resolve_spec(json, "");
  const auto others = other.experiment->trials(other);
  // Each trial has its own cache setting. A trial gives the same measures when it runs alone.
  std::set<Json> settings;
  for (std::size_t i = 0; i < trials->count(); ++i) settings.insert(trials->setting(i));
  CHECK(settings.size() == 4);
  others->prepare();
  std::vector<Json> alone = others->run(0).rows, together;
  for (const Json& row : small_rows())
    if (row.at("seed") == 2 && row.at("set") == "taxonomies 3") together.push_back(row);
  REQUIRE(alone.size() == together.size());
  for (std::size_t i = 0; i < alone.size(); ++i) CHECK(alone[i].at("measures") == together[i].at("measures"));
}

TEST_CASE("flood's conclusion is repeatable, also from rows that were written and read",
          "[experiments][flood]") {
  const auto told = [](const std::vector<Json>& rows) {
    const Conclusion conclusion = small_spec().experiment->conclude(small_spec(), rows);
    std::string all = conclusion.question + conclusion.answer + conclusion.summary.dump();
    for (const Table& table : conclusion.tables) all += table.caption + to_csv(table) + to_html(table);
    for (const Plot& plot : conclusion.plots) all += plot.name + plot.title;
    for (const Page& page : conclusion.pages) all += page.path + page.title + page.html;
    for (const Section& section : conclusion.sections) all += section.heading + section.html;
    return all;
  };
  const std::string first = told(small_rows());
  CHECK(told(small_rows()) == first);
  std::vector<Json> read;
  for (const Json& row : small_rows()) read.push_back(Json::parse(row.dump()));
  CHECK(told(read) == first);
  const Conclusion conclusion = small_spec().experiment->conclude(small_spec(), small_rows());
  CHECK(conclusion.answer.find("proof_attention") != std::string::npos);
  CHECK(conclusion.answer.find("Known proof alone: 1.00") != std::string::npos);
  CHECK(conclusion.summary.at("to_oracle").at(known_proof) == 1.0);
  CHECK(conclusion.summary.at("sets")
            .at("families 3")
            .at("policies")
            .at(known_proof)
            .at("answered")
            .at("mean") == 1.0);
  for (const char* name : {"answered", "steps"})
    CHECK(testing::table_named(conclusion, name).rows.size() == control_names().size() + 4 * 5 + 1);
  CHECK_FALSE(testing::table_named(conclusion, "answered_leads").rows.empty());
  std::set<std::string> plots;
  for (const Plot& plot : conclusion.plots) CHECK(plots.insert(plot.name).second);
  CHECK(plots.contains("steps_families_3"));
  // A spec without result rows still has a conclusion.
  CHECK(small_spec().experiment->conclude(small_spec(), {}).answer.starts_with("Nothing was measured"));
}

TEST_CASE("every question of flood's first seed has a page with derivation trees down to input statements",
          "[experiments][flood]") {
  const Conclusion conclusion = small_spec().experiment->conclude(small_spec(), small_rows());
  std::map<std::string, std::string> pages;
  for (const Page& page : conclusion.pages) CHECK(pages.emplace(page.path, page.html).second);
  CHECK(pages.size() == 2 * 3);
  const auto list = std::ranges::find_if(conclusion.sections, [](const Section& section) {
    return section.heading.find("Question by question") != std::string::npos;
  });
  REQUIRE(list != conclusion.sections.end());
  for (const auto& [path, html] : pages) {
    CHECK(list->html.find("href=\"" + path + "\"") != std::string::npos);
    CHECK(html.find("href=\"../report.html\"") != std::string::npos);
  }
  std::size_t trees = 0;
  for (const Json& row : small_rows()) {
    if (!row.contains("shown")) continue;
    REQUIRE(row.at("shown").size() == 3);
    for (std::size_t q = 0; q < 3; ++q) {
      const Json& one = row.at("shown").at(q);
      const std::string path =
          "cues/" + std::to_string(row.at("trial").get<int>() + 1) + "-" + std::to_string(q + 1) + ".html";
      REQUIRE(pages.contains(path));
      const std::string& html = pages.at(path);
      INFO(path << " " << row.at("method"));
      CHECK(html.find(code(one.at("question").get<std::string>())) != std::string::npos);
      const std::string heading = "<h3>" + row.at("method").get<std::string>() + "</h3>";
      REQUIRE(html.find(heading) != std::string::npos);
      const std::size_t begin = html.find(heading);
      const std::string card = html.substr(begin, html.find("</section>", begin) - begin);
      const bool found = one.at("found").get<bool>();
      CHECK(found == (measured(row, "answered")[q] == 1));
      CHECK(one.at("steps").get<double>() == measured(row, "steps")[q]);
      const std::string steps = std::to_string(one.at("steps").get<int>()) + " steps.";
      CHECK((card.find("Answered after " + steps) != std::string::npos) == found);
      const Json& derivation = one.at("derivation");
      CHECK((found || measured(row, "weaker")[q] == 1) == !derivation.empty());
      if (derivation.empty()) continue;
      ++trees;
      // Every line of a derivation is a premise of a later line, except the last line, which is an expected answer.
      // Lines without premises are inputs.
      std::set<std::size_t> reached{derivation.size() - 1};
      for (std::size_t i = derivation.size(); i-- > 0;) {
        const Json& line = derivation.at(i);
        CHECK(reached.contains(i));
        CHECK(line.at("premises").empty() == (line.at("rule") == "told"));
        CHECK(card.find(escape_html(line.at("term").get<std::string>() +
                                    line.at("punctuation").get<std::string>())) != std::string::npos);
        for (const Json& premise : line.at("premises")) {
          CHECK(premise.get<std::size_t>() < i);
          reached.insert(premise.get<std::size_t>());
        }
      }
      std::set<std::string> expected;
      narsese::TermTable table;
      for (const Json& text : one.at("expected")) {
        const auto sentence = narsese::parse_sentence(text.get<std::string>(), table);
        REQUIRE(sentence);
        expected.insert(narsese::print(sentence->term));
      }
      CHECK(expected.contains(derivation.back().at("term").get<std::string>()));
      // The leaves of the page's tree are inputs, marked "(told)", or refer to lines that appear in full above.
      std::size_t told = 0;
      for (std::size_t at = card.find("(told)"); at != std::string::npos; at = card.find("(told)", at + 1))
        ++told;
      CHECK(told >= static_cast<std::size_t>(std::ranges::count_if(
                        derivation, [](const Json& line) { return line.at("rule") == "told"; })));
    }
  }
  CHECK(trees > 30);
}

TEST_CASE("flood's measures of a file match values computed by hand", "[experiments][flood]") {
  // The premises of the second question do not lead to its expected answer. The last question names no premises.
  const testing::FileExperiment file(
      "flood",
      "<a --> b>.\n<b --> c>. %0.9;0.8%\n<x --> y>.\n<a --> b>? \n//expected: Answer: <a --> b>.\n"
      "//needed: <a --> b>.\n<a --> c>?\n//expected: Answer: <a --> c>.\n//needed: <a --> b>.\n"
      "//needed: <b --> c>.\n<a --> y>?\n//expected: Answer: <a --> y>.\n//needed: <a --> b>.\n"
      "<x --> y>?\n//expected: Answer: <x --> y>.\n");
  const Spec spec = file.spec({{"methods", {{{"method", "overlap"}, {"label", "words <&>"}}}},
                               {"modes", {"loop", "gate"}},
                               {"gate", 1},
                               {"steps", 60}});
  const std::vector<Json> rows = rows_of(spec);
  REQUIRE(rows.size() == control_names().size() + 3 * 2 + 1);
  for (const Json& row : rows) {
    INFO(row.dump());
    CHECK(row.at("questions") == 3);
    CHECK_FALSE(row.contains("seed"));
    CHECK(row.at("statements") == 3);
    CHECK(measured(row, "provable") == std::vector<double>{1, 1, 0});
    CHECK(measured(row, "answered")[2] == 0);
    CHECK(measured(row, "steps")[2] == 60);
    const bool gated = row.at("method").get<std::string>().find(", gate 1") != std::string::npos;
    // The gate passes one statement, but the answer needs two.
    if (gated) CHECK(measured(row, "answered")[1] == 0);
    if (row.at("method") == "oracle") {
      CHECK(measured(row, "answered") == std::vector<double>{1, 1, 0});
      CHECK(measured(row, "steps")[0] == 0);  // the answer is an input, so it needs no step
      CHECK(row.at("shown").at(0).at("derivation").size() == 1);
      const Json& answer = row.at("shown").at(1).at("derivation").back();
      CHECK(answer.at("rule") == "deduction");
      CHECK(answer.at("truth").at(1).get<double>() == Approx(0.9 * 0.9 * 0.8));
      CHECK(answer.at("stamp") == Json{1, 2});
    }
  }
  const Conclusion conclusion = spec.experiment->conclude(spec, rows);
  REQUIRE(conclusion.pages.size() == 3);
  for (const Page& page : conclusion.pages) {
    CHECK(page.html.find("<h3>words &lt;&amp;&gt;</h3>") != std::string::npos);
    CHECK(page.html.find("&amp;lt;") == std::string::npos);  // each text was escaped once, not twice
  }
  // The list of questions has a column for each policy.
  const std::string& list = conclusion.sections.at(0).html;
  CHECK(list.find("<th scope=\"col\">words &lt;&amp;&gt;</th>") != std::string::npos);
  CHECK(list.find("<a href=\"cues/1-1.html\">&lt;a --&gt; b&gt;?</a></th><td>0</td>") != std::string::npos);
  const std::vector<RowSet> sets = flood_sets(testing::options_of<FloodOptions>(spec), rows);
  REQUIRE(sets.size() == 1);
  CHECK_FALSE(sets[0].seeded);
  CHECK(sets[0].title == "a.nal");
  // One value for each question.
  CHECK(row_values(sets[0], known_proof, "answered") == std::vector<double>{1, 1, 0});
}

TEST_CASE("a method's scores are input urgencies in mode \"loop\" and statement values in mode \"weighed\"",
          "[experiments][flood]") {
  const testing::FileExperiment file("flood", generated("families", 22, 5));
  const Spec spec = file.spec({{"methods", {"pagerank"}}, {"modes", {"loop", "weighed"}}, {"steps", 300}});
  const std::vector<Json> rows = rows_of(spec);
  const Corpus corpus = load_corpus(spec.inputs.at(0), spec.memory);
  const auto told = order_of_ties(corpus.held(), 0);
  std::vector<std::vector<double>> steps(2);
  for (const Question& question : corpus.questions) {
    const core::Cue cue = core::cue_for(corpus.session->memory(), question.sentence.term);
    const core::Vector scores = corpus.session->recall(core::ConfiguredMethod("pagerank"), cue).statements;
    for (const bool weighed : {false, true}) {
      narsese::TermTable table;
      narsese::TermCopies copies(table);
      double urgency = 1;
      const core::Urgency shares = [&](auto&, auto) { return urgency; };
      std::unique_ptr<core::InferenceControl> control = core::by_urgency(shares);
      if (weighed) control = core::by_worth(shares);
      core::Reasoner reasoner(table, std::move(control));
      const auto tell = [&](narsese::Sentence sentence) {
        sentence.term = copies(sentence.term);
        reasoner.input(sentence);
      };
      for (const core::StatementId id : told) {
        urgency = std::max(scores[id] / scores.maxCoeff(), 1e-12);
        tell(corpus.premise(id));
      }
      urgency = 1;
      const narsese::Term expected = copies(question.expected.front().term);
      std::optional<std::uint64_t> found;
      reasoner.observe([&](const core::ReasonerEvent& event) {
        const bool answers = event.kind == core::ReasonerEvent::Kind::answer;
        if (!found && answers && reasoner.knowledge()[event.sentence].term == expected)
          found = reasoner.steps();
      });
      tell(question.sentence);
      while (reasoner.steps() < 300 && !found && reasoner.run(1) > 0) {
      }
      steps[weighed ? 1 : 0].push_back(static_cast<double>(found.value_or(300)));
    }
  }
  CHECK(steps[0] != steps[1]);
  for (const Json& row : rows) {
    if (row.at("method") == "pagerank") CHECK(measured(row, "steps") == steps[0]);
    if (row.at("method") == "pagerank, weighed") CHECK(measured(row, "steps") == steps[1]);
  }
}

TEST_CASE("without refresh weights stay as they were at the start, with refresh more is answered",
          "[experiments][flood]") {
  const auto values = [](std::size_t refresh, const char* policy, const char* name) {
    const Spec spec = testing::generated_spec(
        "flood", {{"sets", {{{"kind", "taxonomies"}, {"groups", 40}, {"questions", 4}}}},
                  {"methods", {"hopfield"}},
                  {"controls", {"first_in_first_out"}},
                  {"modes", {"weighed", "again"}},
                  {"refresh", refresh},
                  {"seeds", {1, 2}},
                  {"steps", 1500}});
    std::vector<double> all;
    for (const Json& row : rows_of(spec))
      if (row.at("method") == policy)
        for (const double value : measured(row, name)) all.push_back(value);
    return all;
  };
  const auto weighed = values(64, "hopfield, weighed", "steps");
  CHECK(values(1'000'000, "hopfield, again", "steps") == weighed);
  CHECK(values(64, "hopfield, again", "steps") != weighed);
  CHECK(mean(values(64, "hopfield, again", "answered")) > mean(values(64, "hopfield, weighed", "answered")));
}

TEST_CASE("no policy of flood depends on names", "[experiments][flood]") {
  // Renaming all names without changing their order changes no result.
  const std::string chains = generated("chains", 100, 5);
  CHECK(renamed(chains, {}) != chains);
  const Json plain = outcome(chains);
  CHECK(plain == outcome(renamed(chains, {})));
  CHECK(plain.size() == control_names().size() + 6 * 4 + 1);
  // Renaming in a random order can break ties differently. Proof attention and the shortest path break ties by terms,
  // so that the order of input does not matter. Components of commutative compounds are sorted by name. Neither changes
  // the results on these files.
  for (const auto& [kind, size, seed] :
       {std::tuple("families", std::size_t{22}, 5U), {"taxonomies", std::size_t{50}, 6U}}) {
    INFO(kind);
    const std::string nal = generated(kind, size, seed);
    const Json own = outcome(nal);
    double answered = 0;
    for (const auto& [policy, one] : own.items())
      for (const Json& value : one.at("answered")) answered += value.get<double>();
    CHECK(answered > 10);
    for (const std::uint64_t other : {1U, 2U}) {
      const Json drawn = outcome(renamed(nal, other));
      for (const auto& [policy, one] : own.items()) {
        INFO(policy);
        CHECK(drawn.at(policy).at("answered") == one.at("answered"));
        CHECK(drawn.at(policy).at("steps") == one.at("steps"));
      }
    }
  }
}

}  // namespace engram::experiments::flood
