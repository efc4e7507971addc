/** The clock for pauses. Tests replace it. */
export interface CircuitTime {
  /** Returns monotonic milliseconds. */
  readonly now: () => number
  /** Returns a number from 0 to 1, for jitter. */
  readonly random: () => number
}

/**
 * Returns a random duration of half to one and a half times the argument, so that failed hosts are not retried at the
 * same time.
 */
export const withJitter = (milliseconds: number, { random }: Pick<CircuitTime, "random">): number =>
  milliseconds * (0.5 + random())

export interface CircuitOptions {
  /** Number of consecutive failures after which the circuit opens. */
  readonly failuresToOpen: number
  /**
   * How long the circuit stays open at first, in milliseconds. Doubles each time it opens again, up to
   * `longestCooldownMs`.
   */
  readonly cooldownMs: number
  readonly longestCooldownMs: number
}

/**
 * CLOSED: requests are sent. OPEN: no request is sent. HALF_OPEN: one probe is sent to check whether the host works.
 */
export type CircuitState = "CLOSED" | "OPEN" | "HALF_OPEN"

/** Time without failures, in milliseconds, after which the cooldown returns to its minimum. */
const COOLDOWN_RESET_AFTER_MS = 60_000

/** Stops requests to a failing host, and detects when it recovers. */
export class CircuitBreaker {
  readonly #options: CircuitOptions
  readonly #time: CircuitTime
  #failures = 0
  #cooldownMs: number
  #closedSince: number
  /** Null while the circuit is closed. */
  #openUntil: number | null = null

  constructor(options: CircuitOptions, time: CircuitTime) {
    this.#options = options
    this.#time = time
    this.#cooldownMs = options.cooldownMs
    this.#closedSince = time.now()
  }

  get state(): CircuitState {
    if (this.#openUntil === null) return "CLOSED"
    return this.#time.now() < this.#openUntil ? "OPEN" : "HALF_OPEN"
  }

  /** Milliseconds until a probe may be sent; 0 if the circuit is not open. */
  get waitMs(): number {
    return this.#openUntil === null ? 0 : Math.max(0, this.#openUntil - this.#time.now())
  }

  recordSuccess(): void {
    this.#failures = 0
    // The response belongs to a request that was sent before the circuit opened. Only a successful probe closes the
    // circuit.
    if (this.state === "OPEN") return
    if (this.#openUntil !== null) this.#closedSince = this.#time.now()
    this.#openUntil = null
    if (this.#time.now() - this.#closedSince >= COOLDOWN_RESET_AFTER_MS) this.#cooldownMs = this.#options.cooldownMs
  }

  recordFailure(): void {
    this.#failures += 1
    if (this.state === "OPEN") return
    if (this.state === "HALF_OPEN" || this.#failures >= this.#options.failuresToOpen) this.#openForCooldown()
  }

  /**
   * Opens the circuit for the time that the host requests, at most the longest cooldown. If the argument is null, opens
   * it for the current cooldown.
   */
  openFor(milliseconds: number | null): void {
    if (milliseconds === null) {
      if (this.state !== "OPEN") this.#openForCooldown()
      return
    }
    const boundedMs = Math.min(milliseconds, this.#options.longestCooldownMs)
    this.#openUntil = Math.max(this.#openUntil ?? 0, this.#time.now() + boundedMs)
  }

  #openForCooldown(): void {
    this.#openUntil = this.#time.now() + withJitter(this.#cooldownMs, this.#time)
    this.#cooldownMs = Math.min(this.#cooldownMs * 2, this.#options.longestCooldownMs)
  }
}
