# SPDX-FileCopyrightText: The Jackdaw authors
# SPDX-License-Identifier: Apache-2.0
"""Follows pointers through a kernel's machine code, as cuobjdump --dump-sass prints it.

    for offsets, bits, line in loads(instructions(text), base=0x160):
        ...                 # a global load of `bits`, whose address was computed from the parameters at these offsets

A register holds the parameters that its value was computed from; what was loaded from memory is of none. What is written
under a predicate may also be as it was before; to a reader under the same predicate ("R8@!P0") it is not. At a place that
several ways lead to, the ways' sets are united, so an offset may be reported that is not taken. Functions that are called
(nvcc calls its own for division) are taken to give no pointer back; what is spilled to local memory is lost (see spills()).
"""
import collections
import re

Instruction = collections.namedtuple("Instruction", "address guard opcode operands line")

LINE = re.compile(r"^\s*/\*([0-9a-f]{4,})\*/\s+(@!?U?P\w+ )?\s*([A-Z][\w.]*)\s*(.*?)\s*;", re.M)
VALUE = re.compile(r"\bU?R\d+\b|c\[0x0\]\[0x[0-9a-f]+\]")
JUMPS = ("BRA", "BSSY", "CALL", "JMP", "BRX", "WARPSYNC")
WRITES_NOTHING = re.compile(r"^(U?[IFHD]SETP2?|HSETP2|U?PLOP3|ST|STG|STS|STL|RED|BAR|EXIT|BRA|BSSY|BSYNC|CALL|RET|NOP|BMOV|WARPSYNC)$")


def instructions(text):
    """Those of one function, in their order."""
    return [Instruction(int(m[1], 16), (m[2] or "").strip(), m[3], m[4], m[0].strip()) for m in LINE.finditer(text)]


def kind(instruction):
    return instruction.opcode.split(".")[0]


def words(instruction):
    """How many registers it writes."""
    parts = instruction.opcode.split(".")
    if "128" in parts:
        return 4
    return 2 if "64" in parts or "WIDE" in parts or parts[0] == "CS2R" or parts[0][0] == "D" else 1


def split(operands):
    """The operands, at the commas."""
    return [part.strip() for part in operands.split(",")] if operands else []


def next_places(code):
    """For each instruction, the indices of those that may follow it."""
    index = {one.address: i for i, one in enumerate(code)}
    joins = collections.defaultdict(set)
    for one in code:
        if kind(one) == "BSSY":
            joins[split(one.operands)[0]].add(index[int(split(one.operands)[-1], 16)])
    found = []
    for i, one in enumerate(code):
        follow, name = set(), kind(one)
        # "BRA.U !UP0, 0x2b50" may go on, "BRA 0x2b50" not.
        ends = name in ("EXIT", "RET") or (name in ("BRA", "JMP") and len(split(one.operands)) == 1)
        if (one.guard or not ends) and i + 1 < len(code):
            follow.add(i + 1)
        if name in JUMPS and (target := re.search(r"0x[0-9a-f]+$", one.operands)):
            if (address := int(target[0], 16)) in index:
                follow.add(index[address])
        # Threads go on behind the place where they meet, which nearly always is the next instruction.
        if name == "BSYNC" and i + 1 not in (places := joins[split(one.operands)[0]]):
            follow |= places
        found.append(follow)
    return found


def register(name, on):
    prefix, number = re.fullmatch(r"(U?R)(\d+)", name).groups()
    return f"{prefix}{int(number) + on}"


def origins(text, guard, held, base):
    """The parameters' offsets that the values in this piece of text come from, for a reader under this predicate."""
    found = set()
    for value in VALUE.findall(text):
        if value.startswith("c["):
            offset = int(value[7:-1], 16) - base
            if offset >= 0:
                found.add(offset // 8 * 8)
        else:
            found |= held.get(value + guard, held.get(value, frozenset()))
    return frozenset(found)


def after(one, held, base):
    """What the registers hold after this instruction."""
    name, operands = kind(one), split(one.operands)
    # A predicate that is named may be written here: what held under its old value is forgotten.
    named = {f"@{no}{p}" for p in re.findall(r"\bU?P\d\b", one.operands) for no in ("", "!")}
    held = {place: value for place, value in held.items() if place[place.find("@"):] not in named} if named else dict(held)
    if WRITES_NOTHING.match(name) or not operands:
        return held
    while operands and re.fullmatch(r"!?U?P(T|\d)", operands[0]):
        operands.pop(0)
    if not operands or not re.fullmatch(r"U?R\d+", operands[0]):
        return held
    now = dict(held)
    for i in range(words(one)):
        if name in ("LDC", "LDCU", "ULDC"):
            at = re.search(r"c\[0x0\]\[(0x[0-9a-f]+)\]", one.operands)
            offset = int(at[1], 16) + 4 * i - base if at else -1
            value = frozenset({offset // 8 * 8} if offset >= 0 else ())
        elif name.startswith(("LD", "ATOM")):
            value = frozenset()
        else:
            value = origins(",".join(operands[1:]), one.guard, held, base)
        place = register(operands[0], i)
        for other in [p for p in now if p.startswith(place + "@")]:
            del now[other]
        now[place] = value
        if one.guard:
            now[place + one.guard] = value
            now[place] = value | held.get(place, frozenset())
    return now


def spills(code):
    return any(kind(one) in ("LDL", "STL") for one in code)


def loads(code, base):
    """Each global load: the offsets its address comes from, its width in bits, its line."""
    follow = next_places(code)
    before = [None] * len(code)
    before[0] = {}
    todo = [0]
    while todo:
        i = todo.pop()
        held = after(code[i], before[i], base)
        for j in follow[i]:
            old = before[j]
            if old is None:
                before[j] = held
            else:
                new = {r: old.get(r, frozenset()) | held.get(r, frozenset()) for r in old.keys() | held.keys()
                       if "@" not in r or (r in old and r in held)}
                if new == old:
                    continue
                before[j] = new
            todo.append(j)
    found = []
    for one, held in zip(code, before):
        if kind(one) not in ("LDG", "LD"):
            continue
        if held is None:
            raise ValueError(f"no way leads to {one.line}")
        parts = one.opcode.split(".")
        bits = next((int(p) for p in ("128", "64") if p in parts), None)
        bits = bits or next((int(p[1:]) for p in parts if re.fullmatch(r"[US](8|16)", p)), 32)
        address = re.sub(r"desc\[\w+\]", "", ",".join(split(one.operands)[1:]))
        found.append((origins(address, one.guard, held, base), bits, one.line))
    return found
