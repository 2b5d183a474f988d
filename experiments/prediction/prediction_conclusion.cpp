// SPDX-License-Identifier: MIT
// Conclusion of the experiment `prediction`: tables and sentences from its rows.
#include <algorithm>
#include <filesystem>
#include <map>
#include <stdexcept>

#include "experiments/formats/files.hpp"
#include "experiments/formats/markup.hpp"
#include "experiments/formats/tables.hpp"
#include "experiments/prediction/prediction.hpp"
#include "experiments/statistics/statistics.hpp"

namespace engram::experiments::prediction {
namespace {

// The result rows of one file, or of all generated streams together.
struct StreamRows {
  std::string name, title;  // unique title for people
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
    if (place == streams.end())
      place =
          streams.insert(streams.end(), {name, std::filesystem::path(name).stem().string(), generated, {}});
    place->rows.push_back(&row);
  }
  for (StreamRows& stream : streams)
    if (std::ranges::count(streams, stream.title, &StreamRows::title) > 1 && !stream.generated)
      stream.title = stream.name;
  return streams;
}

// Returns one value for each unit of resampling, in the same order for every method. Generated streams are independent,
// so each stream is a unit. A file is one stream, and its units are blocks of held-out episodes, with means over seeds.
template <class Pick>
std::vector<double> unit_values(const StreamRows& stream, const std::string& method, Pick pick) {
  std::map<std::uint64_t, std::vector<double>> units;
  for (const Json* row : stream.rows) {
    if (row->at("method") != method) continue;
    const Json& values = pick(*row);
    const auto first = whole(row->at("held_out").at(0));
    for (std::size_t i = 0; i < values.size(); ++i)
      units[stream.generated ? whole(row->at("seed")) : (first + i) / episode_block].push_back(
          values[i].get<double>());
  }
  std::vector<double> means;
  for (const auto& [unit, values] : units) means.push_back(mean(values));
  return means;
}

// Results of a method on a stream, compared with the reference method.
struct Measured {
  std::string method;
  std::vector<double> log_losses;  // one for each unit
  Estimate log_loss, above;        // above: mean of the paired excesses over the reference
  double p = 1;                    // p-value of the paired permutation test of `above`
  bool clear = false;  // whether `above` is significant, with p corrected over all methods and streams
  std::vector<std::optional<Estimate>> recall;  // recall at k, one for each k
};

struct StreamResult {
  const StreamRows* stream;
  std::vector<Measured> methods;
  // Throws if the method is missing, because users may edit rows.
  const Measured& at(const std::string& method) const {
    const Measured* found = find(method);
    if (found == nullptr) throw std::out_of_range("the rows lack the method " + method);
    return *found;
  }
  const Measured* find(const std::string& method) const {
    const auto place = std::ranges::find(methods, method, &Measured::method);
    return place == methods.end() ? nullptr : &*place;
  }
};

StreamResult measure(const StreamRows& stream, std::vector<std::string> methods, const std::string& reference,
                     const std::vector<std::size_t>& ks) {
  const auto log_losses = [&](const std::string& method) {
    return unit_values(stream, method, [](const Json& row) -> const Json& { return row.at("log_loss"); });
  };
  const std::vector<double> referred = log_losses(reference);
  core::require(!referred.empty(), "rows must have losses");
  StreamResult result{&stream, {}};
  if (stream.generated) methods.emplace_back(true_structure);
  for (const std::string& method : methods) {
    Measured m{method, log_losses(method), {}, {}, 1, false, {}};
    std::vector<double> above;
    for (std::size_t i = 0; i < referred.size(); ++i) above.push_back(m.log_losses.at(i) - referred[i]);
    m.log_loss = *bootstrap_mean(m.log_losses);
    m.above = *bootstrap_mean(above);
    m.p = paired_permutation(above).p;
    m.clear = above.size() >= fewest_pairs && (m.above.low > 0 || m.above.high < 0);
    for (const std::size_t k : ks)
      m.recall.push_back(bootstrap_mean(unit_values(stream, method, [&](const Json& row) -> const Json& {
        return row.at("recall").at(std::to_string(k));
      })));
    result.methods.push_back(std::move(m));
  }
  return result;
}

void correct(std::vector<StreamResult>& results, const std::string& reference) {
  std::vector<Measured*> all;
  std::vector<double> p;
  for (StreamResult& result : results)
    for (Measured& m : result.methods)
      if (m.method != reference) {
        all.push_back(&m);
        p.push_back(m.p);
      }
  const std::vector<double> corrected = holm(p);
  for (std::size_t i = 0; i < all.size(); ++i) all[i]->clear = all[i]->clear && corrected[i] <= 0.05;
}

// Log-loss of every method on every stream, without the true structure, for the table of leads.
Leads loss_leads(const std::vector<StreamResult>& results, const std::vector<std::string>& methods) {
  std::vector<Measure> measures;
  for (const StreamResult& result : results) {
    measures.push_back({result.stream->title, {}, false, 3});
    for (const std::string& method : methods) measures.back().values.push_back(result.at(method).log_losses);
  }
  return find_leads(methods, std::move(measures));
}

// --- the sentences

// Describes the lead of the reference: "1.72 (1.51 to 1.95) less than frequency".
std::string lead(const Measured& other) {
  const Estimate& e = other.above;
  const bool less = e.mean >= 0;
  const Estimate by = less ? e : Estimate{-e.mean, -e.high, -e.low};
  return fixed(by.mean, 2) + " (" + fixed(by.low, 2) + " to " + fixed(by.high, 2) + ") " +
         (less ? "less" : "more") + " than " + other.method + (other.clear ? "" : ", which may be chance");
}

// The rivals of the reference: the untrained attention, and the frequency of concepts.
std::vector<std::string> rivals(const StreamResult& result, const std::string& reference) {
  std::vector<std::string> names;
  for (const char* rival : {"untrained_attention", "frequency"})
    if (result.find(rival) != nullptr && reference != rival) names.emplace_back(rival);
  return names;
}

std::string verdict(const std::vector<StreamResult>& results, const std::string& reference) {
  std::string beaten, open, winners;
  for (const std::string& rival : rivals(results.front(), reference))
    for (const StreamResult& result : results) {
      const Measured& other = result.at(rival);
      std::string& list = !other.clear ? open : other.above.mean > 0 ? beaten : winners;
      list += (list.empty() ? "" : ", ") + rival + " on " + result.stream->title;
    }
  std::string text;
  if (!beaten.empty()) text += reference + " beats " + beaten + ", by more than chance. ";
  if (!winners.empty()) text += reference + " is beaten by " + winners + ", by more than chance. ";
  if (!open.empty()) text += reference + " does not clearly beat " + open + ". ";
  return text;
}

std::string stream_sentence(const StreamResult& result, const std::string& reference) {
  const StreamRows& stream = *result.stream;
  const Measured& own = result.at(reference);
  std::string text = "On " + stream.title + (stream.generated ? " streams " : " ") + reference + " loses " +
                     fixed(own.log_loss.mean, 2) + " nats a concept";
  const Measured* best = nullptr;
  for (const Measured& m : result.methods)
    if (m.method != reference && m.method != true_structure &&
        (best == nullptr || m.log_loss.mean < best->log_loss.mean))
      best = &m;
  for (const std::string& rival : rivals(result, reference)) text += ", " + lead(result.at(rival));
  if (best != nullptr) text += "; against the best of the others, " + lead(*best);
  if (stream.generated) {
    std::vector<double> floors;
    for (const Json* row : stream.rows)
      if (row->at("method") == true_structure) floors.push_back(row->at("floor").get<double>());
    text += "; a prediction from the true structure loses " +
            fixed(result.at(true_structure).log_loss.mean, 2) + ", and " + fixed(mean(floors), 2) +
            " in the long run";
  }
  return text + " (95 % intervals over " + std::to_string(own.log_losses.size()) +
         (stream.generated ? " streams)."
                           : " blocks of " + std::to_string(episode_block) + " held-out episodes).");
}

// --- the tables

Table loss_table(const std::vector<StreamResult>& results, const std::vector<std::string>& methods,
                 const std::string& reference, const Leads& leads, double smoothing) {
  Table table{
      "log_loss",
      "Mean log-loss of the next episode's concepts, in nats (lower is better), with 95 % bootstrap "
      "intervals, and the paired difference to the log-loss of " +
          reference + ". All predictions are mixed with " + fixed(100 * smoothing, 1) +
          " % of the uniform prediction, so that every loss is finite; " + true_structure +
          " predicts from the world that generated the streams. Baselines: markov, frequency and uniform. " +
          table_policy(),
      {"method"}};
  for (const StreamResult& result : results) {
    table.head.push_back(result.stream->title);
    table.head.push_back("above " + reference);
  }
  for (const std::string& method : methods) {
    std::vector<Cell> cells{cell(method)};
    for (const StreamResult& result : results) {
      const Measured* m = result.find(method);
      cells.push_back(m == nullptr ? cell("-") : interval_cell(m->log_loss, 3));
      cells.push_back(m == nullptr || method == reference ? cell("-") : interval_cell(m->above, 3));
    }
    table.rows.push_back(std::move(cells));
  }
  for (std::size_t i = 0; i < results.size(); ++i) mark_winners(table, leads, {i}, {2 * i + 1});
  return table;
}

Table recall_table(const std::vector<StreamResult>& results, const std::vector<std::string>& methods,
                   const std::vector<std::size_t>& ks) {
  Table table{"recall",
              "Share of the next episode's concepts that are among the k most probable, with 95 % bootstrap "
              "intervals; mean over the orders of ties.",
              {"method"}};
  for (const StreamResult& result : results)
    for (const std::size_t k : ks) table.head.push_back(result.stream->title + " @" + std::to_string(k));
  for (const std::string& method : methods) {
    std::vector<Cell> cells{cell(method)};
    for (const StreamResult& result : results)
      for (std::size_t i = 0; i < ks.size(); ++i) {
        const Measured* m = result.find(method);
        cells.push_back(m == nullptr ? cell("-") : interval_cell(m->recall[i], 2));
      }
    table.rows.push_back(std::move(cells));
  }
  return table;
}

// Table of the values that training or validation chose, averaged over trials: a row for each method and value.
Table chosen_table(const std::vector<StreamRows>& streams, const std::vector<std::string>& methods) {
  Table table{
      "chosen",
      "Values chosen by training or validation, as means over seeds and origins. memory is the weight of an "
      "episode relative to the next episode; best_epoch is the epoch with the lowest validation loss.",
      {"method", "number"}};
  for (const StreamRows& stream : streams) table.head.push_back(stream.title);
  for (const std::string& method : methods) {
    std::map<std::string, std::vector<std::vector<double>>> chosen;  // values by their name, then by stream
    for (std::size_t s = 0; s < streams.size(); ++s)
      for (const Json* row : streams[s].rows)
        if (row->at("method") == method && row->contains("chosen"))
          for (const auto& [what, value] : row->at("chosen").items()) {
            chosen[what].resize(streams.size());
            chosen[what][s].push_back(value.get<double>());
          }
    for (const auto& [what, values] : chosen) {
      std::vector<Cell> cells{cell(method), cell(what)};
      for (const std::vector<double>& of_stream : values)
        cells.push_back(interval_cell(bootstrap_mean(of_stream), 3));
      table.rows.push_back(std::move(cells));
    }
  }
  return table;
}

Plot loss_plot(const std::vector<StreamResult>& results, const std::vector<std::string>& methods) {
  Plot plot{"log_loss", "Log-loss of the next episode", "", "nats a concept", {}, methods};
  plot.shares = false;
  for (std::size_t s = 0; s < results.size(); ++s) {
    Plot::Series series{results[s].stream->title};
    for (std::size_t m = 0; m < methods.size(); ++m)
      if (const Measured* measured = results[s].find(methods[m]))
        series.add(static_cast<double>(m + 1) + 0.15 * static_cast<double>(s), measured->log_loss);
    plot.series.push_back(std::move(series));
  }
  return plot;
}

Json summary_of(const StreamResult& result, const std::string& reference,
                const std::vector<std::size_t>& ks) {
  Json summary;
  for (const Measured& m : result.methods) {
    Json& of_method = summary[m.method];
    of_method["log_loss"] = estimate_json(m.log_loss);
    if (m.method != reference) {
      of_method["above_" + reference] = estimate_json(m.above);
      of_method["clear_of_zero"] = m.clear;
    }
    for (std::size_t i = 0; i < ks.size(); ++i)
      of_method["recall_at_" + std::to_string(ks[i])] = estimate_json(m.recall[i]);
  }
  return summary;
}

// --- pictures of single runs

// The first row of the method that has this picture, or null.
const Json* shown_row(const StreamRows& stream, const std::string& method, const char* picture) {
  for (const Json* row : stream.rows)
    if (row->at("method") == method && row->contains(picture)) return row;
  return nullptr;
}

Plot curve_plot(const StreamRows& stream, const Json& row, std::size_t number) {
  const Json& curve = row.at("curve");
  Plot plot{"training_" + std::to_string(number),
            "Training on " + stream.title + ": " + row.at("method").get<std::string>() + ", seed " +
                row.at("seed").dump(),
            "epoch", "log-loss, nats"};
  plot.shares = plot.bars = false;
  for (const char* part : {"training", "validation"}) {
    Plot::Series series{part};
    for (std::size_t epoch = 0; epoch < curve.at(part).size(); ++epoch)
      series.add(static_cast<double>(epoch), curve.at(part).at(epoch).get<double>());
    plot.series.push_back(std::move(series));
  }
  const double best = curve.at("best_epoch").get<double>();
  plot.marks = {{best, "kept: epoch " + fixed(best, 0)}};
  return plot;
}

// Heat map with a row for each situation and a column for each concept. Darker means more probable.
std::string heat_map(const Json& rows, const std::string& title, std::size_t left, std::size_t size) {
  const std::size_t columns = rows.at(0).size(), top = 44;
  double most = 0;
  for (const Json& row : rows)
    for (const Json& p : row) most = std::max(most, p.get<double>());
  std::string svg = fill(R"(<text x="{}" y="18">{}</text>
<rect x="{}" y="{}" width="{}" height="{}" fill="none" stroke="#999"/>
<text x="{}" y="36" font-size="11" fill="#555">columns: concepts, the last ones noise; rows: situations</text>
)",
                         {left, title, left, top, columns * size, rows.size() * size, left});
  for (std::size_t z = 0; z < rows.size(); ++z)
    for (std::size_t c = 0; c < columns; ++c)
      if (const double share = rows.at(z).at(c).get<double>() / most; share >= 0.005)
        svg += fill(R"(<rect x="{}" y="{}" width="{}" height="{}" fill="#0072b2" fill-opacity="{}"/>)"
                    "\n",
                    {left + c * size, top + z * size, size, size, fixed(share, 3)});
  return svg;
}

