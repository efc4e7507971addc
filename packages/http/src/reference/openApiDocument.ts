import type { AnyEndpoint } from "@countersign/adapters/api/endpoints"
import { eventBodies, SHOWN_AS } from "@countersign/adapters/api/wire"
import { SchemaAST } from "effect"
import { OpenApi } from "effect/http-api"
import { ownEndpoints } from "../api/Api.ts"
import { wholeApiOf } from "../api/apiOf.ts"
import { type Example, type Examples, examples } from "./examples.ts"
import { answerHeaderNodes } from "./headers.ts"
import { type Node, refTo } from "./json.ts"
import { completeOperation } from "./operations.ts"
import { readableSchemas, type Schemas } from "./schemas.ts"

const generated = { includeAnnotationKey: (key: string) => key === SHOWN_AS }

const webhookHeader = (name: string, description: string, example: string): Node => ({
  name,
  in: "header",
  required: true,
  description,
  schema: { type: "string" },
  example
})

const webhookHeaders: ReadonlyArray<Node> = [
  webhookHeader("webhook-id", "Id of the event: the same in every attempt", "msg_2mVhEFy0gZ1kR3nWq8sTtA"),
  webhookHeader("webhook-timestamp", "When this attempt was sent, in unix seconds", "1767225600"),
  webhookHeader(
    "webhook-signature",
    "`v1,` and the base64 of HMAC-SHA256 of `webhook-id.webhook-timestamp.body`, one for each secret, with a space between",
    "v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4="
  )
]

/** The request that the service posts to a receiver of an event of this type. */
const webhook = (type: string, schema: string): Node => ({
  post: {
    tags: ["Webhooks"],
    operationId: `event.${type}`,
    summary: type,
    description:
      "Posted to each webhook that wants this type, signed by Standard Webhooks. It may come more than once, under the same " +
      "`webhook-id`.",
    security: [],
    parameters: webhookHeaders,
    requestBody: { required: true, content: { "application/json": { schema: refTo(schema) } } },
    responses: {
      "2XX": { description: "The event is delivered" },
      "410": { description: "The receiver wants no more events: its webhook is disabled" },
      default: { description: "The event is tried again after 5 s, 5 min, 30 min, 2 h, 5 h, 10 h, 14 h, 20 h and 24 h" }
    }
  }
})

const webhooks = (): Node =>
  Object.fromEntries(
    eventBodies.flatMap((body) =>
      body.fields.type.literals.map((type) => [type, webhook(type, SchemaAST.resolveIdentifier(body.ast)!)])
    )
  )

const API_KEY =
  "The project's API key. An operator makes one with `countersign key create`; the sandbox prints one at its start"

const completed = (served: ReadonlyArray<AnyEndpoint>, given: Examples): Node => {
  const spec = readableSchemas(JSON.parse(JSON.stringify(OpenApi.fromApi(wholeApiOf(served), generated))))
  const components = spec.components as Node
  const schemas = components.schemas as Schemas
  const paths = Object.entries(spec.paths as { readonly [path: string]: { readonly [method: string]: Node } })
  const operations = (path: string, methods: { readonly [method: string]: Node }) =>
    Object.entries(methods).map(([method, operation]) => {
      const id = String(operation.operationId)
      const example = given[id] ?? {}
      return [method, completeOperation({ id, method, path, example }, operation, schemas)]
    })
  const securitySchemes = { apiKey: { type: "apiKey", in: "header", name: "x-api-key", description: API_KEY } }
  return {
    ...spec,
    paths: Object.fromEntries(paths.map(([path, methods]) => [path, Object.fromEntries(operations(path, methods))])),
    webhooks: webhooks(),
    components: { ...components, headers: answerHeaderNodes, securitySchemes }
  }
}

const mergedExample = (id: string, own: Examples): Example => {
  const [known, given] = [examples[id] ?? {}, own[id]!]
  if (given === null) return {}
  const { body, parameters } = given
  return {
    ...(known.body === undefined && body === undefined ? {} : { body: Object.assign({}, known.body, body) }),
    parameters: { ...known.parameters, ...parameters }
  }
}

const documents = new WeakMap<ReadonlyArray<AnyEndpoint>, Node>()

/**
 * The reference of these endpoints, the service's own where none are given, as an OpenAPI 3.1 document. It is made once:
 * nothing in it depends on who asks.
 */
export const openApiDocument = (served: ReadonlyArray<AnyEndpoint> = ownEndpoints): Node => {
  const document = documents.get(served) ?? completed(served, examples)
  documents.set(served, document)
  return document
}

/** The same with values of this service's own in the examples, in place of those that no service has. */
export const openApiDocumentWith = (served: ReadonlyArray<AnyEndpoint>, own: Examples): Node =>
  completed(served, { ...examples, ...Object.fromEntries(Object.keys(own).map((id) => [id, mergedExample(id, own)])) })
