// SPDX-License-Identifier: MIT
#include "core/session/latest_inputs.hpp"

#include "narsese/printer.hpp"

namespace engram::core {
namespace {

// At the end of a character.
void cut(std::string& text, std::size_t most) {
  if (text.size() <= most) return;
  while (most > 0 && (static_cast<unsigned char>(text[most]) & 0xc0U) == 0x80U) --most;
  text.resize(most);
  text += "...";
}

}  // namespace

void LatestInputs::add(const narsese::Sentence& sentence, std::optional<StatementId> statement) {
  Said& said = said_[next_];
  next_ = (next_ + 1) % most;
  said.sentence = sentence;
  said.sentence.term = {};
  said.statement = statement;
  said.text.clear();
  if (statement) return;
  said.text = narsese::print(sentence);
  cut(said.text, most_question_bytes);
}

std::vector<std::string> LatestInputs::texts(const Memory& memory) const {
  std::vector<std::string> texts;
  for (std::size_t i = 0; i < most; ++i) {
    const Said& said = said_[(next_ + i) % most];
    if (said.statement) {
      narsese::Sentence sentence = said.sentence;
      sentence.term = memory.statements().term(*said.statement);
      texts.push_back(narsese::print(sentence));
    } else if (!said.text.empty()) {
      texts.push_back(said.text);
    }
  }
  return texts;
}

void LatestInputs::follow(const Renumbering& numbers) {
  for (Said& said : said_) {
    if (!said.statement) continue;
    const std::uint32_t number = numbers.statements[*said.statement];
    number == Renumbering::gone ? said.statement.reset() : void(said.statement = number);
  }
}

}  // namespace engram::core
