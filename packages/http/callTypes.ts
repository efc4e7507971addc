import { type AnyEndpoint, callableEndpoints, callShapeOf, groupTitles } from "@countersign/adapters/api/endpoints"
import { isNode, type Node, refOf } from "./src/reference/json.ts"

/** Generates the calls of the client and the library as source text from the endpoints and their OpenAPI document. */

const pascal = (id: string): string => id.replace(/(?:^|\.)(\w)/gu, (_, letter: string) => letter.toUpperCase())

const schemaOf = (document: Node, name: string): Node => {
  const { schemas } = document.components as { readonly schemas: Readonly<Record<string, Node>> }
  return schemas[name]!
}

const operationOf = (document: Node, { method, path }: AnyEndpoint): Node => {
  const paths = document.paths as Readonly<Record<string, Readonly<Record<string, Node>>>>
  return paths[path.replace(/:(\w+)/gu, "{$1}")]![method.toLowerCase()]!
}

/** Returns the name of the JSON schema of a request or response body. */
const bodyName = (id: string, body: unknown): string => {
  const { content } = body as { readonly content: Readonly<Record<string, { readonly schema: Node }>> }
  const name = refOf(content["application/json"]!.schema)
  if (name === null) throw new Error(`A schema of ${id} has no identifier. Annotate it with one.`)
  return name
}

/** Returns whether the schema is a quote, which has a `sign` method in the client and the library. */
const isQuote = ({ properties, required }: Node): boolean => {
  const { quoteId, signData } = (properties ?? {}) as Readonly<Record<string, Node>>
  const names = required as ReadonlyArray<string> | undefined
  return signData !== undefined && quoteId?.type === "string" && names?.includes("quoteId") === true
}

const isAnyQuote = (schema: Node, document: Node): boolean => {
  const kinds = Array.isArray(schema.oneOf) ? schema.oneOf.map((each) => schemaOf(document, refOf(each)!)) : [schema]
  return kinds.every(isQuote)
}

const isNullable = ({ anyOf, type }: Node): boolean =>
  [type, ...(Array.isArray(anyOf) ? anyOf.map((each) => each.type) : [])].flat().includes("null")

/** Returns the type of the response. Fields that the service returns only once are not nullable in this type. */
const firstResponse = ({ shownOnce = [] }: AnyEndpoint, name: string, document: Node): string => {
  const properties = schemaOf(document, name).properties as Readonly<Record<string, Node>>
  const fields = shownOnce.filter((field) => isNullable(properties[field]!))
  return fields.length === 0 ? name : `FirstAnswer<${name}, ${fields.map((field) => `"${field}"`).join(" | ")}>`
}

const namedType = (name: string, document: Node): string =>
  isAnyQuote(schemaOf(document, name), document) ? `Signable<${name}>` : name

const resultType = (endpoint: AnyEndpoint, operation: Node, document: Node): string => {
  const { field, isPaged } = callShapeOf(endpoint)
  if (endpoint.success === undefined) return "Promise<void>"
  const responses = operation.responses as Readonly<Record<string, unknown>>
  const response = bodyName(endpoint.id, responses[String(endpoint.status ?? 200)])
  if (field === null && endpoint.shownOnce !== undefined)
    return `Promise<${firstResponse(endpoint, response, document)}>`
  if (field === null) return `Promise<${namedType(response, document)}>`
  const property = (schemaOf(document, response).properties as Readonly<Record<string, Node>>)[field]!
  const name = refOf(property)
  if (name !== null) return `Promise<${namedType(name, document)}>`
  const item = refOf(property.items)
  if (item === null) return `Promise<${response}["${field}"]>`
  return isPaged ? `AsyncIterable<${namedType(item, document)}>` : `Promise<Array<${namedType(item, document)}>>`
}

const queryName = (id: string): string => `${pascal(id)}Query`

const parametersOf = (endpoint: AnyEndpoint, operation: Node, document: Node): string => {
  const { hasBody, hasQuery, params } = callShapeOf(endpoint)
  const parameters = operation.parameters as ReadonlyArray<Node>
  const isNumber = (name: string) => {
    const parameter = parameters.find((each) => each.in === "path" && each.name === name)
    return isNode(parameter?.schema) && ["integer", "number"].includes(String(parameter.schema.type))
  }
  const text = params.map((name) => `${name}: ${isNumber(name) ? "number" : "string"}`)
  if (hasBody) {
    const name = bodyName(endpoint.id, operation.requestBody)
    const { required } = schemaOf(document, name)
    // The body of an action on a resource is optional if it has no required field.
    const isOptional = params.length > 0 && !(Array.isArray(required) && required.length > 0)
    text.push(`body${isOptional ? "?" : ""}: ${name}`)
  }
  if (hasQuery) {
    const isRequired = parameters.some((each) => each.in === "query" && each.required === true)
    text.push(`query${isRequired ? "" : "?"}: ${queryName(endpoint.id)}`)
  }
  return [...text, "options?: CallOptions"].join(", ")
}

