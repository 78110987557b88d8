"""Limits and callbacks keep the best so far; an interrupt is raised unless it is to keep that."""

from __future__ import annotations

import contextlib
import os
import pathlib
import signal
import subprocess
import sys
import threading
import time
import warnings

import numpy as np
import pytest
from sklearn.exceptions import ConvergenceWarning

from beadwork import BDDClassifier, MinDepthBDD


def holds(model, X, y):
    errors = (model.predict(X) != y).sum()
    return model.lower_bound_ <= model.upper_bound_ == errors and model.gap_ == errors - model.lower_bound_


def test_time_limit(hard):
    with pytest.warns(ConvergenceWarning, match="not proven optimal"):
        model = BDDClassifier(8, time_limit=0.3).fit(*hard)
    assert model.status_ == "feasible" and not model.optimal_ and holds(model, *hard)
    with pytest.warns(ConvergenceWarning):
        assert holds(BDDClassifier(8, time_limit=0).fit(*hard), *hard)


@pytest.mark.parametrize("engine", ["enumerate", "maxsat"])
def test_time_limits_of_other_engines(hard, engine):
    with pytest.warns(ConvergenceWarning):
        model = BDDClassifier(4, engine=engine, time_limit=0.2).fit(*hard)
    assert model.status_ in ("feasible", "unknown") and holds(model, *hard)


@pytest.mark.parametrize("engine", ["cart", "local", "odt", "oodg", "hoodg"])
def test_a_heuristic_tells_where_a_limit_cut_it_short(hard, engine):
    with pytest.warns(ConvergenceWarning, match="stopped by a limit: the best diagram so far was kept. A longer time_limit helps"):
        assert holds(BDDClassifier(2, engine=engine, time_limit=0).fit(*hard), *hard)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        BDDClassifier(2, engine=engine, time_limit=3600).fit(*hard)


@pytest.mark.parametrize("option", ["require", "forbid"])
def test_an_empty_name_is_refused(hard, option):
    with pytest.raises(ValueError, match=f"{option}: needs a value"):
        BDDClassifier(2, **{option: ""}).fit(*hard)


def test_callback_sees_bounds_and_stops(hard):
    seen = []

    def callback(progress):
        seen.append(progress)
        return len(seen) == 2

    with pytest.warns(ConvergenceWarning, match="stopped by the callback"):
        model = BDDClassifier(8, callback=callback).fit(*hard)
    assert len(seen) >= 2 and holds(model, *hard)
    for p in seen:
        assert 0 <= p.share <= 1 and p.lower_bound <= p.upper_bound and p.seconds >= 0 and p.memory > 1e6


def test_an_error_in_the_callback_is_raised(hard):
    def callback(progress):
        raise ZeroDivisionError("in the callback")

    with pytest.raises(ZeroDivisionError, match="in the callback"):
        BDDClassifier(8, callback=callback).fit(*hard)


def test_the_gil_is_released(hard):
    count, done = 0, threading.Event()

    def work():
        with pytest.warns(ConvergenceWarning):
            BDDClassifier(8, time_limit=1).fit(*hard)
        done.set()

    thread = threading.Thread(target=work)
    thread.start()
    while not done.is_set():
        count += 1
        time.sleep(0.01)
    thread.join()
    assert count > 10


HARD = """
import signal, time, warnings
import numpy as np
from sklearn.model_selection import GridSearchCV, cross_val_score
from beadwork import BDDClassifier, MaxSATTreeClassifier, MinDepthBDD, ParetoFront
if __name__ == "__main__":
    signal.signal(signal.SIGINT, signal.default_int_handler)
    rng = np.random.default_rng(2)
    X, y = rng.integers(0, 2, size=(300, 150)), rng.integers(0, 2, size=300)
    print("ready", flush=True)
    try:
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            model = %s
        print(model.status_, (model.predict(X) != y).sum() == model.upper_bound_, caught[0].message, flush=True)
    except KeyboardInterrupt:
        print("interrupted", flush=True)
"""


