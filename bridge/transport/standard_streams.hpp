// SPDX-License-Identifier: MIT
// Standard input and output as a socket, so that a server may have them as one client more. For the .cpp files of this
// folder.
#pragma once

#include <boost/asio/io_context.hpp>
#include <boost/asio/local/stream_protocol.hpp>

namespace engram::bridge {

/// What is written to the socket goes to standard output; what comes from it is standard input. Each ends with the
/// other end's. Two threads carry the bytes until either side has ended: a read of standard input cannot be ended from
/// outside, so nobody waits for them, and they have nothing but two files.
/// Errors  std::system_error
boost::asio::local::stream_protocol::socket standard_streams(boost::asio::io_context& context);

}  // namespace engram::bridge
