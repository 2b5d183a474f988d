// SPDX-License-Identifier: MIT
// Messages between ranks.
#pragma once

#include <string>

namespace engram::experiments::mpi {

/// The kind of a message, sent as MPI's tag. In brackets: the sender, then the text.
enum class MessageKind : int {
  beat,     // (all) the sender lives
  hello,    // (others) JSON: the build of the program, and its host
  job,      // (rank 0) JSON: "kind" selects the server (service.cpp); the rest depends on the kind
  checked,  // (others) this rank has the same build and inputs
  ready,    // (others) this rank is prepared
  trial,    // (rank 0) number of the trial
  result,   // (others) JSON: use of the cache; a line feed; record_line() of the trial
  failed,   // (others) JSON: why this rank cannot continue the job
  end,      // (rank 0) the job has ended
  ended,    // (others) the last message of this job
  release,  // (rank 0) the program ends
  bye,      // (others) the last message
  lost,     // (local) a rank has been silent for longer than `patience`
  done,     // (local) a thread of this rank has finished something
};

struct Message {
  int rank = 0;  // sender or receiver
  MessageKind word = MessageKind::beat;
  std::string text = {};
};

}  // namespace engram::experiments::mpi
