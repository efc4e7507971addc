import type { AnyEndpoint, Example } from "@countersign/adapters/api/endpoints"
import { type WireErrorId, wireErrors } from "../errors/index.ts"
import { headerRefs, idempotencyKey, lastEventId, type ResponseHeader } from "./headers.ts"
import { isNode, type Json, mapNodes, type Node, refOf } from "./json.ts"
import type { Schemas } from "./schemas.ts"

/** An operation of the OpenAPI document. */
interface OperationSource {
  /** Null for an operation that belongs to no project, such as `healthz`. */
  readonly endpoint: AnyEndpoint | null
  readonly method: string
  readonly path: string
}

const ERROR = "Error_"

const isErrorId = (id: string): id is WireErrorId => id in wireErrors

/** Returns the ids of the errors that a response can contain, in the order of its schemas. */
const errorIds = (response: Json): ReadonlyArray<WireErrorId> => {
  const collectedIds = new Set<WireErrorId>()
  mapNodes(response, (node) => {
    const id = (refOf(node) ?? "").slice(ERROR.length)
    if (isErrorId(id)) collectedIds.add(id)
    return node
  })
  return [...collectedIds]
}

const errorSentence = (id: WireErrorId): string =>
  `[\`${id}\`](/docs/errors#${id}): ${wireErrors[id].meaning} ${wireErrors[id].remedy}`

/** Returns the description of a response: each error with its solution, or the description of the success schema. */
const descriptionOf = (response: Node, schemas: Schemas): string => {
  const ids = errorIds(response)
  if (ids.length === 1) return errorSentence(ids[0]!)
  if (ids.length > 1) return ids.map((id) => `- ${errorSentence(id)}`).join("\n")
  let schema: Node | undefined
  mapNodes(response.content, (node) => {
    schema = schemas[refOf(node) ?? ""] ?? (isNode(node.schema) ? node.schema : schema)
    return node
  })
  return typeof schema?.description === "string" ? schema.description : "Success without a body"
}

/** Returns the names of the documented headers of a response. */
const headersOf = ({ endpoint, method, path }: OperationSource, status: string): ReadonlyArray<ResponseHeader> => {
  const isSuccess = status.startsWith("2")
  return [
    "x-request-id",
    "server-timing",
    ...(path.startsWith("/api/") ? (["ratelimit", "ratelimit-policy"] as const) : []),
    ...(isSuccess && path.startsWith("/api/") ? (["x-compute-units"] as const) : []),
    ...(isSuccess && method === "post" ? (["idempotent-replayed"] as const) : []),
    ...(isSuccess && endpoint?.deprecated !== undefined ? (["deprecation"] as const) : []),
    ...(status === "429" || status === "503" ? (["retry-after"] as const) : []),
    ...(status === "405" ? (["allow"] as const) : [])
  ]
}

const completeResponse = (source: OperationSource, status: string, response: Node, schemas: Schemas): Node => ({
  ...response,
  description: descriptionOf(response, schemas),
  headers: headerRefs(headersOf(source, status)),
  ...(status.startsWith("2") && source.endpoint?.links !== undefined ? { links: source.endpoint.links } : {})
})

/** Builds a named example, because Scalar shows named `examples`, but not a single `example`. */
const sandboxExample = (value: unknown): Node => ({ examples: { sandbox: { summary: "On the sandbox", value } } })

/** Adds the parameter's own description. A list parameter has comma-separated values. */
const completeParameter = (endpoint: AnyEndpoint | null, presetExample: Example, parameter: Node): Node => {
  const { description, ...schema } = parameter.schema as Node
  const name = String(parameter.name)
  const example = presetExample.parameters?.[name]
  return {
    ...parameter,
    description,
    schema,
    ...(schema.type === "array" ? { style: "form", explode: false } : {}),
    ...(endpoint?.deprecated?.includes(name) ? { deprecated: true } : {}),
    ...(example === undefined ? {} : sandboxExample(example))
  }
}

const addBodyExample = (operation: Node, { body }: Example): Node => {
  const { requestBody } = operation
  if (!isNode(requestBody) || body === undefined) return {}
  const content = mapNodes(requestBody.content, (node) =>
    "schema" in node ? { ...node, ...sandboxExample(body) } : node
  )
  return { requestBody: { ...requestBody, content } }
}

export const completeOperation = (
  { example, ...source }: OperationSource & { readonly example: Example },
  operation: Node,
  schemas: Schemas
): Node => {
  const { endpoint, method } = source
  const parameters = (operation.parameters as ReadonlyArray<Node>).map((each) =>
    completeParameter(endpoint, example, each)
  )
  const responses = Object.entries(operation.responses as { readonly [status: string]: Node })
  return {
    ...operation,
    parameters: [
      ...parameters,
      ...(method === "post" ? [idempotencyKey] : []),
      ...(endpoint?.isEventStream ? [lastEventId] : [])
    ],
    ...addBodyExample(operation, example),
    responses: Object.fromEntries(
      responses.map(([status, response]) => [status, completeResponse(source, status, response, schemas)])
    )
  }
}
