// SPDX-License-Identifier: MIT
#include "experiments/manifest.hpp"

#include <gnu/libc-version.h>
#include <openssl/evp.h>
#include <sys/utsname.h>

#include <Eigen/Core>
#include <array>
#include <boost/version.hpp>
#include <fstream>
#include <memory>
#include <system_error>

#include "core/random.hpp"
#include "experiments/corpus.hpp"
#include "git_revision.hpp"  // written by the build

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

}  // namespace

std::string sha256_of_file(const std::filesystem::path& path) {
  std::ifstream file = open_input(path);
  const std::unique_ptr<EVP_MD_CTX, decltype(&EVP_MD_CTX_free)> context(EVP_MD_CTX_new(), EVP_MD_CTX_free);
  if (!context || EVP_DigestInit_ex(context.get(), EVP_sha256(), nullptr) != 1)
    throw std::runtime_error("SHA-256 is not available");
  std::array<char, 1 << 16> buffer{};
  while (file.read(buffer.data(), buffer.size()) || file.gcount() > 0)
    EVP_DigestUpdate(context.get(), buffer.data(), static_cast<std::size_t>(file.gcount()));
  require_whole(file, path.string());
  std::array<unsigned char, EVP_MAX_MD_SIZE> digest{};
  unsigned length = 0;
  EVP_DigestFinal_ex(context.get(), digest.data(), &length);
  std::string text;
  for (unsigned i = 0; i < length; ++i) {
    text += "0123456789abcdef"[digest[i] >> 4];
    text += "0123456789abcdef"[digest[i] & 15];
  }
  return text;
}

Json make_manifest(const Spec& spec) {
  Json inputs = Json::array();
  for (const auto& list : {spec.inputs, spec.vectors})
    for (const Input& input : list)
      inputs.push_back({{"name", input.name},
                        {"bytes", std::filesystem::file_size(input.path)},
                        {"sha256", sha256_of_file(input.path)}});
  utsname system{};
  uname(&system);
  return {{"engram", ENGRAM_VERSION},
          {"git", {{"revision", ENGRAM_GIT_REVISION}, {"dirty", ENGRAM_GIT_DIRTY != 0}}},
          {"experiment", spec.experiment},
          {"inputs", inputs},
          {"seeds", spec.seeds},
          {"rng", core::Rng::scheme},
          {"build", {{"compiler", compiler}, {"flags", ENGRAM_FLAGS}, {"type", ENGRAM_BUILD_TYPE}}},
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
  const std::string revision = ENGRAM_GIT_REVISION;
  return "engram " ENGRAM_VERSION " (" + revision.substr(0, 12) +
         (ENGRAM_GIT_DIRTY != 0 ? ", modified" : "") + "; " + compiler + "; " + ENGRAM_BUILD_TYPE + ")";
}

}  // namespace engram::experiments
