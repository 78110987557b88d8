"""Ways to spoil a file: bytes, lines, values of JSON; and the checksums that beadwork's files end with, computed anew."""
import gzip
import hashlib
import json
import re

RAW = ["1e999", "-1", "-0", "-0.0", "NaN", "Infinity", "-Infinity", "1e308", "1e-320", "0.1", "1.5", "2147483647", "2147483648", "4294967295",
       "4294967296", "9007199254740993", "9223372036854775807", "9223372036854775808", "-9223372036854775808", "18446744073709551615",
       "18446744073709551616", "1" * 400, "true", "false", "null", "[]", "{}", '""', "0", "1", "2", "3", "7", "64", "65", "1000000",
       "[" * 63 + "]" * 63, "[" * 70 + "]" * 70, "[" * 20000, '{"a":' * 100 + "1" + "}" * 100, '"\\ud800"', '"\\u0000"']
TEXTS = ["../canary", "-", "--help", "--output=../canary", "~", "~/canary", "CANARY", "/dev/stdin", "", " ", "\x1b[31mred", "\u202etxt", "a\nb",
         "a\rb", "a\x00b", "*/", '"""', "'; DROP TABLE t; --", "</script><script>x()</script>", "$(touch pwned)", "`touch pwned`", "; touch pwned",
         "' || touch pwned || '", "\\", "\\u{41}", "%s%n", "x" * 5000, "nan", "inf", "1e999", "=1+1", "END_OF_JOB", "optional", "\u00e9\u4e2d", "a,b", '"',
         "is missing", "0" * 64, "deadbeef" * 8, "-->", "]]>", "{x}", "#{x}", "?", "NA", "a\u2028b", "\ufeff"]
OPTIONS = ["certificate", "output", "report", "checkpoint", "resume", "plan-dir", "front-plot", "proof", "solver", "test", "labels", "costs",
           "features-from", "in-passes", "shards", "time-limit", "memory-limit", "threads", "depth", "require", "forbid", "engine", "top", "table",
           "target", "thresholds", "missing", "bias", "max-nodes", "plan", "part"]
NUMBER = re.compile(rb"-?\d+(?:\.\d+)?")
HEX = re.compile(rb"[0-9a-f]{64}")


def hostile_text(rng, canary):
    return rng.choice(TEXTS).replace("CANARY", canary)


def flipped(rng, data, *_):
    out = bytearray(data)
    for _ in range(rng.choice([1, 1, 1, 2, 5, 20])):
        if out:
            out[rng.randrange(len(out))] ^= 1 << rng.randrange(8)
    return bytes(out)


def span(rng, data, most=400):
    begin = rng.randrange(len(data) + 1)
    return begin, min(len(data), begin + rng.randrange(most))


def cut(rng, data, *_):
    begin, end = span(rng, data)
    return rng.choice([data[:begin], data[begin:], data[:begin] + data[end:]])


def doubled(rng, data, *_):
    begin, end = span(rng, data)
    return data[:end] + data[begin:end] * rng.choice([1, 1, 1, 3, 50]) + data[end:]


def swapped(rng, data, other, _):
    begin, end = span(rng, data)
    start, stop = span(rng, other)
    return data[:begin] + other[start:stop] + data[end:]


def moved(rng, data, *_):
    lines = data.split(b"\n")
    i, j = rng.randrange(len(lines)), rng.randrange(len(lines))
    lines[i], lines[j] = lines[j], lines[i]
    return b"\n".join(lines)


def line_of_another(rng, data, other, _):
    lines = data.split(b"\n")
    lines[rng.randrange(len(lines))] = rng.choice(other.split(b"\n"))
    return b"\n".join(lines)


def numbered(rng, data, *_):
    found = list(NUMBER.finditer(data))
    if not found:
        return data
    one = rng.choice(found)
    nearby = str(int(float(one.group())) + rng.choice([-2, -1, 1, 2])) if len(one.group()) < 19 else "0"
    return data[:one.start()] + rng.choice([nearby, nearby, rng.choice(RAW[:32])]).encode() + data[one.end():]


def worded(rng, data, _, canary):
    found = list(re.finditer(rb"[^\s,]+", data))
    one = rng.choice(found) if found else re.match(b"", data)
    return data[:one.start()] + hostile_text(rng, canary).encode("utf-8", "surrogatepass") + data[one.end():]


