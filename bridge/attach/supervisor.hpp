// SPDX-License-Identifier: MIT
// A process between us and a program that we start, which ends the program and all that it started.
#pragma once

namespace engram::bridge {

/// To be called between fork and exec. Returns in a child of the caller, which then becomes the program, in a
/// process group of its own and with the signals as they are by default; the caller stays behind as its
/// supervisor, in a session of its own and with no file open but `control`, and never returns.
///
/// When the other end of `control`, a pipe that nobody writes to, is closed (we are done, or were killed, no
/// matter how), the program has 100 ms to end with its input. Then it and all that descends from it are
/// killed: on Linux also what has left its group or session, or whose parents have ended, as that becomes the
/// supervisor's child; elsewhere its group alone. The supervisor ends as the program did: with its exit code,
/// or by its signal.
/// Not reached: what others start for the program (cron, systemd, a container's daemon); and where the
/// supervisor itself is killed by SIGKILL, all but the program, which is killed then (on Linux).
void supervise(int control);

}  // namespace engram::bridge
