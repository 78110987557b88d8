#!/usr/bin/env python3
"""Kernel objects are compiled for processors that the program may not run on: they may hold nothing that runs, or that the linker
shares, before the program has asked which processor it is on.

usage: check_kernels.py NM OBJECT...      (of all objects, those of search/kernel are looked at)
       check_kernels.py --selftest NM COMPILER
"""
import pathlib
import re
import subprocess
import sys
import tempfile

ALLOWED = re.compile(r"beadwork::kernel::(portable|avx2|avx512)$")


def faults(nm, path):
    """What the object defines for others (nm's capital letters, weak and unique symbols), and its initializers."""
    out = subprocess.run([nm, "-C", path], capture_output=True, text=True, check=True).stdout
    for line in out.splitlines():
        kind, name = re.match(r"[0-9a-f]* *(\S) (.*)", line.strip()).groups()
        if kind in "Uw" and not re.match(r"[0-9a-f]{8}", line):
            continue  # used here, defined elsewhere
        if "_GLOBAL__sub_I" in name or "_static_initialization" in name:
            yield f"{path}: has a static initializer: {name}"
        elif (kind.isupper() or kind in "vwui") and not ALLOWED.match(name):
            yield f"{path}: defines {name} ({kind}) for the whole program"


def selftest(nm, compiler):
    """Each kind of fault, planted, is found; constant data is none."""
    planted = {"constructor": "int f(); int x = f();",
               "weak": "inline int g(int x) { return x + 1; } int (*beadwork_g)(int) = g;",
               "template": "template <class T> T h(T x) { return x; } template int h(int);"}
    clean = "namespace beadwork::kernel { extern const int avx2; const int avx2 = 3; namespace { int k() { return 1; } }\n" \
            "struct T { int (*f)(); }; extern const T portable; constexpr T portable{k}; }"
    with tempfile.TemporaryDirectory() as folder:
        for name, code in {**planted, "clean": clean}.items():
            source, target = pathlib.Path(folder, name + ".cpp"), pathlib.Path(folder, name + ".o")
            source.write_text(code)
            subprocess.run([compiler, "-std=c++20", "-O0", "-c", source, "-o", target], check=True)
            found = list(faults(nm, target))
            if bool(found) != (name in planted):
                return f"selftest: {name}: {found}"
    return None


def main():
    if sys.argv[1] == "--selftest":
        return selftest(*sys.argv[2:])
    objects = [o for o in sys.argv[2:] if re.search(r"search/kernel/(portable|avx2|avx512)\.cpp", o)]
    if len(objects) != 3:
        return f"expected the objects of 3 kernels, got {objects}"
    return "\n".join(f for o in objects for f in faults(sys.argv[1], o)) or None


sys.exit(main())
