#!/usr/bin/env python3
"""What make data does (tools/tables.py), against a server on the loopback address: with the real tables where they are there, with
small ones of its own where not."""
import contextlib
import errno
import gzip
import hashlib
import http.server
import importlib
import io
import json
import os
import pathlib
import random
import re
import resource
import signal
import subprocess
import sys
import tarfile
import tempfile
import threading
import unittest
import unittest.mock
import zipfile

SOURCE = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(SOURCE / "tools"))
import tables  # noqa: E402: of the tree

fetch, lookup, derive = (importlib.import_module(f"beadwork_sources.{name}") for name in ("_fetch", "_tables", "_derive"))
TOOL = SOURCE / "tools" / "tables.py"


class Server(http.server.BaseHTTPRequestHandler):
    """Serves `content` by path; `behaviour` of a path spoils the next answers."""

    protocol_version = "HTTP/1.1"

    def do_GET(self):  # noqa: N802
        server = self.server
        server.asked.append((self.path, self.headers.get("Range")))
        how = server.behaviour.get(self.path, [])
        act = how.pop(0) if how else "whole"
        body = server.content.get(self.path)
        if isinstance(act, int):
            return self.answer(act, b"sorry")
        if act.startswith("to "):
            return self.answer(302, b"", Location=act[3:])
        if body is None:
            return self.answer(404, b"no")
        if act == "silent":
            server.silent.set()
            server.resume.wait(60)
        start = re.fullmatch(r"bytes=(\d+)-", self.headers.get("Range", ""))
        if start and act != "no ranges":
            part = body[int(start[1]):]
            return self.answer(206, part, **{"Content-Range": f"bytes {start[1]}-{len(body) - 1}/{len(body)}"})
        if act == "cut":
            self.close_connection = True
            return self.answer(200, body[:len(body) // 2], length=len(body))
        self.answer(200, body)

    def answer(self, code, body, length=None, **headers):
        self.send_response(code)
        for name, value in {"Content-Length": length or len(body), **headers}.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *words):
        pass


class TablesTest(unittest.TestCase):
    maxDiff = None

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.dir = pathlib.Path(folder.name)
        self.home = self.dir / "home"
        plain = {key: value for key, value in os.environ.items() if not key.lower().endswith("_proxy")}
        environment = unittest.mock.patch.dict(os.environ, plain, clear=True)
        environment.start()
        self.addCleanup(environment.stop)
        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Server)
        self.server.content, self.server.behaviour, self.server.asked = {}, {}, []
        self.server.handle_error = lambda *_: None  # who was asked to stop hangs up
        self.server.silent, self.server.resume = threading.Event(), threading.Event()
        threading.Thread(target=self.server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True).start()
        self.addCleanup(self.server.server_close)
        self.addCleanup(self.server.shutdown)
        self.url = f"http://127.0.0.1:{self.server.server_port}"

    def table(self, name="one", content=b"0 1 0\n1 0 1\n" * 5000, **more):
        """A table of the server, which has it right."""
        self.server.content[f"/{name}.txt"] = content
        return {"kind": "paper", "name": name, "file": f"{name}.txt", "bytes": len(content), "sha256": hashlib.sha256(content).hexdigest(),
                "address": f"{self.url}/{name}.txt", "source": "a test", "licence": "none", **more}

    def get(self, *words, code=0, **more):
        """Lines on stderr of the tool with a manifest of these tables."""
        done = subprocess.run([sys.executable, TOOL, "get", "--to", self.home, "--delay", "0", *map(str, words)], capture_output=True, text=True,
                              timeout=1800, **more)
        self.assertEqual(done.returncode, code, done.stderr)
        return done.stderr.splitlines()

    def manifest(self, *entries):
        path = self.dir / "manifest.json"
        path.write_text(json.dumps({"tables": entries}))
        return "--manifest", path

    def files(self, hidden=False):
        return sorted(p.relative_to(self.home).as_posix() for p in self.home.rglob("*") if p.is_file() and (hidden or p.name[0] != "."))

    def refused(self, reason, table, hidden=(), **more):
        """One line, and nothing half written."""
        with self.assertRaises(fetch.Unavailable) as caught:
            fetch.fetch(table, self.home, **{"retries": 1, "delay": 0, **more})
        self.assertRegex(str(caught.exception), reason)
        self.assertNotIn("\n", str(caught.exception))
        self.assertEqual(self.files(hidden=True), sorted(hidden))


