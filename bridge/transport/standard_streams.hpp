// SPDX-License-Identifier: MIT
// Adapter that makes standard input and output a socket, so a server can treat them as a client. Private to this
// folder.
#pragma once

#include <boost/asio/io_context.hpp>
#include <boost/asio/local/stream_protocol.hpp>

namespace engram::bridge {

/// A socket connected to standard input and output. The end of one side ends the other. Two threads copy the bytes. A
/// blocking read of standard input cannot be cancelled, so nobody waits for these threads, and they only own two file
/// descriptors.
/// Errors  std::system_error
boost::asio::local::stream_protocol::socket standard_streams(boost::asio::io_context& context);

}  // namespace engram::bridge
