// SPDX-License-Identifier: MIT
#include <iostream>

#include "bridge/protocol/protocol.hpp"
#include "core/graph/boost_graph.hpp"
#include "experiments/spec/spec.hpp"
#include "narsese/printer.hpp"

int main() {
  engram::bridge::Protocol protocol;
  protocol.handle(R"({"op":"input","narsese":"<cat --> animal>."})");
  std::cout << protocol.handle(R"({"id":1,"op":"recall","cue":"cat","method":"cosine"})") << '\n';
  return engram::core::find_method("hopfield") != nullptr ? 0 : 1;
}
