import type { Moment } from "./Client.ts"

/** Reports what clients do next, so that a kill can be timed to it. */
export class Moments {
  readonly #waiting = new Map<Moment, Array<() => void>>()

  readonly came = (moment: Moment): void => {
    const waitingCallbacks = this.#waiting.get(moment) ?? []
    this.#waiting.delete(moment)
    for (const wake of waitingCallbacks) wake()
  }

  next(moment: Moment): Promise<void> {
    return new Promise((resolve) => {
      this.#waiting.set(moment, [...(this.#waiting.get(moment) ?? []), resolve])
    })
  }
}
