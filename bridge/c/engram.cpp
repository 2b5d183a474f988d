// SPDX-License-Identifier: MIT
// Implementation of the C interface. Every call is a request of the protocol, so that both return the same results.
#include "bridge/c/engram.h"

#include <algorithm>
#include <new>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "bridge/protocol/protocol.hpp"
#include "narsese/text.hpp"

using namespace engram;
using Json = nlohmann::json;

struct engram_memory {
  engram_memory(const core::MemoryOptions& options, const core::ForgettingOptions& forgetting)
      : protocol(options, {}, forgetting) {}

  bridge::Protocol protocol;
  std::string reply, refusal;
  const char* message = "";        // `refusal`, or a literal
  std::vector<std::string> texts;  // texts that the arrays point to
  std::vector<engram_activation> activations;
  std::vector<engram_budget> budgets;
};

namespace {

// An error with the status ENGRAM_REFUSED.
struct Refusal {
  std::string message;
};

// Runs `work` and converts exceptions into a status and a message.
template <class Work>
engram_status guarded(engram_memory& memory, Work work) noexcept {
  try {
    memory.message = "";
    work();
    return ENGRAM_OK;
  } catch (Refusal& refused) {
    memory.refusal.swap(refused.message);
    memory.message = memory.refusal.c_str();
    return ENGRAM_REFUSED;
  } catch (const std::bad_alloc&) {
    memory.message = "out of memory";
  } catch (...) {
    memory.message = "internal: a bug in Engram";
  }
  return ENGRAM_FAILED;
}

// Checks that a text is UTF-8, because a request cannot contain anything else.
std::string checked(std::string_view text) {
  const std::size_t valid = narsese::find_invalid_utf8(text);
  if (valid != text.size())
    throw Refusal{"bad_value: byte " + std::to_string(valid + 1) + " is not valid UTF-8"};
  return std::string(text);
}

// Separates lines of Narsese into text for a request and lines that are not UTF-8. The latter become errors like those
// of other invalid lines.
struct CheckedLines {
  explicit CheckedLines(std::string_view lines) {
    for (std::size_t number = 1; !lines.empty(); ++number) {
      const std::size_t end = std::min(lines.find('\n'), lines.size());
      const std::string_view line = lines.substr(0, end);
      if (const auto column = narsese::invalid_utf8_column(line))
        rejected.push_back(
            {{"line", number}, {"column", *column}, {"message", narsese::invalid_utf8_message}});
      else
        text += line;
      if (end < lines.size()) text += '\n';
      lines.remove_prefix(std::min(end + 1, lines.size()));
    }
  }

  std::string text;
  std::vector<Json> rejected;
};

const std::string& handle(engram_memory& memory, std::string_view request) {
  const bool too_long = request.size() > memory.protocol.max_message_bytes();
  memory.reply = too_long ? memory.protocol.refuse_too_long() : memory.protocol.handle(request);
  return memory.reply;
}

// Runs a request with checked texts, and returns its result.
Json result_of(engram_memory& memory, const Json& request) {
  Json reply = Json::parse(handle(memory, request.dump()));
  if (reply.at("ok") == true) return std::move(reply.at("result"));
  const Json& error = reply.at("error");
  const auto code = error.at("code").get<std::string>();
  if (code == "internal") throw std::runtime_error(code);
  throw Refusal{code + ": " + error.at("message").get<std::string>()};
}

// A request with a cue and, unless it is null, a method.
Json about_cue(const char* op, const char* cue, const char* method) {
  Json request{{"op", op}, {"cue", checked(cue)}};
  if (method != nullptr) request["method"] = checked(method);
  return request;
}

// Converts a list of results into a C array. `name` is the member with the text of an item. `make` creates an entry
// from an item and its text, which the memory owns.
template <class Entry, class Make>
void fill(std::vector<Entry>& entries, engram_memory& memory, const Json& list, const char* name, Make make) {
  memory.texts.clear();
  for (const Json& item : list) memory.texts.push_back(item.at(name).get<std::string>());
  entries.clear();
  for (std::size_t i = 0; i < list.size(); ++i) entries.push_back(make(list[i], memory.texts[i].c_str()));
}

}  // namespace

