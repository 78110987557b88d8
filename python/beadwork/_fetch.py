"""Gets the tables of the manifest: from the network, a mirror, a folder or an archive. Without dependencies.

A table is written under its name only when its SHA-256 is right. What a download has so far is in a hidden file beside it, and
the next attempt goes on there.
"""

from __future__ import annotations

import contextlib
import errno
import fcntl
import gzip
import hashlib
import http.client
import os
import socket
import ssl
import tarfile
import time
import urllib.error
import urllib.parse
import urllib.request
import zipfile
import zlib
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import IO, Any

from ._derive import Unexpected, derive
from ._tables import Table

MOST = 64 << 20  # bytes of anything that is read
PIECE = 1 << 16
TIMEOUT = 30.0


class Unavailable(Exception):
    """Why a table could not be had, in words that may hold for several tables."""


class _Passing(Unavailable):
    """A reason that may pass: worth another attempt."""


class _OnlyHttp(urllib.request.HTTPRedirectHandler):
    def redirect_request(self, req: Any, fp: Any, code: int, msg: str, headers: Any, newurl: str) -> Any:
        before, after = (urllib.parse.urlsplit(url).scheme for url in (req.full_url, newurl))
        if after != "https" and after != before:
            fp.close()
            raise Unavailable(f"{_host(req.full_url)} sends us on to an address of the kind '{after}:', which is refused")
        return super().redirect_request(req, fp, code, msg, headers, newurl)


def _host(url: str) -> str:
    return urllib.parse.urlsplit(url).netloc.rpartition("@")[2]


def _check_address(url: str) -> None:
    parts = urllib.parse.urlsplit(url)
    if parts.scheme not in ("http", "https") or not parts.netloc:
        raise Unavailable(f"'{url}' is no address of the kind http:// or https://")


def _plain_reason(error: Exception, url: str) -> Unavailable:
    """An error of the network in words."""
    reason: Any = error.reason if isinstance(error, urllib.error.URLError) else error
    if isinstance(error, urllib.error.HTTPError):
        kind = _Passing if error.code in (408, 425, 429) or error.code >= 500 else Unavailable
        return kind(f"{_host(url)} answers {error.code} {error.reason}")
    if isinstance(reason, ssl.SSLCertVerificationError):
        return Unavailable(f"the certificate of {_host(url)} is not trusted: {reason.verify_message}")
    if isinstance(reason, (socket.timeout, TimeoutError)):
        return _Passing(f"{_host(url)} does not answer within {TIMEOUT:.0f} seconds")
    words = getattr(reason, "strerror", None) or str(reason) or type(reason).__name__
    return _Passing(f"cannot reach {_host(url)}: {words}")


def _cannot_write(error: OSError, path: Path) -> Unavailable:
    words = "the disk is full" if error.errno in (errno.ENOSPC, errno.EDQUOT) else error.strerror or str(error)
    return Unavailable(f"cannot write into {path.parent}: {words}")


