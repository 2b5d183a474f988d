// SPDX-License-Identifier: MIT
// Peers that are threads of one process, for tests.
#pragma once

#include <algorithm>
#include <barrier>
#include <condition_variable>
#include <deque>
#include <functional>
#include <map>
#include <mutex>
#include <thread>
#include <vector>

#include "core/shards/peers.hpp"

namespace engram::core {

/// What the threads share.
class ThreadedPeers {
 public:
  explicit ThreadedPeers(std::size_t size)
      : size_(size), together_(static_cast<std::ptrdiff_t>(size)), out_(size) {}

  /// Runs `work` once a peer, each in a thread of its own.
  static void run(std::size_t size, const std::function<void(Peers&)>& work) {
    ThreadedPeers shared(size);
    std::vector<std::jthread> threads;
    for (std::size_t r = 0; r < size; ++r)
      threads.emplace_back([&, r] {
        OnePeer peer(shared, r);
        work(peer);
      });
  }

 private:
  struct Given {
    const std::byte* bytes = nullptr;
    std::vector<std::size_t> starts;
    double number = 0;
  };

  class OnePeer : public Peers {
   public:
    OnePeer(ThreadedPeers& shared, std::size_t rank) : shared_(shared), rank_(rank) {}
    std::size_t rank() const override { return rank_; }
    std::size_t size() const override { return shared_.size_; }

    void all_to_all(const std::byte* out, std::span<const std::size_t> sizes_out, std::byte* in,
                    std::span<const std::size_t> sizes_in) override {
      Given& mine = shared_.out_[rank_];
      mine.bytes = out;
      mine.starts.assign(1, 0);
      for (const std::size_t bytes : sizes_out) mine.starts.push_back(mine.starts.back() + bytes);
      sent_ += mine.starts.back() - sizes_out[rank_];
      shared_.together_.arrive_and_wait();
      for (std::size_t r = 0; r < size(); ++r) {
        const Given& given = shared_.out_[r];
        if (given.starts[rank_ + 1] - given.starts[rank_] != sizes_in[r]) std::abort();  // they do not agree
        std::copy_n(given.bytes + given.starts[rank_], sizes_in[r], in);
        in += sizes_in[r];
      }
      shared_.together_.arrive_and_wait();
    }
    void all_gather(std::span<const std::byte> own, std::byte* in,
                    std::span<const std::size_t> sizes_in) override {
      Given& mine = shared_.out_[rank_];
      mine.bytes = own.data();
      mine.starts = {0, own.size()};
      sent_ += own.size() * (size() - 1);
      shared_.together_.arrive_and_wait();
      for (std::size_t r = 0; r < size(); ++r) {
        if (shared_.out_[r].starts[1] != sizes_in[r]) std::abort();
        in = std::copy_n(shared_.out_[r].bytes, sizes_in[r], in);
      }
      shared_.together_.arrive_and_wait();
    }
    void send(std::size_t to, std::span<const std::byte> bytes) override {
      const std::lock_guard lock(shared_.lock_);
      shared_.letters_[{rank_, to}].emplace_back(bytes.begin(), bytes.end());
      sent_ += bytes.size();
      shared_.changed_.notify_all();
    }
    void receive(std::size_t from, std::span<std::byte> bytes) override {
      std::unique_lock lock(shared_.lock_);
      auto& letters = shared_.letters_[{from, rank_}];
      shared_.changed_.wait(lock, [&] { return !letters.empty(); });
      if (letters.front().size() != bytes.size()) std::abort();
      std::ranges::copy(letters.front(), bytes.begin());
      letters.pop_front();
    }
    double greatest(double x) override {
      shared_.out_[rank_].number = x;
      shared_.together_.arrive_and_wait();
      double most = x;
      for (const Given& given : shared_.out_) most = std::max(most, given.number);
      shared_.together_.arrive_and_wait();
      return most;
    }

   private:
    ThreadedPeers& shared_;
    std::size_t rank_;
  };

  std::size_t size_;
  std::barrier<> together_;
  std::vector<Given> out_;
  std::mutex lock_;
  std::condition_variable changed_;
  std::map<std::pair<std::size_t, std::size_t>, std::deque<std::vector<std::byte>>> letters_;
};

}  // namespace engram::core
