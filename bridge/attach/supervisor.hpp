// SPDX-License-Identifier: MIT
// Supervisor process between this process and a program that it starts. The supervisor ends the program and all its
// descendants.
#pragma once

namespace engram::bridge {

/// Starts a supervisor. Call this between fork and exec. The call returns in a child of the caller, which then becomes the
/// program, with default signal handlers. The caller stays behind as supervisor and never returns. Both are in a new
/// session and process group, whose ID is the process ID of the supervisor. The supervisor has only `control` open.
///
/// The other end of `control`, a pipe that nobody writes to, is closed when this process is done or was killed. Then
/// the program has 100 ms to end after the end of its input, and the supervisor kills it. On Linux it also kills all
/// descendants of the program, even in other groups or sessions, because orphans become children of the supervisor. The
/// supervisor ends like the program: with its exit code or by its signal.
///
/// The caller should kill the process group before it reaps the supervisor. This ends the descendants on other systems
/// than Linux, and if the supervisor itself was killed.
///
/// Two kinds of processes survive: processes that others start for the program (cron, systemd, a container's daemon),
/// and, if the supervisor was killed, processes that have left its group.
void supervise(int control);

}  // namespace engram::bridge
