// SPDX-License-Identifier: MIT
// Trials of the experiment `icons`.
#include "experiments/icons/icons.hpp"

#include <algorithm>
#include <cmath>

#include "core/hopfield/hopfield.hpp"
#include "core/hopfield/modern_hopfield.hpp"
#include "core/learning/pattern_weights.hpp"
#include "core/numbers/numeric.hpp"
#include "core/numbers/random.hpp"
#include "experiments/formats/files.hpp"
#include "experiments/formats/json.hpp"
#include "experiments/statistics/statistics.hpp"
#include "narsese/text.hpp"

namespace engram::experiments::icons {
namespace {

using core::Index;
using core::Matrix;
using core::Vector;

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
  constexpr std::size_t most = 64;  // most pixels of a side; the couplings grow with its fourth power
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

// Rounds each grey level to ink or paper.
Vector signs(const Vector& state) {
  return state.unaryExpr([](double x) { return x > 0 ? 1.0 : -1.0; });
}

// The successive states of a method, with their energies.
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
  if (options.beta == 0)  // modern_hopfield derives it from the memory
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

}  // namespace

std::unique_ptr<Experiment> experiment() {
  return make_experiment<IconsOptions>(
      {"icons", read, make_trials<IconsTrials>, conclude_icons, {"seed by seed", observe}});
}

}  // namespace engram::experiments::icons
