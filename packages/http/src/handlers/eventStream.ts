import type { EventSource, OpenEvents } from "@countersign/adapters/api/endpoints"
import type { CountersignEvent } from "@countersign/adapters/api/serializers"
import { eventScope } from "@countersign/adapters/api/wire"
import { hasScope, Projects } from "@countersign/core/tenancy/projects"
import { Clock, Deferred, Effect, Option, Random, Stream } from "effect"
import { HttpServerRequest, HttpServerResponse } from "effect/http"
import { CurrentCaller } from "../middleware/definitions.ts"
import { EventStreams } from "../server/EventStreams.ts"
import { overloadedResponse } from "../server/fallbackErrors.ts"
import { requestInfo } from "../server/RequestInfo.ts"

/** Shorter than the idle timeouts of common proxies: nginx closes idle connections after 60 seconds by default. */
const HEARTBEAT_MS = 15_000
/**
 * Each client gets a random reconnection delay in this range, so that not all clients reconnect concurrently after a
 * restart.
 */
const RETRY_MS = { minimum: 1_000, maximum: 5_000 }

const headers = {
  "cache-control": "no-store",
  // Disables the buffering of nginx, which would delay events.
  "x-accel-buffering": "no"
}

const messageOf = (event: CountersignEvent): string => `id: ${event.cursor}\ndata: ${JSON.stringify(event)}\n\n`

/**
 * Builds a message without data. It triggers no event in the client, but updates the last event id (WHATWG HTML,
 * 9.2.6).
 */
const heartbeat = (cursor: string): string => `id: ${cursor}\n\n`

/**
 * Streams the text of new events, or a heartbeat after 15 seconds without events. Ends if the key is no longer valid or
 * no longer has the scope `read`, or if the reader is too slow.
 */
const streamMessages = Effect.fnUntraced(function* (events: OpenEvents, key: string) {
  const projects = yield* Projects
  let sentAt = yield* Clock.monotonicTimeNanos

  const pollOnce = Effect.gen(function* () {
    yield* Effect.timeoutOption(events.awaitEvents, HEARTBEAT_MS)
    const caller = yield* Effect.option(projects.authenticate(key))
    if (Option.isNone(caller) || !hasScope(caller.value, "read")) return null
    const nextEvents = yield* events.take((type) => hasScope(caller.value, eventScope(type)))
    if (nextEvents === null) return null
    const now = yield* Clock.monotonicTimeNanos
    const isIdle = nextEvents.length === 0
    if (isIdle && now - sentAt < BigInt(HEARTBEAT_MS) * 1_000_000n) return ""
    sentAt = now
    return isIdle ? heartbeat(yield* events.cursor) : nextEvents.map(messageOf).join("")
  })
  return Stream.fromEffectRepeat(pollOnce).pipe(
    Stream.takeWhile((text) => text !== null),
    Stream.filter((text) => text !== "")
  )
})

/**
 * Streams the events of a source. The stream ends when the client disconnects or reads too slowly, when the key is
 * revoked or loses the scope `read`, or when the server stops. Responds with OVERLOADED if there are too many streams.
 */
export const eventStream = Effect.fnUntraced(function* (source: EventSource, types: ReadonlyArray<string>) {
  const caller = yield* CurrentCaller
  const projects = yield* Projects
  yield* Effect.forEach(types, (type) => projects.requireScope(caller, eventScope(type)))
  const { closing, slots } = yield* EventStreams
  const slot = slots.take(caller.keyId)
  if (typeof slot === "string") {
    const message =
      slot === "FULL"
        ? "This process has reached its maximum number of open event streams. Try again later."
        : "This API key has reached its maximum number of open event streams. Close a stream, or share one stream among several readers."
    return overloadedResponse(message, requestInfo())
  }
  // Releases the slot when the response ends: the request's scope closes only after the last byte of the response.
  yield* Effect.addFinalizer(() => Effect.sync(slot.release))
  const request = yield* HttpServerRequest.HttpServerRequest
  const messages = yield* streamMessages(yield* source.open, request.headers["x-api-key"] ?? "")
  const retryMs = yield* Random.nextIntBetween(RETRY_MS.minimum, RETRY_MS.maximum)
  const textStream = Stream.make(`retry: ${retryMs}\nid: ${source.cursor}\n\n`).pipe(
    Stream.concat(messages),
    Stream.interruptWhen(Deferred.await(closing))
  )
  return HttpServerResponse.stream(Stream.encodeText(textStream), { contentType: "text/event-stream", headers })
})