def option_line(rng, data, _, canary):
    """For plans: one more option."""
    lines = data.split(b"\n")
    word = f"{rng.choice(['option', 'kept', 'kept'])} {rng.choice(OPTIONS)} ={rng.choice([hostile_text(rng, canary), '1', 'true', canary])}"
    lines.insert(rng.randrange(1, 5), word.replace(" ", "%20").replace("%20", " ", 2).encode("utf-8", "surrogatepass"))
    return b"\n".join(lines)


def rehashed(rng, data, other, _):
    """The hash of another file in place of one."""
    found, there = list(HEX.finditer(data)), HEX.findall(other)
    if not found or not there:
        return flipped(rng, data)
    one = rng.choice(found)
    return data[:one.start()] + rng.choice(there) + data[one.end():]


def whole(rng, data, other, _):
    return rng.choice([other, b"", b"\x00" * 100, gzip.compress(data), gzip.compress(data)[:-9], b"\xff\xfe" + data, data.replace(b"\n", b"\r\n"),
                       data.replace(b"\n", b"\r"), data + data, b"\xef\xbb\xbf" + data, data.rstrip(b"\n"), data.replace(b",", b";")])


BYTES = [flipped, cut, doubled, swapped, moved, line_of_another, numbered, numbered, worded, rehashed, whole]


# JSON -----------------------------------------------------------------------------------------------------

MARK = "@@raw@@"


def places(value, at=()):
    yield at
    for key, inner in value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ():
        yield from places(inner, (*at, key))


def taken(value, at):
    for key in at:
        value = value[key]
    return value


def nearby(rng, value):
    """Something of the same type."""
    if isinstance(value, bool):
        return not value
    if isinstance(value, int):
        return value + rng.choice([-2, -1, 1, 1, 2, 10])
    if isinstance(value, float):
        return value * rng.choice([-1, 0.5, 1.0001, 1e300])
    if isinstance(value, list):
        return rng.choice([value[::-1], value + value[-1:], value[1:], value[:-1], rng.sample(value, len(value))])
    if isinstance(value, dict):
        return dict(rng.sample(sorted(value.items(), key=lambda i: i[0]), len(value)))
    return value


def change(rng, document, others, canary, raws):
    at = rng.choice(list(places(document))[1:] or [()])
    if not at:
        return rng.choice(others)
    holder, key, value = taken(document, at[:-1]), at[-1], taken(document, at)
    way = rng.randrange(9)
    if way < 2:
        holder[key] = nearby(rng, value)
    elif way == 2:
        raws.append(rng.choice(RAW))
        holder[key] = f"{MARK}{len(raws) - 1}"
    elif way == 3:
        holder[key] = hostile_text(rng, canary)
    elif way == 4:
        del holder[key]
    elif way == 5:  # a value from elsewhere
        source = rng.choice([document, rng.choice(others)])
        holder[key] = json.loads(json.dumps(taken(source, rng.choice(list(places(source))))))
    elif way == 6:  # of the same place in another file
        other = rng.choice(others)
        try:
            holder[key] = taken(other, at)
        except (KeyError, IndexError, TypeError):
            holder[key] = nearby(rng, value)
    elif way == 7 and isinstance(holder, dict):
        raws.append(f"{json.dumps(key)}:{rng.choice([json.dumps(value), rng.choice(RAW)])}")
        holder[f"{MARK}{len(raws) - 1}"] = None
    elif isinstance(holder, dict):
        holder[rng.choice([*OPTIONS, "a", "solver", "sha256", hostile_text(rng, canary)])] = rng.choice([canary, 1, True, [canary], value])
    else:
        holder.insert(key, value)
    return document


def written(document, raws):
    text = json.dumps(document, ensure_ascii=False)
    for i in range(len(raws) - 1, -1, -1):
        text = text.replace(f'"{MARK}{i}": null', raws[i]).replace(f'"{MARK}{i}"', raws[i])
    return text


def renamed(rng, document, canary):
    """A model in which a name has another, wherever it stands."""
    columns = document.get("columns", [])
    names = document.get("classes", []) + [c.get("name") for c in columns] + [level for c in columns for level in c.get("levels", [])]
    old, new = rng.choice(names), hostile_text(rng, canary)

    def walk(value):
        if isinstance(value, str):
            return new if value == old else re.sub(rf"(^|= ){re.escape(old)}(?= |$)", lambda m: m[1] + new, value)
        if isinstance(value, dict):
            return {key: walk(inner) for key, inner in value.items()}
        return [walk(inner) for inner in value] if isinstance(value, list) else value
    return walk(document)


