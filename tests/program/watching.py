# SPDX-License-Identifier: MIT
"""Helpers for tests of the program: memory and processor time of a process, processes with a mark, equal folders of
runs, and checks of the protocol's schema. Tests find this module by PYTHONPATH, which lib.sh sets."""
import filecmp
import functools
import json
import os


def memory(pid, what="VmRSS"):
    """The bytes of a process in a line of /proc/PID/status: VmRSS (resident), VmHWM (peak of VmRSS) or RssAnon."""
    with open(f"/proc/{pid}/status") as status:
        return next(int(line.split()[1]) * 1024 for line in status if line.startswith(what + ":"))


def forget_peak(pid):
    """Sets the peak of a process to its resident memory."""
    with open(f"/proc/{pid}/clear_refs", "w") as file:
        file.write("5")


def processor_seconds(pid):
    """The processor time of a process."""
    with open(f"/proc/{pid}/stat") as file:
        fields = file.read().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def processes_with(mark, where="cmdline"):
    """All processes with these bytes in /proc/PID/WHERE, except this one: the bytes of that file by process id."""
    found = {}
    for pid in map(int, filter(str.isdigit, os.listdir("/proc"))):
        try:
            with open(f"/proc/{pid}/{where}", "rb") as file:
                text = file.read()
        except OSError:
            continue  # the process has ended, or belongs to another user
        if mark in text and pid != os.getpid():
            found[pid] = text
    return found


def files_below(folder):
    """The paths of all files in a folder, relative to it and sorted."""
    return sorted(os.path.relpath(os.path.join(at, name), folder) for at, _, names in os.walk(folder) for name in names)


def check_same_run(folder, other):
    """Checks that the folders of two runs have the same files with the same bytes, except timings.jsonl."""
    names = files_below(other)
    assert files_below(folder) == names, (files_below(folder), names)
    for name in names:
        if name != "timings.jsonl":
            assert filecmp.cmp(f"{folder}/{name}", f"{other}/{name}", shallow=False), f"{name} differs in {folder}"


@functools.cache
def protocol_validator(source, part):
    """A validator of one part of the protocol's schema, such as `request` or `results/hello`."""
    import jsonschema  # only some tests need it
    with open(source + "/bridge/schema/protocol.schema.json") as file:
        schema = json.load(file)
    jsonschema.Draft202012Validator.check_schema(schema)
    return jsonschema.Draft202012Validator({**schema, "oneOf": [{"$ref": "#/$defs/" + part}]})