std::optional<Drawing> learnt_beside_true(const StreamRows& stream, const std::string& method) {
  const Json* learnt = shown_row(stream, method, "after_situation");
  const Json* truth = shown_row(stream, true_structure, "after_situation");
  if (learnt == nullptr || truth == nullptr) return {};
  constexpr std::size_t left = 30, gap = 40;
  const std::size_t columns = truth->at("concepts").size(), rows = truth->at("after_situation").size();
  const std::size_t size = std::max<std::size_t>(4, 14 * 24 / std::max<std::size_t>(columns, 24));
  const std::size_t second = left + columns * size + gap;
  return drawing(
      "learnt_beside_true", second + columns * size + 10, 60 + rows * size, 13,
      heat_map(truth->at("after_situation"), "true probabilities of the next concepts", left, size) +
          heat_map(learnt->at("after_situation"), "predicted by " + method, second, size));
}

std::string joined(const Json& names) {
  std::string text;
  for (const Json& name : names) text += (text.empty() ? "" : ", ") + name.get<std::string>();
  return text;
}

// Table of the first predictions of one run, in words.
Table example_table(const StreamRows& stream, const Json& row, std::size_t number) {
  Table table{"examples_" + std::to_string(number),
              "What " + row.at("method").get<std::string>() + " predicts on " + stream.title +
                  ", from the last origin on: the concepts of the present episode, the three most probable "
                  "concepts with their weights, and the concepts of the next episode.",
              {"present", "predicted", "came"}};
  for (const Json& example : row.at("examples")) {
    std::string guesses;
    for (const Json& guess : example.at("predicted"))
      guesses += (guesses.empty() ? "" : ", ") + guess.at(0).get<std::string>() + " " +
                 fixed(guess.at(1).get<double>(), 2);
    table.rows.push_back(
        {cell(joined(example.at("present"))), cell(guesses), cell(joined(example.at("next")))});
  }
  return table;
}

