import type { RequestProblem } from "@countersign/core/foundation/errors"
import { Predicate, SchemaAST } from "effect"

/**
 * The array limits of a value: its maximum length, with the description in its schema, and the limits of nested arrays.
 */
interface ArrayBounds extends LengthLimit {
  readonly elements: ArrayBounds | null
  readonly fields: ReadonlyMap<string, ArrayBounds>
}

type Check = NonNullable<SchemaAST.AST["checks"]>[number]

interface LengthLimit {
  readonly lengthMax: number
  readonly message: string
}

const lengthLimits = (checks: ReadonlyArray<Check> = []): ReadonlyArray<LengthLimit> =>
  checks.flatMap((check) => {
    if (check._tag === "FilterGroup") return lengthLimits(check.checks)
    const { message, representation } = check.annotations ?? {}
    if (representation?.id !== "effect/schema/isMaxLength") return []
    const { maxLength } = representation.payload as { readonly maxLength: number }
    return [{ lengthMax: maxLength, message: message ?? `Expected at most ${maxLength} elements` }]
  })

const none: ArrayBounds = { lengthMax: Number.POSITIVE_INFINITY, message: "", elements: null, fields: new Map() }

/** The limits of a union of two schemas. */
const eitherOf = (one: ArrayBounds | null, other: ArrayBounds | null): ArrayBounds | null => {
  if (one === null || other === null) return one ?? other
  const names = new Set([...one.fields.keys(), ...other.fields.keys()])
  const fields = [...names].map((name): readonly [string, ArrayBounds] => [
    name,
    eitherOf(one.fields.get(name) ?? null, other.fields.get(name) ?? null)!
  ])
  return {
    ...(one.lengthMax >= other.lengthMax ? one : other),
    elements: eitherOf(one.elements, other.elements),
    fields: new Map(fields)
  }
}

/** Null if the value has no arrays. */
const boundsOf = (ast: SchemaAST.AST): ArrayBounds | null => {
  if (SchemaAST.isArrays(ast)) {
    const [limit] = lengthLimits(ast.checks).toSorted((a, b) => a.lengthMax - b.lengthMax)
    const elements = [...ast.elements, ...ast.rest].map(boundsOf).reduce(eitherOf, null)
    return { ...none, ...limit, elements }
  }
  if (SchemaAST.isObjects(ast)) {
    const fields = ast.propertySignatures.flatMap(({ name, type }) => {
      const bounds = boundsOf(type)
      return bounds === null ? [] : [[String(name), bounds] as const]
    })
    return fields.length === 0 ? null : { ...none, fields: new Map(fields) }
  }
  return SchemaAST.isUnion(ast) ? ast.types.map(boundsOf).reduce(eitherOf, null) : null
}

const problemsIn = (value: unknown, bounds: ArrayBounds, path: string): ReadonlyArray<RequestProblem> => {
  if (Array.isArray(value)) {
    if (value.length > bounds.lengthMax) return [{ path, code: "invalid", message: bounds.message }]
    const { elements } = bounds
    return elements === null ? [] : value.flatMap((each, i) => problemsIn(each, elements, `${path}[${i}]`))
  }
  if (!Predicate.isObject(value)) return []
  return [...bounds.fields].flatMap(([name, field]) =>
    Object.hasOwn(value, name) ? problemsIn((value as never)[name], field, path === "" ? name : `${path}.${name}`) : []
  )
}

/**
 * Finds the arrays of a JSON value that exceed the maximum length in its schema. Needed because a schema decodes all
 * elements of an array before it checks the length. Null if the schema has no arrays.
 */
export const longArraysOf = (ast: SchemaAST.AST): ((value: unknown) => ReadonlyArray<RequestProblem>) | null => {
  const bounds = boundsOf(SchemaAST.toEncoded(ast))
  return bounds === null ? null : (value) => problemsIn(value, bounds, "")
}
