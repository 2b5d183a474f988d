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
class SessionViewers::Viewer : public Protocol {
 public:
  explicit Viewer(SessionViewers& all) : Protocol({}, limits_of(all.session_)), all_(all) {}

  std::vector<std::string> answer(std::string_view message) override {
    if (const auto view = all_.latest(); view != view_) {
      static_cast<Protocol&>(*this) = on(view->memory, limits_of(all_.session_));
      show(view->gate);
      view_ = view;
    }
    return Protocol::answer(message);
  }

 private:
  SessionViewers& all_;
  std::shared_ptr<const View> view_;
};

SessionViewers::SessionViewers(const core::Session& session, const AttachSummary& summary)
    : session_(session), summary_(summary) {
  publish();
}

std::unique_ptr<Conversation> SessionViewers::conversation() { return std::make_unique<Viewer>(*this); }

void SessionViewers::publish_if_requested() {
  if (!requested_.exchange(false)) return;
  try {
    publish();
  } catch (const std::bad_alloc&) {  // keeps the last snapshot
  }
}

std::shared_ptr<const SessionViewers::View> SessionViewers::latest() {
  if (const std::unique_lock use(session_mutex_, std::try_to_lock); use)
    publish();
  else
    requested_ = true;
  const std::lock_guard lock(view_mutex_);
  return view_;
}

void SessionViewers::publish() {
  const core::WorkBudget::ThreadScope of_none(nullptr);  // not charged to the session's current work
  const std::uint64_t version = session_.version() + summary_.questions.size();
  if (view_ && view_->version == version) return;
  auto view = std::make_shared<const View>(
      View{std::make_shared<SharedSession>(std::make_shared<core::Session>(session_)), gate_log(summary_),
           version});
  const std::lock_guard lock(view_mutex_);
  view_.swap(view);
}

}  // namespace engram::bridge
