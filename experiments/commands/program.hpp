// SPDX-License-Identifier: MIT
// The program `engram`: entry point that runs one command.
#pragma once

namespace engram::experiments {

class TrialCrew;

/// Parses the command line and runs one command. Flushes stdout, reports errors on stderr and returns the exit code.
/// `crew` carries out the trials of runs and must outlive the program; nullptr means threads of this process.
int run_program(int argc, char** argv, TrialCrew* crew = nullptr);

/// The crew that was passed to run_program(), or null.
TrialCrew* program_crew();

}  // namespace engram::experiments
