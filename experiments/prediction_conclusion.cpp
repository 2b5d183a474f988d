// SPDX-License-Identifier: MIT
// What `prediction` concludes from its rows.
#include <algorithm>
#include <map>

#include "core/numeric.hpp"
#include "experiments/experiment.hpp"
#include "experiments/prediction.hpp"

namespace engram::experiments {
namespace {

// The rows of one stream, or of all generated ones.
struct StreamRows {
  std::string name;
  bool generated = false;
  std::vector<const Json*> rows;
};

std::vector<StreamRows> by_stream(const std::vector<Json>& rows) {
  std::vector<StreamRows> streams;
  for (const Json& row : rows) {
    const auto name = row.at("stream").get<std::string>();
    const bool generated = row.at("generated").get<bool>();
    auto place = std::ranges::find_if(
        streams, [&](const StreamRows& s) { return s.name == name && s.generated == generated; });
    if (place == streams.end()) place = streams.insert(streams.end(), {name, generated, {}});
    place->rows.push_back(&row);
  }
  return streams;
}

// "day_at_the_farm" of a path, for people.
std::string short_name(const StreamRows& stream) {
  return stream.generated ? "generated" : std::filesystem::path(stream.name).stem().string();
}

// Neighbouring episodes of a file resemble each other, so they are resampled in blocks. Chosen: longer than
// what one event leads to in our story; a day of it has some 25 events.
constexpr std::uint64_t block = 5;

// One number a unit of resampling, in the same order for every method. Generated streams are independent, so
// the unit is a stream. A file is one stream: its held-out episodes are the units, a block at a time, each
// the mean over seeds.
template <class Pick>
std::vector<double> unit_values(const StreamRows& stream, const std::string& method, Pick pick) {
  std::map<std::uint64_t, std::vector<double>> units;
  for (const Json* row : stream.rows) {
    if (row->at("method") != method) continue;
    const Json& values = pick(*row);
    for (std::size_t i = 0; i < values.size(); ++i)
      units[stream.generated ? row->at("seed").get<std::uint64_t>()
                             : (row->at("held_out").at(0).get<std::uint64_t>() + i) / block]
          .push_back(values[i].get<double>());
  }
  std::vector<double> means;
  for (const auto& [unit, values] : units)
    means.push_back(core::sum(values) / static_cast<double>(values.size()));
  return means;
}

std::vector<double> log_losses(const StreamRows& stream, const std::string& method) {
  return unit_values(stream, method, [](const Json& row) -> const Json& { return row.at("log_loss"); });
}

std::optional<Estimate> recall(const StreamRows& stream, const std::string& method, std::size_t k) {
  return bootstrap_mean(unit_values(stream, method, [&](const Json& row) -> const Json& {
    return row.at("recall").at(std::to_string(k));
  }));
}

std::vector<double> differences(const std::vector<double>& a, const std::vector<double>& b) {
  std::vector<double> difference;
  for (std::size_t i = 0; i < std::min(a.size(), b.size()); ++i) difference.push_back(a[i] - b[i]);
  return difference;
}

bool clear_of_zero(const std::vector<double>& difference) {
  const std::vector<double> zeros(difference.size(), 0.0);
  std::vector<double> turned = difference;
  for (double& x : turned) x = -x;
  return clearly_higher(difference, zeros) || clearly_higher(turned, zeros);
}

std::string interval_text(const Estimate& e) {
  return cell(e.mean, 2).text + " (" + cell(e.low, 2).text + " to " + cell(e.high, 2).text + ")";
}

// "lower than frequency by 1.72 (1.51 to 1.95)"
std::string comparison(const StreamRows& stream, const std::string& reference, const std::string& other) {
  std::vector<double> difference = differences(log_losses(stream, other), log_losses(stream, reference));
  const bool lower = bootstrap_mean(difference)->mean >= 0;
  if (!lower)
    for (double& x : difference) x = -x;
  return std::string(lower ? "lower" : "higher") + " than " + other + "'s by " +
         interval_text(*bootstrap_mean(difference)) +
         (clear_of_zero(difference) ? "" : ", which may be chance");
}

std::string units_text(const StreamRows& stream, std::size_t count) {
  return std::to_string(count) +
         (stream.generated ? " streams" : " blocks of " + std::to_string(block) + " held-out episodes");
}

std::string mean_floor(const StreamRows& stream) {
  std::vector<double> floors;
  for (const Json* row : stream.rows)
    if (row->at("method") == true_structure) floors.push_back(row->at("floor").get<double>());
  return cell(core::sum(floors) / static_cast<double>(floors.size()), 2).text;
}

// The sentence on one stream: the method in question against those that it has to beat, and against the best.
std::string stream_answer(const StreamRows& stream, const std::vector<std::string>& methods,
                          const std::string& reference) {
  const auto values = log_losses(stream, reference);
  std::string text = (stream.generated ? "On generated streams " : "On " + short_name(stream) + " ") +
                     reference + "'s log-loss is " + cell(bootstrap_mean(values)->mean, 2).text +
                     " nats a concept";
  std::string best;
  double least = 0;
  for (const std::string& method : methods)
    if (const double mean = bootstrap_mean(log_losses(stream, method))->mean;
        method != reference && (best.empty() || mean < least)) {
      best = method;
      least = mean;
    }
  for (const std::string& method : methods)
    if (method != reference &&
        (method == "untrained_attention" || method == "frequency" || method == "markov" || method == best))
      text += ", " + comparison(stream, reference, method);
  if (stream.generated)
    text += "; in the long run no method could do better than " + mean_floor(stream) +
            ", what the streams' own randomness leaves";
  return text + " (95 % intervals over " + units_text(stream, values.size()) + ").";
}

Json estimate_json(const std::optional<Estimate>& e) {
  return e ? Json{{"mean", e->mean}, {"low", e->low}, {"high", e->high}} : Json();
}

Table loss_table(const std::vector<StreamRows>& streams, const std::vector<std::string>& methods,
                 const std::string& reference, double smoothing) {
  Table table{"log_loss",
              "Mean log-loss of the next episode's concepts, in nats (lower is better), with 95 % bootstrap "
              "intervals, and by how much it is above that of " +
                  reference + ", pair by pair. All predictions are mixed with " +
                  cell(100 * smoothing, 1).text +
                  " % of the uniform one, so that none is infinitely wrong; " + true_structure +
                  " knows the world that made the generated streams.",
              {"method"},
              {}};
  for (const StreamRows& stream : streams) {
    table.head.push_back(short_name(stream));
    table.head.push_back("above " + reference);
  }
  for (const std::string& method : methods) {
    std::vector<Cell> cells{cell(method)};
    for (const StreamRows& stream : streams) {
      const auto values = log_losses(stream, method);
      cells.push_back(interval_cell(bootstrap_mean(values), 3));
      cells.push_back(
          method == reference
              ? cell("")
              : interval_cell(bootstrap_mean(differences(values, log_losses(stream, reference))), 3));
    }
    table.rows.push_back(std::move(cells));
  }
  return table;
}

Table recall_table(const std::vector<StreamRows>& streams, const std::vector<std::string>& methods,
                   const std::vector<std::size_t>& ks) {
  Table table{"recall",
              "Share of the next episode's concepts that are among the k predicted most, with 95 % bootstrap "
              "intervals.",
              {"method"},
              {}};
  for (const StreamRows& stream : streams)
    for (const std::size_t k : ks) table.head.push_back(short_name(stream) + " @" + std::to_string(k));
  for (const std::string& method : methods) {
    std::vector<Cell> cells{cell(method)};
    for (const StreamRows& stream : streams)
      for (const std::size_t k : ks) cells.push_back(interval_cell(recall(stream, method, k), 2));
    table.rows.push_back(std::move(cells));
  }
  return table;
}

// What training or validation chose, averaged over trials.
Table chosen_table(const std::vector<StreamRows>& streams, const std::vector<std::string>& methods) {
  Table table{"chosen",
              "What training learnt and validation chose besides maps and counts: means over seeds and "
              "origins. Memory is the weight of an episode against that of the next; best_epoch is where "
              "training stopped to help.",
              {"method"},
              {}};
  std::vector<std::vector<Cell>> rows;
  for (const std::string& method : methods)
    for (const StreamRows& stream : streams) {
      std::map<std::string, std::vector<double>> chosen;
      for (const Json* row : stream.rows)
        if (row->at("method") == method && row->contains("chosen"))
          for (const auto& [what, value] : row->at("chosen").items())
            chosen[what].push_back(value.get<double>());
      for (const auto& [what, values] : chosen)
        table.rows.push_back(
            {cell(method), cell(short_name(stream)), cell(what), interval_cell(bootstrap_mean(values), 3)});
    }
  table.head = {"method", "stream", "what", "mean"};
  return table;
}

Plot loss_plot(const std::vector<StreamRows>& streams, const std::vector<std::string>& methods) {
  Plot plot{"log_loss", "Log-loss of what comes next", "", "nats a concept", {}, methods};
  plot.shares = false;
  for (std::size_t s = 0; s < streams.size(); ++s) {
    Plot::Series series{short_name(streams[s]), {}};
    for (std::size_t m = 0; m < methods.size(); ++m)
      if (const auto e = bootstrap_mean(log_losses(streams[s], methods[m])))
        series.points.push_back(
            {static_cast<double>(m + 1) + 0.15 * static_cast<double>(s), e->mean, e->low, e->high});
    plot.series.push_back(std::move(series));
  }
  return plot;
}

Plot curve_plot(const StreamRows& stream, const Json& row, std::size_t number) {
  const Json& curve = row.at("curve");
  Plot plot{"training_" + std::to_string(number),
            "Training on " + short_name(stream) + ": " + row.at("method").get<std::string>() + ", seed " +
                row.at("seed").dump(),
            "epoch",
            "log-loss, nats",
            {},
            {}};
  plot.shares = plot.bars = false;
  for (const char* part : {"training", "validation"}) {
    Plot::Series series{part, {}};
    for (std::size_t epoch = 0; epoch < curve.at(part).size(); ++epoch) {
      const double loss = curve.at(part)[epoch].get<double>();
      series.points.push_back({static_cast<double>(epoch), loss, loss, loss});
    }
    plot.series.push_back(std::move(series));
  }
  const double best = curve.at("best_epoch").get<double>();
  plot.marks = {{best, "kept: epoch " + cell(best, 0).text}};
  return plot;
}

// A row a situation, a column a concept, the darker the likelier.
std::string heat_map(const Json& rows, const std::string& title, std::size_t left, std::size_t size) {
  const std::size_t columns = rows.at(0).size(), top = 44;
  double most = 0;
  for (const Json& row : rows)
    for (const Json& p : row) most = std::max(most, p.get<double>());
  const std::string width = std::to_string(columns * size), height = std::to_string(rows.size() * size);
  std::string svg = "<text x=\"" + std::to_string(left) + "\" y=\"18\">" + escape_html(title) +
                    "</text>\n<rect x=\"" + std::to_string(left) + "\" y=\"" + std::to_string(top) +
                    "\" width=\"" + width + "\" height=\"" + height + "\" fill=\"none\" stroke=\"#999\"/>\n";
  for (std::size_t z = 0; z < rows.size(); ++z)
    for (std::size_t c = 0; c < columns; ++c) {
      const double share = rows[z][c].get<double>() / most;
      if (share < 0.005) continue;
      svg += "<rect x=\"" + std::to_string(left + c * size) + "\" y=\"" + std::to_string(top + z * size) +
             "\" width=\"" + std::to_string(size) + "\" height=\"" + std::to_string(size) +
             "\" fill=\"#0072b2\" fill-opacity=\"" + cell(share, 3).text + "\"/>\n";
    }
  return svg;
}

std::optional<Drawing> learnt_beside_true(const StreamRows& stream, const std::string& reference) {
  const Json *learnt = nullptr, *truth = nullptr;
  for (const Json* row : stream.rows)
    if (row->contains("after_situation")) {
      if (row->at("method") == reference) learnt = row;
      if (row->at("method") == true_structure) truth = row;
    }
  if (learnt == nullptr || truth == nullptr) return {};
  constexpr std::size_t left = 30, gap = 40;
  const std::size_t columns = truth->at("concepts").size(), rows = truth->at("after_situation").size();
  const std::size_t size = std::max<std::size_t>(4, 14 * 24 / std::max<std::size_t>(columns, 24));
  const std::size_t second = left + columns * size + gap;
  std::string svg = "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 " +
                    std::to_string(second + columns * size + 10) + " " + std::to_string(60 + rows * size) +
                    "\" font-family=\"sans-serif\" font-size=\"13\"><rect width=\"100%\" height=\"100%\" "
                    "fill=\"#fff\"/>\n";
  svg += heat_map(truth->at("after_situation"), "true chances of what comes next", left, size);
  svg += heat_map(learnt->at("after_situation"), "predicted by " + reference, second, size);
  for (const std::size_t x : {left, second})
    svg +=
        "<text x=\"" + std::to_string(x) +
        "\" y=\"36\" font-size=\"11\" fill=\"#555\">columns: concepts, the last ones noise; rows: situations"
        "</text>\n";
  return Drawing{"learnt_beside_true", svg + "</svg>\n"};
}

std::string joined(const Json& names) {
  std::string text;
  for (const Json& name : names) text += (text.empty() ? "" : ", ") + name.get<std::string>();
  return text;
}

// The first predictions of one run, in words.
Table example_table(const StreamRows& stream, const Json& row, std::size_t number) {
  Table table{
      "examples_" + std::to_string(number),
      "What " + row.at("method").get<std::string>() + " predicts on " + short_name(stream) +
          ", from the last origin on: the concepts of the present episode, its three best guesses with "
          "their weights, and the concepts that came.",
      {"present", "predicted", "came"},
      {}};
  for (const Json& example : row.at("examples")) {
    std::string guesses;
    for (const Json& guess : example.at("predicted"))
      guesses += (guesses.empty() ? "" : ", ") + guess[0].get<std::string>() + " " +
                 cell(guess[1].get<double>(), 2).text;
    table.rows.push_back(
        {cell(joined(example.at("present"))), cell(guesses), cell(joined(example.at("next")))});
  }
  return table;
}

}  // namespace

Conclusion conclude_prediction(const Spec& spec, const std::vector<Json>& rows) {
  Conclusion conclusion;
  conclusion.question = "Which concepts become active next?";
  const std::vector<StreamRows> streams = by_stream(rows);
  std::vector<std::string> methods = spec.prediction.methods;
  const std::string reference = std::ranges::find(methods, "trained_attention") != methods.end()
                                    ? "trained_attention"
                                    : methods.front();
  for (const StreamRows& stream : streams) {
    conclusion.answer += (conclusion.answer.empty() ? "" : " ") + stream_answer(stream, methods, reference);
    Json& summary = conclusion.summary[short_name(stream)];
    for (const std::string& method : methods) {
      const auto values = log_losses(stream, method);
      const auto difference = differences(values, log_losses(stream, reference));
      summary[method] = {{"log_loss", estimate_json(bootstrap_mean(values))},
                         {"above_" + reference, estimate_json(bootstrap_mean(difference))},
                         {"clear_of_zero", clear_of_zero(difference)}};
      for (const std::size_t k : spec.prediction.recall_at)
        summary[method]["recall_at_" + std::to_string(k)] = estimate_json(recall(stream, method, k));
    }
    if (stream.generated)
      summary[true_structure]["log_loss"] = estimate_json(bootstrap_mean(log_losses(stream, true_structure)));
  }
  const bool generated = std::ranges::any_of(streams, &StreamRows::generated);
  if (generated) methods.emplace_back(true_structure);
  conclusion.tables = {loss_table(streams, methods, reference, spec.prediction.options.smoothing),
                       recall_table(streams, methods, spec.prediction.recall_at),
                       chosen_table(streams, methods)};
  conclusion.plots = {loss_plot(streams, methods)};
  for (std::size_t s = 0; s < streams.size(); ++s)
    for (const Json* row : streams[s].rows) {
      if (row->at("method") != reference) continue;
      if (row->contains("curve")) conclusion.plots.push_back(curve_plot(streams[s], *row, s + 1));
      if (row->contains("examples") && !streams[s].generated)
        conclusion.tables.push_back(example_table(streams[s], *row, s + 1));
    }
  for (const StreamRows& stream : streams)
    if (const auto drawing = stream.generated ? learnt_beside_true(stream, reference) : std::nullopt) {
      conclusion.drawings.push_back(*drawing);
      conclusion.sections.push_back(
          {"The learnt world beside the true one", "<figure class=\"plot\">" + drawing->svg + "</figure>\n"});
    }
  return conclusion;
}

}  // namespace engram::experiments
