// SPDX-License-Identifier: MIT
// The program `engram` with MPI. It uses several ranks if a launcher starts it, and otherwise acts like the program
// without MPI.
#include <iostream>

#include "experiments/commands/program.hpp"
#include "experiments/formats/files.hpp"
#include "experiments/formats/markup.hpp"
#include "experiments/mpi/rank_crew.hpp"
#include "experiments/mpi/ranks.hpp"
#include "experiments/mpi/service.hpp"
#include "experiments/runs/terminal.hpp"

namespace {

using namespace engram::experiments;

int run_as_rank_0(mpi::Ranks& ranks, int argc, char** argv) {
  ranks.meet();
  mpi::RankCrew crew(ranks);
  const int code = run_program(argc, argv, &crew);
  if (code == done && !crew.used() && ranks.size() > 1)
    std::cerr << "engram: note: the other " << ranks.size() - 1
              << " ranks had no work, because only the trials of `engram run` are distributed\n";
  return code;
}

int run_as_rank(mpi::Ranks& ranks, int argc, char** argv) {
  try {
    return ranks.rank() == 0 ? run_as_rank_0(ranks, argc, argv) : mpi::Service(ranks).serve();
  } catch (const SpecError& error) {
    std::cerr << "engram: error: " << error.what() << '\n';
    return wrong_usage;
  } catch (const std::exception& error) {
    std::cerr << "engram: error: rank " << ranks.rank() << ": " << legible(error.what()) << '\n';
    return outside_failure;
  }
}

}  // namespace

int main(int argc, char** argv) {
  if (!mpi::started_by_launcher()) return run_program(argc, argv);
  try {
    mpi::Ranks ranks(argc, argv);
    ranks.leave(run_as_rank(ranks, argc, argv));
  } catch (const std::exception& error) {
    std::cerr << "engram: error: " << error.what() << '\n';
    return wrong_usage;
  }
}
