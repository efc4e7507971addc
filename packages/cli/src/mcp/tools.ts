import { type AnyEndpoint, callableEndpoints } from "@countersign/adapters/api/endpoints"
import { openApiDocument } from "@countersign/http"
import { Schema } from "effect"

type Json = Readonly<Record<string, unknown>>

/** An MCP tool for one endpoint of the API. */
export interface EndpointTool {
  readonly endpoint: AnyEndpoint
  /** The endpoint's id, with only the characters that every MCP client accepts. */
  readonly name: string
  readonly description: string
  /** JSON Schema of the path and query parameters, and of `body`. */
  readonly inputSchema: Json & { readonly type: "object" }
}

/** Request fields that contain a signature of the owner. */
const SIGNATURE_FIELDS = ["signature", "signatures", "signedTransactionHex"]

const fieldsOf = ({ payload }: AnyEndpoint): ReadonlyArray<string> =>
  payload !== undefined && "fields" in payload ? Object.keys(payload.fields as object) : []

/** Returns whether the endpoint executes content that the owner has signed. Such a request contains the signature. */
const isExecution = (endpoint: AnyEndpoint): boolean =>
  endpoint.scope === "execute" && fieldsOf(endpoint).some((field) => SIGNATURE_FIELDS.includes(field))

/** Returns whether the endpoint only reads, or only prepares data to sign. */
const isReadOrQuote = ({ scope }: AnyEndpoint): boolean => scope === "read" || scope === "quote"

const REF = "#/components/schemas/"

/** Returns a document with the schema and all schemas that it refers to. */
const bundleReferences = (schema: Json, components: Readonly<Record<string, Json>>): Json => {
  const definitions: Record<string, unknown> = {}
  const moveReferences = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(moveReferences)
    if (typeof value !== "object" || value === null) return value
    // JSON Schema has no discriminator; only OpenAPI has.
    const { discriminator: _, ...node } = value as Record<string, unknown>
    const name = typeof node.$ref === "string" ? node.$ref.slice(REF.length) : null
    if (name !== null) {
      if (!(name in definitions)) {
        definitions[name] = null
        definitions[name] = moveReferences(components[name])
      }
      return { ...node, $ref: `#/$defs/${name}` }
    }
    return Object.fromEntries(Object.entries(node).map(([key, each]) => [key, moveReferences(each)]))
  }
  const root = moveReferences(schema) as Json
  return Object.keys(definitions).length === 0 ? root : { ...root, $defs: definitions }
}

const JsonObject = Schema.Record(Schema.String, Schema.Unknown)

const Operation = Schema.Struct({
  parameters: Schema.Array(
    Schema.Struct({
      in: Schema.String,
      name: Schema.String,
      required: Schema.Boolean,
      description: Schema.optionalKey(Schema.String),
      schema: JsonObject
    })
  ),
  requestBody: Schema.optionalKey(
    Schema.Struct({ content: Schema.Struct({ "application/json": Schema.Struct({ schema: JsonObject }) }) })
  )
})

const Document = Schema.Struct({
  paths: Schema.Record(Schema.String, Schema.Record(Schema.String, Operation)),
  components: Schema.Struct({ schemas: Schema.Record(Schema.String, JsonObject) })
})

const toolOf = ({ components, paths }: typeof Document.Type, endpoint: AnyEndpoint): EndpointTool => {
  const { description, id, method, path, summary } = endpoint
  const operation = paths[path.replaceAll(/:(\w+)/gu, "{$1}")]![method.toLowerCase()]!
  const parameters = operation.parameters.filter((parameter) => parameter.in !== "header")
  const body = operation.requestBody?.content["application/json"].schema
  const schema = {
    properties: {
      ...Object.fromEntries(
        parameters.map(({ description, name, schema }) => [
          name,
          { ...schema, ...(description === undefined ? {} : { description }) }
        ])
      ),
      ...(body === undefined ? {} : { body })
    },
    required: [
      ...parameters.flatMap(({ name, required }) => (required ? [name] : [])),
      ...(body === undefined ? [] : ["body"])
    ],
    additionalProperties: false
  }
  return {
    endpoint,
    name: id.replaceAll(".", "_"),
    description: `${summary}. ${description}`,
    inputSchema: { type: "object", ...bundleReferences(schema, components.schemas) }
  }
}

/**
 * Returns the MCP tools. A tool that executes an operation requires the owner's signature as an argument, and the
 * service verifies it. No tool reads personal data of identities or fiat payments, or changes a project.
 */
export const endpointTools = (allowExecute: boolean): ReadonlyArray<EndpointTool> => {
  const document = Schema.decodeUnknownSync(Document)(openApiDocument())
  return callableEndpoints
    .filter((endpoint) => isReadOrQuote(endpoint) || (allowExecute && isExecution(endpoint)))
    .map((endpoint) => toolOf(document, endpoint))
}
