import { connect, type Socket } from "node:net"
import { waitUntil, waitUntilTrue } from "../../../core/test/support/until.ts"

export interface RawResponse {
  readonly status: number
  readonly headers: ReadonlyMap<string, string>
  readonly text: string
}

/** A body and its number of bytes; null if the body is incomplete. */
type Body = { readonly text: string; readonly length: number } | null

const readSizedBody = (bytes: Buffer, headers: RawResponse["headers"]): Body => {
  const length = Number(headers.get("content-length") ?? 0)
  return bytes.length < length ? null : { text: bytes.subarray(0, length).toString(), length }
}

/** Decodes a chunked body: pieces preceded by their sizes, and an empty piece at the end. */
const readChunkedBody = (bytes: Buffer): Body => {
  const pieces: Array<Buffer> = []
  for (let offset = 0; ; ) {
    const lineEnd = bytes.indexOf("\r\n", offset)
    if (lineEnd < 0) return null
    const size = Number.parseInt(bytes.subarray(offset, lineEnd).toString(), 16)
    const nextChunk = lineEnd + 2 + size + 2
    if (bytes.length < nextChunk) return null
    if (size === 0) return { text: Buffer.concat(pieces).toString(), length: nextChunk }
    pieces.push(bytes.subarray(lineEnd + 2, lineEnd + 2 + size))
    offset = nextChunk
  }
}

/** A client that can send arbitrary bytes. It waits until the server ends the connection. */
export class RawClient {
  readonly socket: Socket
  /** The complete responses. */
  readonly responses: Array<RawResponse> = []
  /** The bytes of the incomplete response. */
  #received = Buffer.alloc(0)
  isClosed = false

  private constructor(socket: Socket) {
    this.socket = socket
    socket.on("data", (chunk) => {
      this.#received = Buffer.concat([this.#received, chunk])
      this.#parse()
    })
    // A server that rejects a request may reset the connection while the client still sends.
    socket.on("error", () => undefined)
    socket.once("close", () => {
      this.isClosed = true
    })
  }

  /** Connects to a server. `localAddress` is the client address that the server sees. */
  static open(port: number, localAddress = "127.0.0.1"): Promise<RawClient> {
    return new Promise((resolve, reject) => {
      const socket = connect({ port, host: "127.0.0.1", localAddress, allowHalfOpen: true })
      const client = new RawClient(socket)
      socket.once("connect", () => resolve(client))
      socket.once("error", reject)
    })
  }

  static openMany(port: number, count: number): Promise<ReadonlyArray<RawClient>> {
    return Promise.all(Array.from({ length: count }, () => RawClient.open(port)))
  }

  send(...lines: ReadonlyArray<string>): this {
    this.socket.write(lines.join("\r\n"))
    return this
  }

  /** Sends a text byte by byte, until it is sent, or until the server responds or closes the connection. */
  async trickle(text: string): Promise<void> {
    for (const character of text) {
      if (this.isClosed || !this.socket.writable || this.responses.length > 0) return
      this.socket.write(character)
      await new Promise((resolve) => setTimeout(resolve, 20))
    }
  }

  #parse(): void {
    for (;;) {
      const headersEnd = this.#received.indexOf("\r\n\r\n")
      if (headersEnd < 0) return
      const [statusLine = "", ...lines] = this.#received.subarray(0, headersEnd).toString("latin1").split("\r\n")
      const headers = new Map(
        lines.map((line) => [line.slice(0, line.indexOf(":")).toLowerCase(), line.slice(line.indexOf(":") + 1).trim()])
      )
      const bytesAfter = this.#received.subarray(headersEnd + 4)
      const body =
        headers.get("transfer-encoding") === "chunked"
          ? readChunkedBody(bytesAfter)
          : readSizedBody(bytesAfter, headers)
      if (body === null) return
      this.responses.push({ status: Number(statusLine.split(" ")[1]), headers, text: body.text })
      this.#received = bytesAfter.subarray(body.length)
    }
  }

  async waitFor(count: number): Promise<ReadonlyArray<RawResponse>> {
    return waitUntil(
      () => this.responses,
      ({ length }) => length >= count
    )
  }

  /** Waits until the server has ended the connection, and then closes the client's end. Returns all responses. */
  async waitForEnd(): Promise<ReadonlyArray<RawResponse>> {
    if (this.socket.readableEnded) this.socket.end()
    else this.socket.once("end", () => this.socket.end())
    await waitUntilTrue(() => this.isClosed)
    return this.responses
  }
}
