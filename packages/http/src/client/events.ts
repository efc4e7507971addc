import { CountersignError, noAnswer } from "./errors.ts"
import { isWorthRetrying, type Open, pause, waitAfter } from "./http.ts"
import type { operations, WebhookEvent } from "./resources.ts"
import { serverSentEvents } from "./serverSentEvents.ts"

type EventTypeFilter = NonNullable<NonNullable<operations["events"]["parameters"]["query"]>["types"]>[number]

export interface EventsOptions {
  /** Types, or groups of them such as `transaction.*`; all when left out. */
  readonly types?: ReadonlyArray<EventTypeFilter>
  /** The `cursor` of the last event that was processed. Without it the iteration begins with the events from now on. */
  readonly after?: string
  /** Ends the iteration, without an error. */
  readonly signal?: AbortSignal
}

/** An event, with the body that a webhook would have. */
export type CountersignEvent = WebhookEvent & {
  /** The `webhook-id`: the same when an event comes again. */
  readonly id: string
  /** The position of the reader in the log. A reader that gives it as `after` later misses nothing. */
  readonly cursor: string
  readonly projectId: string
}

const PATH = "/api/v1/events"
/** Three times as long as the service is ever silent. */
const SILENCE_MS = 45_000
/** Before the service says how long to wait. */
const RETRY_MS = 1_000
/** More events than the service repeats after a new connection. */
const SEEN_MAX = 10_000

/** Returns whether an event comes for the first time. */
const firstSeen = () => {
  const seen = new Set<string>()
  return (id: string): boolean => {
    if (seen.has(id)) return false
    seen.add(id)
    if (seen.size > SEEN_MAX) seen.delete(seen.values().next().value!)
    return true
  }
}

/** Failures of the first connection are repeated `retries` times, as those of every call; later ones without end. */
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
        if (!type?.startsWith("text/event-stream")) throw new Error(`the answer is ${type}, and no stream of events`)
        for await (const { data, id, retry } of serverSentEvents(response.body!, SILENCE_MS)) {
          wasOpen = true
          failures = 0
          retryMs = retry ?? retryMs
          const event: CountersignEvent | null = data === null ? null : JSON.parse(data)
          if (event !== null && isNew(event.id)) yield event
          // Once the event is processed: a loop that ends before it does not count it.
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