const callText = (endpoint: AnyEndpoint, document: Node): string => {
  const { description, method, path, summary } = endpoint
  const operation = operationOf(document, endpoint)
  const notes = [
    ...(callShapeOf(endpoint).isPaged ? ["The call iterates over all items and requests the pages as needed."] : []),
    ...(method === "DELETE" ? ["A second call succeeds and changes nothing."] : [])
  ]
  return `/**
 * ${[`${summary}.`, description, ...notes].join(" ")}
 *
 * \`${method} ${path}\`
 */
${callShapeOf(endpoint).name}(${parametersOf(endpoint, operation, document)}): ${resultType(endpoint, operation, document)}
`
}

const byGroup = () => Map.groupBy(callableEndpoints, (endpoint) => callShapeOf(endpoint).group)

/**
 * Returns the source text of the interface with all calls, and of the types of their queries. `imports` is the text of
 * the imports from the package's own files.
 */
export const callsText = (document: Node, imports: string): string => {
  const queries = callableEndpoints
    .filter(({ query }) => query !== undefined)
    .map(({ id }) => `export type ${queryName(id)} = NonNullable<operations["${id}"]["parameters"]["query"]>\n`)
  const groups = [...byGroup()].map(([group, members]) => {
    const calls = members.map((endpoint) => callText(endpoint, document)).join("")
    if (group === null) return calls
    const { description } = groupTitles[group as keyof typeof groupTitles]
    return `/** ${description}. */\nreadonly ${group}: {\n${calls}}\n`
  })
  const { schemas } = document.components as { readonly schemas: object }
  const words = new Set(groups.join("").match(/\w+/gu))
  const names = Object.keys(schemas).filter((name) => words.has(name))
  return `import type { ${names.join(", ")}, operations } from "./openapi.ts"
${imports}
${queries.join("")}
/**
 * The response to the first request. The type Field is the names of the fields that are null in the response to a
 * repeated request.
 */
export type FirstAnswer<Answer, Field extends keyof Answer> = Answer & {
  readonly [Name in Field]: NonNullable<Answer[Name]>
}

/**
 * One call per endpoint of the API. A call takes the path parameters, the body, the query and the options, in this
 * order.
 */
export interface Calls {
${groups.join("")}}
`
}

/**
 * Returns the method, path and parameters of a call, and the response field that the call returns. A star before the
 * field marks a paginated list.
 */
const requestText = (endpoint: AnyEndpoint): string => {
  const { field, hasBody, hasQuery, isPaged } = callShapeOf(endpoint)
  return [
    endpoint.method,
    endpoint.path,
    ...(hasBody ? ["body"] : []),
    ...(hasQuery ? ["query"] : []),
    ...(field === null ? [] : [`${isPaged ? "*" : "."}${field}`])
  ].join(" ")
}

/** Returns the library's combined calls as a file of the client, which imports no other package. */
export const combinedCallsText = (libraryText: string): string =>
  `// Generated from the library's file by \`npm run client:types -w packages/http\`. A test compares them.

${libraryText.replace('"./requests.ts"', '"./http.ts"').replace('"./signQuote.ts"', '"./signing.ts"')}`

/** Returns the table of requests from which the client creates its calls. */
export const tableText = (): string => {
  const line = (endpoint: AnyEndpoint) => `${callShapeOf(endpoint).name}: "${requestText(endpoint)}"`
  const groups = [...byGroup()].flatMap(([group, members]) =>
    group === null
      ? members.map((endpoint) => `  ${line(endpoint)}`)
      : [`  ${group}: {\n${members.map((endpoint) => `    ${line(endpoint)}`).join(",\n")}\n  }`]
  )
  return `// Generated from the endpoints by \`npm run client:types -w packages/http\`. A test compares it with the endpoints.

/**
 * The request of each call: method and path, \`body\` and \`query\` if the call has them, and the response field that the
 * call returns. A star marks a paginated list.
 */
export const requests: Readonly<Record<string, string | Readonly<Record<string, string>>>> = {
${groups.join(",\n")}
}
`
}
