// SPDX-License-Identifier: MIT
#include "bridge/protocol/protocol.hpp"

#include <chrono>
#include <nlohmann/json.hpp>
#include <optional>
#include <stdexcept>

#include "bridge/operations/operations.hpp"
#include "core/numbers/work_budget.hpp"

namespace engram::bridge {
namespace {

// Time limit for an answer under the write lock, which blocks other clients; chosen.
constexpr std::chrono::milliseconds most_in_turn{1000};
// Peak bytes from which free memory is returned to the system after a request. After a smaller request, the allocator
// reuses it soon. Chosen.
constexpr std::uint64_t worth_giving_back = std::uint64_t{32} << 20;

// A request and its context. The reply is `begin`, followed by the text of the result.
struct Asked {
  const Operation& operation;
  const std::string begin;
  const Request request;
  const ProtocolLimits& limits;
  bool& finished;
  DurableMemory* durable;
  const GateLog* gate;

  // Answers on a session that the caller has locked.
  std::string answer_by(core::Session& session) const {
    const bool needs_memory = operation.use != Use::nothing;
    const OneRecord record(needs_memory ? durable : nullptr);
    const core::Session::Request of_memory(session);
    std::string text = run_on(session);
    keep(session, session);
    return text;
  }

  std::string answer_by(SharedSession& shared, LimitedWork& work) const {
    if (operation.use == Use::nothing) return run_on(*shared.session());
    if (operation.use == Use::glance) return run_on(SharedSession::ReadLock(shared).session());
    if (operation.use == Use::change) {
      work.set_extra_check({});
      SharedSession::WriteLock change(shared);
      return answer_by(change.session());
    }
    constexpr int most_tries = 3;  // chosen
    for (int tries = 1;; ++tries) {
      const auto before = work.elapsed();
      if (auto text = answer_beside_others(shared, work)) return *std::move(text);
      if (tries >= most_tries && work.elapsed() - before < most_in_turn) break;
    }
    SharedSession::WriteLock change(shared);
    work.end_within(most_in_turn);
    return answer_by(change.session());
  }

 private:
  // Runs the operation. After a change, the short reply is written without limits, because the change cannot be undone.
  std::string run_on(core::Session& session) const {
    const Json result = operation.run({session, limits, finished, nullptr, gate}, request);
    const bool is_kept = operation.use == Use::change;
    const core::WorkBudget::ThreadScope part(is_kept ? nullptr : core::WorkBudget::current());
    std::string text = begin;
    append_json(text, result);
    return text;
  }

  // Answers on a copy, in parallel with other clients. Empty if the result must be stored, but others have changed the
  // session since.
  std::optional<std::string> answer_beside_others(SharedSession& shared, LimitedWork& work) const {
    core::WorkBudget one_try({});
    one_try.release_all_at_end();
    SharedSession::Snapshot question(shared, work, operation.use == Use::index);
    std::string text;
    {
      const core::Session::Request of_memory(question.session());
      text = run_on(question.session());
    }
    if (operation.keep == nullptr || !limits.changes) return text;
    SharedSession::WriteLock change(shared);
    const OneRecord record(durable);
    if (!change.is_next_after(question)) return {};
    keep(change.session(), question.session());
    return text;
  }

  void keep(core::Session& session, core::Session& ran_on) const {
    if (operation.keep != nullptr) operation.keep({session, limits, finished, durable}, ran_on, request);
  }
};

// Stores the peak of reserved bytes on destruction.
struct Noted {
  const LimitedWork& work;
  std::uint64_t& peak_reserved;
  ~Noted() { peak_reserved = work.peak_reserved(); }
};

// A reply; `id` is the source text of the ID, or "null".
std::string reply(const std::string& id, const char* rest) { return "{\"id\":" + id + rest; }

std::string error_reply(const std::string& id, const RequestError& problem) {
  Json error = {{"code", problem.code}, {"message", problem.message}};
  error.update(problem.details);
  // Messages may quote invalid UTF-8 from the input, which is replaced.
  return reply(id, R"(,"ok":false,"error":)") + error.dump(-1, ' ', false, Json::error_handler_t::replace) +
         "}";
}

}  // namespace

std::vector<std::string> Protocol::answer(std::string_view message) {
  if (message.find_first_not_of(" \t\r\n") == std::string_view::npos) {
    apart_ = true;  // there is nothing to write to the disk
    return {};
  }
  return {handle(message)};
}

std::string Protocol::handle(std::string_view line) {
  std::uint64_t peak_reserved = 0;
  std::string text = reply_to(line, peak_reserved);
  if (peak_reserved >= worth_giving_back) core::trim_heap();
  return text;
}

std::string Protocol::reply_to(std::string_view line, std::uint64_t& peak_reserved) {
  std::string& id = id_ = "null";
  apart_ = true;
  try {
    LimitedWork work(limits_.work);
    const Noted noted{work, peak_reserved};
    std::optional<SharedSession::RequestCharge> counted;
    if (shared_) counted.emplace(*shared_, work);
    const Json request = parse_request(line, limits_, id);
    const Operation& operation = operation_of(request);
    if (operation.use == Use::change && !limits_.changes)
      throw RequestError{"bad_value",
                         "this memory belongs to a live session, which clients may not change",
                         {{"pointer", "/op"}}};
    apart_ = operation.use == Use::nothing;
    work.lower_to(work_limit_of(request, limits_.work));
    const Asked asked{operation,
                      reply(id, R"(,"ok":true,"result":)"),
                      Request(request, operation.fields, limits_),
                      limits_,
                      finished_,
                      durable_.get(),
                      gate_.get()};
    return (shared_ ? asked.answer_by(*shared_, work) : asked.answer_by(*session_)) + "}";
  } catch (const RequestError& problem) {
    return error_reply(id, problem);
  } catch (const JsonError& error) {
    return error_reply(id, value_error(error));
  } catch (const core::WorkStopped& why) {
    return error_reply(id, work_stopped(why));
  } catch (const std::bad_alloc&) {
    return error_reply(id, {"bytes_exceeded", "this machine has too little memory for the request"});
  } catch (const std::invalid_argument& error) {  // violated precondition that involves several fields
    return error_reply(id, {"bad_value", error.what()});
  } catch (const std::exception& error) {  // bug in Engram, or out of memory: report it and continue
    return error_reply(id, {"internal", error.what()});
  }
}

std::vector<std::string> Protocol::when_durable(std::vector<std::string> replies) {
  if (!durable_ || apart_) return replies;
  try {
    durable_->settle();
    return replies;
  } catch (const DurableError& error) {
    finished_ = true;
    return {error_reply(
        id_, {"io_error", std::string("this is not kept, and nothing more will be: ") + error.what()})};
  }
}

std::string Protocol::refusal(const std::string& why) const {
  return error_reply("null", {"limit_exceeded", why});
}

std::string Protocol::refusal(const core::WorkStopped& why) const {
  return error_reply("null", work_stopped(why));
}

void Protocol::charge_message_bytes(std::size_t bytes) {
  if (shared_)
    shared_->charge_message_bytes(held_, bytes, small_message_bytes());
  else if (bytes > small_message_bytes())
    require_room(*session_, bytes);
}

}  // namespace engram::bridge
