// SPDX-License-Identifier: MIT
// Entry point of the program `engram`.
#include "experiments/commands/program.hpp"

int main(int argc, char** argv) { return engram::experiments::run_program(argc, argv); }
