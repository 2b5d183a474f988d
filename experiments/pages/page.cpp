// SPDX-License-Identifier: MIT
#include "experiments/pages/page.hpp"

#include "experiments/formats/escapes.hpp"
#include "page_files.hpp"

namespace engram::experiments {

std::string page_html(const std::string& title, const std::string& body, std::string_view style) {
  std::string html =
      "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"><title>" +
      escape_html(title) + "</title><style>\n";
  html.append(page_css).append(style).append("</style></head>\n<body>\n").append(body);
  return html.append("<script>\n").append(page_js).append("</script>\n</body></html>\n");
}

}  // namespace engram::experiments
