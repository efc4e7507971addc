const POLL_EVERY_MS = 1_000
/** Real milliseconds for which polling continues after the last request. */
const POLLING_MS = 3_600_000

/** Polls for deposits while the bridge receives requests. */
export class VaultWatch {
  readonly #name: string
  readonly #lookNow: () => Promise<void>
  #timer: NodeJS.Timeout | undefined
  #attentionUntilMs = 0
  #polling: Promise<void> | undefined
  #isClosed = false

  /** `name` is the display name of the bridge. */
  constructor(name: string, pollOnce: () => Promise<void>) {
    this.#name = name
    this.#lookNow = pollOnce
  }

  /** Starts or prolongs polling, because a client with a quote may deposit. */
  keepPolling(): void {
    this.#attentionUntilMs = Date.now() + POLLING_MS
    if (this.#timer !== undefined || this.#isClosed) return
    this.#timer = setInterval(() => {
      if (Date.now() < this.#attentionUntilMs) return void this.poll()
      clearInterval(this.#timer)
      this.#timer = undefined
    }, POLL_EVERY_MS)
    this.#timer.unref()
  }

  /** Polls once. Concurrent callers share the same poll. */
  poll(): Promise<void> {
    this.#polling ??= this.#lookNow()
      .catch((cause: unknown) => {
        if (!this.#isClosed)
          process.stderr.write(`The sandbox's ${this.#name} failed and tries again: ${String(cause)}\n`)
      })
      .finally(() => {
        this.#polling = undefined
      })
    return this.#polling
  }

  async close(): Promise<void> {
    this.#isClosed = true
    clearInterval(this.#timer)
    await this.#polling
  }
}
