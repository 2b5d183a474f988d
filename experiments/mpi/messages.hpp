// SPDX-License-Identifier: MIT
// What ranks say to each other.
#pragma once

#include <string>

namespace engram::experiments::mpi {

/// The kind of a message, which travels as MPI's tag. In brackets who says it, and the text that goes with it.
enum class MessageKind : int {
  beat,     // (all) the sender lives
  hello,    // (others) JSON: which program is here, and where
  job,      // (rank 0) JSON: "kind", by which it is carried out (service.cpp), and what else this kind needs
  checked,  // (others) this rank would do the job on the same build and inputs
  ready,    // (others) and is prepared
  trial,    // (rank 0) its number
  result,   // (others) JSON: how the cache was of use; a line feed; the trial's record_line()
  failed,   // (others) JSON: the job cannot go on here, and why
  end,      // (rank 0) the job is over
  ended,    // (others) and nothing more of it will come
  release,  // (rank 0) the program ends
  bye,      // (others) and nothing more will come at all
  lost,     // (nobody: made here) the rank has not been heard of for longer than `patience`
  done,     // (nobody: made here) a thread of this rank has done something
};

struct Message {
  int rank = 0;  // who said it, or to whom it is said
  MessageKind word = MessageKind::beat;
  std::string text = {};
};

}  // namespace engram::experiments::mpi
