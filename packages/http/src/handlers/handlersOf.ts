import {
  type AnyEndpoint,
  type Call,
  type EventSource,
  inTurn,
  type StoredFile
} from "@countersign/adapters/api/endpoints"
import { LinkBase } from "@countersign/adapters/api/wire"
import { type FieldError, isFieldError } from "@countersign/core/foundation/errors"
import { ComputeUnitMeter } from "@countersign/core/tenancy/metering"
import type { Project } from "@countersign/core/tenancy/projects"
import { Effect, type Schema } from "effect"
import { HttpServerRequest } from "effect/http"
import { type RequestPart, toErrorBody, wirePath } from "../errors/index.ts"
import { ComputeUnitCosts } from "../middleware/computeUnits.ts"
import { CurrentCaller } from "../middleware/definitions.ts"
import { overloadedResponse } from "../server/fallbackErrors.ts"
import { requestInfo } from "../server/RequestInfo.ts"
import { RequestSlots } from "../server/RequestSlots.ts"
import { eventStream } from "./eventStream.ts"
import { fileResponse } from "./fileResponse.ts"
import { listResponse } from "./listResponse.ts"
import { baseUrl } from "./publicUrl.ts"

type Request = Omit<Call<Schema.Struct.Fields, Schema.Struct.Fields, Schema.Codec<unknown, unknown>>, "project">

/**
 * Returns the part of the request that contains a field. It is the path or the query if a parameter has the field's
 * name, otherwise the body. Without a body it is the query, or the path if the endpoint has no query parameters.
 */
const requestPartOf = ({ params = {}, payload, query = {} }: AnyEndpoint, path: string): RequestPart => {
  const [field = ""] = path.split(/[.[]/u)
  if (field in params) return "path"
  if (field in query) return "query"
  return payload !== undefined ? "body" : Object.keys(query).length > 0 ? "query" : "path"
}

const withRequestPart = <E>(endpoint: AnyEndpoint, error: E): E =>
  isFieldError(error)
    ? (error.withPaths((path) => wirePath(requestPartOf(endpoint, path), path)) as E & FieldError)
    : error

/** Opens the event stream. It starts after the client's `Last-Event-ID`, if the client sends this header. */
const eventsResponse = Effect.fnUntraced(function* (endpoint: AnyEndpoint, call: Parameters<AnyEndpoint["run"]>[0]) {
  const { "last-event-id": lastEventId = "" } = (yield* HttpServerRequest.HttpServerRequest).headers
  const query = lastEventId === "" ? call.query : { ...call.query, after: lastEventId }
  const source = (yield* endpoint.run({ ...call, query })) as EventSource
  return yield* eventStream(source, (query.types ?? []) as ReadonlyArray<string>)
})

const TOO_MANY_FILES =
  "The service has reached its maximum number of concurrent document downloads. Try again in a second."

/**
 * Builds the handlers of endpoints. A request that needs much computation first waits for its project's turn. Then the
 * handler charges the compute units and runs the endpoint.
 */
export const handlersOf = Effect.gen(function* () {
  const meter = yield* ComputeUnitMeter
  const costs = yield* ComputeUnitCosts
  const { files } = yield* RequestSlots

  const sendFile = Effect.fnUntraced(function* (endpoint: AnyEndpoint, call: Parameters<AnyEndpoint["run"]>[0]) {
    const slot = files.take(call.project.id)
    if (typeof slot === "string") return overloadedResponse(TOO_MANY_FILES, requestInfo())
    // Releases the slot when the response ends: the request's scope closes only after the last byte of the response.
    yield* Effect.addFinalizer(() => Effect.sync(slot.release))
    return fileResponse((yield* endpoint.run(call)) as StoredFile)
  })

  const respond = Effect.fnUntraced(function* (project: Project, endpoint: AnyEndpoint, request: Request) {
    const { params, payload, query } = request
    const costName = endpoint.costOf?.(request) ?? endpoint.cost
    const units = costName === null ? 0 : costs[costName]
    yield* meter.spend(project, units)
    const info = requestInfo()
    info.computeUnits = units
    info.deprecated = endpoint.deprecated?.some((name) => name in query) ?? false
    info.shownOnce = endpoint.shownOnce ?? []
    const call = { project, params, query, payload }
    const firstPage = endpoint.stream?.firstPage(call) ?? null
    const result = endpoint.isEventStream
      ? eventsResponse(endpoint, call)
      : endpoint.isFile
        ? sendFile(endpoint, call)
        : firstPage === null
          ? endpoint.run(call)
          : listResponse(endpoint.stream!, firstPage)
    return yield* Effect.provideService(result, LinkBase, yield* baseUrl)
  })

  return (endpoint: AnyEndpoint) => (request: Request) =>
    Effect.flatMap(CurrentCaller, ({ project }) =>
      inTurn(project.id, endpoint.weightOf?.(request) ?? 0, respond(project, endpoint, request))
    ).pipe(Effect.mapError((error) => toErrorBody(withRequestPart(endpoint, error))))
})
