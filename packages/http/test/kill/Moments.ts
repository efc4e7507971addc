import type { Moment } from "./Client.ts"

/** What the clients are about to do, for those who want to strike just then. */
export class Moments {
  readonly #waiting = new Map<Moment, Array<() => void>>()

  readonly came = (moment: Moment): void => {
    const waiting = this.#waiting.get(moment) ?? []
    this.#waiting.delete(moment)
    for (const wake of waiting) wake()
  }

  next(moment: Moment): Promise<void> {
    return new Promise((resolve) => {
      this.#waiting.set(moment, [...(this.#waiting.get(moment) ?? []), resolve])
    })
  }
}
