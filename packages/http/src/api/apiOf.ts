import { type AnyEndpoint, callShapeOf, groupTitles } from "@countersign/adapters/api/endpoints"
import { eventBodies } from "@countersign/adapters/api/wire"
import { PROBLEMS_MAX } from "@countersign/core/foundation/errors"
import { Schema } from "effect"
import { HttpApi, HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { errorSchemas, type WireErrorId } from "../errors/index.ts"
import {
  BoundedJson,
  IdempotentPost,
  MalformedRequest,
  ProjectAuth,
  ServedEndpoint
} from "../middleware/definitions.ts"
import { VERSION } from "./version.ts"

class SystemApi extends HttpApiGroup.make("system", { topLevel: true })
  .add(
    HttpApiEndpoint.get("healthz", "/healthz", {
      success: Schema.Struct({ status: Schema.Literal("ok").annotate({ description: "The process runs" }) }).annotate({
        identifier: "Health",
        description: "The process runs"
      })
    }).annotateMerge(OpenApi.annotations({ summary: "Whether the process runs", description: "Needs no API key." })),
    HttpApiEndpoint.get("readyz", "/readyz", {
      success: Schema.Struct({
        status: Schema.Literal("ready").annotate({ description: "The process can serve requests" }),
        checks: Schema.Record(Schema.String, Schema.String).annotate({
          description: "Result of each check: `ok`"
        })
      }).annotate({ identifier: "Readiness", description: "The process can serve requests" }),
      error: errorSchemas("UPSTREAM_UNAVAILABLE")
    }).annotateMerge(
      OpenApi.annotations({
        summary: "Whether the process can serve requests: the database responds and has free space",
        description: "Needs no API key."
      })
    )
  )
  .annotateMerge(OpenApi.annotations({ title: "System", description: "Health checks of the service" })) {}

/**
 * Titles and descriptions of the built-in endpoint groups. A group that an embedding application adds has its name as
 * the title.
 */
const titles: Readonly<Record<string, { readonly title: string; readonly description: string }>> = groupTitles

/** Parse options that reject unknown fields and report all problems instead of only the first. */
export const strictParseOptions = { onExcessProperty: "error", errors: "all" } as const

const base = HttpApi.make("countersign")
  .annotate(HttpApi.PayloadParseOptions, strictParseOptions)
  .annotate(HttpApi.QueryParseOptions, strictParseOptions)
  .annotate(HttpApi.AdditionalSchemas, eventBodies)
  .annotateMerge(
    OpenApi.annotations({
      title: "Countersign",
      version: VERSION,
      description:
        "Operations on smart wallets: the service prepares an operation, the wallet's owner signs it, and the service executes and records it. " +
        "Every request carries the project's API key in `x-api-key`.\n\n" +
        '- Amounts are decimal strings in token units, such as `"1.5"` USDC.\n' +
        "- Addresses and hashes are hexadecimal, in lower case in responses and in any case in requests. An address in mixed " +
        "case must have a valid checksum (EIP-55). The native token is 0xeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee.\n" +
        "- Date-times are ISO 8601 in UTC.\n" +
        "- Requests with unknown fields are rejected. Responses may contain new fields and new values at any time.\n" +
        "- An error has a stable `id`. [The error page](/docs/errors) describes the solutions. `errors` lists at most " +
        `${PROBLEMS_MAX} problems of a malformed request; \`errorsOmitted\` is the number of further problems.\n\n` +
        "The examples are for the sandbox: they use its demonstration wallets, whose keys are public. On a sandbox's own " +
        "page the examples succeed without changes, except those for Bitcoin transactions and for registrations with fiat providers. On other services hashes, ids and signatures are placeholders. The links in a response show " +
        "which values of the response replace them.",
      license: { name: "MIT", url: "https://opensource.org/license/mit" },
      servers: [{ url: "/", description: "This service" }]
    })
  )

/** Returns the endpoint's own errors, and the errors that its method, query, body and cost imply. */
const errorsOf = ({ cost, errors, method, payload, query }: AnyEndpoint): ReadonlyArray<WireErrorId> => [
  ...errors,
  ...(cost === null ? [] : (["UNAVAILABLE_COMPUTE_UNITS"] as const)),
  ...(payload === undefined ? [] : (["UNSUPPORTED_MEDIA_TYPE"] as const)),
  ...(method === "POST" || query !== undefined ? (["BAD_REQUEST"] as const) : [])
]

const EventStreamText = Schema.String.annotate({
  description: "Server-sent events. The `id` of a message is the event's `cursor`, and its `data` is the event as JSON"
}).pipe(HttpApiSchema.asText({ contentType: "text/event-stream" }))

const FileBytes = Schema.Uint8Array.annotate({ description: "Content of the file" }).pipe(
  HttpApiSchema.asUint8Array({ contentType: "application/octet-stream" })
)

const successOf = ({ isEventStream, isFile, status, success }: AnyEndpoint) => {
  if (isEventStream) return EventStreamText
  if (isFile) return FileBytes
  if (success === undefined) return HttpApiSchema.Empty(status ?? 204)
  return status === undefined ? success : success.pipe(HttpApiSchema.status(status))
}

/** Returns the group and the name that the endpoint has in the `HttpApi`. */
export const groupAndName = (endpoint: AnyEndpoint) => {
  const { group, name } = callShapeOf(endpoint)
  return { group: group ?? (endpoint.isEventStream ? "events" : "executions"), name }
}

const httpEndpointOf = (endpoint: AnyEndpoint) => {
  const { description, method, params, path, payload, query, summary } = endpoint
  const httpEndpoint = HttpApiEndpoint.make(method)(groupAndName(endpoint).name, path, {
    ...(params === undefined ? {} : { params: Schema.Struct(params) }),
    ...(query === undefined ? {} : { query: Schema.Struct(query) }),
    ...(payload === undefined ? {} : { payload }),
    success: successOf(endpoint),
    error: errorSchemas(...errorsOf(endpoint))
  })
    .annotateMerge(OpenApi.annotations({ summary, description }))
    .annotate(ServedEndpoint, endpoint)
  const idempotentEndpoint = method === "POST" ? httpEndpoint.middleware(IdempotentPost) : httpEndpoint
  const boundedEndpoint =
    method === "POST" || method === "PATCH" ? idempotentEndpoint.middleware(BoundedJson) : idempotentEndpoint
  return boundedEndpoint.middleware(ProjectAuth)
}

const groupOf = (id: string, endpoints: ReadonlyArray<AnyEndpoint>) => {
  const { description, title } = titles[id] ?? { title: id, description: id }
  // With `topLevel`, the operation id is only the endpoint's id, without a group name.
  const topLevel = endpoints.every((endpoint) => callShapeOf(endpoint).group === null)
  const group: HttpApiGroup.Constraint = HttpApiGroup.make(id, { topLevel })
    .add(...(endpoints.map(httpEndpointOf) as [ReturnType<typeof httpEndpointOf>]))
    .annotateMerge(OpenApi.annotations({ title, description }))
  return group
}

/** Builds the `HttpApi` of these endpoints, without the health endpoints. */
export const apiOf = (endpoints: ReadonlyArray<AnyEndpoint>) => {
  const endpointsByGroup = Map.groupBy(endpoints, (endpoint) => groupAndName(endpoint).group)
  const groups = [...endpointsByGroup].map(([id, groupEndpoints]) => groupOf(id, groupEndpoints))
  return base.add(...(groups as [HttpApiGroup.Constraint])).middleware(MalformedRequest)
}

/** The `HttpApi` of the health endpoints. */
export const systemApi = base.add(SystemApi).middleware(MalformedRequest)

/** Builds the `HttpApi` of these endpoints and the health endpoints, for the API reference. */
export const wholeApiOf = (endpoints: ReadonlyArray<AnyEndpoint>) =>
  apiOf(endpoints).add(SystemApi).middleware(MalformedRequest)
