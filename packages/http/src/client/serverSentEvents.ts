export interface ServerSentEvent {
  /** Null if the message only sets the last event id. */
  readonly data: string | null
  /** The last event id after the message. */
  readonly id: string
  /** Milliseconds; null if the service has not sent it. */
  readonly retry: number | null
}

/**
 * Reads the chunks of a response. Fails after a silence longer than the heartbeat interval, because the connection is
 * dead.
 */
async function* chunksOf(body: ReadableStream<Uint8Array>, silenceMs: number): AsyncGenerator<string> {
  const reader = body.getReader()
  const decoder = new TextDecoder()
  try {
    for (;;) {
      let timer: ReturnType<typeof setTimeout> | undefined
      const silence = new Promise<never>((_, reject) => {
        timer = setTimeout(() => reject(new Error(`the service sent no data for ${silenceMs} ms`)), silenceMs)
      })
      const { done, value } = await Promise.race([reader.read(), silence]).finally(() => clearTimeout(timer))
      if (done) return
      yield decoder.decode(value, { stream: true })
    }
  } finally {
    // The call is not awaited, because the connection may be dead.
    reader.cancel().catch(() => undefined)
  }
}

/** The messages of a `text/event-stream` (WHATWG HTML, 9.2.6). An incomplete last message is dropped. */
export async function* serverSentEvents(
  body: ReadableStream<Uint8Array>,
  silenceMs: number
): AsyncGenerator<ServerSentEvent> {
  let incompleteLine = ""
  let id = ""
  let retry: number | null = null
  let data: Array<string> = []
  for await (const chunk of chunksOf(body, silenceMs)) {
    // The line feed after a carriage return at the end may follow in the next chunk.
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
