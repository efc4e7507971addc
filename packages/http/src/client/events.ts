import { CountersignError, noAnswerError } from "./errors.ts"
import { isWorthRetrying, type Open, pause, retryDelayMs } from "./http.ts"
import type { operations, WebhookEvent } from "./resources.ts"
import { serverSentEvents } from "./serverSentEvents.ts"

type EventTypeFilter = NonNullable<NonNullable<operations["events"]["parameters"]["query"]>["types"]>[number]

export interface EventsOptions {
  /** Event types, or groups such as `transaction.*`. Default: all types. */
  readonly types?: ReadonlyArray<EventTypeFilter>
  /**
   * `cursor` of the last processed event. The stream first repeats the events of the minute before it. Default: only
   * new events.
   */
  readonly after?: string
  /** Ends the iteration without an error. */
  readonly signal?: AbortSignal
}

/** An event with the fields of the webhook body. */
export type CountersignEvent = WebhookEvent & {
  /** The `webhook-id` of the event, which is the same in every delivery. */
  readonly id: string
  /** The position of the event in the event log. Pass it as `after` to continue after this event. */
  readonly cursor: string
  readonly projectId: string
}

const PATH = "/api/v1/events"
/** Three times the service's heartbeat interval, in milliseconds. */
const SILENCE_MS = 45_000
/** Reconnection delay until the service sends a `retry` value. */
const RETRY_MS = 1_000
/** Number of remembered event ids. The stream skips repeated events by their ids. */
const SEEN_MAX = 10_000

/**
 * Returns a function that returns true the first time it receives an event id. It remembers the last `SEEN_MAX` ids.
 */
const firstOccurrenceFilter = () => {
  const seenIds = new Set<string>()
  return (id: string): boolean => {
    if (seenIds.has(id)) return false
    seenIds.add(id)
    if (seenIds.size > SEEN_MAX) seenIds.delete(seenIds.values().next().value!)
    return true
  }
}

/**
 * Builds the event stream. The first connection is retried `retries` times, like a call; later connections are retried
 * without limit. A rejection of the request is not retried.
 */
export const makeEvents = (open: Open, retries: number) =>
  async function* ({
    after = "",
    signal,
    types
  }: EventsOptions = {}): AsyncGenerator<CountersignEvent, void, undefined> {
    const isNew = firstOccurrenceFilter()
    let lastEventId = after
    let retryMs = RETRY_MS
    let wasOpen = false
    let failures = 0

    async function* connection() {
      const connectionController = new AbortController()
      const combinedSignal =
        signal === undefined ? connectionController.signal : AbortSignal.any([signal, connectionController.signal])
      const headers: Record<string, string> = lastEventId === "" ? {} : { "last-event-id": lastEventId }
      try {
        const response = await open(PATH, { query: { types }, headers, signal: combinedSignal })
        const type = response.headers.get("content-type")
        if (!type?.startsWith("text/event-stream"))
          throw new Error(`the Content-Type is ${type}, not text/event-stream`)
        for await (const { data, id, retry } of serverSentEvents(response.body!, SILENCE_MS)) {
          wasOpen = true
          failures = 0
          retryMs = retry ?? retryMs
          const event: CountersignEvent | null = data === null ? null : JSON.parse(data)
          if (event !== null && isNew(event.id)) yield event
          // Set only after the caller has processed the event and requested the next one.
          lastEventId = id === "" ? lastEventId : id
        }
      } finally {
        connectionController.abort()
      }
    }

    while (!signal?.aborted) {
      let failure: CountersignError | null = null
      try {
        yield* connection()
      } catch (error) {
        if (signal?.aborted) return
        failure = error instanceof CountersignError ? error : noAnswerError(PATH, error)
        if (!isWorthRetrying(failure) || (!wasOpen && failures >= retries)) throw failure
      }
      const backoffMs = failure === null ? 0 : retryDelayMs(failure, failures)
      failures += 1
      await pause(Math.max(retryMs, backoffMs), signal).catch(() => undefined)
    }
  }
