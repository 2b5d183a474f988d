// SPDX-License-Identifier: MIT
// Experiment `icons`: a memory stores a skull and an apple. The query is a damaged skull or another skull. Hopfield's
// network and attention both restore the stored skull, and the report shows each step.
#include <algorithm>
#include <cmath>

#include "core/hopfield/hopfield.hpp"
#include "core/hopfield/modern_hopfield.hpp"
#include "core/learning/pattern_weights.hpp"
#include "core/numbers/numeric.hpp"
#include "core/numbers/random.hpp"
#include "experiments/formats/files.hpp"
#include "experiments/formats/markup.hpp"
#include "experiments/spec/experiment.hpp"
#include "experiments/statistics/statistics.hpp"
#include "narsese/text.hpp"

namespace engram::experiments::icons {
namespace {

using core::Index;
using core::Matrix;
using core::Vector;

struct IconsOptions {
  // File of the query picture, as named in the spec. Methods should answer it with the first input. If empty, the query
  // is the first input itself, damaged. A given query is damaged only if the spec gives `damage`.
  std::string query;
  std::filesystem::path query_path;
  std::vector<double> damage{0.1, 0.2, 0.3, 0.4};  // shares of the query's pixels that are flipped
};

IconsOptions read(SpecReader& reader, Spec& spec) {
  const std::vector<std::string> known{"hopfield", "attention", "sparsemax_attention", "argmax_attention",
                                       "modern_hopfield"};
  read_inputs(reader, spec);
  read_methods(reader, spec, known);
  for (std::size_t i = 0; i < spec.methods.size(); ++i) {
    const Json name(spec.methods[i].method.name());
    JsonValue(name, bridge::JsonPlace("/methods/" + std::to_string(i)))
        .choice("a method that works on pictures", known);
  }
  read_seeds(reader, spec, 10);
  IconsOptions options;
  const JsonValue query = reader["query"];
  options.query = reader.keep("query", query ? query.text("a file's name, or \"\"") : "");
  if (!options.query.empty()) {
    options.query_path = reader.found(options.query);
    options.damage = {0};
    if (std::ranges::find(spec.inputs, options.query, &Input::name) == spec.inputs.end())
      spec.vectors.push_back({options.query, options.query_path});
  }
  reader.numbers("damage", options.damage, 0, 1);
  return options;
}

std::vector<Observation> observe(const Json& row) {
  return observed(row, {"picture", "seed"}, {{"restored", "/restored"}, {"exact", "/exact"}});
}

// A bitmap: +1 for ink ('#'), -1 for paper ('.').
struct Picture {
  std::string name;
  Index height = 0, width = 0;
  Vector pixels;
};

Picture load_picture(const Input& input, Rejections& rejections) {
  std::ifstream file = open_input(input.path);
  Picture picture{std::filesystem::path(input.name).stem().string(), 0, 0, {}};
  constexpr std::size_t most = 64;  // pixels of a side; a Hopfield network has most^4 couplings
  std::vector<double> pixels;
  std::string line;
  for (narsese::LineStatus status;
       (status = narsese::read_line(file, line, most)) != narsese::LineStatus::end;) {
    const auto bad = line.find_first_not_of("#.");
    const auto number = static_cast<std::size_t>(picture.height) + 1;
    if (status == narsese::LineStatus::too_long || line.empty() || number > most)
      rejections.emplace_back(
          input.name, core::RejectedLine{number, 1, "a picture must have 1 to 64 rows of 1 to 64 pixels"});
    else if (bad != std::string::npos)
      rejections.emplace_back(
          input.name,
          core::RejectedLine{number, bad + 1, "a pixel must be '#' or '.', found another character"});
    else if (picture.height > 0 && static_cast<Index>(line.size()) != picture.width)
      rejections.emplace_back(
          input.name,
          core::RejectedLine{number, 1,
                             "rows must be of equal length, found " + std::to_string(line.size()) +
                                 " pixels after " + std::to_string(picture.width)});
    if (!rejections.empty()) return {};
    picture.width = static_cast<Index>(line.size());
    ++picture.height;
    for (const char c : line) pixels.push_back(c == '#' ? 1.0 : -1.0);
  }
  require_whole(file, input.path.string());
  picture.pixels = Vector::Map(pixels.data(), static_cast<Index>(pixels.size()));
  return picture;
}

double overlap(const Vector& a, const Vector& b) { return core::dot(a, b) / static_cast<double>(a.size()); }

// Rounds each grey level to ink (+1) or paper (-1).
Vector signs(const Vector& state) {
  return state.unaryExpr([](double x) { return x > 0 ? 1.0 : -1.0; });
}

// Successive states of a picture while a method restores it, with the energy of each state.
struct Trace {
  std::vector<Vector> states;
  std::vector<double> energies;
};

constexpr int frames_per_sweep = 6;

Trace recall_picture(const MethodChoice& choice, const Matrix& patterns, const Matrix& weights,
                     const Vector& cue) {
  Trace trace{{cue}, {}};
  if (choice.method.name() == "hopfield") {
    core::HopfieldOptions options;
    options.observations_per_sweep = frames_per_sweep;
    trace.energies = core::recall_hopfield(weights, cue, options, [&](const Vector& state) {
                       trace.states.push_back(state);
                     }).energies;
    return trace;
  }
  // Scales patterns and cue to length 1, so that beta has the same meaning as on Narsese. Attention keeps the cue, the
  // modern Hopfield network replaces it. The picture of a step is the mixture of patterns by their weights.
  const double length = std::sqrt(static_cast<double>(cue.size()));
  const Matrix keys = patterns / length;
  const Vector query = cue / length;
  const bool attends = choice.method.method().family == "attention";
  core::ModernHopfieldOptions options;
  options.map = *value_named(core::simplex_maps, std::get<std::string>(choice.method.options().at("map")));
  options.beta = std::get<double>(choice.method.options().at("beta"));
  if (options.beta == 0)  // modern_hopfield derives beta from the memory
    options.beta = core::separating_beta(options.map, keys.rows(), core::median_separation(keys));
  options.max_steps =
      static_cast<int>(std::get<double>(choice.method.options().at(attends ? "steps" : "max_steps")));
  trace.energies = core::recall_modern(keys, query, options, attends ? query : Vector(),
                                       [&](const Vector&, const Vector& p) {
                                         trace.states.push_back(core::multiply_transposed(patterns, p));
                                       })
                       .energies;
  return trace;
}

class IconsTrials : public TrialsOf<IconsOptions> {
 public:
  using TrialsOf::TrialsOf;

