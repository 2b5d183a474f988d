// SPDX-License-Identifier: MIT
// Icons: the two-picture story. A memory holds a skull and an apple; a damaged skull is the query. Hopfield's
// network and attention both pull it to the skull, not to the apple, and the report shows how, step by step.
#include <algorithm>
#include <cmath>

#include "core/attention/attention.hpp"
#include "core/hopfield/hopfield.hpp"
#include "core/hopfield/hopfield_network.hpp"
#include "core/hopfield/modern_hopfield.hpp"
#include "core/learning/learning_rules.hpp"
#include "core/numbers/numeric.hpp"
#include "core/numbers/random.hpp"
#include "experiments/experiment.hpp"
#include "experiments/reports/row_numbers.hpp"
#include "experiments/reports/statistics.hpp"
#include "narsese/line_reader.hpp"
#include "narsese/printer.hpp"

namespace engram::experiments {
namespace {

using core::Index;
using core::Matrix;
using core::Vector;

// A bitmap as +1 (ink, '#') and -1 ('.').
struct Picture {
  std::string name;
  Index height = 0, width = 0;
  Vector pixels;
};

Picture load_picture(const Input& input, Rejections& rejections) {
  std::ifstream file = open_input(input.path);
  Picture picture{std::filesystem::path(input.name).stem().string(), 0, 0, {}};
  constexpr std::size_t most = 64;  // pixels a side: the couplings grow with the fourth power
  std::vector<double> pixels;
  std::string line;
  for (narsese::LineStatus status;
       (status = narsese::read_line(file, line, most)) != narsese::LineStatus::end;) {
    const auto bad = line.find_first_not_of("#.");
    const auto number = static_cast<std::size_t>(picture.height) + 1;
    if (status == narsese::LineStatus::too_long || line.empty() || number > most)
      rejections.emplace_back(input.name,
                              core::RejectedLine{number, 1, "expected 1 to 64 rows of 1 to 64 pixels"});
    else if (bad != std::string::npos)
      rejections.emplace_back(
          input.name, core::RejectedLine{number, bad + 1, "expected '#' or '.', found another character"});
    else if (picture.height > 0 && static_cast<Index>(line.size()) != picture.width)
      rejections.emplace_back(input.name, core::RejectedLine{number, 1, "expected rows of equal length"});
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

// Ink or paper, whatever the shade.
Vector signs(const Vector& state) {
  return state.unaryExpr([](double x) { return x > 0 ? 1.0 : -1.0; });
}

// The states a method went through, with their energies.
struct Trace {
  std::vector<Vector> states;
  std::vector<double> energies;
};

constexpr int frames_per_sweep = 6;

Trace recall_picture(const MethodChoice& choice, const Matrix& patterns, const Matrix& weights,
                     const Vector& cue) {
  Trace trace{{cue}, {}};
  if (choice.method->name == "hopfield") {
    core::HopfieldOptions options;
    options.observations_per_sweep = frames_per_sweep;
    trace.energies = core::recall_hopfield(weights, cue, options, [&](const Vector& state) {
                       trace.states.push_back(state);
                     }).energies;
    return trace;
  }
  // Patterns and cue of length 1, so that beta means what it means on Narsese. Attention keeps the cue, the
  // modern Hopfield network lets it go; what is shown is the mixture of pictures that the weights make.
  const double length = std::sqrt(static_cast<double>(cue.size()));
  const Matrix keys = patterns / length;
  const Vector query = cue / length;
  const bool attends = choice.method->family == "attention";
  core::ModernHopfieldOptions options;
  options.beta = std::get<double>(choice.options.at("beta"));
  options.map = *core::simplex_map_named(std::get<std::string>(choice.options.at("map")));
  options.max_steps = static_cast<int>(std::get<double>(choice.options.at(attends ? "steps" : "max_steps")));
  trace.energies = core::recall_modern(keys, query, options, attends ? query : Vector(),
                                       [&](const Vector&, const Vector& p) {
                                         trace.states.push_back(core::multiply_transposed(patterns, p));
                                       })
                       .energies;
  return trace;
}

class Icons : public Experiment {
 public:
  explicit Icons(const Spec& spec) : spec_(spec) {}

  Rejections prepare() override {
    if (spec_.inputs.size() < 2) throw SpecError("/inputs", "expected at least two pictures");
    Rejections rejections;
    for (const Input& input : spec_.inputs) {
      pictures_.push_back(load_picture(input, rejections));
      if (!rejections.empty()) break;
      if (pictures_.back().height != pictures_.front().height ||
          pictures_.back().width != pictures_.front().width)
        throw SpecError("/inputs", "expected pictures of one size, '" + input.name + "' differs");
    }
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

  std::size_t trials() const override {
    return pictures_.empty() ? 0 : spec_.damage.size() * spec_.seeds.size();
  }

  TrialResult run(std::size_t trial) const override {
    const double damage = spec_.damage[trial / spec_.seeds.size()];
    const std::uint64_t seed = spec_.seeds[trial % spec_.seeds.size()];
    const Picture& original = pictures_.front();
    Vector cue = original.pixels;
    core::Rng rng(seed, "icons damage");
    const auto flips = static_cast<std::size_t>(std::lround(damage * static_cast<double>(cue.size())));
    const auto order = rng.permutation(static_cast<std::uint32_t>(cue.size()));
    for (std::size_t k = 0; k < flips; ++k) cue[order[k]] = -cue[order[k]];

    TrialResult result;
    for (const MethodChoice& choice : spec_.methods) {
      Trace trace;
      const double time = seconds([&] { trace = recall_picture(choice, patterns_, weights_, cue); });
      Json overlaps = Json::object();
      for (const Picture& picture : pictures_)
        overlaps[picture.name] = overlap(trace.states.back(), picture.pixels);
      Json row = {{"trial", trial},
                  {"picture", original.name},
                  {"damage", damage},
                  {"seed", seed},
                  {"method", choice.label},
                  {"overlap_of_cue", overlap(cue, original.pixels)},
                  {"overlaps", overlaps},
                  {"restored", overlap(signs(trace.states.back()), original.pixels) == 1.0},
                  {"exact", overlap(trace.states.back(), original.pixels) >= 1.0 - 1e-9},
                  {"energies", trace.energies}};
      if (trial % spec_.seeds.size() == 0) {  // pictures of the first seed, for the report
        row["width"] = original.width;
        for (const Vector& state : trace.states) row["frames"].push_back(levels(state));
      }
      result.rows.push_back(std::move(row));
      result.timings.push_back({{"trial", trial}, {"method", choice.label}, {"seconds", time}});
    }
    return result;
  }

 private:
  // Grey levels 0 (paper) to 9 (ink), one digit a pixel.
  static std::string levels(const Vector& state) {
    std::string digits;
    for (const double x : state)
      digits += static_cast<char>('0' + std::clamp(static_cast<int>(std::lround(4.5 * (x + 1.0))), 0, 9));
    return digits;
  }

  const Spec& spec_;
  std::vector<Picture> pictures_;
  Matrix patterns_, weights_;
};

// --- the conclusion
// ---------------------------------------------------------------------------------------------

std::string picture_svg(const std::string& digits, std::size_t width) {
  if (width == 0) throw SpecError("results.jsonl", "expected a picture of some width, found 0");
  const std::size_t height = digits.size() / width;
  std::string svg = "<svg viewBox=\"0 0 " + std::to_string(width) + " " + std::to_string(height) +
                    "\" shape-rendering=\"crispEdges\" role=\"img\"><rect width=\"" + std::to_string(width) +
                    "\" height=\"" + std::to_string(height) + "\" fill=\"#fff\"/>";
  for (std::size_t from = 0, to = 0; from < digits.size(); from = to) {
    // Runs of one level within a row become one rectangle.
    for (to = from + 1; to < digits.size() && to % width != 0 && digits[to] == digits[from];) ++to;
    if (digits[from] == '0') continue;
    svg += "<rect x=\"" + std::to_string(from % width) + "\" y=\"" + std::to_string(from / width) +
           "\" width=\"" + std::to_string(to - from) + "\" height=\"1\" fill-opacity=\"" +
           cell((digits[from] - '0') / 9.0, 2).text + "\"/>";
  }
  return svg + "</svg>";
}

// The hardest damage as one picture: a row a method, from the cue to where it ends.
Drawing film(const Spec& spec, const std::vector<Json>& rows) {
  constexpr std::size_t columns = 7, left = 170, size = 84, gap = 8, top = 26;
  const double damage = *std::ranges::max_element(spec.damage);
  std::string body;
  std::size_t y = top;
  for (const Json& row : rows) {
    if (row.at("damage") != damage || !row.contains("frames")) continue;
    body += "<text x=\"10\" y=\"" + std::to_string(y + size / 2) + "\">" +
            escape_html(row.at("method").get<std::string>()) + "</text>\n";
    std::size_t shown = 0;
    for (std::size_t i = 0; i < row.at("frames").size() && shown < columns; ++i) {
      if (i > 0 && row.at("frames").at(i) == row.at("frames").at(i - 1)) continue;  // nothing to see
      const std::string place = "x=\"" + std::to_string(left + shown * (size + gap)) + "\" y=\"" +
                                std::to_string(y) + "\" width=\"" + std::to_string(size) + "\" height=\"" +
                                std::to_string(size) + "\"";
      std::string picture = picture_svg(row.at("frames").at(i).get<std::string>(), whole(row.at("width")));
      body +=
          picture.replace(0, 4, "<svg " + place) + "<rect " + place + " fill=\"none\" stroke=\"#999\"/>\n";
      ++shown;
    }
    y += size + gap;
  }
  const std::string box = std::to_string(left + columns * (size + gap)) + " " + std::to_string(y);
  return {"film", "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 " + box +
                      "\" font-family=\"sans-serif\" font-size=\"14\"><rect width=\"100%\" height=\"100%\" "
                      "fill=\"#fff\"/>\n<text x=\"" +
                      std::to_string(left) + "\" y=\"17\">the cue, " + cell(100 * damage, 0).text +
                      " % of its pixels flipped, and what becomes of it</text>\n" + body + "</svg>\n"};
}

Section pictures_section(const Spec& spec, const std::vector<Json>& rows) {
  std::string html;
  for (const double damage : spec.damage) {
    html += "<h3>" + cell(100 * damage, 0).text + " % of the pixels flipped</h3>\n";
    for (const Json& row : rows) {
      if (row.at("damage") != damage || !row.contains("frames")) continue;
      html += "<div class=\"film\"><b>" + escape_html(row.at("method").get<std::string>()) + "</b><div>";
      for (std::size_t i = 0; i < row.at("frames").size(); ++i) {
        if (i > 0 && row.at("frames").at(i) == row.at("frames").at(i - 1)) continue;  // nothing to see
        html += "<figure>" + picture_svg(row.at("frames").at(i).get<std::string>(), whole(row.at("width"))) +
                "<figcaption>" + (i == 0 ? "cue" : "step " + std::to_string(i)) +
                "<br>E = " + cell(row.at("energies").at(i).get<double>(), 2).text + "</figcaption></figure>";
      }
      html += "</div></div>\n";
    }
  }
  return {"Step by step", html};
}

}  // namespace

std::unique_ptr<Experiment> make_icons(const Spec& spec) { return std::make_unique<Icons>(spec); }

Conclusion conclude_icons(const Spec& spec, const std::vector<Json>& rows) {
  Conclusion conclusion;
  conclusion.question = "A damaged picture in: does the memory give the picture back, and not another one?";
  Table table{"restored",
              "Share of the damaged pictures whose every pixel is ink or paper again as it was, share that "
              "is exactly "
              "the stored picture (softmax never gives all its weight to one, so it leaves a shade), and "
              "mean overlap "
              "(1/d) x.s of the cue and of the result with the stored pictures, over " +
                  std::to_string(spec.seeds.size()) + " seeds.",
              {"method", "damage", "restored", "exact", "overlap of cue"},
              {}};
  Plot plot{"overlap", "Overlap with the original after recall", "share of pixels flipped", "overlap", {},
            {}};
  Plot::Series without{"no recall: the cue itself", {}};
  conclusion.summary = Json::array();
  std::vector<std::string> restoring;
  const double mildest = *std::ranges::min_element(spec.damage);
  for (const MethodChoice& choice : spec.methods) {
    Plot::Series series{choice.label, {}};
    double least_restored = 1;
    for (const double damage : spec.damage) {
      std::vector<double> restored, exact, cue_overlap;
      std::vector<std::pair<std::string, std::vector<double>>> overlaps;
      for (const Json& row : rows) {
        if (row.at("method") != choice.label || row.at("damage") != damage) continue;
        restored.push_back(row.at("restored").get<bool>() ? 1.0 : 0.0);
        exact.push_back(row.at("exact").get<bool>() ? 1.0 : 0.0);
        cue_overlap.push_back(row.at("overlap_of_cue").get<double>());
        for (const auto& [name, value] : row.at("overlaps").items()) {
          auto place = std::ranges::find(overlaps, name, &std::pair<std::string, std::vector<double>>::first);
          if (place == overlaps.end()) place = overlaps.insert(overlaps.end(), {name, {}});
          place->second.push_back(value.get<double>());
        }
      }
      if (restored.empty()) continue;
      const double share = bootstrap_mean(restored)->mean;
      const Estimate cue_estimate = *bootstrap_mean(cue_overlap);
      if (&choice == &spec.methods.front())
        without.points.push_back({damage, cue_estimate.mean, cue_estimate.low, cue_estimate.high});
      least_restored = std::min(least_restored, share);
      std::vector<Cell> cells{cell(choice.label), cell(damage, 2), cell(share, 2),
                              cell(bootstrap_mean(exact)->mean, 2), cell(cue_estimate.mean, 3)};
      Json means = Json::object();
      for (const auto& [name, values] : overlaps) {
        const Estimate estimate = *bootstrap_mean(values);
        const std::string column = "overlap with " + name;
        if (std::ranges::find(table.head, column) == table.head.end()) table.head.push_back(column);
        cells.push_back(cell(estimate.mean, 3));
        means[name] = estimate.mean;
        if (name == rows.front().at("picture"))
          series.points.push_back({damage, estimate.mean, estimate.low, estimate.high});
      }
      table.rows.push_back(std::move(cells));
      conclusion.summary.push_back({{"method", choice.label},
                                    {"damage", damage},
                                    {"restored", share},
                                    {"exact", bootstrap_mean(exact)->mean},
                                    {"overlaps", means}});
    }
    if (least_restored == 1) restoring.push_back(choice.label);
    plot.series.push_back(series);
  }
  plot.series.push_back(without);
  conclusion.tables = {table};
  conclusion.plots = {plot};
  conclusion.drawings = {film(spec, rows)};
  conclusion.sections = {pictures_section(spec, rows)};
  const std::string picture = rows.front().at("picture").get<std::string>();
  const std::string range = cell(100 * mildest, 0).text + " to " +
                            cell(100 * *std::ranges::max_element(spec.damage), 0).text +
                            " % of its pixels flipped";
  if (restoring.empty()) {
    conclusion.answer =
        "No method gives the " + picture + " back pixel by pixel at every damage, " + range + ".";
  } else {
    std::string names;
    for (std::size_t i = 0; i < restoring.size(); ++i)
      names += (i == 0 ? "" : i + 1 == restoring.size() ? " and " : ", ") + restoring[i];
    conclusion.answer = names + (restoring.size() == 1 ? " gives" : " give") + " the " + picture +
                        " back, every pixel of it, with " + range + ", for every one of " +
                        std::to_string(spec.seeds.size()) + " seeds.";
  }
  return conclusion;
}

}  // namespace engram::experiments
