// SPDX-License-Identifier: MIT
// Icons: the two-picture story. A memory holds a skull and an apple; a damaged skull is the query. Hopfield's
// network and attention both pull it to the skull, not to the apple, and the report shows how, step by step.
#include <algorithm>
#include <cmath>

#include "core/attention/attention.hpp"
#include "core/hopfield/hopfield.hpp"
#include "core/hopfield/hopfield_network.hpp"
#include "core/hopfield/modern_hopfield.hpp"
#include "core/learning/pattern_weights.hpp"
#include "core/numbers/numeric.hpp"
#include "core/numbers/random.hpp"
#include "experiments/formats/files.hpp"
#include "experiments/formats/json.hpp"
#include "experiments/icons/icons.hpp"
#include "experiments/statistics/statistics.hpp"
#include "narsese/line_reader.hpp"

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
  options.map = *value_named(core::simplex_maps, std::get<std::string>(choice.options.at("map")));
  options.max_steps = static_cast<int>(std::get<double>(choice.options.at(attends ? "steps" : "max_steps")));
  trace.energies = core::recall_modern(keys, query, options, attends ? query : Vector(),
                                       [&](const Vector&, const Vector& p) {
                                         trace.states.push_back(core::multiply_transposed(patterns, p));
                                       })
                       .energies;
  return trace;
}

class IconsTrials : public Trials {
 public:
  IconsTrials(const Spec& spec, const IconsOptions& options) : spec_(spec), options_(options) {}

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

  std::size_t count() const override {
    return pictures_.empty() ? 0 : options_.damage.size() * spec_.seeds.size();
  }

  TrialResult run(std::size_t trial) const override {
    const double damage = options_.damage[trial / spec_.seeds.size()];
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
  const IconsOptions& options_;
  std::vector<Picture> pictures_;
  Matrix patterns_, weights_;
};

}  // namespace

std::unique_ptr<Trials> Icons::trials(const Spec& spec) const {
  return std::make_unique<IconsTrials>(spec, options_);
}

}  // namespace engram::experiments
