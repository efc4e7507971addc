import type { Moment } from "./Client.ts"

/** Reports the next steps of clients, so that a kill can be timed to one of them. */
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
