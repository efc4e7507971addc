import { type AnyEndpoint, callableEndpoints } from "@countersign/adapters/api/endpoints"
import { openApiDocument } from "@countersign/http"

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

/** Returns whether the endpoint can move funds. Such a request contains a signature of the owner. */
const isExecution = (endpoint: AnyEndpoint): boolean =>
  endpoint.scope === "execute" && fieldsOf(endpoint).some((field) => SIGNATURE_FIELDS.includes(field))

/** Returns whether the endpoint only reads, or only prepares data to sign. */
const isReadOrQuote = ({ scope }: AnyEndpoint): boolean => scope === "read" || scope === "quote"

const REF = "#/components/schemas/"

/** Returns a document with the schema and all schemas that it refers to. */
const selfContained = (schema: Json, components: Readonly<Record<string, Json>>): Json => {
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

interface Parameter {
  readonly in: string
  readonly name: string
  readonly required: boolean
  readonly description?: string
  readonly schema: Json
}

interface Operation {
  readonly parameters: ReadonlyArray<Parameter>
  readonly requestBody?: { readonly content: { readonly "application/json": { readonly schema: Json } } }
}

interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  readonly components: { readonly schemas: Readonly<Record<string, Json>> }
}

const toolOf = (endpoint: AnyEndpoint): EndpointTool => {
  const { components, paths } = openApiDocument() as unknown as Document
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
    inputSchema: { type: "object", ...selfContained(schema, components.schemas) }
  }
}

/**
 * Returns the MCP tools. A tool that executes an operation requires the owner's signature as an argument, and the
 * service verifies it. No tool reads personal data of identities or fiat payments, or changes a project.
 */
export const endpointTools = (allowExecute: boolean): ReadonlyArray<EndpointTool> =>
  callableEndpoints.filter((endpoint) => isReadOrQuote(endpoint) || (allowExecute && isExecution(endpoint))).map(toolOf)
