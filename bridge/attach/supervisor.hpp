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
/// matter how), the program has 100 ms to end with its input. Then it is killed, and on Linux all that descends
/// from it, also what has left its group or session, or whose parents have ended, as that becomes the
/// supervisor's child. The supervisor ends as the program did: with its exit code, or by its signal. Whoever
/// started it then kills the process group before it reaps the supervisor: that ends what is left where the
/// supervisor itself was killed, and elsewhere than on Linux.
/// Not reached: what others start for the program (cron, systemd, a container's daemon); and where the
/// supervisor is killed by SIGKILL, what has left its process group.
void supervise(int control);

}  // namespace engram::bridge