def processor_seconds(group):
    """Of all processes of the group: what a busy machine does not change. By the clock where there is no /proc."""
    ticks = 0
    if not pathlib.Path("/proc/self/stat").exists():
        return time.monotonic()
    for stat in pathlib.Path("/proc").glob("[0-9]*/stat"):
        with contextlib.suppress(OSError):  # it has just ended
            fields = stat.read_text().rpartition(")")[2].split()
            ticks += int(fields[11]) + int(fields[12]) if int(fields[2]) == group else 0
    return ticks / os.sysconf("SC_CLK_TCK")


def interrupted(call, tmp_path, after=1.5):
    """What a script says that is interrupted in this call, as by Ctrl-C, and the processor's seconds that takes."""
    script = tmp_path / "script.py"
    script.write_text(HARD % call)
    process = subprocess.Popen([sys.executable, script], stdout=subprocess.PIPE, text=True, start_new_session=True)
    late = threading.Timer(1800, lambda: os.killpg(process.pid, signal.SIGKILL))
    late.start()
    try:
        assert process.stdout.readline() == "ready\n"
        time.sleep(after)
        start = processor_seconds(process.pid)
        os.killpg(process.pid, signal.SIGINT)  # all processes of the terminal get it
        said = process.stdout.readline()
        return said, processor_seconds(process.pid) - start
    finally:
        late.cancel()
        process.stdout.close()
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait(timeout=1800)


@pytest.mark.parametrize(
    "call",
    [
        "BDDClassifier(8).fit(X, y)",
        "BDDClassifier(8, engine='maxsat').fit(X, y)",
        "MaxSATTreeClassifier(4).fit(X, y)",
        "MinDepthBDD(8).fit(X, y)",
        "ParetoFront(8).fit(X, y)",
        "BDDClassifier('cv', depths=[8]).fit(X, y)",
        "cross_val_score(BDDClassifier(8), X, y)",
        "GridSearchCV(BDDClassifier(), {'depth': [8, 9]}, n_jobs=1).fit(X, y)",
        "cross_val_score(BDDClassifier(8), X, y, n_jobs=2)",
        "GridSearchCV(BDDClassifier(), {'depth': [8, 9]}, n_jobs=2).fit(X, y)",
    ],
)
def test_ctrl_c_ends_all(call, tmp_path):
    said, seconds = interrupted(call, tmp_path, after=6 if "n_jobs=2" in call else 1.5)
    assert said == "interrupted\n" and seconds < 5  # 0.1 to 0.5 s on a quiet machine


def test_a_notebook_kernel_is_interrupted(tmp_path):
    manager = pytest.importorskip("jupyter_client.manager")
    pytest.importorskip("ipykernel")
    kernel, client = manager.start_new_kernel(kernel_name="python3", cwd=str(tmp_path))
    try:
        code = (
            "import numpy as np\nfrom beadwork import BDDClassifier\nrng = np.random.default_rng(2)\n"
            "X, y = rng.integers(0, 2, size=(300, 150)), rng.integers(0, 2, size=300)\n"
            "print('ready', flush=True)\nBDDClassifier(8, time_limit=None).fit(X, y)"
        )
        asked = client.execute(code)
        while client.get_iopub_msg(timeout=1800)["content"].get("text") != "ready\n":
            pass
        time.sleep(1)
        group = os.getpgid(kernel.provisioner.pid)
        start = processor_seconds(group)
        kernel.interrupt_kernel()
        while (reply := client.get_shell_msg(timeout=1800))["parent_header"].get("msg_id") != asked:
            pass
        assert reply["content"]["ename"] == "KeyboardInterrupt"
        assert processor_seconds(group) - start < 5
    finally:
        client.stop_channels()
        kernel.shutdown_kernel(now=True)


@pytest.mark.parametrize("call", ["BDDClassifier(8, on_interrupt='keep')", "MinDepthBDD(8, on_interrupt='keep')", "BDDClassifier('cv', depths=[8], on_interrupt='keep')"])
def test_ctrl_c_keeps_the_best_so_far_where_asked(call, tmp_path):
    said, _ = interrupted(f"{call}.fit(X, y)", tmp_path)
    assert said.startswith("feasible True interrupted: not proven optimal")