def digest(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def unpacked(table: Table, data: bytes) -> bytes:
    """What the manifest's SHA-256 is of."""
    if not table["file"].endswith(".gz"):
        return data
    engine = zlib.decompressobj(wbits=31)
    try:
        text = engine.decompress(data, MOST)
    except zlib.error:
        return b""
    return text if engine.eof else b""


def is_right(table: Table, data: bytes) -> bool:
    return digest(unpacked(table, data)) == str(table["sha256"])


def is_there(table: Table, home: Path) -> bool:
    """The table is in its place, and it is the right one."""
    path = place_of(table, home)
    try:
        return is_right(table, path.read_bytes())
    except OSError:
        return False


def place_of(table: Table, home: Path) -> Path:
    return home / str(table["kind"]) / str(table["file"])


def write_whole(path: Path, data: bytes) -> None:
    """All of it or nothing."""
    part = path.with_name(f".{path.name}.{os.getpid()}.new")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with open(part, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        os.replace(part, path)
    except OSError as error:
        with contextlib.suppress(OSError):
            part.unlink()
        raise _cannot_write(error, path) from None


def _open(url: str, start: int) -> Any:
    opener = urllib.request.OpenerDirector()
    for handler in (urllib.request.ProxyHandler(), urllib.request.HTTPHandler(), urllib.request.HTTPSHandler(), _OnlyHttp(),
                    urllib.request.HTTPErrorProcessor(), urllib.request.HTTPDefaultErrorHandler()):
        opener.add_handler(handler)
    request = urllib.request.Request(url, headers={"User-Agent": "beadwork", "Accept-Encoding": "identity"})
    if start:
        request.add_header("Range", f"bytes={start}-")
    return opener.open(request, timeout=TIMEOUT)


def _receive(url: str, file: IO[bytes], most: int) -> None:
    """One attempt, which goes on where the file ends."""
    start = file.seek(0, os.SEEK_END)
    try:
        answer = _open(url, start)
    except urllib.error.HTTPError as error:
        error.close()
        if error.code == 416 and start:  # what we have is no beginning of what is there
            file.truncate(0)
            raise _Passing(f"{_host(url)} cannot go on where the last download ended") from None
        raise _plain_reason(error, url) from None
    except (OSError, http.client.HTTPException) as error:
        raise _plain_reason(error, url) from None
    with answer:
        goes_on = answer.status == 206 and str(answer.headers.get("Content-Range", "")).startswith(f"bytes {start}-")
        if not goes_on:
            file.truncate(0)
            file.seek(0)
            start = 0
        length = answer.headers.get("Content-Length", "")
        expected = start + int(length) if length.isdigit() else None
        while True:
            try:
                piece = answer.read1(PIECE)
            except (OSError, http.client.HTTPException) as error:
                raise _plain_reason(error, url) from None
            if not piece:
                break
            file.write(piece)
            if file.tell() > most:
                file.truncate(0)
                raise Unavailable(f"{_host(url)} sends more than the {most} bytes that are expected")
        if expected is not None and file.tell() < expected:
            raise _Passing(f"{_host(url)} ends the download after {file.tell()} of {expected} bytes")


def download(url: str, name: str, home: Path, sha256: str | None, most: int, retries: int, delay: float) -> bytes:
    """The bytes at an address. Who comes while another process downloads the same waits for it."""
    _check_address(url)
    path = home / f".{name}.part"
    try:
        home.mkdir(parents=True, exist_ok=True)
        with open(path, "a+b") as file:
            fcntl.flock(file, fcntl.LOCK_EX)
            for attempt in range(retries + 1):
                resumed = file.seek(0, os.SEEK_END) > 0
                try:
                    _receive(url, file, most)
                    file.seek(0)
                    data = file.read()
                    if sha256 is None or digest(data) == sha256:
                        break
                    file.truncate(0)
                    wrong = f"{_host(url)} answers with a page" if data[:512].lstrip()[:1] == b"<" else f"what {_host(url)} sends is not the table"
                    # A beginning of something else may be to blame.
                    raise (_Passing if resumed else Unavailable)(f"{wrong}: its SHA-256 is another one")
                except _Passing as reason:
                    if attempt == retries:
                        raise Unavailable(str(reason)) from None
                    time.sleep(delay * 2**attempt)
    except OSError as error:
        with contextlib.suppress(OSError):
            path.unlink()
        raise _cannot_write(error, path) from None
    except Unavailable:
        with contextlib.suppress(OSError):
            if not path.stat().st_size:
                path.unlink()
        raise
    with contextlib.suppress(OSError):
        path.unlink()
    return data


def _made(table: Table, sources: list[bytes]) -> bytes:
    """The table from its sources."""
    try:
        made = derive(table["derived"], sources)
    except Unexpected as error:
        raise Unavailable(str(error)) from None
    if digest(made) != table["sha256"]:
        raise Unavailable("what was made from its source is not the table: its SHA-256 is another one")
    return gzip.compress(made, mtime=0) if table["file"].endswith(".gz") else made


def fetch(table: Table, home: Path, mirror: str | None = None, retries: int = 3, delay: float = 1.0) -> Path:
    """The table in its place; fetched where it is not there, or not right."""
    path = place_of(table, home)
    if is_there(table, home):
        return path
    folder = path.parent
    if mirror is not None:
        url = f"{mirror.rstrip('/')}/{table['kind']}/{urllib.parse.quote(table['file'])}"
        data = download(url, table["file"], folder, None, MOST, retries, delay)
        if not is_right(table, data):
            page = " answers with a page" if data[:512].lstrip()[:1] == b"<" else " sends something else"
            raise Unavailable(f"{_host(url)}{page}: the SHA-256 is another one")
    elif "address" in table:
        data = download(table["address"], table["file"], folder, table["sha256"], table["bytes"], retries, delay)
    elif "derived" in table:
        sources = table["derived"]["sources"]
        data = _made(table, [download(s["address"], f"{table['name']}.source{i}", folder, s.get("sha256"), s.get("bytes", MOST), retries, delay)
                             for i, s in enumerate(sources)])
    else:
        raise Unavailable(f"no public address is known ({table['remark']})")
    write_whole(path, data)
    return path


def _last(address: str) -> str:
    return urllib.parse.unquote(address.rpartition("/")[2])


def _names(table: Table) -> set[str]:
    """How files may be called that have the table."""
    return {table["file"], _last(table["address"])} if "address" in table else {table["file"]}


def _sources(table: Table) -> list[dict[str, Any]]:
    sources: list[dict[str, Any]] = table.get("derived", {}).get("sources", [])
    return sources


def _files(origin: Path, wanted: set[str]) -> Iterator[tuple[str, bytes]]:
    """Name and bytes of the files of a folder or an archive that are called so."""
    if origin.is_dir():
        for folder, _, names in os.walk(origin):
            for name in sorted(wanted.intersection(names)):
                path = Path(folder, name)
                if path.is_file() and path.stat().st_size <= MOST:
                    yield name, path.read_bytes()
    elif zipfile.is_zipfile(origin):
        with zipfile.ZipFile(origin) as archive:
            for member in archive.infolist():
                name = member.filename.rpartition("/")[2]
                if name in wanted and member.file_size <= MOST:
                    yield name, archive.read(member)
    else:
        with tarfile.open(origin) as tar:
            for entry in tar:
                name = entry.name.rpartition("/")[2]
                file = tar.extractfile(entry) if name in wanted and entry.isfile() and entry.size <= MOST else None
                if file is not None:
                    yield name, file.read()


def take(tables: Iterable[Table], home: Path, origin: Path) -> dict[str, str]:
    """Tables from a folder or an archive, wherever in it they are. Returns why others could not be had, by kind/name."""
    missing = {f"{t['kind']}/{t['name']}": t for t in tables if not is_there(t, home)}
    reasons = dict.fromkeys(missing, f"{origin} does not have it")
    wanted: set[str] = set()
    for table in missing.values():
        wanted |= _names(table) | {_last(source["address"]) for source in _sources(table)}
    found: dict[str, bytes] = {}  # sources, by address
    try:
        for name, data in _files(origin, wanted):
            for key, table in list(missing.items()):
                for source in _sources(table):
                    if name == _last(source["address"]) and digest(data) == source.get("sha256", digest(data)):
                        found[source["address"]] = data
                if name in _names(table) and is_right(table, data):
                    write_whole(place_of(table, home), data)
                    del missing[key], reasons[key]
                elif name in _names(table):
                    reasons[key] = f"a file of its name in {origin} has another SHA-256"
    except (OSError, EOFError, zlib.error, tarfile.TarError, zipfile.BadZipFile, NotImplementedError, RuntimeError) as error:
        words = getattr(error, "strerror", None) or (str(error) or type(error).__name__).splitlines()[0].rstrip(":")
        raise Unavailable(f"{origin} cannot be read as a folder, a zip or a tar archive: {words}") from None
    for key, table in missing.items():
        if not table.get("derived") or any(source["address"] not in found for source in _sources(table)):
            continue
        try:
            write_whole(place_of(table, home), _made(table, [found[source["address"]] for source in _sources(table)]))
            del reasons[key]
        except Unavailable as reason:
            reasons[key] = str(reason)
    return reasons


def fetch_all(tables: list[Table], home: Path, mirror: str | None = None, jobs: int = 4, retries: int = 3, delay: float = 1.0,
              progress: Callable[[int, int], None] = lambda done, total: None) -> dict[str, str]:
    """All of them, several at a time. Returns why some could not be had, by kind/name."""
    reasons: dict[str, str] = {}

    def one(table: Table) -> None:
        try:
            fetch(table, home, mirror, retries, delay)
        except Unavailable as reason:
            reasons[f"{table['kind']}/{table['name']}"] = str(reason)

    pool = ThreadPoolExecutor(jobs)
    try:
        for done, _ in enumerate(pool.map(one, tables), 1):
            progress(done, len(tables))
    finally:
        pool.shutdown(wait=False, cancel_futures=True)  # Ctrl-C waits for nothing
    return reasons
