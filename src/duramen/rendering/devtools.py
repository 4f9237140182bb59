"""Connection to Chromium by the DevTools protocol over a pair of pipes.

A message is a JSON object followed by a NUL. A command has a number, which its reply repeats; an event has none. A
reader thread lets any number of tabs wait for replies at once. Events that need an immediate answer, such as a dialog
that blocks its page, are handled in that thread by an `EventHandler`.

Nothing here waits longer than its deadline, not even for a browser that has stopped reading.
"""

from __future__ import annotations

import json
import os
import select
import threading
import weakref
from collections.abc import Callable
from queue import Empty, SimpleQueue
from time import monotonic
from typing import Any

Message = dict[str, Any]
EventHandler = Callable[[Message], bool]
"""Takes an event; returns True when it was handled and need not be queued."""

MAX_MESSAGE_BYTES = 90_000_000
"""Chromium accepts a hundred million bytes and disconnects on more."""

_CHUNK = 1 << 20
_GONE: Message = {"method": "duramen.gone"}


class GoneError(Exception):
    """The browser or the tab has ended."""


class LateError(Exception):
    """The deadline has passed."""


class RefusedError(Exception):
    """The browser refused the command."""


class Connection:
    """Takes over two file descriptors: one to write commands to, one to read from."""

    def __init__(self, commands: int, replies: int) -> None:
        self._commands: int | None = commands
        self._replies = replies
        os.set_blocking(commands, False)
        self._writing = threading.Lock()
        self._state = threading.Lock()
        self._number = 0
        self._waiting: dict[int, tuple[str | None, SimpleQueue[Message]]] = {}
        self._events: dict[str, SimpleQueue[Message]] = {}
        self._answers: dict[str, EventHandler] = {}
        self._gone = False
        _open.add(self)
        threading.Thread(target=self._read, name="duramen-devtools", daemon=True).start()

    @property
    def is_open(self) -> bool:
        return not self._gone

    def call(self, method: str, deadline: float, session: str | None = None, **parameters: Any) -> Message:
        """Send a command and wait for its result."""
        reply: SimpleQueue[Message] = SimpleQueue()
        self._send(method, session, parameters, deadline, reply)
        message = _take(reply, deadline)
        if "error" in message:
            raise RefusedError(f"{method}: {message['error'].get('message', 'refused')}")
        result: Message = message["result"]
        return result

    def send(self, method: str, session: str | None = None, **parameters: Any) -> None:
        """Send a command without waiting for its result."""
        self._send(method, session, parameters, monotonic() + 1.0, None)

    def listen(self, session: str, answer: EventHandler) -> None:
        """Queue the events of a session from now on, except those that `answer` handles."""
        with self._state:
            self._answers[session] = answer
            events = self._events[session] = SimpleQueue()
            if self._gone:
                events.put(_GONE)

    def lose(self, session: str) -> None:
        """Wake everybody who waits for a session whose tab has crashed."""
        with self._state:
            lost = [reply for waiting, reply in self._waiting.values() if waiting == session]
            if session in self._events:
                lost.append(self._events[session])
        for queue in lost:
            queue.put(_GONE)

    def forget(self, session: str) -> None:
        with self._state:
            self._answers.pop(session, None)
            self._events.pop(session, None)

    def event(self, session: str, deadline: float) -> Message:
        """Return the next event of a session."""
        return _take(self._events[session], deadline)

    def pending(self, session: str) -> bool:
        """Return whether an event of a session is queued."""
        return not self._events[session].empty()

    def close(self) -> None:
        """Close the pipe. Chromium ends when its pipe is closed."""
        with self._writing:
            if self._commands is not None:
                os.close(self._commands)
                self._commands = None

    def abandon(self) -> None:
        """Close the pipes in a forked child: the browser belongs to the parent."""
        if self._commands is not None:
            os.close(self._commands)
            os.close(self._replies)
            self._commands = None
        self._gone = True

    def _send(
        self,
        method: str,
        session: str | None,
        parameters: Message,
        deadline: float,
        reply: SimpleQueue[Message] | None,
    ) -> None:
        with self._state:
            if self._gone:
                raise GoneError
            self._number += 1
            number = self._number
            if reply is not None:
                self._waiting[number] = session, reply
        message: Message = {"id": number, "method": method, "params": parameters}
        if session is not None:
            message["sessionId"] = session
        data = json.dumps(message, ensure_ascii=False).encode("utf-8", "replace") + b"\0"
        if len(data) > MAX_MESSAGE_BYTES:
            raise RefusedError(f"{method}: a message of {len(data):,} bytes, and {MAX_MESSAGE_BYTES:,} are the most")
        if not self._writing.acquire(timeout=max(0.0, deadline - monotonic())):
            raise LateError
        try:
            self._write(memoryview(data), deadline)
        finally:
            self._writing.release()

    def _write(self, data: memoryview, deadline: float) -> None:
        begun = len(data)
        while data:
            if self._commands is None:
                raise GoneError
            try:
                data = data[os.write(self._commands, data) :]
            except BlockingIOError:
                left = deadline - monotonic()
                if left <= 0 or not select.select([], [self._commands], [], left)[1]:
                    if len(data) < begun:  # half a message: no other can follow it
                        os.close(self._commands)
                        self._commands = None
                    raise LateError from None
            except OSError:
                raise GoneError from None

    def _read(self) -> None:
        buffer = bytearray()
        searched = 0
        while True:
            try:
                piece = os.read(self._replies, _CHUNK)
            except OSError:
                piece = b""
            if not piece:
                break
            buffer += piece
            while (stop := buffer.find(0, searched)) >= 0:
                self._receive(json.loads(bytes(buffer[:stop])))
                del buffer[: stop + 1]
                searched = 0
            searched = len(buffer)
        with self._state:
            self._gone = True
            for queue in (*(reply for _, reply in self._waiting.values()), *self._events.values()):
                queue.put(_GONE)
            self._waiting.clear()
        os.close(self._replies)

    def _receive(self, message: Message) -> None:
        if "id" in message:
            with self._state:
                _, reply = self._waiting.pop(message["id"], (None, None))
            if reply is not None:
                reply.put(message)
            return
        session = message.get("sessionId", "")
        answer, events = self._answers.get(session), self._events.get(session)
        try:
            if answer is not None and answer(message):
                return
        except (GoneError, LateError):
            pass  # the caller that waits for this session will get the error
        if events is not None:
            events.put(message)


def _take(queue: SimpleQueue[Message], deadline: float) -> Message:
    try:
        message = queue.get(timeout=max(0.0, deadline - monotonic()))
    except Empty:
        raise LateError from None
    if message is _GONE:
        queue.put(_GONE)  # for the next caller
        raise GoneError
    return message


_open: weakref.WeakSet[Connection] = weakref.WeakSet()


def _abandon_all() -> None:
    for connection in list(_open):
        connection.abandon()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_abandon_all)
