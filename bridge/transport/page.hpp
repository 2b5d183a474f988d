// SPDX-License-Identifier: MIT
// The page that shows a live memory in a browser.
#pragma once

#include <string_view>

namespace engram::bridge {

/// The files of bridge/window, put together when the program was built (bridge/window/embed.cmake): one page that asks
/// for nothing else. For ServerOptions::page.
std::string_view window_page();

}  // namespace engram::bridge
