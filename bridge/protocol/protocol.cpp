// SPDX-License-Identifier: MIT
#include "bridge/protocol/protocol.hpp"

#include <chrono>
#include <optional>
#include <stdexcept>

#include "bridge/operations/operations.hpp"
#include "core/numbers/free_memory.hpp"

namespace engram::bridge {
namespace {

const std::vector<Operation>& operations() {
  static const std::vector<Operation> all = [] {
    std::vector<Operation> joined;
    for (const auto kernels : {map_operations(), attention_operations(), graph_operations(),
                               continuous_operations(), learning_operations(), hopfield_operations()})
      joined.insert(joined.end(), kernels.begin(), kernels.end());
    for (Operation& kernel : joined) kernel.use = Use::nothing;
    joined.insert(joined.begin(), memory_operations().begin(), memory_operations().end());
    return joined;
  }();
  return all;
}

const Operation& operation_of(const Json& request) {
  const JsonValue root(request);
  const JsonValue op = root.object()["op"];
  const std::string& name = op.text();
  std::string known;
  for (const Operation& operation : operations()) {
    if (operation.name == name) return operation;
    known += (known.empty() ? "" : ", ") + operation.name;
  }
  throw RequestError{"unknown_op", "unknown op '" + name + "'; known are " + known, {{"pointer", "/op"}}};
}

// Chosen: how long an answer that changes the memory may hold up others, in the turn of its client.
constexpr std::chrono::milliseconds most_in_turn{1000};
// Chosen: after a request that took less, the allocator uses what was freed at once.
constexpr std::uint64_t worth_giving_back = std::uint64_t{32} << 20;

// A request, and what it is answered with: the text of its result behind `begin`.
struct Asked {
  const Operation& operation;
  const std::string begin;
  const Request request;
  const ProtocolLimits& limits;
  bool& finished;
  DurableMemory* durable;
  const GateLog* gate;

  // By a session that is nobody else's now.
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
    if (operation.use == Use::glance) return run_on(SharedSession::Glance(shared).session());
    if (operation.use == Use::change) {
      work.also_looks({});
      SharedSession::Change change(shared);
      return answer_by(change.session());
    }
    constexpr int most_tries = 3;  // chosen
    for (int tries = 1;; ++tries) {
      const auto before = work.lasted();
      if (auto text = answer_beside_others(shared, work)) return *std::move(text);
      if (tries >= most_tries && work.lasted() - before < most_in_turn) break;
    }
    SharedSession::Change change(shared);
    work.end_within(most_in_turn);
    return answer_by(change.session());
  }

 private:
  // What has been changed stays: then no limit ends the writing of the reply, which is short.
  std::string run_on(core::Session& session) const {
    const Json result = operation.run({session, limits, finished, nullptr, gate}, request);
    const bool is_kept = operation.use == Use::change;
    const core::WorkBudget::Part part(is_kept ? nullptr : core::WorkBudget::current());
    std::string text = begin;
    append_json(text, result);
    return text;
  }

  // Nothing if something should stay, but others have changed the session since.
  std::optional<std::string> answer_beside_others(SharedSession& shared, LimitedWork& work) const {
    core::WorkBudget one_try({});
    one_try.leaves_nothing();
    SharedSession::Question question(shared, work, operation.use == Use::readings);
    std::string text;
    {
      const core::Session::Request of_memory(question.session());
      text = run_on(question.session());
    }
    if (operation.keep == nullptr || !limits.changes) return text;
    SharedSession::Change change(shared);
    const OneRecord record(durable);
    if (!change.is_next_after(question)) return {};
    keep(change.session(), question.session());
    return text;
  }

  void keep(core::Session& session, core::Session& ran_on) const {
    if (operation.keep != nullptr) operation.keep({session, limits, finished, durable}, ran_on, request);
  }
};

// Tells, when it dies, how much was claimed at a time.
struct Noted {
  const LimitedWork& work;
  std::uint64_t& most_claimed;
  ~Noted() { most_claimed = work.most_claimed(); }
};

// `id`: as it is written in the request, "null" where it has none.
std::string reply(const std::string& id, const char* rest) { return "{\"id\":" + id + rest; }

std::string error_reply(const std::string& id, const RequestError& problem) {
  Json error = {{"code", problem.code}, {"message", problem.message}};
  error.update(problem.details);
  // Message texts may quote pieces of the input; what is no UTF-8 there is replaced rather than refused.
  return reply(id, R"(,"ok":false,"error":)") + error.dump(-1, ' ', false, Json::error_handler_t::replace) +
         "}";
}

}  // namespace

std::vector<std::string> Protocol::answer(std::string_view message) {
  if (message.find_first_not_of(" \t\r\n") == std::string_view::npos) {
    apart_ = true;  // nothing waits for the disk
    return {};
  }
  return {handle(message)};
}

std::string Protocol::handle(std::string_view line) {
  std::uint64_t most_claimed = 0;
  std::string text = reply_to(line, most_claimed);
  if (most_claimed >= worth_giving_back) core::give_back_free_memory();
  return text;
}

std::string Protocol::reply_to(std::string_view line, std::uint64_t& most_claimed) {
  std::string& id = id_ = "null";
  apart_ = true;
  try {
    LimitedWork work(limits_.work);
    const Noted noted{work, most_claimed};
    std::optional<SharedSession::Counted> counted;
    if (shared_) counted.emplace(*shared_, work);
    const Json request = parse_request(line, limits_, id);
    const Operation& operation = operation_of(request);
    if (operation.use == Use::change && !limits_.changes)
      throw RequestError{"bad_value",
                         "this memory belongs to a live session: it can be asked, not changed",
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
    return error_reply(id, {"bytes_exceeded", "this machine has no room for what the request needs"});
  } catch (const std::invalid_argument& error) {  // a kernel's precondition that no single field breaks
    return error_reply(id, {"bad_value", error.what()});
  } catch (const std::exception& error) {  // a defect of ours, or memory ran out: say so and go on
    return error_reply(id, {"internal", error.what()});
  }
}

std::vector<std::string> Protocol::kept(std::vector<std::string> replies) {
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

void Protocol::hold(std::size_t bytes) {
  if (shared_)
    shared_->hold(held_, bytes, small_message_bytes());
  else if (bytes > small_message_bytes())
    require_room(*session_, bytes);
}

}  // namespace engram::bridge
