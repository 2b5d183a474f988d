// SPDX-License-Identifier: MIT
#include "experiments/benchmarks/narsese_mix.hpp"

#include <algorithm>
#include <array>
#include <vector>

#include "core/numbers/random.hpp"

namespace engram::benchmarks {
namespace {

struct Form {
  unsigned percent;
  std::string_view text;  // A stands for a new atom, T for a truth value
};

// The shares follow the example files of ONA, OpenNARS and BabelNAR, restricted to sentences that the three systems
// read alike. In these files, 76 % of the sentences are inheritance or similarity between things and 19 % are
// implications. 47 % name an instance, 34 % a property, 13 % a product. 17 % are questions, 3 % goals, 43 % events.
//
// Half of the lines in these files have less than 27 bytes. Lines of knowledge bases and robots are longer. Therefore
// our lines have more truth values (49 % instead of 18 %) and names of 5 to 14 bytes.
//
// Forms that one of the three systems reads differently are left out: budgets, compounds and sets of three or more,
// images, infix, unary products, intervals, `&|`, `=|>` and similar copulas, `{--`, names with `-` or `.`, and `<a -->
// a>`.
constexpr std::array<Form, 24> forms{{
    // a kind of something, an instance, a property
    {10, "<A --> A>. T"},
    {3, "<A --> A>. :|: T"},
    {9, "<{A} --> A>. T"},
    {5, "<{A} --> A>. :|: T"},
    {11, "<{A} --> [A]>. :|:"},
    {4, "<A --> [A]>. :|: T"},
    {4, "<A <-> A>. T"},
    // relations
    {10, "<(*,A,A) --> A>."},
    {3, "<(*,A,A) --> A>. T"},
    {4, "<(*,{A},{A}) --> A>. :|: T"},
    // rules, with and without variables
    {5, "<<$1 --> A> ==> <$1 --> A>>. T"},
    {3, "<<$x --> A> ==> <$x --> [A]>>."},
    {3, "<(&&,<$x --> A>,<$x --> A>) ==> <$x --> A>>."},
    {2, "<<(*,$1,$2) --> A> ==> <(*,$2,$1) --> A>>. T"},
    {2, "<<A --> A> ==> <A --> A>>."},
    // temporal relations
    {3, "<<A --> [A]> =/> <A --> [A]>>."},
    {2, "<(&/,A,<(*,{SELF},A) --> ^pick>) =/> A>."},
    // goals
    {2, "<{A} --> [A]>! :|:"},
    {1, "<(*,{SELF},A) --> ^pick>! :|:"},
    // questions
    {3, "<(*,A,A) --> A>?"},
    {4, "<(*,A,?1) --> A>?"},
    {2, "<(*,?1,{A}) --> A>? :|:"},
    {4, "<{A} --> [A]>? :|:"},
    {1, "(&&,<?1 --> A>,<?1 --> A>)?"},
}};

constexpr unsigned all_percents() {
  unsigned sum = 0;
  for (const Form& form : forms) sum += form.percent;
  return sum;
}
static_assert(all_percents() == 100);

// Shortest first, because longer numbers need shorter stems.
constexpr std::array<std::string_view, 25> stems{
    {"cat",       "dog",       "door",      "bird",      "lock",     "robot",    "light",
     "person",    "mammal",    "animal",    "swimmer",   "vehicle",  "concept",  "musician",
     "chemical",  "building",  "location",  "predator",  "beverage", "organism", "disorder",
     "procedure", "furniture", "container", "instrument"}};
static_assert(std::ranges::is_sorted(stems, {}, &std::string_view::size));
constexpr std::size_t longest_name = 14;

std::string two_decimals(std::uint64_t hundredths) {
  const std::string digits = std::to_string(hundredths);
  return digits.size() < 2 ? "0.0" + digits : "0." + digits;
}

// Half of the frequencies are 1 and half of the confidences 0.9, the values that most people write.
std::string truth(core::Rng& rng) {
  const std::string frequency = rng.below(2) == 0 ? "1.0" : two_decimals(rng.below(100));
  const std::string confidence = rng.below(2) == 0 ? "0.9" : two_decimals(1 + rng.below(99));
  return "%" + frequency + ";" + confidence + "%";
}

const Form& draw_form(core::Rng& rng) {
  auto left = static_cast<unsigned>(rng.below(100));
  const Form* form = forms.data();
  for (; left >= form->percent; ++form) left -= form->percent;
  return *form;
}

// Draws random atoms.
class Atoms {
 public:
  Atoms(std::uint64_t count, Frequencies frequencies) : count_(count) {
    double sum = 0;
    if (frequencies == Frequencies::zipf)
      for (std::uint64_t k = 1; k <= count; ++k) cumulated_.push_back(sum += 1 / static_cast<double>(k));
  }

  std::uint64_t draw(core::Rng& rng) const {
    if (cumulated_.empty()) return rng.below(count_);
    const auto place = std::ranges::upper_bound(cumulated_, rng.uniform() * cumulated_.back());
    return std::min(static_cast<std::uint64_t>(place - cumulated_.begin()), count_ - 1);
  }

 private:
  std::uint64_t count_;
  std::vector<double> cumulated_;  // cumulated weights 1/k; empty for a uniform distribution
};

std::string fill(const Form& form, const Atoms& atoms, core::Rng& rng) {
  std::string line;
  std::vector<std::uint64_t> used;
  for (const char c : form.text) {
    if (c == 'T') {
      line += truth(rng);
    } else if (c == 'A') {
      do used.push_back(atoms.draw(rng));
      while (std::find(used.begin(), used.end() - 1, used.back()) != used.end() - 1);
      line += atom_name(used.back());
    } else {
      line += c;
    }
  }
  return line;
}

NarseseMix mix(std::string_view name, std::size_t lines, std::uint64_t count, std::uint64_t seed,
               Frequencies frequencies) {
  NarseseMix mix{name, count, {}};
  const Atoms atoms(count, frequencies);
  for (std::size_t i = 0; i < lines; ++i) {
    core::Rng rng(seed, name, i);
    const Form& form = draw_form(rng);
    std::string line;
    do line = fill(form, atoms, rng);
    while (line.size() < shortest_line || line.size() > longest_line);
    mix.text += line;
    mix.text += '\n';
  }
  return mix;
}

}  // namespace

NarseseMix small_vocabulary(std::size_t lines, std::uint64_t seed, Frequencies frequencies) {
  return mix("small_vocabulary", lines, 100, seed, frequencies);
}

NarseseMix large_vocabulary(std::size_t lines, std::uint64_t seed, Frequencies frequencies) {
  return mix("large_vocabulary", lines, std::max<std::uint64_t>(lines / 5, 100), seed, frequencies);
}

std::string atom_name(std::uint64_t number) {
  const std::string digits = std::to_string(number);
  const auto fits = [&](std::string_view stem) { return stem.size() + 1 + digits.size() <= longest_name; };
  const auto fitting = static_cast<std::size_t>(std::ranges::count_if(stems, fits));
  const std::string_view stem = stems[number % std::max<std::size_t>(fitting, 1)];
  return std::string(stem) + "_" + digits;
}

}  // namespace engram::benchmarks
