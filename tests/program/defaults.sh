#!/bin/sh
# Checks that every default is stated once, in the sources. Texts elsewhere are generated from the sources, or this test
# compares them.
. "$(dirname "$0")/lib.sh"

cat >defaults.py <<'PY'
import glob, json, re, subprocess, sys

engram, source = sys.argv[1:]
flaws = []

def told_by(*command):
    return subprocess.run([engram, *command], stdout=subprocess.PIPE, check=True, text=True).stdout

def files(*patterns):
    for pattern in patterns:
        for path in sorted(glob.glob(f"{source}/{pattern}", recursive=True)):
            yield path[len(source) + 1:], open(path).read()

# The output of the program: its methods with their options, its schema, and the flags of each command.
methods = {}
for line in told_by("methods").splitlines():
    if not line.startswith(" "):
        options = methods.setdefault(line.split()[0], {})
    elif " = " in line:
        name, rest = line.strip().split(" = ", 1)
        options[name] = rest.split("   ")[0]
schema = json.loads(told_by("run", "--schema"))
for choice in schema["$defs"]["method"]["oneOf"][1:]:
    if "model" in choice["properties"]:
        continue  # a method from a model file
    name = choice["properties"]["method"]["const"]
    told = {option: facts["default"] for option, facts in choice["properties"]["options"]["properties"].items()}
    if name == "python":
        continue  # only allowed in specs
    listed = methods.pop(name)
    if told.keys() != listed.keys() or any(str(told[o]) != listed[o] and float(told[o]) != float(listed[o]) for o in told):
        flaws.append(f"method {name}: the schema has {told}, `engram methods` prints {listed}")
assert not methods, methods
commands = re.findall(r"^  ([a-z]+) ", told_by("--help").split("Commands:")[1].split("\n\n")[0], re.M)
assert {"run", "serve", "attach", "stream"} <= set(commands), commands
flags = {}
for command in commands:
    text = re.sub(r"\s+", " ", told_by(command, "--help"))
    for option in re.split(r" (?=--[a-z])", text):
        default = re.search(r"\(default: ([^)]*)\)", option)
        if default:
            flags.setdefault(option.split()[0], set()).add(default[1])
assert {"4G"} == flags["--memory"], flags

# Only the schema that the program prints has defaults. The shipped schemas for editors omit them.
for path, text in files("experiments/schema/*.json"):
    for line in re.findall(r'.*"default":.*', text):
        flaws.append(f"{path}: {line.strip()}")

# Sources: the default of an omitted field must come from an options struct, and help texts must not contain the default
# of a flag.
literal = r"(?:[1-9][\d.e'+-]*|0?\.\d+)"
for path, text in files("bridge/operations/*.cpp"):
    for call in re.findall(rf'\w+\("\w+"[^()]*\)\s*\.or_else\({literal}\)|request\.(?:number|count)\("\w+", {literal}\)'
                           r'|choice_in\("\w+",\s*"[^"]*",\s*[\w:]+,\s*core::\w+::\w+\)', text):
        flaws.append(f"{path}: {call}")
for path, text in files("experiments/commands/*.cpp", "experiments/spec/*.cpp"):
    for line in re.findall(r'.*\(default: [\d.].*', text):
        flaws.append(f"{path}: {line.strip()}")
# Comments in the file of a method must not repeat the default of an option.
for path, text in files("core/methods/*.cpp"):
    for line in re.findall(r'.*".*\b(?:default|usually)\b.*".*', text):
        flaws.append(f"{path}: {line.strip()}")

# READMEs: a default of a flag must agree with its help, and no other default may be stated.
stated = re.compile(rf"`(--[a-z-]+)[^`]*` \(([^)`\s]+)\)|`(--[a-z-]+)[^`]*`[^.|]*?\bdefaults?:? (?:is |are |of )?`?({literal}\w*)"
                    rf"|`([a-z_]+)`[^.|`]{{0,40}}?\bdefaults?:? (?:is |are |of )?`?({literal})"
                    rf"|\b(default)s?:? (?:is |are |of )?`?({literal}\w*)|\b({literal}\w*) (by default)\b")
count = 0
for path, text in files("*.md", "*/*.md", "*/*/*.md"):
    for line in re.sub(r"(?<!\n)\n(?![\n|])", " ", text).splitlines():  # a paragraph or a table row
        for found in stated.finditer(line):
            name, value = [group for group in found.groups() if group]
            count += 1
            if value not in flags.get(name, ()):
                flaws.append(f"{path}: {name} {value}, where the program has {flags.get(name, 'none')}: {line}")
assert count >= 2, count  # some exist, otherwise the pattern is wrong
if flaws:
    sys.exit("a default is stated twice:\n" + "\n".join(flaws))
PY
expect 0 python3 defaults.py "$engram" "$source"

# The check detects planted repetitions.
mkdir -p planted/experiments
cp -r "$source/bridge" planted/
cp -r "$source/experiments/schema" planted/experiments/
# shellcheck disable=SC2016 # Markdown
echo 'A client has `--patience` (7) to read, and `damping` (default 0.5) is usual.' >>planted/bridge/README.md
sed -i 's/\("divisor of the scores").or_else\)([a-z:_]*)/\1(1)/' planted/bridge/operations/kernel_table.cpp
sed -i 's/"maximum": 64}/"maximum": 64, "default": 3}/' planted/experiments/schema/spec.schema.json
expect 1 python3 defaults.py "$engram" planted
for flaw in '--patience 7, where' 'damping 0.5, where' 'positive("temperature", "divisor of the scores").or_else(1)' '"default": 3'; do
  says err "$flaw"
done
