const LOOK_EVERY_MS = 1_000
/** How long it checks after its last request, in real milliseconds. */
const ATTENTION_MS = 3_600_000

/** Looks at deposits again and again, while somebody asks the bridge for something. */
export class VaultWatch {
  readonly #name: string
  readonly #lookNow: () => Promise<void>
  #timer: NodeJS.Timeout | undefined
  #attentionUntilMs = 0
  #looking: Promise<void> | undefined
  #isClosed = false

  /** `name` is that of the bridge, for people. */
  constructor(name: string, lookNow: () => Promise<void>) {
    this.#name = name
    this.#lookNow = lookNow
  }

  /** Somebody asked: what was quoted may come. */
  attend(): void {
    this.#attentionUntilMs = Date.now() + ATTENTION_MS
    if (this.#timer !== undefined || this.#isClosed) return
    this.#timer = setInterval(() => {
      if (Date.now() < this.#attentionUntilMs) return void this.look()
      clearInterval(this.#timer)
      this.#timer = undefined
    }, LOOK_EVERY_MS)
    this.#timer.unref()
  }

  /** Looks once at a time; who asks meanwhile waits for the same look. */
  look(): Promise<void> {
    this.#looking ??= this.#lookNow()
      .catch((cause: unknown) => {
        if (!this.#isClosed) process.stderr.write(`The sandbox's ${this.#name} tries again: ${String(cause)}\n`)
      })
      .finally(() => {
        this.#looking = undefined
      })
    return this.#looking
  }

  async close(): Promise<void> {
    this.#isClosed = true
    clearInterval(this.#timer)
    await this.#looking
  }
}
