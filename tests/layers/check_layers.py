#!/usr/bin/env python3
"""Fails on an upward include, on reaching past a front header, on a solver's header outside its own layer, and on a
permission in LAYERS that no file makes use of.

usage: check_layers.py SRC | --selftest      (SRC holds LAYERS and beadwork/; the layer apps/X is the folder ../apps/X)
"""
import pathlib
import re
import sys
import tempfile

INCLUDE = re.compile(r'^\s*#\s*include\s*[<"]([^">]+)[">]', re.M)


def read_layers(path):
    may_use, only = {}, {}
    for line in path.read_text().splitlines():
        line = line.split("#")[0].strip()
        if not line:
            continue
        name, _, rest = line.partition(":")
        if name.startswith("only "):
            only[name[5:].strip()] = rest.strip()
        else:
            may_use[name] = set(rest.split()) | {name, "base"}
    return may_use, only


def files_of(src):
    """Every source file below a layer's folder, as (layer, name, text)."""
    for root in (src / "beadwork", src.parent / "apps/study"):
        for path in sorted(root.rglob("*.[hc]pp")):
            relative = path.relative_to(root)
            layer = relative.parts[0].removesuffix(".hpp") if root.parent == src else f"apps/{root.name}"
            yield layer, relative, path.read_text()


def faults(src):
    may_use, only = read_layers(src / "LAYERS")
    unused = {layer: used - {layer, "base"} for layer, used in may_use.items()}
    for layer, used in may_use.items():
        for other in sorted(used - set(may_use)):
            yield f"LAYERS: {layer} names unknown layer {other}"
            unused[layer].discard(other)
    for layer, name, text in files_of(src):
        if layer not in may_use:
            yield f"{name}: layer {layer} is not in LAYERS"
            continue
        for header in INCLUDE.findall(text):
            for start, owner in only.items():
                if header.startswith(start) and layer != owner:
                    yield f"{name}: {header} may be included by {owner} only"
            if not header.startswith("beadwork/"):
                continue
            parts = header.split("/")
            other = parts[1].removesuffix(".hpp")
            unused[layer].discard(other)
            if other not in may_use[layer]:
                yield f"{name}: layer {layer} may not use {other}"
            elif other != layer and len(parts) > 2:
                yield f"{name}: {header} reaches past the front header beadwork/{other}.hpp"
    for layer, others in unused.items():
        for other in sorted(others):
            yield f"LAYERS: {layer} may use {other}, but no file of it includes beadwork/{other}.hpp"


def selftest():
    """Plant each kind of fault and see it found."""
    with tempfile.TemporaryDirectory() as folder:
        src = pathlib.Path(folder) / "src"
        (src / "beadwork/low").mkdir(parents=True)
        (src / "beadwork/high").mkdir()
        (src / "../apps/study").mkdir(parents=True)
        (src / "LAYERS").write_text("base:\nlow:\nhigh: low\napps/study: high\nonly solver.h: low\nonly study/: apps/study\n")
        good = {"low.hpp": "", "high.hpp": "#include <beadwork/low.hpp>\n", "low/a.cpp": "#include <solver.h>\n",
                "../../apps/study/study.hpp": "#include <beadwork/high.hpp>\n"}
        bad = {
            "low/up.cpp": "#include <beadwork/high.hpp>\n",
            "high/past.cpp": "#include <beadwork/low/a.hpp>\n",
            "high/solver.cpp": '#include "solver.h"\n',
            "stray.hpp": "",
            "high/program.cpp": "#include <study/study.hpp>\n",
            "../../apps/study/low.cpp": "#include <beadwork/low.hpp>\n",
        }
        for name, text in good.items():
            (src / "beadwork" / name).write_text(text)
        assert not list(faults(src)), list(faults(src))
        for name, text in bad.items():
            (src / "beadwork" / name).write_text(text)
            assert len(list(faults(src))) == 1, name
            (src / "beadwork" / name).unlink()
        (src / "beadwork/high.hpp").write_text("")
        assert len(list(faults(src))) == 1, "a permission that nothing uses"
    print(f"{len(bad) + 1} planted faults found")


def main():
    if sys.argv[1:] == ["--selftest"]:
        return selftest()
    found = list(faults(pathlib.Path(sys.argv[1])))
    print("\n".join(found) if found else "layers in order")
    sys.exit(1 if found else 0)


if __name__ == "__main__":
    main()
