// SPDX-License-Identifier: MIT
#include "experiments/mpi/shared_files.hpp"

#include <algorithm>
#include <boost/interprocess/file_mapping.hpp>
#include <filesystem>

#include "bridge/files/sha256.hpp"
#include "core/shards/sharded_memory.hpp"
#include "experiments/formats/errors.hpp"

namespace engram::experiments::mpi {
namespace {

namespace fs = std::filesystem;
namespace ipc = boost::interprocess;

std::string digest_of_blocks(std::string_view text) {
  constexpr std::size_t blocks = 64, bytes = 4096;
  if (text.size() <= blocks * bytes) return bridge::sha256_of_text(std::string(text));
  std::string some;
  for (std::size_t i = 0; i < blocks; ++i)
    some += text.substr((text.size() - bytes) / (blocks - 1) * i, bytes);
  return bridge::sha256_of_text(some);
}

std::string facts_of(const core::SharedText& text) {
  return std::to_string(text.text.size()) + " bytes, SHA-256 of 64 blocks " + digest_of_blocks(text.text);
}

}  // namespace

void SharedFiles::open(const std::string& name) {
  if (!fs::is_regular_file(name))
    throw std::runtime_error(
        name + (fs::exists(name) ? ": ranks read parts of files; this is none" : ": no such file"));
  std::string_view text;
  if (fs::file_size(name) > 0) {
    regions_.emplace_back(ipc::file_mapping(name.c_str(), ipc::read_only), ipc::read_only);
    text = {static_cast<const char*>(regions_.back().get_address()), regions_.back().get_size()};
  }
  texts_.push_back({name, text});
}

SharedFiles::SharedFiles(core::Peers& peers, const std::vector<std::string>& names) try {
  for (const std::string& name : names) {
    std::string trouble;
    try {
      open(name);
    } catch (const ipc::interprocess_exception& error) {
      trouble = name + ": cannot be read: " + error.what();
    } catch (const std::exception& error) {
      trouble = error.what();
    }
    core::agree(peers, trouble);
    const std::string facts = facts_of(texts_.back());
    const auto all = core::gather(peers, std::span<const char>(facts));
    const auto of_rank_0 = all.of(0);
    if (!std::ranges::equal(of_rank_0, facts))
      trouble = name + " is another file here: " + facts +
                "; at rank 0: " + std::string(of_rank_0.begin(), of_rank_0.end());
    core::agree(peers, trouble);
  }
} catch (const std::runtime_error& error) {  // what all agree upon
  throw InputError(error.what());
}

}  // namespace engram::experiments::mpi
