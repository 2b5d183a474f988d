// SPDX-License-Identifier: MIT
#include "experiments/mpi/rank_memory.hpp"

#include <cstdlib>
#include <iostream>
#include <new>

#include "core/methods/methods.hpp"
#include "experiments/formats/errors.hpp"
#include "experiments/mpi/rank_peers.hpp"
#include "experiments/mpi/service.hpp"
#include "experiments/mpi/shared_files.hpp"
#include "experiments/runs/exit_code.hpp"
#include "narsese/parser.hpp"

namespace engram::experiments::mpi {
namespace {

narsese::Term cue_in(const std::string& text, narsese::TermTable& table) {
  const auto sentence = narsese::parse_sentence(text, table);
  return sentence ? sentence->term : narsese::parse_term(text, table).value();
}

SplitAnswer answer_together(core::Peers& peers, const SplitQuestion& question) {
  const SharedFiles files(peers, question.files);
  core::MemoryOptions options;
  options.limits = question.limits;
  core::ShardedMemory memory(peers, files.texts(), options);
  narsese::TermTable table;
  const narsese::Term cue = cue_in(question.cue, table);
  SplitAnswer answer{memory.rejected(), memory.rejected_in_all(), {}, {}};
  for (const auto& [name, given] : question.methods) {
    const std::uint64_t before = peers.sent();
    answer.recalls.push_back(
        core::sharded_recall(memory, *core::find_method(name), given, cue, question.top));
    answer.sent.push_back(
        static_cast<std::uint64_t>(peers.greatest(static_cast<double>(peers.sent() - before))));
  }
  return answer;
}

// What this rank alone fails at: the others would wait for it.
[[noreturn]] void end_all(const Ranks& ranks, const std::string& why) {
  std::cerr << "engram: error: " << ranks.name_of(ranks.rank()) << ": " << why << '\n' << std::flush;
  boost::mpi::environment::abort(outside_failure);
  std::abort();
}

}  // namespace

Json order_of(const SplitQuestion& question) {
  Json methods = Json::array();
  for (const auto& [name, options] : question.methods) {
    Json values = Json::object();
    for (const auto& [option, value] : options)
      values[option] = std::holds_alternative<double>(value) ? Json(std::get<double>(value))
                                                             : Json(std::get<std::string>(value));
    methods.push_back({{"name", name}, {"options", values}});
  }
  const core::MemoryLimits& limits = question.limits;
  return {{"kind", recall_kind},
          {"files", question.files},
          {"cue", question.cue},
          {"methods", methods},
          {"top", question.top},
          {"limits",
           {limits.max_concepts, limits.max_hebbian_links, limits.max_statements, limits.max_active,
            limits.max_bytes}}};
}

SplitQuestion question_of(const Json& order) {
  SplitQuestion question;
  order.at("files").get_to(question.files);
  order.at("cue").get_to(question.cue);
  order.at("top").get_to(question.top);
  for (const Json& method : order.at("methods")) {
    core::Options options;
    for (const auto& [option, value] : method.at("options").items())
      options[option] = value.is_string() ? core::OptionValue(value.get<std::string>())
                                          : core::OptionValue(value.get<double>());
    question.methods.emplace_back(method.at("name").get<std::string>(), options);
  }
  const auto limits = order.at("limits").get<std::vector<std::size_t>>();
  question.limits = {limits.at(0), limits.at(1), limits.at(2), limits.at(3), limits.at(4)};
  return question;
}

SplitAnswer answer(Ranks& ranks, const SplitQuestion& question) try {
  RankPeers peers(ranks.world());
  return answer_together(peers, question);
} catch (const std::bad_alloc&) {
  end_all(ranks, "out of memory");
} catch (const core::WorkStopped& stopped) {
  end_all(ranks, stopped.what());
}

SplitAnswer RankMemory::ask(const SplitQuestion& question) {
  used_ = true;
  ranks_.post().send_to_peers(Word::job, order_of(question).dump());
  struct End {
    Post& post;
    ~End() { post.send_to_peers(Word::end); }
  };
  const End end{ranks_.post()};
  return answer(ranks_, question);
}

void serve_recall(Service& service, const Json& order) {
  answer(service.ranks(), question_of(order));
  while (service.next().word != Word::end) {
  }
}

}  // namespace engram::experiments::mpi
