import { Context, Effect } from "effect"

/** What a request waits for: nodes (including reading their responses), or the database. */
export type WaitTarget = "node" | "database"

export interface Wait {
  readonly on: WaitTarget
  /** Start in milliseconds of the process's monotonic clock. */
  readonly start: number
  readonly end: number
}

/** The recorded waits of a request; null if they are not recorded. */
export const Waits = Context.Reference<Array<Wait> | null>("@countersign/adapters/waits/Waits", {
  defaultValue: () => null
})

/** Runs an effect and records its duration as a wait. */
export const measureWait = <A, E, R>(on: WaitTarget, effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  Effect.withFiber((fiber) => {
    const waits = fiber.getRef(Waits)
    if (waits === null) return effect
    const start = performance.now()
    return Effect.ensuring(
      effect,
      Effect.sync(() => waits.push({ on, start, end: performance.now() }))
    )
  })

/** Returns the milliseconds in which at least one wait was pending. Concurrent waits count once. */
export const totalWaitMs = (waits: ReadonlyArray<Wait>): number => {
  let [ms, until] = [0, Number.NEGATIVE_INFINITY]
  for (const { end, start } of [...waits].sort((a, b) => a.start - b.start)) {
    ms += Math.max(0, end - Math.max(start, until))
    until = Math.max(until, end)
  }
  return ms
}
