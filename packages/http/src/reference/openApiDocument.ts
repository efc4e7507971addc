import { type AnyEndpoint, type Example, endpointList } from "@countersign/adapters/api/endpoints"
import { eventBodies, SHOWN_AS } from "@countersign/adapters/api/wire"
import { SchemaAST } from "effect"
import { OpenApi } from "effect/http-api"
import { wholeApiOf } from "../api/apiOf.ts"
import { responseHeaderNodes } from "./headers.ts"
import { type Node, refTo } from "./json.ts"
import { completeOperation } from "./operations.ts"
import { type Schemas, simplifyDocument } from "./schemas.ts"

const generationOptions = { includeAnnotationKey: (key: string) => key === SHOWN_AS }

const webhookHeader = (name: string, description: string, example: string): Node => ({
  name,
  in: "header",
  required: true,
  description,
  schema: { type: "string" },
  example
})

const webhookHeaders: ReadonlyArray<Node> = [
  webhookHeader(
    "webhook-id",
    "Id of the event, which is the same in every delivery attempt",
    "msg_2mVhEFy0gZ1kR3nWq8sTtA"
  ),
  webhookHeader("webhook-timestamp", "Time of this attempt, in Unix seconds", "1767225600"),
  webhookHeader(
    "webhook-signature",
    "One signature per secret, separated by spaces. A signature is `v1,` followed by the base64 HMAC-SHA256 of `webhook-id.webhook-timestamp.body`",
    "v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4="
  )
]

/** Describes the request that the service sends to webhook endpoints for events of this type. */
const describeWebhook = (type: string, schema: string): Node => ({
  post: {
    tags: ["Webhooks"],
    operationId: `event.${type}`,
    summary: type,
    description:
      "Posted to each webhook with this event type, signed as Standard Webhooks specifies. It may arrive more than once, with the same " +
      "`webhook-id`.",
    security: [],
    parameters: webhookHeaders,
    requestBody: { required: true, content: { "application/json": { schema: refTo(schema) } } },
    responses: {
      "2XX": { description: "The receiver accepted the event" },
      "410": { description: "The receiver wants no further events, so the service disables the webhook" },
      default: {
        description:
          "The delivery failed. The service retries it after 5 s, 5 min, 30 min, 2 h, 5 h, 10 h, 14 h, 20 h and 24 h"
      }
    }
  }
})

const describeWebhooks = (): Node =>
  Object.fromEntries(
    eventBodies.flatMap((body) =>
      body.fields.type.literals.map((type) => [type, describeWebhook(type, SchemaAST.resolveIdentifier(body.ast)!)])
    )
  )

const API_KEY =
  "The project's API key. The operator creates keys with `countersign key create`. A sandbox prints its key when it starts"

const exampleOf = (declaredExample: Example = {}, sandboxExample: Example | null = {}): Example =>
  sandboxExample === null
    ? {}
    : {
        ...(declaredExample.body === undefined && sandboxExample.body === undefined
          ? {}
          : { body: Object.assign({}, declaredExample.body, sandboxExample.body) }),
        parameters: { ...declaredExample.parameters, ...sandboxExample.parameters }
      }

/**
 * Examples from a sandbox by endpoint id, which replace the placeholders. Null for a request that cannot succeed on
 * this service.
 */
export type Examples = Readonly<Record<string, Example | null>>

/** Builds the OpenAPI document of these endpoints with the examples of a sandbox. */
export const openApiDocumentWith = (servedEndpoints: ReadonlyArray<AnyEndpoint>, examples: Examples): Node => {
  const spec = simplifyDocument(
    JSON.parse(JSON.stringify(OpenApi.fromApi(wholeApiOf(servedEndpoints), generationOptions)))
  )
  const components = spec.components as Node
  const schemas = components.schemas as Schemas
  const paths = Object.entries(spec.paths as { readonly [path: string]: { readonly [method: string]: Node } })
  const operations = (path: string, methods: { readonly [method: string]: Node }) =>
    Object.entries(methods).map(([method, operation]) => {
      const endpoint = servedEndpoints.find(({ id }) => id === operation.operationId) ?? null
      const example = exampleOf(endpoint?.example, examples[endpoint?.id ?? ""])
      return [method, completeOperation({ endpoint, method, path, example }, operation, schemas)]
    })
  const securitySchemes = { apiKey: { type: "apiKey", in: "header", name: "x-api-key", description: API_KEY } }
  return {
    ...spec,
    paths: Object.fromEntries(paths.map(([path, methods]) => [path, Object.fromEntries(operations(path, methods))])),
    webhooks: describeWebhooks(),
    components: { ...components, headers: responseHeaderNodes, securitySchemes }
  }
}

const documents = new WeakMap<ReadonlyArray<AnyEndpoint>, Node>()

/** Returns the OpenAPI 3.1 document of these endpoints, by default of all endpoints. Builds it only once. */
export const openApiDocument = (servedEndpoints: ReadonlyArray<AnyEndpoint> = endpointList): Node => {
  const document = documents.get(servedEndpoints) ?? openApiDocumentWith(servedEndpoints, {})
  documents.set(servedEndpoints, document)
  return document
}
