// SPDX-License-Identifier: MIT
// A process between us and a program that we start, which ends the program and all that it started.
#pragma once

namespace engram::bridge {

/// To be called between fork and exec. It returns in a child of the caller, which then becomes the program, with
/// the signals as they are by default. The caller stays behind as the program's supervisor: both are in a new
/// session and process group, whose number is the supervisor's; it has no file open but `control`, and never
/// returns.
///
/// When the other end of `control`, a pipe that nobody writes to, is closed (we are done, or were killed, no
/// matter how), the program has 100 ms to end with its input. Then the supervisor kills it. On Linux it also
/// kills all descendants of the program, even those in other groups or sessions: orphans become the supervisor's
/// children. The supervisor ends as the program did, with its exit code or by its signal.
///
/// The caller should kill the process group before it reaps the supervisor. This ends the descendants on other
/// systems than Linux, and if the supervisor itself was killed.
/// Not reached are processes that others start for the program (cron, systemd, a container's daemon), and, if
/// the supervisor was killed, processes that have left its group.
void supervise(int control);

}  // namespace engram::bridge
