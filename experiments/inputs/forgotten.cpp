// SPDX-License-Identifier: MIT
#include "experiments/inputs/forgotten.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

namespace engram::experiments {

std::uint64_t ForgottenOverTime::Moment::count() const {
  return std::accumulate(times.begin(), times.end(), std::uint64_t{0});
}

void ForgottenOverTime::Moment::take(Moment later) {
  to = later.to;
  left = later.left;
  for (std::size_t r = 0; r < times.size(); ++r) times[r] += later.times[r];
  statements += later.statements;
  concepts += later.concepts;
  links += later.links;
  examples = std::move(later.examples);
}

void ForgottenOverTime::add(const core::ForgettingEvent& event) {
  Moment moment{event.when,
                event.when,
                {},
                event.left + event.statements,
                event.left,
                event.statements,
                event.concepts,
                event.links,
                event.examples};
  moment.times[static_cast<std::size_t>(event.reason)] = 1;
  if (!moments_.empty() && moments_.back().count() < times_each_)
    moments_.back().take(std::move(moment));
  else
    moments_.push_back(std::move(moment));
  ++seen_;
  if (moments_.size() <= most) return;
  std::vector<Moment> halved;
  for (std::size_t i = 0; i < moments_.size(); i += 2) {
    halved.push_back(std::move(moments_[i]));
    if (i + 1 < moments_.size()) halved.back().take(std::move(moments_[i + 1]));
  }
  moments_ = std::move(halved);
  times_each_ *= 2;
}

void ForgottenOverTime::look(const core::Session& session) {
  const core::ForgettingHistory& so_far = session.forgetting().state().so_far;
  const auto all = std::accumulate(so_far.times.begin(), so_far.times.end(), std::uint64_t{0});
  const auto fresh = static_cast<std::ptrdiff_t>(std::min<std::uint64_t>(all - seen_, so_far.recent.size()));
  for (auto event = so_far.recent.end() - fresh; event != so_far.recent.end(); ++event) add(*event);
  seen_ = all;
}

Json ForgottenOverTime::times_json(const Times& times) {
  Json json = Json::object();
  for (const auto& reason : core::forgetting_reasons)
    if (const auto count = times[static_cast<std::size_t>(reason.value)]; count > 0)
      json[std::string(reason.name)] = count;
  return json;
}

Json ForgottenOverTime::json(const core::Session& session) const {
  const core::Forgetting& forgetting = session.forgetting();
  const core::ForgettingHistory& so_far = forgetting.state().so_far;
  Json moments = Json::array();
  for (const Moment& moment : moments_)
    moments.push_back({{"from", moment.from},
                       {"to", moment.to},
                       {"times", times_json(moment.times)},
                       {"before", moment.before},
                       {"left", moment.left},
                       {"statements", moment.statements},
                       {"concepts", moment.concepts},
                       {"links", moment.links},
                       {"examples", moment.examples}});
  return {{"policy", name_of(core::forgetting_policies, forgetting.options().policy)},
          {"statements", so_far.statements},
          {"concepts", so_far.concepts},
          {"links", so_far.links},
          {"times", times_json(so_far.times)},
          {"cycles", session.memory().now()},
          {"held", session.memory().statements().size()},
          {"moments", moments}};
}

}  // namespace engram::experiments
