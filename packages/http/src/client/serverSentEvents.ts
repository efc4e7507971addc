export interface ServerSentEvent {
  /** Null if the message has no data, but only an id or a reconnection delay. */
  readonly data: string | null
  /** The last event id, including the update by this message. */
  readonly id: string
  /** Reconnection delay in milliseconds; null if the service has not sent one. */
  readonly retry: number | null
}

/**
 * Reads the chunks of a response. Fails if no chunk arrives within `silenceMs`, because the connection is then dead.
 */
async function* chunksOf(body: ReadableStream<Uint8Array>, silenceMs: number): AsyncGenerator<string> {
  const reader = body.getReader()
  const decoder = new TextDecoder()
  try {
    for (;;) {
      let timer: ReturnType<typeof setTimeout> | undefined
      const silenceTimeout = new Promise<never>((_, reject) => {
        timer = setTimeout(() => reject(new Error(`the service sent no data for ${silenceMs} ms`)), silenceMs)
      })
      const { done, value } = await Promise.race([reader.read(), silenceTimeout]).finally(() => clearTimeout(timer))
      if (done) return
      yield decoder.decode(value, { stream: true })
    }
  } finally {
    // Not awaited, because a dead connection would never complete it.
    reader.cancel().catch(() => undefined)
  }
}

/** Parses the messages of a `text/event-stream` (WHATWG HTML, 9.2.6). Drops an incomplete last message. */
export async function* serverSentEvents(
  body: ReadableStream<Uint8Array>,
  silenceMs: number
): AsyncGenerator<ServerSentEvent> {
  let incompleteLine = ""
  let id = ""
  let retry: number | null = null
  let data: Array<string> = []
  for await (const chunk of chunksOf(body, silenceMs)) {
    // A carriage return at the end of a chunk does not end the line yet, because its line feed may be in the next
    // chunk.
    const lines = (incompleteLine + chunk).split(/\r\n|\n|\r(?!$)/u)
    incompleteLine = lines.pop()!
    for (const line of lines) {
      if (line === "") {
        yield { id, retry, data: data.length === 0 ? null : data.join("\n") }
        data = []
        continue
      }
      const [, field, value = ""] = /^([^:]*)(?:: ?(.*))?$/su.exec(line)!
      if (field === "data") data.push(value)
      else if (field === "id") id = value
      else if (field === "retry" && /^\d+$/u.test(value)) retry = Number(value)
    }
  }
}
