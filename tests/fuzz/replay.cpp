// SPDX-License-Identifier: MIT
// Runs the fuzz target without libFuzzer: replay FOLDER over every file, in each dialect with either limits.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <string>
#include <vector>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

int main(int argc, char** argv) {
  if (argc != 2) {
    std::cerr << "usage: replay FOLDER\n";
    return 2;
  }
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::directory_iterator(argv[1])) files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  for (const auto& file : files) {
    std::ifstream in(file, std::ios::binary);
    std::string input(std::istreambuf_iterator<char>(in), {});
    std::cout << file.filename().string() << std::endl;  // flushed: a broken promise ends the program
    for (const char choice : std::string(input.empty() ? "" : "conpaCONPA")) {
      input[0] = choice;
      LLVMFuzzerTestOneInput(reinterpret_cast<const std::uint8_t*>(input.data()), input.size());
    }
  }
  if (files.empty()) std::cerr << "no inputs in " << argv[1] << '\n';
  return files.empty() ? 1 : 0;
}