def test_an_error_of_another_signal_is_raised(hard):
    def ring(*_):
        raise TimeoutError("alarm")

    old = signal.signal(signal.SIGALRM, ring)
    signal.setitimer(signal.ITIMER_REAL, 0.5)
    try:
        with pytest.raises(TimeoutError, match="alarm"):
            BDDClassifier(8).fit(*hard)
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, old)


def test_memory_limit(hard):
    X, y = hard
    with pytest.warns(ConvergenceWarning):
        model = BDDClassifier(6, memory_limit=1, time_limit=1).fit(X, y)
    assert holds(model, X, y)


def test_verbose_shows_progress(hard, capsys):
    with pytest.warns(ConvergenceWarning):
        BDDClassifier(8, time_limit=1.5, verbose=1).fit(*hard)
    assert "best" in capsys.readouterr().err
    assert np.isfinite(time.monotonic())


def test_a_default_limit_and_what_lifts_it(hard):
    def limit(model):
        return model._common_options().get("time_limit")

    assert limit(BDDClassifier()) == limit(BDDClassifier(engine="local")) == limit(MinDepthBDD()) == 60
    assert limit(BDDClassifier(time_limit=None)) is None and limit(BDDClassifier(time_limit=5)) == 5
    assert limit(BDDClassifier(engine="maxsat")) is None and limit(BDDClassifier(certificate=True)) is None
    assert limit(BDDClassifier(options={"checkpoint": "x"})) is None and limit(BDDClassifier(options={"faithful": True})) is None
    with pytest.raises(ValueError, match='time_limit: expected seconds, None or "auto", got \'soon\''):
        BDDClassifier(time_limit="soon").fit([[0], [1]], [0, 1])


def test_a_search_over_all_thresholds_goes_on_from_its_checkpoint(tmp_path):
    rng = np.random.default_rng(3)
    X, y = rng.random((300, 6)), rng.integers(0, 2, 300)
    state = str(tmp_path / "state")
    whole = BDDClassifier(4, thresholds="all").fit(X, y)
    with pytest.warns(ConvergenceWarning):
        first = BDDClassifier(4, thresholds="all", time_limit=0.1, options={"checkpoint": state}).fit(X, y)
    assert first.status_ == "feasible" and (tmp_path / "state").read_text().startswith("ordered-state 1\n")
    model = BDDClassifier(4, thresholds="all", options={"checkpoint": state, "resume": state}).fit(X, y)
    assert model.optimal_ and holds(model, X, y) and model.upper_bound_ == whole.upper_bound_
    assert model.features_ == whole.features_
    with pytest.raises(ValueError, match="the state belongs to other data or other options"):
        BDDClassifier(3, thresholds="all", options={"resume": state}).fit(X, y)


def test_the_default_limit_strikes_with_a_warning(hard, monkeypatch):
    monkeypatch.setattr("beadwork._options.AUTO_LIMIT", 1.0)
    for model in (BDDClassifier(8), MinDepthBDD(8), BDDClassifier("cv", depths=[7, 8], cv=2)):
        start = time.process_time()
        with pytest.warns(ConvergenceWarning, match="stopped by a limit"):
            model.fit(*hard)
        assert model.status_ == "feasible" and time.process_time() - start < 8


def test_progress_by_itself_only_where_someone_looks(hard, capsys, monkeypatch):
    monkeypatch.setattr("beadwork._progress.PATIENCE", 0.5)
    with pytest.warns(ConvergenceWarning):
        BDDClassifier(8, time_limit=1.5).fit(*hard)
    assert capsys.readouterr().err == ""
    monkeypatch.setattr("beadwork._progress._someone_looks", lambda: True)
    BDDClassifier(2).fit(*hard)
    assert capsys.readouterr().err == ""
    with pytest.warns(ConvergenceWarning):
        BDDClassifier(8, time_limit=1.5).fit(*hard)
    assert "best" in capsys.readouterr().err
    with pytest.raises(ValueError, match='verbose: expected "auto", 0 or 1'):
        BDDClassifier(verbose="loud").fit(*hard)
