// SPDX-License-Identifier: MIT
#include "bridge/attach/session_viewers.hpp"

#include <new>
#include <utility>

#include "bridge/protocol/protocol.hpp"
#include "core/numbers/work_budget.hpp"
#include "narsese/printer.hpp"

namespace engram::bridge {
namespace {

std::shared_ptr<const GateLog> gate_log(const AttachSummary& summary) {
  auto log = std::make_shared<GateLog>();
  log->asked = summary.questions.size();
  const std::size_t first = log->asked - std::min<std::size_t>(log->asked, GateLog::most);
  for (std::size_t i = first; i < summary.questions.size(); ++i) {
    const AskedQuestion& asked = summary.questions[i];
    GateEntry entry{asked.narsese, asked.given, {}, asked.took.count()};
    if (asked.answer)
      if (const auto sentence = asked.answer->sentence()) entry.answers.push_back(narsese::print(*sentence));
    log->last.push_back(std::move(entry));
  }
  return log;
}

ProtocolLimits limits_of(const core::Session& session) {
  ProtocolLimits limits{.changes = false, .files = false};
  limits.work.bytes = session.limits().max_bytes;
  return limits;
}

}  // namespace

// Answers each message from the snapshot that is current at that time.
class SessionViewers::Onlooker : public Conversation {
 public:
  explicit Onlooker(SessionViewers& all) : all_(all), talk_({}, limits_of(all.session_)) {}

  std::vector<std::string> answer(std::string_view message) override {
    const auto shown = all_.latest();
    if (shown != shown_) {
      talk_ = Protocol::on(shown->memory, limits_of(all_.session_));
      talk_.show(shown->gate);
      shown_ = shown;
    }
    return talk_.answer(message);
  }
  std::string refusal(const std::string& why) const override { return talk_.refusal(why); }
  std::string refusal(const core::WorkStopped& why) const override { return talk_.refusal(why); }
  bool finished() const override { return talk_.finished(); }
  std::size_t max_message_bytes() const override { return talk_.max_message_bytes(); }
  void hold(std::size_t bytes) override { talk_.hold(bytes); }

 private:
  SessionViewers& all_;
  Protocol talk_;
  std::shared_ptr<const Shown> shown_;
};

SessionViewers::SessionViewers(const core::Session& session, const AttachSummary& summary)
    : session_(session), summary_(summary) {
  show();
}

std::unique_ptr<Conversation> SessionViewers::conversation() { return std::make_unique<Onlooker>(*this); }

void SessionViewers::look() {
  if (!asked_.exchange(false)) return;
  try {
    show();
  } catch (const std::bad_alloc&) {  // keeps the last snapshot
  }
}

std::shared_ptr<const SessionViewers::Shown> SessionViewers::latest() {
  if (const std::unique_lock use(in_use_, std::try_to_lock); use)
    show();
  else
    asked_ = true;
  const std::lock_guard lock(mutex_);
  return shown_;
}

void SessionViewers::show() {
  const core::WorkBudget::ThreadScope of_none(nullptr);  // not charged to the session's current work
  const std::uint64_t version = session_.version() + summary_.questions.size();
  if (shown_ && shown_->version == version) return;
  auto shown = std::make_shared<const Shown>(
      Shown{std::make_shared<SharedSession>(std::make_shared<core::Session>(session_)), gate_log(summary_),
            version});
  const std::lock_guard lock(mutex_);
  shown_.swap(shown);
}

}  // namespace engram::bridge
