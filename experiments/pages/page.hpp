// SPDX-License-Identifier: MIT
// What every page has: a head, a style and a script. These stand in the .css and .js files beside this one,
// which are compiled into the program.
#pragma once

#include <string>
#include <string_view>

namespace engram::experiments {

/// A page that is a file by itself: no network, light and dark, narrow and wide screens, print. A short script
/// makes tables sortable; without it they are plain tables. `body` is HTML, `style` is that of this page alone.
std::string page_html(const std::string& title, const std::string& body, std::string_view style = "");

}  // namespace engram::experiments
