import type { Effect, Scope } from "effect"
import type { CountersignEvent } from "../presenters/index.ts"

/** An open subscription to the events of a project. */
export interface OpenEvents {
  /** Waits until `take` has something to return. */
  readonly arrived: Effect.Effect<void>
  /** The next events of the types that the reader may read, possibly none. Null when the reader is too slow: it must open the source again. */
  readonly take: (mayRead: (type: string) => boolean) => Effect.Effect<ReadonlyArray<CountersignEvent> | null>
  /** A cursor after all events that were taken. It moves on with the time, while no events arrive. */
  readonly cursor: Effect.Effect<string>
}

/** The answer of an endpoint that streams events. */
export interface EventSource {
  /** Where the events begin: a reader that has had none yet resumes with it. */
  readonly cursor: string
  /** Begins to collect events. They end with the scope. */
  readonly open: Effect.Effect<OpenEvents, never, Scope.Scope>
}
