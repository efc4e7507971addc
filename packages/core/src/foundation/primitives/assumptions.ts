import { Context, Deferred, Effect, Equal, Exit, type Scope } from "effect"

/** The assumptions of a piece of work so far, and their verification. */
interface Assumptions {
  /**
   * Results and failures of the reads that verified assumptions of a cancelled run, by key. A result is used instead of
   * an assumption.
   */
  readonly responses: ReadonlyMap<string, Exit.Exit<unknown, unknown>>
  /** Verifies an assumption concurrently with the work. Null for work without assumptions. */
  readonly confirm:
    | ((key: string, assumed: unknown, read: Effect.Effect<unknown, unknown>) => Effect.Effect<void>)
    | null
}

const CurrentAssumptions = Context.Reference<Assumptions | null>("@countersign/core/primitives/Assumptions", {
  defaultValue: () => null
})

/**
 * Performs a read whose last result is probably still valid. In the first run of `withAssumptions`, returns the last
 * result immediately and runs the read concurrently. In the second run, uses the result of that read if it has
 * completed. In all other cases, performs the read.
 */
export const assume = <A, E>(key: string, lastResult: A | null, read: Effect.Effect<A, E>): Effect.Effect<A, E> =>
  Effect.flatMap(CurrentAssumptions, (assumptions): Effect.Effect<A, E> => {
    const knownExit = assumptions?.responses.get(key)
    // Each key belongs to one read, so the type is correct.
    if (knownExit !== undefined) return knownExit as Exit.Exit<A, E>
    if (lastResult === null || assumptions?.confirm == null) return read
    return Effect.as(assumptions.confirm(key, lastResult, read), lastResult)
  })

/** Runs each read that verifies an assumption, once. */
class Confirmations {
  readonly responses = new Map<string, Exit.Exit<unknown, unknown>>()
  readonly #checks = new Map<string, Deferred.Deferred<void>>()
  readonly #scope: Scope.Scope
  /** Completed when an assumption proves to be wrong. */
  readonly broken: Deferred.Deferred<void>

  constructor(scope: Scope.Scope, broken: Deferred.Deferred<void>) {
    this.#scope = scope
    this.broken = broken
  }

  confirm(key: string, assumed: unknown, read: Effect.Effect<unknown, unknown>): Effect.Effect<void> {
    if (this.#checks.has(key)) return Effect.void
    const endSignal = Deferred.makeUnsafe<void>()
    this.#checks.set(key, endSignal)
    const check = Effect.flatMap(Effect.exit(read), (response) => {
      this.responses.set(key, response)
      const isConfirmed = Exit.isSuccess(response) && Equal.equals(response.value, assumed)
      return isConfirmed ? Effect.void : Deferred.succeed(this.broken, undefined)
    })
    return Effect.forkIn(Effect.ensuring(check, Deferred.succeed(endSignal, undefined)), this.#scope, {
      startImmediately: true
    })
  }

  /** Completes when all reads have ended. */
  get awaitChecks(): Effect.Effect<void> {
    return Effect.forEach([...this.#checks.values()], (endSignal) => Deferred.await(endSignal), { discard: true })
  }
}

/**
 * Runs work that assumes that the results of recent reads are still valid. The reads run again concurrently, and the
 * work does not complete before them. If a read fails or has a different result, the work is cancelled immediately and
 * runs again with the new result. The work must have no permanent side effects.
 */
export const withAssumptions = <A, E, R>(work: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  Effect.scopedWith((scope) =>
    Effect.gen(function* () {
      const confirmations = new Confirmations(scope, yield* Deferred.make<void>())
      const { responses, broken } = confirmations
      const runAll = Effect.gen(function* () {
        const exit = yield* Effect.exit(
          Effect.provideService(work, CurrentAssumptions, {
            responses: new Map(),
            confirm: (key, assumed, read) => confirmations.confirm(key, assumed, read)
          })
        )
        yield* confirmations.awaitChecks
        return (yield* Deferred.isDone(broken)) ? null : exit
      })
      const exit = yield* Effect.raceFirst(runAll, Effect.as(Deferred.await(broken), null))
      return yield* exit ?? Effect.provideService(work, CurrentAssumptions, { responses, confirm: null })
    })
  )

/** Runs work without assumptions: each read runs when it is requested. */
export const withoutAssumptions = <A, E, R>(work: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  Effect.provideService(work, CurrentAssumptions, null)
