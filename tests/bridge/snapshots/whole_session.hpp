// SPDX-License-Identifier: MIT
// Helpers for tests of snapshots and durable memories: a temporary folder, random input, and a complete description of
// a session as text.
#pragma once

#include <nlohmann/json.hpp>
#include <sstream>
#include <string>

#include "bridge/attach/attached_memory.hpp"
#include "bridge/json/core_json.hpp"
#include "core/graph/memory_image.hpp"
#include "core/numbers/random.hpp"
#include "tests/support/folder.hpp"

namespace engram::bridge {

// Temporary folder for snapshots and durable memories, in RAM if possible.
struct MemoryFolder : testing::Folder {
  explicit MemoryFolder(const std::string& name) : Folder(name, testing::quick_place()) {}
  std::string file(const std::string& name = "memory") const { return (path / name).string(); }
};

inline core::InputReport fed(core::Session& session, const std::string& text) {
  std::istringstream in(text);
  return session.read(in);
}

// A text that differs for any two sessions with different memories. It has memory_text(), the total evidence, the order
// of each concept's links, the state of the learner, the forgetting state and the stored budgets.
inline std::string everything_in(core::Session& session) {
  const core::Memory& memory = session.memory();
  std::ostringstream text;
  text << memory_text(memory) << std::hexfloat;
  const core::MemoryImage image = memory.image();
  text << "sum " << image.total << ' ' << image.total_updated << '\n';
  for (core::ConceptId id = 0; id < memory.graph().size(); ++id) {
    text << "incident to " << id << ':';
    for (const auto link : memory.graph().links_of(id)) text << ' ' << link;
    text << '\n';
  }
  for (const core::Statement& statement : memory.statements()) {
    text << "active:";
    for (const core::ConceptId id : statement.active) text << ' ' << id;
    text << '\n';
  }
  if (image.learner) {
    const core::LearnerImage& learner = *image.learner;
    text << "learner " << learner.total << ' ' << learner.step << ' ' << learner.last << '\n';
    for (const auto& link : learner.links)
      text << "learnt " << link.to << ' ' << link.from << ' ' << link.weight << ' ' << link.step << '\n';
    for (const auto& unit : learner.units)
      text << "unit " << unit.level << ' ' << unit.step << ' ' << unit.time << '\n';
    for (const core::ConceptId id : learner.before) text << "before " << id << '\n';
    const core::SparseRows weights =
        memory.learner()->weights(static_cast<core::Index>(memory.graph().size()));
    for (core::Index i = 0; i < weights.rows(); ++i)
      for (std::size_t k = 0; k < weights.columns_of(i).size(); ++k)
        text << "w " << i << ' ' << weights.columns_of(i)[k] << ' ' << weights.values_of(i)[k] << '\n';
  }
  const core::Forgetting::State& forgotten = session.forgetting().state();
  if (session.forgetting().is_on()) text << "forgotten " << forgetting_state_json(forgotten).dump() << '\n';
  for (const auto of : {core::AllocationOf::concepts, core::AllocationOf::statements})
    for (const double share : session.budget(of).whole()) text << "share " << share << '\n';
  return text.str();
}

// Random lines of many kinds, such as links, rules, goals, tenses and numbers of cycles.
inline std::string random_narsese(core::Rng& rng, int lines) {
  std::ostringstream text;
  const auto name = [&] { return "n" + std::to_string(rng.below(9)); };
  const auto truth = [&] {
    return " %0." + std::to_string(rng.below(10)) + ";0." + std::to_string(1 + rng.below(9)) + "%";
  };
  for (int i = 0; i < lines; ++i) {
    const std::string a = name(), b = name(), c = name();
    switch (rng.below(11)) {
      case 0:
        text << rng.below(40);
        break;
      case 1:
        text << "<(" << a << " * {" << b << "}) --> " << c << ">." << truth();
        break;
      case 2:
        text << "<<$y --> " << a << "> ==> <$y --> (" << b << " & " << c << ")>>.";
        break;
      case 3:
        text << "<" << a << " --> [" << b << "]>! :|:" << truth();
        break;
      case 4:
        text << "$0.8;0.5;0.25$ <" << a << " <-> " << b << ">. :!" << rng.below(99) << ":";
        break;
      case 5:
        text << "<" << a << " --> ?who>?";
        break;
      case 6:
        text << "<{x" << a << "} <-> y" << b
             << ">. %0.70000000000000000000000000000000;0.30000000000000000000000000000000%";
        break;
      case 7:
        text << "<(&&, <#1 --> " << a << ">, <$q --> " << b << ">) ==> <$q --> " << c << ">>.";
        break;
      case 8:
        text << a << ".";
        break;
      default:
        text << "<" << a << " --> " << b << ">." << truth();
        break;
    }
    text << '\n';
  }
  return text.str();
}

inline core::MemoryOptions options_for(int variant) {
  core::MemoryOptions options;
  options.decay = variant % 3 == 0 ? 0 : 0.013 * variant;
  if (variant < 8) {
    options.learning =
        core::LinkLearning{.rule = core::learning_rules[static_cast<std::size_t>(variant)].value};
    if (variant % 2 == 1) options.learning->bound = 0.37;
    if (variant % 4 >= 2) {
      options.learning->rate = 0.07;
      options.learning->decay = 0.03;
      options.learning->time = 3;
      options.learning->reach = 5;
    }
  }
  if (variant >= 8) options.activation = {true, variant == 8, true};
  return options;
}

}  // namespace engram::bridge
