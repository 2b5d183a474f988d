// SPDX-License-Identifier: MIT
#include "experiments/formats/markup.hpp"

#include <stdexcept>

namespace engram::experiments {

std::string fill(std::string_view pattern, std::initializer_list<Filling> fillings) {
  std::string out;
  for (const Filling& filling : fillings) {
    const std::size_t blank = pattern.find("{}");
    if (blank == std::string_view::npos) throw std::invalid_argument("fill: too few blanks");
    out.append(pattern.substr(0, blank)).append(filling.text);
    pattern.remove_prefix(blank + 2);
  }
  if (pattern.find("{}") != std::string_view::npos) throw std::invalid_argument("fill: too many blanks");
  return out.append(pattern);
}

std::string code(std::string_view text) { return fill("<code>{}</code>", {text}); }

std::string text_of(const Json& row, const char* name) {
  return escape_html(row.at(name).get<std::string>());
}
std::string code_of(const Json& row, const char* name) { return code(row.at(name).get<std::string>()); }

std::string link(const std::string& path) { return link(path, escape_html(path)); }
std::string link(const std::string& path, const std::string& shown) {
  return fill(R"(<a href="{}">{}</a>)", {path, Markup{shown}});
}

std::string details(bool open, const std::string& summary, const std::string& within) {
  return fill("<details{}><summary>{}</summary>{}</details>\n",
              {open ? " open" : "", Markup{summary}, Markup{within}});
}

std::string bar(double amount, double largest, const char* kind) {
  return fill(R"(<span class="{}" style="width:{}%"></span>)",
              {kind, largest > 0 ? 100 * amount / largest : 0.0});
}

}  // namespace engram::experiments