int engram_abi(void) { return ENGRAM_ABI; }

engram_status engram_open(const char* learning, engram_memory** memory) {
  return engram_open_within(learning, nullptr, memory);
}

engram_status engram_open_within(const char* learning, const engram_limits* limits, engram_memory** memory) {
  *memory = nullptr;
  try {
    core::MemoryOptions options;
    if (learning != nullptr) {
      const auto rule = core::value_named(core::learning_rules, learning);
      if (!rule) return ENGRAM_REFUSED;
      options.learning = core::LinkLearning{.rule = *rule};
    }
    core::ForgettingOptions forgetting;
    if (limits != nullptr) {
      core::MemoryLimits& own = options.limits;
      for (const auto& [limit, given] :
           {std::pair(&own.max_concepts, limits->concepts), std::pair(&own.max_hebbian_links, limits->links),
            std::pair(&own.max_statements, limits->statements), std::pair(&own.max_bytes, limits->bytes)})
        if (given > 0) *limit = given;
      if (limits->forget != nullptr) {
        const auto policy = core::value_named(core::forgetting_policies, limits->forget);
        if (!policy) return ENGRAM_REFUSED;
        forgetting.policy = *policy;
      }
    }
    *memory = new engram_memory(options, forgetting);
    return ENGRAM_OK;
  } catch (...) {
    return ENGRAM_FAILED;
  }
}

void engram_close(engram_memory* memory) { delete memory; }

const char* engram_message(const engram_memory* memory) { return memory->message; }

engram_status engram_input(engram_memory* memory, const char* narsese, engram_intake* intake) {
  return guarded(*memory, [&] {
    const CheckedLines lines(narsese);
    const Json result = result_of(*memory, {{"op", "input"}, {"narsese", lines.text}});
    std::vector<Json> rejected = result.at("rejected");
    rejected.insert(rejected.end(), lines.rejected.begin(), lines.rejected.end());
    if (intake != nullptr)
      *intake = {result.at("accepted"), result.value("rejected_in_all", rejected.size()),
                 result.at("concepts"), result.at("links")};
    if (rejected.empty()) return;
    const Json& first = *std::ranges::min_element(
        rejected, {}, [](const Json& line) { return line.at("line").get<std::size_t>(); });
    throw Refusal{"line " + first.at("line").dump() + ", column " + first.at("column").dump() + ": " +
                  first.at("message").get<std::string>()};
  });
}

engram_status engram_recall(engram_memory* memory, const char* cue, const char* method, size_t top,
                            const engram_activation** found, size_t* count) {
  *found = nullptr;
  *count = 0;
  return guarded(*memory, [&] {
    Json request = about_cue("recall", cue, method);
    request["top"] = top;
    fill(memory->activations, *memory, result_of(*memory, request).at("activations"), "term",
         [](const Json& item, const char* term) -> engram_activation {
           return {term, item.at("value")};
         });
    *found = memory->activations.data();
    *count = memory->activations.size();
  });
}

engram_status engram_allocate(engram_memory* memory, const char* cue, const char* method, engram_kind of,
                              size_t capacity, const engram_budget** budgets, size_t* count) {
  *budgets = nullptr;
  *count = 0;
  return guarded(*memory, [&] {
    Json request = about_cue("allocate", cue, method);
    request["of"] = of == ENGRAM_CONCEPTS ? "concepts" : "statements";
    request["capacity"] = capacity;
    const char* text_member = of == ENGRAM_CONCEPTS ? "term" : "narsese";
    fill(memory->budgets, *memory, result_of(*memory, request).at("budgets"), text_member,
         [](const Json& item, const char* narsese) -> engram_budget {
           return {narsese, item.at("priority"), item.at("durability"), item.at("quality")};
         });
    *budgets = memory->budgets.data();
    *count = memory->budgets.size();
  });
}

const char* engram_ask(engram_memory* memory, const char* request, size_t bytes) {
  const engram_status status = guarded(*memory, [&] { handle(*memory, {request, bytes}); });
  return status == ENGRAM_OK ? memory->reply.c_str() : nullptr;
}
