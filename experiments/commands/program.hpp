// SPDX-License-Identifier: MIT
// The program `engram`: what it is made of beside its commands.
#pragma once

namespace engram::experiments {

class SplitMemory;
class TrialCrew;

/// Who works for the program beside this process; nullptr: nobody. All outlive it.
struct Others {
  TrialCrew* crew = nullptr;      // at the trials of runs; else threads of this process
  SplitMemory* memory = nullptr;  // for `engram recall`; else a memory of this process
};

/// Reads the command line and calls a command; data that it prints is out when this returns. Returns the exit
/// code; what went wrong is told on stderr.
int run_program(int argc, char** argv, Others others = {});

/// Those of this program.
TrialCrew* program_crew();
SplitMemory* program_memory();

}  // namespace engram::experiments
