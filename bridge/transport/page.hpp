// SPDX-License-Identifier: MIT
// The web page that shows a live memory.
#pragma once

#include <string_view>

namespace engram::bridge {

/// The page for ServerOptions::page. The build combines the files of bridge/window into one self-contained page
/// (bridge/window/embed.cmake).
std::string_view window_page();

}  // namespace engram::bridge
