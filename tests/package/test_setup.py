#!/usr/bin/env python3
"""tools/setup.sh installs what is missing, and nothing that somebody else has installed: Node, say, which Debian's packages displace."""
import pathlib
import shutil
import subprocess
import tempfile
import unittest

SOURCE = pathlib.Path(__file__).resolve().parents[2]
STUBS = {"dpkg-query": 'case " $INSTALLED " in *" $3 "*) echo "install ok installed";; *) exit 1;; esac',
         "apt-get": 'echo "$*" >>"$LOG"; exit "${FAILS:-0}"', "id": "echo 0"}


class Setup(unittest.TestCase):
    def asked(self, *groups, commands=(), installed="", fails=0):
        """The packages that apt-get is told to install; the exit code and stderr."""
        with tempfile.TemporaryDirectory() as folder:
            bin_, log = pathlib.Path(folder, "bin"), pathlib.Path(folder, "log")
            bin_.mkdir()
            for tool in ("bash", "dirname", "grep", "mktemp", "rm", "tail", "env", "cat"):
                (bin_ / tool).symlink_to(shutil.which(tool))
            for name, text in {**STUBS, **dict.fromkeys(commands, "exit 0")}.items():
                (bin_ / name).write_text(f"#!{shutil.which('bash')}\n{text}\n")
                (bin_ / name).chmod(0o755)
            done = subprocess.run([SOURCE / "tools/setup.sh", *groups], capture_output=True, text=True,
                                  env={"PATH": str(bin_), "LOG": str(log), "INSTALLED": installed, "FAILS": str(fails), "TMPDIR": folder})
            lines = log.read_text().splitlines() if log.exists() else []
            words = [line.split() for line in lines if line.startswith("install ")]
            return sorted(w for line in words for w in line[1:] if not w.startswith("-")), done.returncode, done.stderr

    def test_a_command_from_elsewhere_is_enough(self):
        self.assertEqual(self.asked("web", "browser")[0], ["chromium", "nodejs", "npm"])
        self.assertEqual(self.asked("web", "browser", commands=("node", "npm"))[0], ["chromium"])
        self.assertEqual(self.asked("web", "browser", commands=("node", "npm", "chromium")), ([], 0, ""))
        self.assertNotIn("nodejs", self.asked("test", commands=("node",))[0])
        self.assertIn("graphviz", self.asked("test", commands=("node",))[0])

    def test_packages(self):
        self.assertEqual(self.asked("web", installed="npm")[0], ["nodejs"])
        self.assertEqual(self.asked("web", installed="nodejs npm"), ([], 0, ""))
        self.assertEqual(self.asked("python", installed="python3", commands=("python3-venv",))[0], ["graphviz", "python3-dev", "python3-venv"])
        asked, code, errors = self.asked("web", fails=100)
        self.assertEqual(code, 1)
        self.assertIn("beadwork: could not install: nodejs npm", errors)

    def test_every_line_of_the_list_is_read(self):
        lines = [line.split() for line in (SOURCE / "tools/packages.txt").read_text().splitlines() if not line.startswith("#")]
        self.assertTrue(all(len(line) in (2, 3) for line in lines))
        for group in {line[0] for line in lines}:
            self.assertEqual(self.asked(group)[0], sorted(line[1] for line in lines if line[0] == group))


if __name__ == "__main__":
    unittest.main()
