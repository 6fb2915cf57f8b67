"""Native code in a thread of its own: what it returns and raises, and that Ctrl-C ends the wait."""

from __future__ import annotations

import _thread
import threading

import pytest

from equilibrist.solvers.matrix.interruptible import computes_on, interruptible


def test_what_is_called_returns_and_raises_as_ever() -> None:
    assert interruptible(divmod, 7, 2) == (3, 1)
    assert interruptible(int, "11", base=2) == 3
    with pytest.raises(ZeroDivisionError):
        interruptible(divmod, 7, 0)


def test_an_interrupt_ends_the_wait_and_not_the_call() -> None:
    begun, end = threading.Event(), threading.Event()

    def native() -> None:
        begun.set()
        end.wait()

    def interrupt() -> None:
        begun.wait()
        _thread.interrupt_main()

    threading.Thread(target=interrupt, daemon=True).start()
    try:
        with pytest.raises(KeyboardInterrupt):
            interruptible(native)
        assert computes_on()
    finally:
        end.set()


def test_other_threads_call_it_themselves() -> None:
    names: list[str] = []

    def call() -> None:
        names.append(interruptible(threading.current_thread).name)

    thread = threading.Thread(target=call, name="worker")
    thread.start()
    thread.join()
    assert names == ["worker"]
