// SPDX-License-Identifier: MIT
// The program `engram`: what it is made of beside its commands.
#pragma once

namespace engram::experiments {

class TrialCrew;

/// Parses the command line and runs one command. Flushes stdout, reports errors on stderr and returns the exit code.
/// `crew` carries out the trials of runs and must outlive the program; nullptr means threads of this process.
int run_program(int argc, char** argv, TrialCrew* crew = nullptr);

/// The crew that was given to run_program().
TrialCrew* program_crew();

}  // namespace engram::experiments
