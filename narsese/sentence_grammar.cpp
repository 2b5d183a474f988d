// SPDX-License-Identifier: MIT
#include "narsese/sentence_grammar.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <string_view>

#include "narsese/byte_scan.hpp"

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

bool is_prediction(const SyntaxNode& root) {
  return root.label.kind == TermKind::statement &&
         root.label.symbol == static_cast<std::uint8_t>(Copula::predictive_implication);
}

// ONA's dt=5.0, in cycles from an implication's first side to its second.
Place read_delay(Reading& reading, Place at, Sentence& frame) {
  if (!looking_at(at, "dt=") || (!is_digit(at[3]) && at[3] != '-' && at[3] != '.')) return at;
  if (!reading.use(at, Construct::delay)) return nullptr;
  double delay = 0;
  const Place stop = reading.take_number(at + 3, delay);
  if (stop == nullptr || !std::isfinite(delay)) return reading.fail(at, "a number of cycles after dt=");
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

constexpr double unset = -1;

// OpenNARS's and PyNARS's durability where it is left out.
void complete(std::optional<BudgetValue>& budget, Punctuation punctuation) {
  if (budget && budget->durability == unset)
    budget->durability = punctuation == Punctuation::judgment ? BudgetValue{}.durability : 0.9;
}

Place read_budget(Reading& reading, Place at, std::optional<BudgetValue>& budget) {
  if (!looks_like_budget(reading, at)) return at;
  if (!reading.use(at, Construct::budget)) return nullptr;
  BudgetValue value{.durability = unset};
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
  const bool extreme = value.durability == 0 || value.durability >= 1;
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

// One blank, and no more, has led here.
bool after_one_blank(const Reading& reading, Place at) {
  return reading.before(at) == ' ' && !is_blank(reading.before(at - 1));
}

Place read_tense(Reading& reading, Place at, const SyntaxNode& root, Sentence& frame) {
  at = skip_blanks(at);
  if (*at != ':') {
    const bool goal = frame.punctuation == Punctuation::goal;
    return !goal || reading.use(at, Construct::eternal_goal) ? at : nullptr;
  }
  if (!after_one_blank(reading, at) && !reading.use(at, Construct::uneven_blanks)) return nullptr;
  const bool goal = frame.punctuation == Punctuation::goal;
  if (at[2] == ':' && at[1] == '|') {
    frame.tense.kind = Tense::Kind::present;
    const bool predicts = frame.punctuation == Punctuation::judgment && is_prediction(root);
    return !predicts || reading.use(at, Construct::present_prediction) ? at + 3 : nullptr;
  }
  if (at[2] == ':' && (at[1] == '\\' || at[1] == '/')) {
    frame.tense.kind = at[1] == '/' ? Tense::Kind::future : Tense::Kind::past;
    const Construct construct = goal ? Construct::tensed_goal : Construct::tensed_judgment;
    return frame.asks() || reading.use(at, construct) ? at + 3 : nullptr;
  }
  return read_numbered_tense(reading, at, frame.tense);
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
  if (confidence <= 0 && !reading.use(at, Construct::no_confidence)) return nullptr;
  if (confidence >= 1 && !reading.use(at, Construct::full_confidence)) return nullptr;
  return stop;
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

// Hundredths, written as 0.9 or 0.95: most numbers are. nullptr for any other number, or a greater one
// than 1.
Place read_hundredths(Place at, int& hundredths) {
  const bool two_decimals = is_digit(at[3]);
  hundredths = 100 * (at[0] - '0') + 10 * (at[2] - '0') + two_decimals * (at[3] - '0');
  const bool is_share = is_digit(at[0]) && at[1] == '.' && is_digit(at[2]) && hundredths <= 100;
  return is_share ? at + 3 + two_decimals : nullptr;
}

// %0.9;0.95%, what most truth values look like, with a confidence that needs no second thought. Else nullptr,
// without an error.
Place read_usual_truth(Place at, TruthValue& truth) {
  int frequency = 0, confidence = 0;
  const Place between = *at == '%' ? read_hundredths(at + 1, frequency) : nullptr;
  if (between == nullptr || *between != ';') return nullptr;
  const Place end = read_hundredths(between + 1, confidence);
  if (end == nullptr || *end != '%' || confidence == 0 || confidence == 100) return nullptr;
  truth = {frequency / 100.0, confidence / 100.0};
  return end + 1;
}

// Between braces: ONA's f c
Place read_braced_truth(Reading& reading, Place at, TruthValue& truth) {
  at = read_share(reading, at, truth.frequency, "a frequency");
  if (at == nullptr) return nullptr;
  if (*at == ',' && !reading.use(at, Construct::comma_in_braces)) return nullptr;
  const bool blank = is_blank(*at);
  at = skip_blanks(at);
  if (!blank && *at != ',') return reading.fail(at, "a blank or ',' and a confidence");
  at += *at == ',' ? 1 : 0;
  at = read_confidence(reading, at, truth.confidence);
  if (at == nullptr) return nullptr;
  at = skip_blanks(at);
  return *at == '}' ? at + 1 : reading.fail(at, "'}'");
}

Place read_truth(Reading& reading, Place at, Sentence& frame) {
  at = skip_blanks(at);
  if (*at != '%' && *at != '{') return at;
  if (frame.asks()) return reading.fail(at, "end of line (a question or quest has no truth value)");
  if (!after_one_blank(reading, at) && !reading.use(at, Construct::uneven_blanks)) return nullptr;
  TruthValue& truth = frame.truth.emplace();
  if (const Place end = read_usual_truth(at, truth); end != nullptr) return end;
  if (*at == '{')
    return reading.use(at, Construct::truth_in_braces) ? read_braced_truth(reading, at + 1, truth) : nullptr;
  const Place end = read_percent_truth(reading, at + 1, truth);
  const bool blanks = end != nullptr && has_blank(at, static_cast<std::size_t>(end - at));
  return !blanks || reading.use(at, Construct::blank_in_truth) ? end : nullptr;
}

}  // namespace

bool read_end(Reading& reading, Place at) {
  at = skip_blanks(at);
  return at == reading.end() || reading.fail(at, "end of line") != nullptr;
}

bool read_sentence(Reading& reading, Place at, TermGrammar& terms, Sentence& frame, SyntaxNodes& nodes) {
  const bool read =
      (at = read_delay(reading, skip_blanks(at), frame)) != nullptr &&
      (at = read_budget(reading, at, frame.budget)) != nullptr && (at = terms.read(at, nodes)) != nullptr &&
      (at = read_punctuation(reading, at, frame.punctuation)) != nullptr &&
      (at = read_tense(reading, at, nodes.back(), frame)) != nullptr &&
      (at = read_truth(reading, at, frame)) != nullptr && read_end(reading, at) &&
      (!frame.delay || is_prediction(nodes.back()) || reading.use(reading.begin(), Construct::idle_delay));
  complete(frame.budget, frame.punctuation);
  return read;
}

}  // namespace engram::narsese