class Network(TablesTest):
    def test_all_at_once_and_once_only(self):
        entries = [self.table(f"t{i}", f"{i} 0 1\n".encode() * 1000) for i in range(9)]
        self.assertEqual(self.get(*self.manifest(*entries)), [])
        self.assertEqual(self.files(hidden=True), [f"paper/t{i}.txt" for i in range(9)])
        self.assertEqual(sorted(path for path, _ in self.server.asked), [f"/t{i}.txt" for i in range(9)])
        (self.home / "paper/t3.txt").write_text("spoilt")
        self.assertEqual(self.get(*self.manifest(*entries)), [])
        self.assertEqual([path for path, _ in self.server.asked[9:]], ["/t3.txt"])
        self.assertEqual((self.home / "paper/t3.txt").read_bytes(), b"3 0 1\n" * 1000)

    def test_lines_say_what_is_missing(self):
        entries = [self.table("a"), self.table("b"), {**self.table("c"), "sha256": "0" * 64}, self.table("d")]
        del entries[3]["address"]
        del self.server.content["/b.txt"]
        lines = self.get(*self.manifest(*entries, {**entries[3], "name": "e", "file": "e.txt"}), code=1)
        host = self.url.removeprefix("http://")
        self.assertEqual(lines, [f"beadwork: paper/b: {host} answers 404 Not Found",
                                 f"beadwork: paper/c: what {host} sends is not the table: its SHA-256 is another one",
                                 "beadwork: paper/d, paper/e: no public address is known; make data FROM=FOLDER takes them from a folder or "
                                 "an archive (docs/data.md)"])
        self.assertEqual(self.files(hidden=True), ["paper/a.txt"])
        self.assertIn("there is no table 'f'", self.get(*self.manifest(*entries), "--only", "f", code=2)[0])

    def test_wrong_content(self):
        table = self.table()
        self.server.content["/one.txt"] = b"0 1 1\n" * 10000
        self.refused("is not the table: its SHA-256 is another one$", table)
        self.server.content["/one.txt"] = b"  <!DOCTYPE html><p>Sign in to the network"
        self.refused("answers with a page: its SHA-256 is another one$", table)
        self.server.content["/m/paper/one.txt"] = b"<html>"
        self.refused("answers with a page: the SHA-256 is another one$", table, mirror=f"{self.url}/m")
        self.server.content["/one.txt"] = b"0" * (table["bytes"] + 1)
        self.refused(rf"sends more than the {table['bytes']} bytes that are expected$", table)
        self.assertEqual(len([path for path, _ in self.server.asked if path == "/one.txt"]), 3)  # not tried again

    def test_a_cut_download_goes_on(self):
        table = self.table()
        half = table["bytes"] // 2
        self.server.behaviour["/one.txt"] = ["cut"]
        fetch.fetch(table, self.home, retries=1, delay=0)
        self.assertEqual(self.server.asked, [("/one.txt", None), ("/one.txt", f"bytes={half}-")])
        self.assertEqual(self.files(hidden=True), ["paper/one.txt"])

        other = self.table("other")
        self.server.behaviour["/other.txt"] = ["cut"]
        with self.assertRaisesRegex(fetch.Unavailable, rf"ends the download after {half} of {2 * half} bytes$"):
            fetch.fetch(other, self.home, retries=0)
        self.assertEqual(self.files(hidden=True), ["paper/.other.txt.part", "paper/one.txt"])
        fetch.fetch(other, self.home, retries=0)  # another process, another day
        self.assertEqual(self.server.asked[-1], ("/other.txt", f"bytes={half}-"))
        self.assertEqual(self.files(hidden=True), ["paper/one.txt", "paper/other.txt"])

    def test_a_beginning_of_something_else(self):
        for act in ("whole", "no ranges", 416):
            table = self.table(str(act).replace(" ", "-"))
            part = self.home / "paper" / f".{table['file']}.part"
            part.parent.mkdir(parents=True, exist_ok=True)
            part.write_bytes(b"x" * 100)
            self.server.behaviour[f"/{table['file']}"] = [act]
            fetch.fetch(table, self.home, retries=1, delay=0)
            self.assertFalse(part.exists())

    def test_faults_that_pass_and_faults_that_do_not(self):
        table = self.table()
        self.server.behaviour["/one.txt"] = [503, 429, 500]
        fetch.fetch(table, self.home, retries=3, delay=0)
        self.assertEqual(len(self.server.asked), 4)
        for code in (403, 404):
            other = self.table("other")
            self.server.behaviour["/other.txt"] = [code] * 5
            self.refused(f"answers {code} ", other, hidden=["paper/one.txt"])
        self.assertEqual(len(self.server.asked), 6)

    def test_redirects(self):
        table = self.table()
        secret = self.dir / "secret"
        secret.write_bytes(self.server.content["/one.txt"])
        for target in (f"file://{secret}", "ftp://127.0.0.1/x", "data:text/plain,0", "gopher://127.0.0.1/"):
            self.server.behaviour["/one.txt"] = [f"to {target}"]
            self.refused(r"sends us on to an address of the kind|answers 302", table)
        self.server.behaviour["/one.txt"] = ["to /one.txt"]
        fetch.fetch(table, self.home, retries=0)
        self.assertEqual(self.files(), ["paper/one.txt"])
        for address in (f"file://{secret}", "/etc/passwd", "ftp://a/b", ""):
            with self.assertRaisesRegex(fetch.Unavailable, "is no address of the kind"):
                fetch.fetch({**table, "name": "x", "file": "x.txt", "address": address}, self.home, retries=0)

    def test_a_proxy(self):
        table = self.table()
        address = "http://no.such.host.invalid/one.txt"
        self.server.content[address] = self.server.content["/one.txt"]
        os.environ["http_proxy"] = self.url
        fetch.fetch({**table, "address": address}, self.home, retries=0)
        self.assertEqual(self.server.asked, [(address, None)])

    def test_ctrl_c(self):
        """At once, though a server keeps silent; and the same command goes on."""
        table = self.table()
        self.server.content["/slow.txt"] = b"x"
        self.server.behaviour["/slow.txt"] = ["silent"]
        slow = {**table, "name": "slow", "file": "slow.txt", "address": f"{self.url}/slow.txt"}
        process = subprocess.Popen([sys.executable, TOOL, "get", "--to", self.home, *map(str, self.manifest(slow, table))], stderr=subprocess.PIPE,
                                   text=True)
        self.assertTrue(self.server.silent.wait(60))
        process.send_signal(signal.SIGINT)
        self.assertEqual(process.communicate(timeout=1800)[1], "beadwork: stopped; the same command goes on\n")
        self.assertEqual(process.returncode, 130)
        self.server.resume.set()
        self.assertEqual(self.get(*self.manifest(table)), [])

    def test_no_network(self):
        closed = f"http://127.0.0.1:{self.server.server_port}"
        table = self.table()
        self.server.shutdown()
        self.server.server_close()
        self.assertEqual(self.get(*self.manifest(table), "--retries", 1, code=1),
                         [f"beadwork: paper/one: cannot reach {closed.removeprefix('http://')}: Connection refused"])
        self.refused("cannot reach no.such.host.invalid: ", {**table, "address": "http://no.such.host.invalid/one.txt"}, retries=0)
        self.assertEqual(self.files(hidden=True), [])

    def test_a_disk_that_is_full(self):
        table = self.table()
        lines = self.get(*self.manifest(table), code=1, preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (1000, 1000)))
        self.assertEqual(len(lines), 1)
        self.assertIn(f"cannot write into {self.home / 'paper'}: ", lines[0])
        self.assertEqual(self.files(hidden=True), [])
        with unittest.mock.patch.object(fetch.os, "fsync", side_effect=OSError(errno.ENOSPC, "No space left on device")):
            self.refused("the disk is full$", table)
        if os.geteuid():
            self.home.chmod(0o500)
            self.refused("Permission denied$", table)
        (self.dir / "file").write_text("")
        with self.assertRaisesRegex(fetch.Unavailable, "cannot write into .*file"):
            fetch.fetch(table, self.dir / "file", retries=0)

    def test_several_at_the_same_time(self):
        table = self.table()
        self.server.behaviour["/one.txt"] = ["cut", "cut"]
        command = [sys.executable, TOOL, "get", "--to", self.home, "--delay", "0", *map(str, self.manifest(table))]
        for process in [subprocess.Popen(command, stdout=subprocess.DEVNULL) for _ in range(3)]:
            self.assertEqual(process.wait(60), 0)
        self.assertEqual(self.files(hidden=True), ["paper/one.txt"])

    def test_the_whole_manifest_from_a_mirror(self):
        """The shared copies, where they are there; an address is not asked then."""
        known = lookup.manifest()
        found = {kind: lookup.find(kind, tables.BESIDE) for kind in ("paper", "raw", "numeric")}
        entries = [t for t in known if found[t["kind"]]] or [self.table("a"), self.table("b")]
        for t in entries:
            where = (found.get(t["kind"]) or {}).get(t["name"])
            self.server.content[f"/mirror/{t['kind']}/{t['file']}"] = where.read_bytes() if where else self.server.content[f"/{t['file']}"]
        self.assertEqual(self.get(*self.manifest(*entries), "--mirror", f"{self.url}/mirror/"), [])
        self.assertEqual(len(self.files(hidden=True)), len(entries))
        self.assertTrue(all(fetch.is_there(t, self.home) for t in entries))
        if all(found.values()):
            for kind in found:
                with unittest.mock.patch.dict(os.environ, {"BEADWORK_DATA": str(self.home)}):
                    self.assertEqual(tables.folder(kind), self.home / kind)


