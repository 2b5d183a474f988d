#!/bin/sh
# However `engram attach` ends, the NARS ends with all its child processes, in any process group or session. If the end
# was requested, the transcript, the summary and the page are complete.
. "$(dirname "$0")/lib.sh"
cat >wrapper.sh <<'SH'
#!/bin/sh
# wrapper.sh MARK COMMAND...: ignores signals and starts background processes, as a careless shell script may.
mark=$1
shift
trap '' TERM HUP INT
sleep "$mark" >/dev/null 2>&1 &
(setsid sleep "$mark" >/dev/null 2>&1 &)
(setsid sh -c 'trap "" TERM; sleep '"$mark"' & sleep '"$mark" >/dev/null 2>&1 &)
( (trap '' TERM; sleep "$mark"; sleep "$mark") & )
exec "$@"
SH
chmod +x wrapper.sh
printf '<robin --> bird>.\n<bird --> animal>.\n10\n<robin --> ?1>?\n' >birds.nal
cat >ends.py <<'PY'
import json, os, signal, subprocess, sys, time
engram, source = sys.argv[1:3]
mark = "7%d.%d" % (os.getpid(), os.getpid())
fake = [sys.executable, source + "/tests/program/fake_nars.py"]


def alive():
    """The processes of the wrapper and of the NARS, identified by the mark in their command lines."""
    found = []
    for entry in os.listdir("/proc"):
        try:
            words = open("/proc/%s/cmdline" % entry).read() if entry.isdigit() else ""
        except OSError:
            continue
        if mark in words and engram not in words:
            found.append(words.replace("\0", " "))
    return found


def wait_for(what, why, seconds=30):
    end = time.time() + seconds
    while not what():
        assert time.time() < end, why
        time.sleep(0.02)


def start(*nars):
    for name in ("log", "summary", "page.html"):
        if os.path.exists(name):
            os.remove(name)
    running = subprocess.Popen([engram, "attach", "--log", "log", "--summary", "summary", "--report", "page.html", "birds.nal",
                                "--", "./wrapper.sh", mark, *fake, "mark:" + mark, *nars],
                               stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    wait_for(lambda: len(alive()) >= 6 or running.poll() is not None, "the wrapper did not start: %s" % alive())
    return running


def told(running):
    out, err = running.communicate(timeout=60)
    return err


# After a normal end of the session no process is left.
running = start()
assert "1 answered" in told(running) and running.returncode == 0
assert not alive(), alive()

# After SIGKILL, which `engram` cannot catch, the supervisor ends the remaining processes.
running = start("hang=5")
running.kill()
running.wait()
wait_for(lambda: not alive(), "left over: %s" % alive())
# After SIGKILL to the whole process group, as at the time limit of a batch job, the rest ends as well.
running = subprocess.Popen([engram, "attach", "birds.nal", "--", "./wrapper.sh", mark, *fake, "mark:" + mark, "hang=5"],
                           start_new_session=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
wait_for(lambda: len(alive()) >= 6, "the wrapper did not start")
os.killpg(running.pid, signal.SIGKILL)
running.wait()
wait_for(lambda: not alive(), "left over: %s" % alive())

# After a request to end, while the NARS hangs or between two attempts to start it.
for number in (signal.SIGINT, signal.SIGTERM):
    running = start("hang=5")
    wait_for(lambda: '"input":"<bird --> animal>."' in open("log").read(), "it was not told")
    begun = time.time()
    running.send_signal(number)
    talk = told(running)
    took = time.time() - begun
    assert running.returncode == 130, (running.returncode, talk)
    assert took < float(os.environ.get("ENGRAM_GRACE", "5")), took  # a second on an idle machine
    assert not alive(), alive()
    assert "engram: interrupted" in talk and "2 statements" in talk, talk
    replayed = subprocess.run([engram, "replay", "log"], capture_output=True, text=True)
    assert replayed.returncode == 0 and "no end" not in replayed.stderr, replayed.stderr
    assert json.load(open("summary"))["memory_sha256"] == json.loads(replayed.stdout)["sha256"]
    assert open("page.html").read().rstrip().endswith("</html>")
running = subprocess.Popen([engram, "attach", "--back-off", "60000", "--log", "log", "birds.nal", "--", "false"],
                           stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
wait_for(lambda: "sent" in open("log").read(), "it was not started")
time.sleep(0.5)
running.terminate()
assert "interrupted" in told(running) and running.returncode == 130

def group_lives(number):
    try:
        os.killpg(number, 0)
        return True
    except ProcessLookupError:
        return False


# If the supervisor is killed, the NARS ends too, and attach ends the rest of its process group.
running = start("hang=5")
supervisor = open("/proc/%d/task/%d/children" % (running.pid, running.pid)).read().split()
if len(supervisor) == 1:  # if the system lists children
    os.kill(int(supervisor[0]), signal.SIGKILL)
    wait_for(lambda: not any(words.startswith(sys.executable) for words in alive()), "the NARS lives on")
running.terminate()
told(running)
if len(supervisor) == 1:
    wait_for(lambda: not group_lives(int(supervisor[0])), "its process group lives on: %s" % alive())
subprocess.run(["pkill", "-KILL", "-f", mark])  # processes that no other way can reach
print("ok")
PY
expect 0 python3 ends.py "$engram" "$source"
says out ok
