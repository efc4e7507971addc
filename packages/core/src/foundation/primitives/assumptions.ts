import { Context, Deferred, Effect, Equal, Exit, type Scope } from "effect"

/** The assumptions of a piece of work so far, and its result. */
interface Assumptions {
  /** Answers, or failures, that came since the work began. Nothing is assumed where there is one. */
  readonly answers: ReadonlyMap<string, Exit.Exit<unknown, unknown>>
  /** Asks beside the work whether an assumption holds. Null in work that assumes nothing. */
  readonly confirm:
    | ((key: string, assumed: unknown, ask: Effect.Effect<unknown, unknown>) => Effect.Effect<void>)
    | null
}

const CurrentAssumptions = Context.Reference<Assumptions | null>("@countersign/core/primitives/Assumptions", {
  defaultValue: () => null
})

/**
 * A read whose last answer most likely still holds. Within `withAssumptions` that answer is given at once, and the read
 * is done beside what follows; anywhere else, or without a last answer, it is done first.
 */
export const assume = <A, E>(key: string, last: A | null, ask: Effect.Effect<A, E>): Effect.Effect<A, E> =>
  Effect.flatMap(CurrentAssumptions, (assumptions): Effect.Effect<A, E> => {
    const answer = assumptions?.answers.get(key)
    // A key names one read, and so one type.
    if (answer !== undefined) return answer as Exit.Exit<A, E>
    if (last === null || assumptions?.confirm == null) return ask
    return Effect.as(assumptions.confirm(key, last, ask), last)
  })

/** Reads beside the work, each once. */
class Confirmations {
  readonly answers = new Map<string, Exit.Exit<unknown, unknown>>()
  readonly #looks = new Map<string, Deferred.Deferred<void>>()
  readonly #scope: Scope.Scope
  /** Done when an assumption is known to be wrong. */
  readonly broken: Deferred.Deferred<void>

  constructor(scope: Scope.Scope, broken: Deferred.Deferred<void>) {
    this.#scope = scope
    this.broken = broken
  }

  confirm(key: string, assumed: unknown, ask: Effect.Effect<unknown, unknown>): Effect.Effect<void> {
    if (this.#looks.has(key)) return Effect.void
    const ended = Deferred.makeUnsafe<void>()
    this.#looks.set(key, ended)
    const look = Effect.flatMap(Effect.exit(ask), (answer) => {
      this.answers.set(key, answer)
      const holds = Exit.isSuccess(answer) && Equal.equals(answer.value, assumed)
      return holds ? Effect.void : Deferred.succeed(this.broken, undefined)
    })
    return Effect.forkIn(Effect.ensuring(look, Deferred.succeed(ended, undefined)), this.#scope, {
      startImmediately: true
    })
  }

  /** Until all reads have ended. */
  get ended(): Effect.Effect<void> {
    return Effect.forEach([...this.#looks.values()], (ended) => Deferred.await(ended), { discard: true })
  }
}

/**
 * Runs work that reads what was read a moment ago, without waiting for those reads: they are done beside it, and it ends
 * when they have ended too. Where one of them has another answer now, or none, the work is given up at once and done again
 * with that. Work that is done again must be free of effects that stay.
 */
export const withAssumptions = <A, E, R>(work: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  Effect.scopedWith((scope) =>
    Effect.gen(function* () {
      const confirmations = new Confirmations(scope, yield* Deferred.make<void>())
      const { answers, broken } = confirmations
      const whole = Effect.gen(function* () {
        const exit = yield* Effect.exit(
          Effect.provideService(work, CurrentAssumptions, {
            answers: new Map(),
            confirm: (key, assumed, ask) => confirmations.confirm(key, assumed, ask)
          })
        )
        yield* confirmations.ended
        return (yield* Deferred.isDone(broken)) ? null : exit
      })
      const exit = yield* Effect.raceFirst(whole, Effect.as(Deferred.await(broken), null))
      return yield* exit ?? Effect.provideService(work, CurrentAssumptions, { answers, confirm: null })
    })
  )

/** Runs work that assumes nothing: each of its reads is done now, whatever was read before. */
export const withoutAssumptions = <A, E, R>(work: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  Effect.provideService(work, CurrentAssumptions, null)