  Rejections prepare() override {
    if (spec_.inputs.size() < 2)
      throw SpecError("/inputs",
                      "must be at least two pictures, found " + std::to_string(spec_.inputs.size()));
    Rejections rejections;
    for (const Input& input : spec_.inputs)
      if (rejections.empty()) pictures_.push_back(load(input, "/inputs", rejections));
    if (rejections.empty())
      query_ = options_.query.empty() ? pictures_.front()
                                      : load({options_.query, options_.query_path}, "/query", rejections);
    if (!rejections.empty()) {
      pictures_.clear();
      return rejections;
    }
    patterns_ = Matrix(static_cast<Index>(pictures_.size()), pictures_.front().pixels.size());
    for (std::size_t i = 0; i < pictures_.size(); ++i)
      patterns_.row(static_cast<Index>(i)) = pictures_[i].pixels.transpose();
    weights_ = core::hebb_weights(patterns_);
    return rejections;
  }

  std::size_t count() const override {
    return pictures_.empty() ? 0 : options_.damage.size() * spec_.seeds.size();
  }

  TrialResult run(std::size_t trial) const override {
    const double damage = options_.damage[trial / spec_.seeds.size()];
    const std::uint64_t seed = spec_.seeds[trial % spec_.seeds.size()];
    const Picture& original = pictures_.front();
    Vector cue = query_.pixels;
    core::Rng rng(seed, "icons damage");
    const auto flips = static_cast<std::size_t>(std::lround(damage * static_cast<double>(cue.size())));
    const auto order = rng.permutation(static_cast<std::uint32_t>(cue.size()));
    for (std::size_t k = 0; k < flips; ++k) cue[order[k]] = -cue[order[k]];

    TrialResult result;
    for (const MethodChoice& choice : spec_.methods) {
      Trace trace;
      result.time(trial, choice.label, [&] { trace = recall_picture(choice, patterns_, weights_, cue); });
      Json row = {{"trial", trial},
                  {"picture", original.name},
                  {"damage", damage},
                  {"seed", seed},
                  {"method", choice.label},
                  {"overlap_of_cue", overlap(cue, original.pixels)},
                  {"overlaps", overlaps(trace.states.back())},
                  {"restored", overlap(signs(trace.states.back()), original.pixels) == 1.0},
                  {"exact", overlap(trace.states.back(), original.pixels) >= 1.0 - 1e-9},
                  {"energies", trace.energies}};
      if (!options_.query.empty()) {
        row["query"] = query_.name;
        row["overlaps_of_cue"] = overlaps(cue);
        row["restored_to"] = restored_to(trace.states.back());
      }
      if (trial % spec_.seeds.size() == 0) {  // only the first seed has pictures in the report
        row["width"] = original.width;
        for (const Vector& state : trace.states) row["frames"].push_back(levels(state));
      }
      result.rows.push_back(std::move(row));
    }
    return result;
  }

