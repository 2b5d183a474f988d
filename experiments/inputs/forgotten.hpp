// SPDX-License-Identifier: MIT
// History of forgetting in a memory, for rows and pages.
#pragma once

#include <array>
#include <vector>

#include "core/budgets/forgetting.hpp"
#include "core/session/session.hpp"
#include "experiments/formats/files.hpp"

namespace engram::experiments {

/// History of forgetting in at most `most` moments, so that a page can show it. When there are more, neighbouring
/// moments are merged.
class ForgottenOverTime {
 public:
  /// Appends an event. It must be later than all others.
  void add(const core::ForgettingEvent& event);
  /// Appends the events of the session since the last call. If the session kept only the latest ones, appends only
  /// these.
  void look(const core::Session& session);
  bool empty() const { return moments_.empty(); }

  /// The history with the totals of the session:
  ///   {"policy", "statements", "concepts", "links", "times": by reason, "cycles", "held": final number of statements,
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
  std::uint64_t times_each_ = 1;  // events in each moment
  std::uint64_t seen_ = 0;        // events
};

}  // namespace engram::experiments
