import type { RequestProblem } from "@countersign/core/foundation/errors"
import { Predicate, SchemaAST } from "effect"

/**
 * Limits of the arrays in a value: the maximum length of the value itself with its error message, and the limits of its
 * elements and fields. The length is infinite if the value is not an array, or if its schema has no maximum.
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

const noBounds: ArrayBounds = { lengthMax: Number.POSITIVE_INFINITY, message: "", elements: null, fields: new Map() }

/** Combines the limits of two members of a union: the higher limit applies. */
const unionBounds = (one: ArrayBounds | null, other: ArrayBounds | null): ArrayBounds | null => {
  if (one === null || other === null) return one ?? other
  const names = new Set([...one.fields.keys(), ...other.fields.keys()])
  const fields = [...names].map((name): readonly [string, ArrayBounds] => [
    name,
    unionBounds(one.fields.get(name) ?? null, other.fields.get(name) ?? null)!
  ])
  return {
    ...(one.lengthMax >= other.lengthMax ? one : other),
    elements: unionBounds(one.elements, other.elements),
    fields: new Map(fields)
  }
}

/** Returns the array limits of a schema; null if it contains no arrays. */
const boundsOf = (ast: SchemaAST.AST): ArrayBounds | null => {
  if (SchemaAST.isArrays(ast)) {
    const [limit] = lengthLimits(ast.checks).toSorted((a, b) => a.lengthMax - b.lengthMax)
    const elements = [...ast.elements, ...ast.rest].map(boundsOf).reduce(unionBounds, null)
    return { ...noBounds, ...limit, elements }
  }
  if (SchemaAST.isObjects(ast)) {
    const fields = ast.propertySignatures.flatMap(({ name, type }) => {
      const bounds = boundsOf(type)
      return bounds === null ? [] : [[String(name), bounds] as const]
    })
    return fields.length === 0 ? null : { ...noBounds, fields: new Map(fields) }
  }
  return SchemaAST.isUnion(ast) ? ast.types.map(boundsOf).reduce(unionBounds, null) : null
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
 * Returns a function that finds arrays longer than their schema allows; null if the schema contains no arrays. The
 * schema itself would decode all elements before it checks the length.
 */
export const longArraysOf = (ast: SchemaAST.AST): ((value: unknown) => ReadonlyArray<RequestProblem>) | null => {
  const bounds = boundsOf(SchemaAST.toEncoded(ast))
  return bounds === null ? null : (value) => problemsIn(value, bounds, "")
}
