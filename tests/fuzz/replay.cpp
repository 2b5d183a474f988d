// SPDX-License-Identifier: MIT
// Runs a fuzz target without libFuzzer, on:
//   TARGET FOLDER          every file of the folder
//   TARGET FOLDER LETTERS  every file, once for each letter, which replaces the file's first byte
//   TARGET --random COUNT  random bytes, the same in every run
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <random>
#include <string>
#include <vector>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

// Runs `count` random inputs. Prints the number of each input before it runs, so that the last number identifies a
// crash.
static void run_random_inputs(int count) {
  for (int i = 0; i < count; ++i) {
    std::mt19937 random(static_cast<unsigned>(i));
    std::vector<std::uint8_t> bytes(20 + random() % 300);
    for (std::uint8_t& byte : bytes) byte = static_cast<std::uint8_t>(random());
    std::cout << i << std::endl;
    LLVMFuzzerTestOneInput(bytes.data(), bytes.size());
  }
}

int main(int argc, char** argv) {
  if (argc == 3 && std::string(argv[1]) == "--random") {
    run_random_inputs(std::stoi(argv[2]));
    return 0;
  }
  if (argc != 2 && argc != 3) {
    std::cerr << "usage: TARGET FOLDER [LETTERS] | TARGET --random COUNT\n";
    return 2;
  }
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::directory_iterator(argv[1])) files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  for (const auto& file : files) {
    std::ifstream in(file, std::ios::binary);
    std::string input(std::istreambuf_iterator<char>(in), {});
    // Flushed, because a broken promise ends the program at once.
    std::cout << file.filename().string() << std::endl;
    const std::string as_it_is = input.substr(0, 1);
    for (const char choice : input.empty() || argc == 2 ? as_it_is : std::string(argv[2])) {
      input[0] = choice;
      LLVMFuzzerTestOneInput(reinterpret_cast<const std::uint8_t*>(input.data()), input.size());
    }
  }
  if (files.empty()) std::cerr << "no inputs in " << argv[1] << '\n';
  return files.empty() ? 1 : 0;
}
