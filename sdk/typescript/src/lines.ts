/** A body that comes line by line. */

/** The lines of a stream of UTF-8, without their ends; what the connection breaks off with is thrown. */
export async function* linesOf(stream: ReadableStream<Uint8Array>): AsyncGenerator<string, void, undefined> {
  const reader = stream.getReader();
  const decoder = new TextDecoder();
  let open = "";
  try {
    for (let piece = await reader.read(); !piece.done; piece = await reader.read()) {
      const lines = (open + decoder.decode(piece.value, { stream: true })).split("\n");
      open = lines.pop() ?? "";
      yield* lines;
    }
    if (open) {
      yield open;
    }
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}
