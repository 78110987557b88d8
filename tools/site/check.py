"""Fails where a page of the site would load something from elsewhere, or links to a file that is not there: check.py SITE"""
import html.parser
import pathlib
import re
import sys
import urllib.parse


class Loads(html.parser.HTMLParser):
    """What a page loads by itself, and what it links to."""

    def __init__(self):
        super().__init__()
        self.loaded, self.linked = [], []

    def handle_starttag(self, tag, attributes):
        a = dict(attributes)
        for name in ("src", "srcset", "data", "poster"):
            if a.get(name):
                self.loaded.append(a[name])
        if a.get("href"):
            (self.loaded if tag == "link" and a.get("rel") not in ("canonical", "prev", "next") else self.linked).append(a["href"])


def faults_of(page, site):
    found = Loads()
    text = page.read_text(encoding="utf-8")
    found.feed(text)
    for address in found.loaded + re.findall(r"url\(([^)]+)\)", text):
        if re.match(r"['\"]?(https?:)?//", address):
            yield f"loads {address}"
    for address in found.loaded + found.linked:
        parts = urllib.parse.urlsplit(address)
        if parts.scheme or parts.netloc or not parts.path:
            continue
        if not (page.parent / urllib.parse.unquote(parts.path)).resolve().exists():
            yield f"no such file: {address}"


def main():
    site = pathlib.Path(sys.argv[1])
    pages = [p for p in site.rglob("*.html") if p.name != "404.html"]  # its links are made for a server's root
    faults = [f"{p.relative_to(site)}: {fault}" for p in pages for fault in faults_of(p, site)]
    for style in site.rglob("*.css"):
        if re.search(r"url\(['\"]?(https?:)?//|@import", style.read_text(encoding="utf-8")):
            faults.append(f"{style.relative_to(site)}: loads from elsewhere")
    print(*faults, sep="\n", end="\n" if faults else "")
    sys.exit(f"{len(faults)} faults in {len(pages)} pages" if faults or len(pages) < 30 else 0)


if __name__ == "__main__":
    main()
