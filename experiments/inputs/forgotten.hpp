// SPDX-License-Identifier: MIT
// What a memory forgot, from its beginning to its end: for rows and pages.
#pragma once

#include <array>
#include <vector>

#include "core/budgets/forgetting.hpp"
#include "core/session/session.hpp"
#include "experiments/formats/json.hpp"

namespace engram::experiments {

/// What a memory forgot over time, in so few moments that a page shows all: of more, neighbours become one.
class ForgottenOverTime {
 public:
  /// One time, the latest of all.
  void add(const core::ForgettingEvent& event);
  /// All times that the session has forgotten since it was last looked at; of more than it tells of, those.
  void look(const core::Session& session);
  bool empty() const { return moments_.empty(); }

  /// With the policy and how much is gone, which the session tells:
  ///   {"policy", "statements", "concepts", "links", "times": by reason, "cycles", "held": statements in the end,
  ///    "moments": [{"from", "to": cycles, "times", "before", "left": statements, "statements", "concepts", "links",
  ///                 "examples"}]}
  Json json(const core::Session& session) const;

  static constexpr std::size_t most = 48;  // chosen

 private:
  using Times = std::array<std::uint64_t, core::forgetting_reasons.size()>;
  struct Moment {
    core::Time from = 0, to = 0;
    Times times{};
    std::size_t before = 0, left = 0;
    std::size_t statements = 0, concepts = 0, links = 0;
    std::vector<std::string> examples;

    std::uint64_t count() const;
    void take(Moment later);
  };
  static Json times_json(const Times& times);

  std::vector<Moment> moments_;
  std::uint64_t times_each_ = 1;  // of a moment
  std::uint64_t seen_ = 0;        // times
};

}  // namespace engram::experiments