class Elsewhere(TablesTest):
    """--from: a folder or an archive."""

    def setUp(self):
        super().setUp()
        packed = b"x0,y\n1.0,c0\n" * 50
        derived = {"by": "one-hot", "sources": [{"address": "http://127.0.0.1:1/three.data"}], "drop": 0, "not_positive": ["n"],
                   "equal_rows_together": False, "values": [["a", "b"]]}
        made = b"0 1 0\n1 0 1"
        self.entries = [self.table("one"), {**self.table("two", packed), "kind": "numeric", "file": "two.csv.gz"},
                        {**self.table("three", made), "derived": derived}]
        self.entries[0]["address"] += "/other-name.txt"
        del self.entries[2]["address"]
        self.content = {"deep/er/other-name.txt": self.server.content["/one.txt"], "two.csv.gz": gzip.compress(packed, 1, mtime=7),
                        "x/three.data": b"a,n\nb,p\n", "one.txt": b"wrong", "passwd": b"never"}

    def pack(self, kind):
        path = self.dir / f"all.{kind}"
        if kind == "folder":
            for name, data in self.content.items():
                (path / name).parent.mkdir(parents=True, exist_ok=True)
                (path / name).write_bytes(data)
        elif kind == "zip":
            with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
                for name, data in self.content.items():
                    archive.writestr(f"../../{name}", data)
        else:
            with tarfile.open(path, f"w:{kind.partition('.')[2]}") as archive:
                for name, data in self.content.items():
                    entry = tarfile.TarInfo(f"../../{name}")
                    entry.size = len(data)
                    archive.addfile(entry, io.BytesIO(data))
        return path

    def test_every_kind_of_origin(self):
        for kind in ("folder", "zip", "tar.gz", "tar.xz"):
            with self.subTest(kind=kind):
                self.home = self.dir / f"home of {kind}"
                self.assertEqual(self.get(*self.manifest(*self.entries), "--from", self.pack(kind)), [])
                self.assertEqual(self.files(hidden=True), ["numeric/two.csv.gz", "paper/one.txt", "paper/three.txt"])
                self.assertTrue(all(fetch.is_there(t, self.home) for t in self.entries))
        self.assertEqual(self.server.asked, [])
        self.assertFalse((self.dir / "passwd").exists() or (self.dir / "one.txt").exists())

    def test_what_an_origin_lacks(self):
        del self.content["deep/er/other-name.txt"], self.content["two.csv.gz"]
        self.content["x/three.data"] = b"a,n\nc,p\n"
        path = self.pack("zip")
        self.assertEqual(self.get(*self.manifest(*self.entries), "--from", path, code=1),
                         [f"beadwork: numeric/two: {path} does not have it",
                          f"beadwork: paper/one: a file of its name in {path} has another SHA-256", "beadwork: paper/three: its source has an unknown value 'c'"])
        self.assertEqual(self.files(hidden=True), [])

    def test_archives_that_are_none(self):
        whole = self.pack("zip").read_bytes()
        packed = self.pack("tar.gz").read_bytes()
        for name, data in (("a", b"not one"), ("b", b""), ("c", whole[:len(whole) // 2]), ("d", packed[:len(packed) // 2]),
                           ("e", whole[:60] + bytes(20) + whole[80:])):
            with self.subTest(name=name):
                (self.dir / name).write_bytes(data)
                lines = self.get(*self.manifest(*self.entries), "--from", self.dir / name, code=1)
                self.assertEqual(len(lines), 1)
                self.assertIn(f"{self.dir / name} cannot be read as a folder, a zip or a tar archive: ", lines[0])
        self.assertIn("No such file", self.get(*self.manifest(*self.entries), "--from", self.dir / "none", code=1)[0])


class Lookup(TablesTest):
    def test_places(self):
        with unittest.mock.patch.dict(os.environ, {"HOME": "/h"}):
            for name in ("BEADWORK_DATA", "XDG_CACHE_HOME"):
                os.environ.pop(name, None)
            beside = pathlib.Path("/beside")
            self.assertEqual(lookup.places(beside), [pathlib.Path("/h/.cache/beadwork"), beside])
            os.environ["XDG_CACHE_HOME"] = "relative"  # which its specification forbids
            self.assertEqual(lookup.places(), [pathlib.Path("/h/.cache/beadwork")])
            os.environ["XDG_CACHE_HOME"] = "/c"
            self.assertEqual(lookup.places(beside), [pathlib.Path("/c/beadwork"), beside])
            os.environ["BEADWORK_DATA"] = "/d"
            self.assertEqual(lookup.places(beside), [pathlib.Path("/d")])

    def test_a_place_counts_when_it_is_whole(self):
        """A cache with one fetched table hides no complete folder."""
        beside = self.dir / "beside"
        for t in lookup.manifest():
            (beside / t["kind"]).mkdir(parents=True, exist_ok=True)
            (beside / t["kind"] / t["file"]).touch()
        (self.home / "beadwork/paper").mkdir(parents=True)
        (self.home / "beadwork/paper/vote.txt").touch()
        with unittest.mock.patch.dict(os.environ, {"XDG_CACHE_HOME": str(self.home)}):
            os.environ.pop("BEADWORK_DATA", None)
            self.assertEqual(lookup.find("paper", beside)["vote"], beside / "paper/vote.txt")
            self.assertIsNone(lookup.find("paper"))
            (beside / "paper/lymph.txt").unlink()
            self.assertIsNone(lookup.find("paper", beside))
            with self.assertRaises(ValueError):
                lookup.find("papers")
        for place, told in (("/none", "beadwork: tests that need the tables paper and raw and numeric are skipped: make data gets them (docs/data.md)\n"),
                            (beside, "beadwork: tests that need the tables paper are skipped: make data gets them (docs/data.md)\n")):
            done = subprocess.run([sys.executable, TOOL, "missing"], capture_output=True, text=True, env={**os.environ, "BEADWORK_DATA": str(place)})
            self.assertEqual((done.returncode, done.stdout, done.stderr), (0, "", told))
        done = subprocess.run([sys.executable, TOOL, "where", "raw"], capture_output=True, text=True, env={**os.environ, "BEADWORK_DATA": "/none"})
        self.assertEqual((done.returncode, done.stdout), (77, "skipped: needs the tables 'raw' (make data; docs/data.md)\n"))


class Manifest(unittest.TestCase):
    def test_it_says_all(self):
        known = lookup.manifest()
        self.assertEqual([sum(t["kind"] == kind for t in known) for kind in ("paper", "raw", "numeric")], [15, 12, 10])
        self.assertEqual(len({(t["kind"], t["file"]) for t in known}), len(known))
        for t in known:
            with self.subTest(table=t["name"]):
                self.assertEqual(len({"address", "derived", "remark"} & t.keys()), 1)
                self.assertRegex(t["sha256"], "^[0-9a-f]{64}$")
                self.assertRegex(t["file"], r"^[\w.-]+$")
                self.assertTrue(t["source"] and t["licence"] and t["bytes"] > 0)
                for address in [t.get("address")] + [s["address"] for s in t.get("derived", {}).get("sources", [])]:
                    self.assertRegex(address or "https://", "^https://")

    @unittest.skipIf(None in map(tables.folder, ("paper", "raw", "numeric")), tables.needs("paper"))
    def test_it_is_right_about_the_tables(self):
        for t in lookup.manifest():
            self.assertTrue(fetch.is_right(t, tables.table(t["kind"], t["name"]).read_bytes()), t["name"])


class Derived(unittest.TestCase):
    @staticmethod
    def of(name, kind="paper"):
        return next(t for t in lookup.manifest() if (t["kind"], t["name"]) == (kind, name))

    @staticmethod
    def inverted(how, lines):
        """Values that have this coding."""
        label = {"0": how["not_positive"][0], "1": "positive"}
        out = []
        for line in lines:
            first, *bits = line.split()
            values = []
            for known in how["values"]:
                values.append(known[bits[:len(known)].index("1")])
                bits = bits[len(known):]
            out.append(",".join(["17"] * how["drop"] + values + [label[first]]))
        return out

    def test_one_hot(self):
        """Coded, inverted, coded again; with rows that have gaps among them."""
        rng = random.Random(1)
        for name in ("car", "cancer"):
            how = self.of(name)["derived"]
            lines = []
            for _ in range(200):
                row = [str(rng.randint(0, 1))]
                for known in how["values"]:
                    row += [str(int(i == (at := rng.randrange(len(known))))) for i in [0]] and ["0"] * len(known)
                    row[len(row) - len(known) + at] = "1"
                lines.append(" ".join(row))
            raw = self.inverted(how, lines)
            raw.insert(3, ",".join("?" * (len(how["values"]) + how["drop"])) + ",unacc")
            made = derive.derive({**how, "equal_rows_together": False}, ["\n".join(raw).encode() + b"\n"])
            self.assertEqual(made.decode().split("\n"), lines)
        together = {"by": "one-hot", "drop": 0, "not_positive": ["n"], "equal_rows_together": True, "values": [["a", "b"]]}
        self.assertEqual(derive.derive(together, [b"b,p\na,n\nb,p\na,p\r\n"]), b"1 0 1\n1 0 1\n0 1 0\n1 1 0")

    @unittest.skipUnless(tables.folder("raw"), tables.needs("raw"))
    def test_from_uci(self):
        """UCI's rows, as the ARFF files have them: a class as a number, gaps as the mean. The tables come out byte for byte."""
        rows = [line.split(",") for line in tables.table("raw", "car-evaluation").read_text().partition("@data\n")[2].split()]
        names = {"1": "acc", "2": "good", "3": "unacc", "4": "vgood"}
        source = "".join(",".join([*row[:-1], names[row[-1]]]) + "\n" for row in rows).encode()
        car = self.of("car")
        self.assertEqual(fetch.digest(source), car["derived"]["sources"][0]["sha256"])
        self.assertEqual(fetch.digest(derive.derive(car["derived"], [source])), car["sha256"])
        rows = tables.table("raw", "breast-cancer-wisconsin").read_text().partition("@data\n")[2].replace("3.544656", "?").split()
        source = "".join(f"1000025,{row[:-1]}{2 * int(row[-1])}\n" for row in rows).encode()
        cancer = self.of("cancer")
        self.assertEqual(fetch.digest(derive.derive(cancer["derived"], [source])), cancer["sha256"])

    def test_numbers(self):
        how = {"by": "json"}
        self.assertEqual(derive.derive(how, [b'{"Xtrain": [[0.1, 2], [1e-05, 3.0]], "Ytrain": [1.0, 0.0], "Xtest": []}']),
                         b"x0,x1,y\n0.1,2.0,c1\n1e-05,3.0,c0\n")
        self.assertEqual(derive.derive({"by": "csv"}, [b"2,1,p,q\n1.5,0\n1001,1\n"]), b"x0,y\n1.5,c0\n1001.0,c1\n")
        data, target = gzip.compress(b"1 5\n2 7\n3 5\n"), gzip.compress(b"1\n2\n3\n")
        lines = derive.derive({"by": "scaled"}, [data, target]).decode().splitlines()
        self.assertEqual([line[-2:] for line in lines[1:]], ["c0", "c0", "c1"])
        columns = list(zip(*[[float(x) for x in line.split(",")[:-1]] for line in lines[1:]]))
        for column in columns:
            self.assertAlmostEqual(sum(column), 0)
            self.assertAlmostEqual(sum(x * x for x in column), 1)

    def test_sources_that_are_something_else(self):
        rng = random.Random(2)
        for t in lookup.manifest():
            sources = t.get("derived", {}).get("sources", [])
            for data in (b"", b"<html>", b"{}", b"a,b\n" * 9, b"\xff\x00", gzip.compress(b"x y\n"), rng.randbytes(500)):
                if sources:
                    with self.assertRaises(derive.Unexpected) if data else contextlib.suppress(derive.Unexpected):
                        derive.derive(t["derived"], [data] * len(sources))


if __name__ == "__main__":
    unittest.main()