 private:
  Picture load(const Input& input, const char* pointer, Rejections& rejections) const {
    Picture picture = load_picture(input, rejections);
    if (rejections.empty() && !pictures_.empty() &&
        (picture.height != pictures_.front().height || picture.width != pictures_.front().width))
      throw SpecError(pointer, "must be pictures of one size, found '" + input.name + "' of another");
    return picture;
  }

  Json overlaps(const Vector& state) const {
    Json each = Json::object();
    for (const Picture& picture : pictures_) each[picture.name] = overlap(state, picture.pixels);
    return each;
  }

  // The name of the stored picture that equals the state in every pixel, or null.
  Json restored_to(const Vector& state) const {
    for (const Picture& picture : pictures_)
      if (overlap(signs(state), picture.pixels) == 1.0) return picture.name;
    return nullptr;
  }

  // Grey levels from 0 (paper) to 9 (ink), one digit for each pixel.
  static std::string levels(const Vector& state) {
    std::string digits;
    for (const double x : state)
      digits += static_cast<char>('0' + std::clamp(static_cast<int>(std::lround(4.5 * (x + 1.0))), 0, 9));
    return digits;
  }

  std::vector<Picture> pictures_;
  Picture query_;
  Matrix patterns_, weights_;
};

// --- conclusion ----------------------------------------------------------------------------------

// Draws one frame of a row. `place` is the SVG position within another picture.
std::string picture_svg(const Json& row, std::size_t frame, const std::string& place = "") {
  const auto digits = row.at("frames").at(frame).get<std::string>();
  const std::size_t width = whole(row.at("width"));
  if (width == 0) throw SpecError("results.jsonl", "must hold pictures of some width, found 0");
  const std::size_t height = digits.size() / width;
  std::string pixels;
  for (std::size_t from = 0, to = 0; from < digits.size(); from = to) {
    // Merges runs of one level within a row into one rectangle.
    for (to = from + 1; to < digits.size() && to % width != 0 && digits[to] == digits[from];) ++to;
    if (digits[from] != '0')
      pixels += fill(R"(<rect x="{}" y="{}" width="{}" height="1" fill-opacity="{}"/>)",
                     {from % width, from / width, to - from, fixed((digits[from] - '0') / 9.0, 2)});
  }
  return fill(R"(<svg{} viewBox="0 0 {} {}" shape-rendering="crispEdges" role="img">)"
              R"(<rect width="{}" height="{}" fill="#fff"/>{}</svg>)",
              {Markup{place}, width, height, width, height, Markup{pixels}});
}

// Indices of the first `most` frames of a row, without frames that repeat the one before.
std::vector<std::size_t> frames_of(const Json& row, std::size_t most) {
  std::vector<std::size_t> frames;
  for (std::size_t i = 0; i < row.at("frames").size() && frames.size() < most; ++i)
    if (i == 0 || row.at("frames").at(i) != row.at("frames").at(i - 1)) frames.push_back(i);
  return frames;
}

// Describes the cue: "40 % of its pixels flipped", or the name of its picture.
std::string cue_words(const IconsOptions& options, double damage) {
  const std::string flipped = fixed(100 * damage, 0) + " % of its pixels flipped";
  if (options.query.empty()) return flipped;
  return std::filesystem::path(options.query).stem().string() + (damage > 0 ? ", " + flipped : "");
}

// Picture of the restoration from the largest damage. It has a row for each method, from the cue to the final state.
Drawing film(const IconsOptions& options, const std::vector<Json>& rows) {
  constexpr std::size_t columns = 7, left = 170, size = 84, gap = 8, top = 26;
  const double damage = *std::ranges::max_element(options.damage);
  std::string body = fill("<text x=\"{}\" y=\"17\">the cue, {}, and the steps of recall</text>\n",
                          {left, cue_words(options, damage)});
  std::size_t y = top;
  for (const Json& row : rows) {
    if (row.at("damage") != damage || !row.contains("frames")) continue;
    body += fill("<text x=\"10\" y=\"{}\">{}</text>\n", {y + size / 2, Markup{text_of(row, "method")}});
    std::size_t x = left;
    for (const std::size_t frame : frames_of(row, columns)) {
      const std::string place = fill(R"( x="{}" y="{}" width="{}" height="{}")", {x, y, size, size});
      body += picture_svg(row, frame, place) + "<rect" + place + " fill=\"none\" stroke=\"#999\"/>\n";
      x += size + gap;
    }
    y += size + gap;
  }
  return drawing("film", left + columns * (size + gap), y, 14, body);
}

Section pictures_section(const IconsOptions& options, const std::vector<Json>& rows) {
  std::string html;
  for (const double damage : options.damage) {
    html += fill("<h3>{}</h3>\n", {cue_words(options, damage)});
    for (const Json& row : rows) {
      if (row.at("damage") != damage || !row.contains("frames")) continue;
      html += "<div class=\"film\"><b>" + text_of(row, "method") + "</b><div>";
      for (const std::size_t frame : frames_of(row, row.at("frames").size()))
        html += fill("<figure>{}<figcaption>{}<br>E = {}</figcaption></figure>",
                     {Markup{picture_svg(row, frame)}, frame == 0 ? "cue" : "step " + std::to_string(frame),
                      fixed(row.at("energies").at(frame).get<double>(), 2)});
      html += "</div></div>\n";
    }
  }
  return {"Step by step", html};
}

// Rows of one method and damage, one for each seed.
std::vector<Json> rows_with(const std::vector<Json>& rows, const std::string& method, double damage) {
  std::vector<Json> found;
  for (const Json& row : rows)
    if (row.at("method") == method && row.at("damage") == damage) found.push_back(row);
  return found;
}

// Share of the rows in which a member is true.
double share_of(const std::vector<Json>& rows, const char* name) {
  const auto count = std::ranges::count_if(rows, [&](const Json& row) { return row.at(name).get<bool>(); });
  return static_cast<double>(count) / static_cast<double>(rows.size());
}

// Values of a number of the rows, or of a number within a member of the rows.
std::vector<double> values_of(const std::vector<Json>& rows, const char* name,
                              const std::string& within = "") {
  std::vector<double> values;
  for (const Json& row : rows)
    values.push_back((within.empty() ? row.at(name) : row.at(name).at(within)).get<double>());
  return values;
}

// The pictures that rows were restored to, each with its share of the rows: "skull 1.00".
std::string restored_shares(const std::vector<Json>& rows) {
  std::vector<std::pair<std::string, double>> counts;
  for (const Json& row : rows) {
    const std::string name =
        row.at("restored_to").is_null() ? "none" : row.at("restored_to").get<std::string>();
    auto place = std::ranges::find(counts, name, &std::pair<std::string, double>::first);
    if (place == counts.end()) place = counts.insert(counts.end(), {name, 0});
    ++place->second;
  }
  std::string text;
  for (const auto& [name, count] : counts)
    text += (text.empty() ? "" : ", ") + name + " " + fixed(count / static_cast<double>(rows.size()), 2);
  return text;
}

// Table of results if the query is a picture that is not stored.
Table query_table(const Spec& spec, const IconsOptions& options, const std::vector<Json>& rows) {
  Table table{
      "query",
      "Recall from a query that is not stored: the stored pictures that every pixel of the result equals, "
      "each with its share of the seeds, and the mean overlap of the query with each stored picture.",
      {"method", "damage", "restored to"}};
  for (const auto& [name, value] : rows.front().at("overlaps_of_cue").items())
    table.head.push_back("overlap of query with " + name);
  for (const MethodChoice& choice : spec.methods)
    for (const double damage : options.damage) {
      const std::vector<Json> found = rows_with(rows, choice.label, damage);
      if (found.empty()) continue;
      table.rows.push_back({cell(choice.label), cell(damage, 2), cell(restored_shares(found))});
      for (const auto& [name, value] : rows.front().at("overlaps_of_cue").items())
        table.rows.back().push_back(cell(mean(values_of(found, "overlaps_of_cue", name)), 3));
    }
  return table;
}

std::string answer_sentence(const std::vector<std::string>& restoring, const std::string& picture,
                            const IconsOptions& options, std::size_t seeds) {
  const auto [least, most] = std::ranges::minmax(options.damage);
  std::string range = fixed(100 * least, 0) + " to " + fixed(100 * most, 0) + " % of its pixels flipped";
  if (!options.query.empty())
    range = cue_words(options, 0) + " as the query" + (most > 0 ? " and " + range : "");
  if (restoring.empty())
    return "No method restores every pixel of the " + picture + " at every damage, with " + range + ".";
  std::string names;
  for (std::size_t i = 0; i < restoring.size(); ++i)
    names += (i == 0 ? "" : i + 1 == restoring.size() ? " and " : ", ") + restoring[i];
  return names + (restoring.size() == 1 ? " restores" : " restore") + " every pixel of the " + picture +
         ", with " + range + ", for each of " + std::to_string(seeds) + " seeds.";
}

Conclusion conclude(const Spec& spec, const IconsOptions& options, const std::vector<Json>& rows) {
  Conclusion conclusion;
  const auto picture = rows.front().at("picture").get<std::string>();
  conclusion.question =
      options.query.empty()
          ? "Does a memory restore a damaged picture, and not another one?"
          : "Does a memory answer a picture that is not stored with the stored one that it resembles?";
  Table table{
      "restored",
      "Share of the trials that restore every pixel of the " + picture +
          " as ink or paper, share that give exactly the stored picture (softmax always mixes in the other "
          "pictures, so it leaves a shade), and mean overlap (1/d) x.s of the cue and of the result with "
          "the stored pictures, over " +
          std::to_string(spec.seeds.size()) + " seeds.",
      {"method", "damage", "restored", "exact", "overlap of cue"}};
  Plot plot{"overlap", "Overlap with the original after recall", "share of pixels flipped", "overlap"};
  Plot::Series without{"no recall: the cue itself"};
  conclusion.summary = Json::array();
  std::vector<std::string> restoring;
  for (const MethodChoice& choice : spec.methods) {
    Plot::Series series{choice.label};
    bool restores = true;  // whether the method restores every damaged picture, at every damage
    for (const double damage : options.damage) {
      const std::vector<Json> found = rows_with(rows, choice.label, damage);
      restores = restores && !found.empty();
      if (found.empty()) continue;
      const double restored = share_of(found, "restored"), exact = share_of(found, "exact");
      restores = restores && restored == 1;
      const auto cue = bootstrap_mean(values_of(found, "overlap_of_cue"));
      if (&choice == &spec.methods.front()) without.add(damage, cue);
      std::vector<Cell> cells{cell(choice.label), cell(damage, 2), cell(restored, 2), cell(exact, 2),
                              cell(cue->mean, 3)};
      Json means = Json::object();
      for (const auto& [name, value] : found.front().at("overlaps").items()) {
        const auto overlap = bootstrap_mean(values_of(found, "overlaps", name));
        const std::string column = "overlap with " + name;
        if (std::ranges::find(table.head, column) == table.head.end()) table.head.push_back(column);
        cells.push_back(cell(overlap->mean, 3));
        means[name] = overlap->mean;
        if (name == picture) series.add(damage, overlap);
      }
      table.rows.push_back(std::move(cells));
      conclusion.summary.push_back({{"method", choice.label},
                                    {"damage", damage},
                                    {"restored", restored},
                                    {"exact", exact},
                                    {"overlaps", means}});
    }
    if (restores) restoring.push_back(choice.label);
    plot.series.push_back(series);
  }
  plot.series.push_back(without);
  conclusion.tables = {table};
  if (!options.query.empty())
    conclusion.tables.insert(conclusion.tables.begin(), query_table(spec, options, rows));
  conclusion.plots = {plot};
  conclusion.drawings = {film(options, rows)};
  conclusion.sections = {pictures_section(options, rows)};
  conclusion.answer = answer_sentence(restoring, picture, options, spec.seeds.size());
  return conclusion;
}

}  // namespace

std::unique_ptr<Experiment> experiment() {
  return make_experiment<IconsOptions>(
      {"icons", read, make_trials<IconsTrials>, conclude, {"seed by seed", observe}});
}

}  // namespace engram::experiments::icons
