import { SHOWN_AS } from "@countersign/adapters/api/wire"
import { isNode, type Json, mapNodes, type Node, refOf } from "./json.ts"

export type Schemas = { readonly [name: string]: Node }

/**
 * Moves the default into the description, because type generators treat a property with a default as always present.
 * Drops a default that is null, an empty text or an object.
 */
const describeDefault = ({ default: defaultValue, description, ...node }: Node): Node => {
  const isTrivialDefault =
    defaultValue === undefined || defaultValue === null || defaultValue === "" || isNode(defaultValue)
  return {
    ...node,
    ...(description === undefined ? {} : { description }),
    ...(isTrivialDefault ? {} : { description: `${description}. Default: \`${defaultValue}\`` })
  }
}

const describeDefaults = (document: Node): Node =>
  mapNodes(document, (node) => {
    if (!isNode(node.properties)) return node
    const entries = Object.entries(node.properties as Schemas)
    return { ...node, properties: Object.fromEntries(entries.map(([name, each]) => [name, describeDefault(each)])) }
  }) as Node

/**
 * Replaces a schema by the type that clients see, if the schema declares one. Otherwise merges `allOf` into the schema,
 * because OpenAPI 3.1 allows a description next to a `$ref`.
 */
const simplifySchema = ({ [SHOWN_AS]: shownSchema, allOf, ...node }: Node): Json => {
  if (isNode(shownSchema)) return { description: node.description, ...shownSchema }
  return Array.isArray(allOf)
    ? Object.assign({}, node, ...allOf)
    : { ...node, ...(allOf === undefined ? {} : { allOf }) }
}

const isScalar = (schema: Node): boolean =>
  typeof schema.type === "string" && !["object", "array"].includes(schema.type)

/** Inlines schemas of strings and numbers, because a schema name would hide the type from readers. */
const inlineScalars = (document: Node, schemas: Schemas): Node =>
  mapNodes(document, (node) => {
    const schema = schemas[refOf(node) ?? ""]
    if (schema === undefined || !isScalar(schema)) return node
    const { $ref: _, ...ownFields } = node
    return { ...schema, ...ownFields }
  }) as Node

/**
 * Returns the discriminator of a union: the first of `id`, `method` and `type` whose values differ among all
 * alternatives. Null if there is none.
 */
const discriminatorOf = (names: ReadonlyArray<string>, schemas: Schemas): Node | null => {
  const valuesOf = (name: string, property: string): ReadonlyArray<string> => {
    const properties = schemas[name]?.properties
    const values = isNode(properties) && isNode(properties[property]) ? properties[property].enum : undefined
    return Array.isArray(values) ? values.map(String) : []
  }
  const propertyName = ["id", "method", "type"].find((property) => {
    const values = names.map((name) => valuesOf(name, property))
    return values.every(({ length }) => length > 0) && new Set(values.flat()).size === values.flat().length
  })
  if (propertyName === undefined) return null
  const mapping = names.flatMap((name) =>
    valuesOf(name, propertyName).map((value) => [value, `#/components/schemas/${name}`])
  )
  return { propertyName, mapping: Object.fromEntries(mapping) }
}

/** Adds a discriminator to every union for which one exists. */
const discriminate = (document: Node, schemas: Schemas): Node =>
  mapNodes(document, ({ anyOf, oneOf, ...node }) => {
    const alternatives = oneOf ?? anyOf
    const names = Array.isArray(alternatives) ? alternatives.map(refOf) : []
    const discriminator =
      names.length > 0 && names.every((name) => name !== null) ? discriminatorOf(names, schemas) : null
    if (discriminator !== null) return { ...node, oneOf: alternatives, discriminator }
    return { ...node, ...(anyOf === undefined ? {} : { anyOf }), ...(oneOf === undefined ? {} : { oneOf }) }
  }) as Node

/** Returns the names of all schemas that a node refers to, directly or indirectly. */
const collectReferencedNames = (
  value: Json,
  schemas: Schemas,
  reachableNames = new Set<string>()
): ReadonlySet<string> => {
  mapNodes(value, (node) => {
    const name = refOf(node)
    if (name !== null && !reachableNames.has(name)) {
      reachableNames.add(name)
      collectReferencedNames(schemas[name], schemas, reachableNames)
    }
    return node
  })
  return reachableNames
}

const allowUnknownFields = (value: Json): Json =>
  mapNodes(value, ({ additionalProperties, ...node }) =>
    additionalProperties === undefined || additionalProperties === false ? node : { ...node, additionalProperties }
  )

const schemasOf = (document: Node): Schemas => (document.components as { readonly schemas: Schemas }).schemas

const setSchemas = (document: Node, schemas: Node): Node => ({
  ...document,
  components: { ...(document.components as Node), schemas }
})

/**
 * Allows unknown fields in responses, because later versions may add fields. Schemas that requests use still forbid
 * them.
 */
const openResponses = (document: Node): Node => {
  const schemas = schemasOf(document)
  const requests: Array<Json> = []
  const paths = mapNodes(document.paths, (node) => {
    if ("requestBody" in node) requests.push(node.requestBody)
    return "content" in node && "description" in node ? allowUnknownFields(node) : node
  })
  const requestSchemaNames = collectReferencedNames(requests, schemas)
  const entries = Object.entries(schemas).map(([name, schema]) => [
    name,
    requestSchemaNames.has(name) ? schema : allowUnknownFields(schema)
  ])
  return setSchemas({ ...document, paths }, Object.fromEntries(entries))
}

/** Simplifies the generated schemas for readers and code generators. */
export const simplifyDocument = (generatedDocument: Node): Node => {
  const plainDocument = mapNodes(generatedDocument, simplifySchema) as Node
  const inlinedDocument = inlineScalars(plainDocument, schemasOf(plainDocument))
  const namedSchemas = Object.fromEntries(
    Object.entries(schemasOf(inlinedDocument)).filter(([, schema]) => !isScalar(schema))
  )
  return describeDefaults(openResponses(discriminate(setSchemas(inlinedDocument, namedSchemas), namedSchemas)))
}
