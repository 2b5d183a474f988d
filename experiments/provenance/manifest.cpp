// SPDX-License-Identifier: MIT
#include "experiments/provenance/manifest.hpp"

#include <gnu/libc-version.h>
#include <sys/utsname.h>

#include <Eigen/Core>
#include <boost/version.hpp>
#include <fstream>

#include "core/numbers/random.hpp"
#include "experiments/formats/files.hpp"
#include "experiments/provenance/git_revision.hpp"
#include "experiments/spec/experiment.hpp"

namespace engram::experiments {
namespace {

std::string cpu_model() {
  std::ifstream info("/proc/cpuinfo");
  for (std::string line; std::getline(info, line);)
    if (line.starts_with("model name")) return line.substr(line.find(':') + 2);
  return "unknown";
}

std::string dotted(unsigned major, unsigned minor, unsigned patch) {
  return std::to_string(major) + "." + std::to_string(minor) + "." + std::to_string(patch);
}

#if defined(__clang__)
constexpr const char* compiler = "clang " __clang_version__;
#else
constexpr const char* compiler = "g++ " __VERSION__;
#endif

// Promises about reproducibility, and the tests that check them.
Json reproducibility() {
  return {{"results", "bit-identical, to the last of 17 digits"},
          {"whatever",
           {"the number of jobs, and whether the run was killed and resumed",
            "the compiler (g++, clang++) and its optimisation, but for fast-math, which the build refuses",
            "the x86-64 processor, and -march"}},
          {"except",
           {"timings.jsonl", "plots/, where gnuplot or Graphviz is another version",
            "manifest.json, and the digests of it, where build or machine are others"}},
          {"by",
           "sums in a fixed order, own exp and log, random numbers by counter, no contraction of "
           "floating-point expressions"},
          {"not_promised", "processors other than x86-64"},
          {"tests",
           {{"jobs, resuming", "tests/program/determinism.sh, tests/program/kill.sh"},
            {"compilers, optimisation, -march",
             "tests/program/digests.txt holds for g++ -O1, and for clang++ -march=native under sanitizers"},
            {"processors",
             "tests/core/single_precision/float_kernels_test.cpp and "
             "tests/core/hopfield/bit_hopfield_test.cpp: AVX2 and AVX-512 against plain C++"}}}};
}

}  // namespace

const std::string& program_digest() {
  static const std::string digest = sha256_of_file("/proc/self/exe");
  return digest;
}

Json make_manifest(const Spec& spec) {
  Json inputs = Json::array();
  for (const auto& list : {spec.inputs, spec.vectors})
    for (const Input& input : list)
      inputs.push_back(
          {{"name", input.name},
           {"sha256", sha256_of_file(input.path)},  // first, because it reports unreadable files best
           {"bytes", std::filesystem::file_size(input.path)}});
  utsname system{};
  uname(&system);
  return {
      {"engram", ENGRAM_VERSION},
      {"git",
       {{"revision", git_revision.commit}, {"dirty", git_revision.modified}, {"date", git_revision.date}}},
      {"experiment", spec.experiment->name()},
      {"inputs", inputs},
      {"seeds", spec.seeds},
      {"rng", core::Rng::scheme},
      {"reproducibility", reproducibility()},
      {"build",
       {{"compiler", compiler},
        {"flags", ENGRAM_FLAGS},
        {"type", ENGRAM_BUILD_TYPE},
        {"sha256", program_digest()}}},
      {"libraries",
       {{"boost", dotted(BOOST_VERSION / 100000, BOOST_VERSION / 100 % 1000, BOOST_VERSION % 100)},
        {"eigen", dotted(EIGEN_WORLD_VERSION, EIGEN_MAJOR_VERSION, EIGEN_MINOR_VERSION)},
        {"nlohmann_json",
         dotted(NLOHMANN_JSON_VERSION_MAJOR, NLOHMANN_JSON_VERSION_MINOR, NLOHMANN_JSON_VERSION_PATCH)},
        {"libc", gnu_get_libc_version()}}},
      {"machine",
       {{"cpu", cpu_model()},
        {"system", std::string(system.sysname) + " " + system.release},
        {"architecture", system.machine}}}};
}

std::string version_line() {
  return "engram " ENGRAM_VERSION " (" + std::string(git_revision.commit).substr(0, 12) +
         (git_revision.modified ? ", modified" : "") + "; " + compiler + "; " + ENGRAM_BUILD_TYPE + ")";
}

}  // namespace engram::experiments