// Adds pictures of a method: learning curves, examples of predictions, and the learnt and the true structure.
void add_pictures(const std::vector<StreamRows>& streams, const std::string& method, Conclusion& conclusion) {
  for (std::size_t s = 0; s < streams.size(); ++s) {
    if (const Json* row = shown_row(streams[s], method, "curve"))
      conclusion.plots.push_back(curve_plot(streams[s], *row, s + 1));
    if (const Json* row = shown_row(streams[s], method, "examples"); row != nullptr && !streams[s].generated)
      conclusion.tables.push_back(example_table(streams[s], *row, s + 1));
    if (const auto drawing = learnt_beside_true(streams[s], method)) {
      conclusion.sections.push_back({"Learnt and true structure of the generated world",
                                     "<figure class=\"plot\">" + drawing->svg + "</figure>\n"});
      conclusion.drawings.push_back(*drawing);
    }
  }
}

}  // namespace

Conclusion conclude_prediction(const Spec& /*spec*/, const PredictionOptions& options,
                               const std::vector<Json>& rows) {
  std::vector<std::string> methods;  // methods that have rows
  for (const std::string& method : with_prediction_baselines(options.methods))
    if (std::ranges::any_of(rows, [&](const Json& row) { return row.at("method") == method; }))
      methods.push_back(method);
  core::require(!methods.empty(), "there must be rows of the spec's methods");
  const std::string reference = std::ranges::find(methods, "trained_attention") != methods.end()
                                    ? "trained_attention"
                                    : methods.front();
  const std::vector<StreamRows> streams = by_stream(rows);
  std::vector<StreamResult> results;
  for (const StreamRows& stream : streams)
    results.push_back(measure(stream, methods, reference, options.recall_at));
  correct(results, reference);
  const Leads leads = loss_leads(results, methods);
  if (options.generated) methods.emplace_back(true_structure);

  Conclusion conclusion;
  conclusion.question = "Which concepts become active next?";
  conclusion.answer = verdict(results, reference);
  for (const StreamResult& result : results) {
    conclusion.answer += (&result == &results.front() ? "" : " ") + stream_sentence(result, reference);
    conclusion.summary[result.stream->title] = summary_of(result, reference, options.recall_at);
  }
  conclusion.tables = {
      loss_table(results, methods, reference, leads, options.fitting.smoothing),
      leads_table(leads, "stream by stream, in files block of episodes by block of episodes"),
      recall_table(results, methods, options.recall_at), chosen_table(streams, methods)};
  conclusion.plots = {loss_plot(results, methods)};
  add_pictures(streams, reference, conclusion);
  return conclusion;
}

}  // namespace engram::experiments::prediction
