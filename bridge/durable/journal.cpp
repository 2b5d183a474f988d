// SPDX-License-Identifier: MIT
#include "bridge/durable/journal.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <utility>

#include "bridge/files/files.hpp"
#include "bridge/files/mapped_file.hpp"
#include "bridge/files/sha256.hpp"
#include "bridge/snapshots/binary_format.hpp"

namespace engram::bridge {
namespace {

constexpr std::size_t digits = 16, head_bytes = 32;
constexpr std::size_t whole_head = head_bytes + digits;

std::string check_of(std::string_view bytes) { return sha256_of_text(bytes).substr(0, digits); }

int opened(const std::filesystem::path& path, int flags) {
  errno = 0;
  const int descriptor = open(path.c_str(), flags | O_WRONLY | O_APPEND | O_CLOEXEC);
  if (descriptor < 0) throw_file_error(path);
  return descriptor;
}

}  // namespace

Journal::Journal(const std::filesystem::path& path, std::uint64_t generation, std::uint64_t first)
    : path_(path) {
  std::string head = binary_format::beginning(binary_format::journal_magic);
  put_number(head, generation);
  put_number(head, first);
  // Creates the file atomically, because a journal with an incomplete header would be unusable.
  write_file(path, head + check_of(head), private_mode);
  descriptor_ = opened(path, 0);
}

Journal::Journal(const std::filesystem::path& path, const JournalFacts& read)
    : path_(path), descriptor_(opened(path, 0)) {
  if (read.behind == 0) return;
  errno = 0;
  if (ftruncate(descriptor_, static_cast<off_t>(read.bytes)) != 0) throw_file_error(path);
  sync(descriptor_, path);
}

Journal::~Journal() {
  if (descriptor_ >= 0) close(descriptor_);
}

Journal::Journal(Journal&& other) noexcept
    : path_(std::move(other.path_)), descriptor_(std::exchange(other.descriptor_, -1)) {}

Journal& Journal::operator=(Journal&& other) noexcept {
  std::swap(path_, other.path_);
  std::swap(descriptor_, other.descriptor_);
  return *this;
}

std::string Journal::framed(std::string_view record, std::uint64_t number) {
  std::string bytes;
  put_number(bytes, std::uint64_t{record.size()});
  put_number(bytes, number);
  bytes += check_of(record);
  bytes += check_of(bytes);
  bytes += record;
  return bytes;
}

void Journal::append(std::string_view records) {
  write_all(descriptor_, records, path_);
  sync_data(descriptor_, path_);
}

JournalFacts read_journal(const std::filesystem::path& path, const std::function<void(ByteReader&)>& record) {
  const MappedFile file(path);
  const std::string_view all = file.bytes();
  ByteReader begin(all);
  JournalFacts facts;
  binary_format::read_beginning(begin, binary_format::journal_magic, "journal");
  facts.generation = begin.number<std::uint64_t>("a generation");
  facts.first = facts.next = begin.number<std::uint64_t>("the number of the first record");
  if (all.size() < whole_head || check_of(all.substr(0, head_bytes)) != all.substr(head_bytes, digits))
    throw ByteError(0, "the journal's beginning has been cut or changed");
  for (facts.bytes = whole_head; facts.bytes < all.size();) {
    const std::string_view rest = all.substr(facts.bytes);
    const bool is_zero = rest.find_first_not_of('\0') == rest.npos;
    if (is_zero || rest.size() < whole_head) break;
    if (check_of(rest.substr(0, head_bytes)) != rest.substr(head_bytes, digits))
      throw ByteError(facts.bytes, "the head of a record has been changed");
    ByteReader head(rest, facts.bytes);
    const auto length = head.number<std::uint64_t>("a length");
    const auto number = head.number<std::uint64_t>("a number");
    if (number != facts.next)
      throw ByteError(facts.bytes,
                      "expected record " + std::to_string(facts.next) + ", found " + std::to_string(number));
    if (length > rest.size() - whole_head) break;
    const std::string_view content = rest.substr(whole_head, length);
    if (check_of(content) != rest.substr(head_bytes - digits, digits))
      throw ByteError(facts.bytes, "record " + std::to_string(number) + " has been changed");
    ByteReader reader(content, facts.bytes + whole_head);
    record(reader);
    facts.bytes += whole_head + length;
    ++facts.next;
  }
  facts.behind = all.size() - facts.bytes;
  return facts;
}

}  // namespace engram::bridge
