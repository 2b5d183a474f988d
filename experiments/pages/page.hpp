// SPDX-License-Identifier: MIT
// Frame of every page: head, style and script. Style and script are in .css and .js files of this folder, which are
// compiled into the program.
#pragma once

#include <string>
#include <string_view>

namespace engram::experiments {

/// Creates a self-contained page that needs no network. It supports light and dark mode, narrow and wide screens, and
/// print. A short script makes tables sortable; without it they are plain tables. `body` is HTML; `style` is additional
/// CSS.
std::string page_html(const std::string& title, const std::string& body, std::string_view style = "");

}  // namespace engram::experiments
