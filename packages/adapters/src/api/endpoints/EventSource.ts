import type { Effect, Scope } from "effect"
import type { CountersignEvent } from "../presenters/index.ts"

/** An open subscription to the events of a project. */
export interface OpenEvents {
  /** Waits until `take` has events to return. */
  readonly arrived: Effect.Effect<void>
  /**
   * The next events of the types that the reader may read; possibly none. Null if the reader is too slow and must open
   * the source again.
   */
  readonly take: (mayRead: (type: string) => boolean) => Effect.Effect<ReadonlyArray<CountersignEvent> | null>
  /** A cursor after all events that were taken. It also advances with time while no events arrive. */
  readonly cursor: Effect.Effect<string>
}

/** The response of an endpoint that streams events. */
export interface EventSource {
  /** The start position. A reader that received no events resumes from it. */
  readonly cursor: string
  /** Collects events until the scope ends. */
  readonly open: Effect.Effect<OpenEvents, never, Scope.Scope>
}