def claimed(rng, document):
    """A model that claims something else."""
    claim = document.get("claim", {})
    for key in rng.sample(sorted(claim), min(len(claim), rng.choice([1, 1, 2, 3]))):
        claim[key] = rng.choice([nearby(rng, claim[key]), {"status": rng.choice(["optimal", "feasible", "infeasible", "unknown"]), "proven_by": rng.choice(
            ["search", "enumeration", "maxsat", "solver", "nobody", "hand"]), "upper_bound": claim.get("lower_bound"), "lower_bound": claim.get("upper_bound"),
            "thresholds": rng.choice(["all", "mdlp", "quantiles:8", ""]), "choice": rng.choice(["candidates", "cart"])}.get(key, nearby(rng, claim[key]))])
    return document


def answering(rng, document):
    """A model with another diagram: answers, children, counts, tests."""
    nodes, features = document["diagram"]["nodes"], document["features"]
    for _ in range(rng.choice([1, 1, 2])):
        node, way = rng.choice(nodes), rng.randrange(4)
        if "class" in node:
            node["class"] = rng.randrange(len(document["classes"]))
        elif way == 0:
            node["low"], node["high"] = node["high"], node["low"]
        elif way == 1:
            node["feature"] = rng.randrange(len(features))
        else:
            feature = features[node["feature"]]
            column = document["columns"][feature["column"]]
            if "threshold" in feature and column["type"] == "numeric":
                feature["threshold"] = rng.choice([0, -1, 1.25, 2, 2.25, 1e300, 5])
                feature["name"] = f"{column['name']} <= {feature['threshold']:g}"
            elif column.get("levels"):
                feature["level"] = rng.choice(column["levels"])
                feature["name"] = f"{column['name']} = {feature['level']}"
    return document


def json_changed(rng, data, others, canary):
    """Values of JSON changed; bytes, where the text of a spoiled file is none."""
    raws, document = [], json.loads(data)
    if isinstance(document, dict) and document.get("format") == "beadwork-model" and "members" not in document and rng.random() < 0.5:
        way = rng.randrange(3)
        document = renamed(rng, document, canary) if way == 0 else claimed(rng, document) if way == 1 else answering(rng, document)
        return written(document, raws).encode("utf-8", "surrogatepass")
    for _ in range(rng.choice([1, 1, 1, 2, 3])):
        if isinstance(document, (dict, list)) and document:
            document = change(rng, document, others, canary, raws)
    return written(document, raws).encode("utf-8", "surrogatepass")


# Checksums ------------------------------------------------------------------------------------------------


def compact_hash(document):
    bare = {key: value for key, value in document.items() if key != "sha256"}
    return hashlib.sha256(json.dumps(bare, separators=(",", ":"), ensure_ascii=False).encode()).hexdigest()


def sealed_json(data):
    """With the checksum that belongs to it; as it is where that cannot be told."""
    try:
        text = data.decode()
        document = json.loads(text)
        return re.sub(r'("sha256": ?)"[^"]*"(?=\s*\}\s*$)', lambda m: f'{m[1]}"{compact_hash(document)}"', text).encode()
    except (ValueError, RecursionError, AttributeError):
        return data


def seal_holds(data):
    """Of a text of JSON; None where there is none, or no way to tell."""
    try:
        document = json.loads(data)
        return document["sha256"] == compact_hash(document)
    except (ValueError, RecursionError, KeyError, TypeError, AttributeError):
        return None


def sealed_text(lines):
    """Lines that end with the hash of what is above, also inside texts within the text ("| ")."""
    out, inner = [], []
    for line in [*lines, None]:
        if line is not None and line.startswith(b"| "):
            inner.append(line[2:])
            continue
        out += [b"| " + one for one in sealed_text(inner)] if inner else []
        inner = []
        if line is not None:
            begins = line.startswith(b"sha256 ")
            out.append(b"sha256 " + hashlib.sha256(b"".join(o + b"\n" for o in out)).hexdigest().encode() if begins else line)
    return out


def sealed(data):
    return sealed_json(data) if data.lstrip()[:1] == b"{" else b"\n".join(sealed_text(data.split(b"\n")))
