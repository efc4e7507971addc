import { CountersignError, noAnswer } from "./errors.ts"
import { isWorthRetrying, type Open, pause, waitAfter } from "./http.ts"
import type { operations, WebhookEvent } from "./resources.ts"
import { serverSentEvents } from "./serverSentEvents.ts"

type EventTypeFilter = NonNullable<NonNullable<operations["events"]["parameters"]["query"]>["types"]>[number]

export interface EventsOptions {
  /** Types, or groups such as `transaction.*`. Default: all. */
  readonly types?: ReadonlyArray<EventTypeFilter>
  /** The `cursor` of the last processed event. Default: only new events. */
  readonly after?: string
  /** Ends the iteration without an error. */
  readonly signal?: AbortSignal
}

/** An event, with the body of its webhook. */
export type CountersignEvent = WebhookEvent & {
  /** The `webhook-id`, which is the same in every delivery of an event. */
  readonly id: string
  /** The reader's position in the log. A reader that passes it as `after` later misses no events. */
  readonly cursor: string
  readonly projectId: string
}

const PATH = "/api/v1/events"
/** Three times the service's heartbeat interval. */
const SILENCE_MS = 45_000
/** Reconnection delay until the service sends another one. */
const RETRY_MS = 1_000
/** More than the number of events that the service repeats after a reconnection. */
const SEEN_MAX = 10_000

/** Returns whether an event is seen for the first time. */
const firstSeen = () => {
  const seenIds = new Set<string>()
  return (id: string): boolean => {
    if (seenIds.has(id)) return false
    seenIds.add(id)
    if (seenIds.size > SEEN_MAX) seenIds.delete(seenIds.values().next().value!)
    return true
  }
}

/** Retries the first connection `retries` times, like every call, and later connections without limit. */
export const makeEvents = (open: Open, retries: number) =>
  async function* ({
    after = "",
    signal,
    types
  }: EventsOptions = {}): AsyncGenerator<CountersignEvent, void, undefined> {
    const isNew = firstSeen()
    let lastEventId = after
    let retryMs = RETRY_MS
    let wasOpen = false
    let failures = 0

    async function* connection() {
      const ending = new AbortController()
      const either = signal === undefined ? ending.signal : AbortSignal.any([signal, ending.signal])
      const headers: Record<string, string> = lastEventId === "" ? {} : { "last-event-id": lastEventId }
      try {
        const response = await open(PATH, { query: { types }, headers, signal: either })
        const type = response.headers.get("content-type")
        if (!type?.startsWith("text/event-stream"))
          throw new Error(`the response is ${type} instead of an event stream`)
        for await (const { data, id, retry } of serverSentEvents(response.body!, SILENCE_MS)) {
          wasOpen = true
          failures = 0
          retryMs = retry ?? retryMs
          const event: CountersignEvent | null = data === null ? null : JSON.parse(data)
          if (event !== null && isNew(event.id)) yield event
          // Set after the event was processed, so that a loop that ends earlier does not count it.
          lastEventId = id === "" ? lastEventId : id
        }
      } finally {
        ending.abort()
      }
    }

    while (!signal?.aborted) {
      let failure: CountersignError | null = null
      try {
        yield* connection()
      } catch (error) {
        if (signal?.aborted) return
        failure = error instanceof CountersignError ? error : noAnswer(PATH, error)
        if (!isWorthRetrying(failure) || (!wasOpen && failures >= retries)) throw failure
      }
      const backoffMs = failure === null ? 0 : waitAfter(failure, failures)
      failures += 1
      await pause(Math.max(retryMs, backoffMs), signal).catch(() => undefined)
    }
  }
