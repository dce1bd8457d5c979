"""A slow line: a proxy on loopback that hands an app's answers on at so many bits a second, whatever their protocol.

The throttle of a browser's own tools leaves out websockets, by which Streamlit sends most of a page.
"""

import asyncio
import contextlib
import threading
import time
from collections.abc import Iterator
from urllib.parse import urlsplit

_PIECE = 4096


class SlowLine:
    """All connections share one line: `bits_per_second` down, `delay` seconds before the first byte of each connection."""

    def __init__(self, host: str, port: int, bits_per_second: float, delay: float) -> None:
        self.host, self.port, self.delay = host, port, delay
        self.seconds_per_byte = 8 / bits_per_second
        self.free_at = 0.0
        self.bytes_sent = 0

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """One connection of the browser."""
        await asyncio.sleep(self.delay)
        try:
            up_reader, up_writer = await asyncio.open_connection(self.host, self.port)
        except OSError:
            writer.close()
            return
        await asyncio.gather(self._copy(reader, up_writer), self._copy(up_reader, writer, slowly=True))

    async def _copy(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, *, slowly: bool = False) -> None:
        with contextlib.suppress(OSError, asyncio.IncompleteReadError):
            while piece := await reader.read(_PIECE):
                if slowly:
                    # Each piece has its turn on the line.
                    self.bytes_sent += len(piece)
                    self.free_at = max(self.free_at, time.monotonic()) + len(piece) * self.seconds_per_byte
                    await asyncio.sleep(self.free_at - time.monotonic())
                writer.write(piece)
                await writer.drain()
        with contextlib.suppress(OSError):
            writer.close()


@contextlib.contextmanager
def slow_line(address: str, bits_per_second: float, delay: float = 0.0) -> Iterator[tuple[str, SlowLine]]:
    """A slow line to the app at `address`: the address by which it is reached, and the line, which counts its bytes."""
    target = urlsplit(address)
    line = SlowLine(str(target.hostname), int(target.port or 80), bits_per_second, delay)
    loop = asyncio.new_event_loop()
    thread = threading.Thread(target=loop.run_forever, daemon=True)
    thread.start()
    server = asyncio.run_coroutine_threadsafe(asyncio.start_server(line.serve, "127.0.0.1", 0), loop).result()
    port = server.sockets[0].getsockname()[1]
    try:
        yield f"http://127.0.0.1:{port}", line
    finally:
        loop.call_soon_threadsafe(loop.stop)
        thread.join(5)
