import { type RpcTime, withJitter } from "../RpcTime.ts"

export interface CircuitOptions {
  /** Failures in a row that open it. */
  readonly failuresToOpen: number
  /** How long it stays open the first time; each further time twice as long. */
  readonly cooldownMs: number
  readonly longestCooldownMs: number
}

/** CLOSED: requests pass. OPEN: none does. HALF_OPEN: one probe may find out whether they would. */
export type CircuitState = "CLOSED" | "OPEN" | "HALF_OPEN"

/** A host that was well for so long gets the short cooldown again. */
const FORGIVEN_AFTER_MS = 60_000

/** Keeps requests from a host that is known to fail, and finds out when it is back. */
export class CircuitBreaker {
  readonly #options: CircuitOptions
  readonly #time: RpcTime
  #failures = 0
  #cooldownMs: number
  #closedSince: number
  /** Null while it is closed. */
  #openUntil: number | null = null

  constructor(options: CircuitOptions, time: RpcTime) {
    this.#options = options
    this.#time = time
    this.#cooldownMs = options.cooldownMs
    this.#closedSince = time.now()
  }

  get state(): CircuitState {
    if (this.#openUntil === null) return "CLOSED"
    return this.#time.now() < this.#openUntil ? "OPEN" : "HALF_OPEN"
  }

  /** Time until a probe may pass; 0 unless it is open. */
  get waitMs(): number {
    return this.#openUntil === null ? 0 : Math.max(0, this.#openUntil - this.#time.now())
  }

  succeeded(): void {
    this.#failures = 0
    // A late answer to a request from before it opened: only a probe's success closes it.
    if (this.state === "OPEN") return
    if (this.#openUntil !== null) this.#closedSince = this.#time.now()
    this.#openUntil = null
    if (this.#time.now() - this.#closedSince >= FORGIVEN_AFTER_MS) this.#cooldownMs = this.#options.cooldownMs
  }

  failed(): void {
    this.#failures += 1
    if (this.state === "OPEN") return
    if (this.state === "HALF_OPEN" || this.#failures >= this.#options.failuresToOpen) this.#openForCooldown()
  }

  /** Opens it for as long as the host asks for, or for the cooldown where it does not say. */
  openFor(milliseconds: number | null): void {
    if (milliseconds === null) {
      if (this.state !== "OPEN") this.#openForCooldown()
      return
    }
    const bounded = Math.min(milliseconds, this.#options.longestCooldownMs)
    this.#openUntil = Math.max(this.#openUntil ?? 0, this.#time.now() + bounded)
  }

  #openForCooldown(): void {
    this.#openUntil = this.#time.now() + withJitter(this.#cooldownMs, this.#time)
    this.#cooldownMs = Math.min(this.#cooldownMs * 2, this.#options.longestCooldownMs)
  }
}
