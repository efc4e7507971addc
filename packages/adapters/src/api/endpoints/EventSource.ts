import type { Effect, Scope } from "effect"
import type { CountersignEvent } from "../presenters/index.ts"

/** An open subscription to the events of a project. */
export interface OpenEvents {
  /** Waits until `take` has something to return. */
  readonly arrived: Effect.Effect<void>
  /**
   * The next events of the types that the reader may read, possibly none. Null if the reader is too slow: it must open
   * the source again.
   */
  readonly take: (mayRead: (type: string) => boolean) => Effect.Effect<ReadonlyArray<CountersignEvent> | null>
  /** A cursor after all events that were taken. It advances with time, while no events arrive. */
  readonly cursor: Effect.Effect<string>
}

/** The response of an endpoint that streams events. */
export interface EventSource {
  /** The starting position: a reader without events resumes with it. */
  readonly cursor: string
  /** Starts to collect events, until the scope ends. */
  readonly open: Effect.Effect<OpenEvents, never, Scope.Scope>
}
