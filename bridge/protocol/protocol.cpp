// SPDX-License-Identifier: MIT
#include "bridge/protocol/protocol.hpp"

#include <mutex>
#include <optional>
#include <stdexcept>

#include "bridge/operations/operations.hpp"

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

// A request, and what it is answered with.
struct Asked {
  const Operation& operation;
  const WorkLimit limit;
  const Request request;
  const ProtocolLimits& limits;
  bool& finished;
  DurableMemory* durable;
  const GateLog* gate;

  // By a session that is nobody else's now.
  Json answer_by(core::Session& session) const {
    const OneRecord record(durable);
    const LimitedWork work(limit);
    const core::Session::Request of_memory(session);
    Json result = run_on(session);
    keep(session, session);
    return result;
  }

  Json answer_by(SharedSession& shared) const {
    if (operation.use == Use::glance) return glance_at(shared);
    constexpr int most_tries = 3;  // chosen
    for (int tries = 0; operation.use != Use::change && tries < most_tries; ++tries)
      if (auto result = answer_beside_others(shared)) return *std::move(result);
    SharedSession::Change change(shared);
    return answer_by(change.session());
  }

  Json run_on(core::Session& session) const {
    return operation.run({session, limits, finished, nullptr, gate}, request);
  }

 private:
  Json glance_at(SharedSession& shared) const {
    LimitedWork work(limit);
    SharedSession::Glance glance(shared, work);
    return run_on(glance.session());
  }

  // Nothing where something should stay, but others have changed the session since.
  std::optional<Json> answer_beside_others(SharedSession& shared) const {
    LimitedWork work(limit);
    SharedSession::Question question(shared, work, operation.use == Use::readings);
    std::optional<Json> result;
    {
      const core::Session::Request of_memory(question.session());
      result = run_on(question.session());
    }
    if (operation.keep == nullptr || !limits.changes) return result;
    work.wait();
    SharedSession::Change change(shared);
    const OneRecord record(durable);
    if (!change.is_next_after(question)) return {};
    keep(change.session(), question.session());
    return result;
  }

  void keep(core::Session& session, core::Session& ran_on) const {
    if (operation.keep != nullptr) operation.keep({session, limits, finished, durable}, ran_on, request);
  }
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

std::string Protocol::handle(std::string_view line) {
  std::string& id = id_ = "null";
  apart_ = true;
  try {
    const Json request = parse_request(line, limits_, id);
    const Operation& operation = operation_of(request);
    if (operation.use == Use::change && !limits_.changes)
      throw RequestError{"bad_value",
                         "this memory belongs to a live session: it can be asked, not changed",
                         {{"pointer", "/op"}}};
    apart_ = operation.use == Use::nothing;
    const Asked asked{operation,
                      work_limit_of(request, limits_.work),
                      Request(request, operation.fields, limits_),
                      limits_,
                      finished_,
                      durable_.get(),
                      gate_.get()};
    const auto result = [&] {
      if (!apart_) return shared_ ? asked.answer_by(*shared_) : asked.answer_by(*session_);
      const LimitedWork work(asked.limit);
      return asked.run_on(*session_);
    };
    return reply(id, R"(,"ok":true,"result":)") + result().dump() + "}";
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

}  // namespace engram::bridge
