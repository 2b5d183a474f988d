// SPDX-License-Identifier: MIT
// Runs a fuzz target without libFuzzer: replay FOLDER over every file as it is; replay FOLDER LETTERS with
// each of the letters for its first byte.
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
  if (argc != 2 && argc != 3) {
    std::cerr << "usage: replay FOLDER [LETTERS]\n";
    return 2;
  }
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::directory_iterator(argv[1])) files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  for (const auto& file : files) {
    std::ifstream in(file, std::ios::binary);
    std::string input(std::istreambuf_iterator<char>(in), {});
    std::cout << file.filename().string() << std::endl;  // flushed: a broken promise ends the program
    const std::string as_it_is = input.substr(0, 1);
    for (const char choice : input.empty() || argc == 2 ? as_it_is : std::string(argv[2])) {
      input[0] = choice;
      LLVMFuzzerTestOneInput(reinterpret_cast<const std::uint8_t*>(input.data()), input.size());
    }
  }
  if (files.empty()) std::cerr << "no inputs in " << argv[1] << '\n';
  return files.empty() ? 1 : 0;
}
