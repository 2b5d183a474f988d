// SPDX-License-Identifier: MIT
#include "narsese/sentence_grammar.hpp"

#include <string>
#include <string_view>

namespace engram::narsese {
namespace {

// A number in [0, 1].
Place read_share(Reading& reading, Place at, double& value, std::string_view what) {
  at = skip_blanks(at);
  if (!is_digit(*at) && *at != '.') return reading.fail(at, std::string(what) + ", a number in [0, 1]");
  const Place stop = reading.take_decimal(at, value);
  if (stop != nullptr && value >= 0 && value <= 1) return stop;
  return reading.fail(at, std::string(what) + " in [0, 1]");
}

// ONA's dt=5.0, in cycles from an implication's first side to its second.
Place read_delay(Reading& reading, Place at, Sentence& frame) {
  if (!looking_at(at, "dt=") || (!is_digit(at[3]) && at[3] != '-' && at[3] != '.')) return at;
  if (!reading.use(at, Construct::delay)) return nullptr;
  double delay = 0;
  const Place stop = reading.take_number(at + 3, delay);
  if (stop == nullptr) return reading.fail(at, "a number of cycles after dt=");
  if (!is_blank(*stop)) return reading.fail(stop, "a blank after dt=");
  frame.delay = delay;
  return skip_blanks(stop);
}

// `$0.8;..$` is a budget, `$x` a variable: a budget's first byte is a digit or a dot, and `$` closes it.
bool looks_like_budget(const Reading& reading, Place at) {
  if (*at != '$' || !(is_digit(at[1]) || at[1] == '.')) return false;
  const std::string_view rest(at, static_cast<std::size_t>(reading.end() - at));
  const std::size_t close = rest.find_first_not_of("0123456789.;eE+- ", 1);
  return close != std::string_view::npos && rest[close] == '$';
}

Place read_budget(Reading& reading, Place at, std::optional<BudgetValue>& budget) {
  if (!looks_like_budget(reading, at)) return at;
  if (!reading.use(at, Construct::budget)) return nullptr;
  BudgetValue value;
  const auto next_share = [&](double& share, std::string_view what) {  // after a `;`, if there is one
    at = skip_blanks(at);
    if (*at == ';') at = read_share(reading, at + 1, share, what);
    return at != nullptr;
  };
  at = read_share(reading, at + 1, value.priority, "a priority");
  if (at == nullptr || !next_share(value.durability, "a durability") ||
      !next_share(value.quality, "a quality"))
    return nullptr;
  at = skip_blanks(at);
  if (*at != '$') return reading.fail(at, "'$'");
  ++at;
  const bool extreme = value.durability <= 0 || value.durability >= 1;
  if (extreme && !reading.use(at, Construct::extreme_durability)) return nullptr;
  budget = value;
  return skip_blanks(at);
}

Place read_punctuation(Reading& reading, Place at, Punctuation& punctuation) {
  at = skip_blanks(at);
  switch (*at) {
    case '.':
      punctuation = Punctuation::judgment;
      return at + 1;
    case '!':
      punctuation = Punctuation::goal;
      return at + 1;
    case '?':
      punctuation = Punctuation::question;
      return at + 1;
    case '@':
      punctuation = Punctuation::quest;
      return reading.use(at, Construct::quest) ? at + 1 : nullptr;
    default:
      return reading.fail(at, "punctuation ('.', '!', '?' or '@')");
  }
}

// :!n:, :+n: or :-n:
Place read_numbered_tense(Reading& reading, Place start, Tense& tense) {
  const bool absolute = start[1] == '!', later = start[1] == '+';
  if (!absolute && !later && start[1] != '-')
    return reading.fail(start, "a tense (:|:, :\\:, :/:, :!n:, :+n: or :-n:)");
  if (!reading.use(start, absolute ? Construct::absolute_tense : Construct::offset_tense)) return nullptr;
  tense.kind = absolute ? Tense::Kind::at : Tense::Kind::offset;
  const Place number = start + (absolute || later ? 2 : 1);
  const Place at = later && !is_digit(*number) ? nullptr : reading.take_number(number, tense.cycles);
  if (at == nullptr) return reading.fail(start, "a number of cycles in the tense");
  return *at == ':' ? at + 1 : reading.fail(at, "':'");
}

Place read_tense(Reading& reading, Place at, Sentence& frame) {
  at = skip_blanks(at);
  if (*at != ':') {
    if (frame.punctuation == Punctuation::goal && !reading.use(at, Construct::eternal_goal)) return nullptr;
    return at;
  }
  if (at[2] != ':' || (at[1] != '|' && at[1] != '\\' && at[1] != '/'))
    return read_numbered_tense(reading, at, frame.tense);
  frame.tense.kind = at[1] == '|'    ? Tense::Kind::present
                     : at[1] == '\\' ? Tense::Kind::past
                                     : Tense::Kind::future;
  if (at[1] != '|' && !frame.asks() && !reading.use(at, Construct::tensed_judgment)) return nullptr;
  return at + 3;
}

// PyNARS's third number, the evidential horizon k of c = w/(w+k): the confidence that w has with ours.
Place read_horizon(Reading& reading, Place at, TruthValue& truth) {
  at = skip_blanks(at);
  double horizon = 0;
  if (!reading.use(at, Construct::horizon_in_truth)) return nullptr;
  const Place stop = is_digit(*at) ? reading.take_number(at, horizon) : nullptr;
  if (stop == nullptr || !(horizon > 0) || horizon > 1e6)
    return reading.fail(at, "an evidential horizon in (0, 1000000]");
  if (horizon != evidential_horizon)
    truth.confidence = horizon * truth.confidence /
                       (horizon * truth.confidence + evidential_horizon * (1 - truth.confidence));
  return stop;
}

Place read_confidence(Reading& reading, Place at, double& confidence) {
  at = skip_blanks(at);
  const Place stop = read_share(reading, at, confidence, "a confidence");
  if (stop == nullptr) return nullptr;
  const bool extreme = confidence <= 0 || confidence >= 1;
  return extreme && !reading.use(at, Construct::extreme_confidence) ? nullptr : stop;
}

// Between the `%`: f, f;c or PyNARS's f;c;k
Place read_percent_truth(Reading& reading, Place at, TruthValue& truth) {
  at = read_share(reading, at, truth.frequency, "a frequency");
  if (at == nullptr) return nullptr;
  at = skip_blanks(at);
  if (*at == '%') return at + 1;
  if (*at != ';') return reading.fail(at, "'%' or ';'");
  at = read_confidence(reading, at + 1, truth.confidence);
  if (at == nullptr) return nullptr;
  at = skip_blanks(at);
  if (*at == ';') {
    at = read_horizon(reading, at + 1, truth);
    if (at == nullptr) return nullptr;
    at = skip_blanks(at);
  }
  return *at == '%' ? at + 1 : reading.fail(at, "'%'");
}

// Between braces: ONA's f c
Place read_braced_truth(Reading& reading, Place at, TruthValue& truth) {
  at = read_share(reading, at, truth.frequency, "a frequency");
  if (at == nullptr) return nullptr;
  const bool blank = is_blank(*at);
  at = skip_blanks(at);
  if (*at == ',')
    ++at;
  else if (!blank)
    return reading.fail(at, "a blank or ',' and a confidence");
  at = read_confidence(reading, at, truth.confidence);
  if (at == nullptr) return nullptr;
  at = skip_blanks(at);
  return *at == '}' ? at + 1 : reading.fail(at, "'}'");
}

Place read_truth(Reading& reading, Place at, Sentence& frame) {
  at = skip_blanks(at);
  if (*at != '%' && *at != '{') return at;
  if (frame.asks()) return reading.fail(at, "end of line (a question or quest has no truth value)");
  if (!is_blank(reading.before(at)) && !reading.use(at, Construct::truth_without_blank)) return nullptr;
  if (*at == '{' && !reading.use(at, Construct::truth_in_braces)) return nullptr;
  TruthValue& truth = frame.truth.emplace();
  return *at == '{' ? read_braced_truth(reading, at + 1, truth) : read_percent_truth(reading, at + 1, truth);
}

}  // namespace

bool read_end(Reading& reading, Place at) {
  at = skip_blanks(at);
  return at == reading.end() || reading.fail(at, "end of line") != nullptr;
}

bool read_sentence(Reading& reading, Place at, TermGrammar& terms, SyntaxTree& tree) {
  Sentence& frame = tree.frame;
  return (at = read_delay(reading, skip_blanks(at), frame)) != nullptr &&
         (at = read_budget(reading, at, frame.budget)) != nullptr && (at = terms.read(at, tree)) != nullptr &&
         (at = read_punctuation(reading, at, frame.punctuation)) != nullptr &&
         (at = read_tense(reading, at, frame)) != nullptr &&
         (at = read_truth(reading, at, frame)) != nullptr && read_end(reading, at);
}

}  // namespace engram::narsese
