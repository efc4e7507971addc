import type { Effect, Scope } from "effect"
import type { CountersignEvent } from "../serializers/index.ts"

/** An open subscription to the events of a project. */
export interface OpenEvents {
  /** Waits until an event arrives. Does not wait while `take` still reads stored events. */
  readonly awaitEvents: Effect.Effect<void>
  /**
   * Returns the next events of the types that the reader may read; possibly none. Null if the reader is too slow and
   * must open the source again.
   */
  readonly take: (mayRead: (type: string) => boolean) => Effect.Effect<ReadonlyArray<CountersignEvent> | null>
  /** A cursor after all events that `take` has returned. It also advances with time while no events arrive. */
  readonly cursor: Effect.Effect<string>
}

/** The response of an endpoint that streams events. */
export interface EventSource {
  /** Cursor at which the stream starts. A reader that received no events resumes from it. */
  readonly cursor: string
  /** Starts to collect events. Stops when the scope closes. */
  readonly open: Effect.Effect<OpenEvents, never, Scope.Scope>
}
