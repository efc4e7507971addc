import { endpointList } from "@countersign/adapters/api/endpoints"
import { SchemaAST } from "effect"

/**
 * A body that causes the most work that an operation allows, derived from the operation's example in the API reference.
 */
export interface HostileBody {
  readonly id: string
  readonly method: string
  readonly path: string
  /** The hostile value and its path. */
  readonly name: string
  readonly text: string
}

/** Just below MAX_BODY_BYTES. */
const BYTES = 1_000_000

const repeat = (piece: (i: number) => string, count: number) =>
  Array.from({ length: count }, (_, i) => piece(i)).join(",")
const object = (fields: number) => `{${repeat((i) => `"f${i}":0`, fields)}}`
const nestedJson = (levels: number) => `${'{"a":'.repeat(levels)}0${"}".repeat(levels)}`

const hostileValues: Readonly<Record<string, string>> = {
  "the longest array of objects": `[${repeat(() => "{}", Math.floor(BYTES / 3))}]`,
  "the longest array of numbers": `[${repeat(() => "0", Math.floor(BYTES / 2))}]`,
  "1,000 objects": `[${repeat(() => "{}", 1_000)}]`,
  "100 objects": `[${repeat(() => "{}", 100)}]`,
  "20 objects": `[${repeat(() => "{}", 20)}]`,
  "1,000 texts": `[${repeat((i) => `"${i}"`, 1_000)}]`,
  "the widest object": object(80_000),
  "256 fields": object(256),
  "the most values": `[${repeat(() => object(255), 38)}]`,
  "the most values of 100 objects": `[${repeat(() => object(97), 100)}]`,
  "the deepest nesting": nestedJson(Math.floor(BYTES / 6)),
  "30 levels": nestedJson(30),
  "the longest name": `{"${"n".repeat(BYTES)}":0}`,
  "the longest text of digits": `"${"1".repeat(BYTES)}"`,
  "the longest text of letters": `"${"a".repeat(BYTES)}"`,
  "the longest hexadecimal": `"0x${"ab".repeat(BYTES / 2 - 1)}"`
}

const PLACEHOLDER = "@hostile"

type Path = ReadonlyArray<string | number>

const isContainer = (value: unknown): value is object => typeof value === "object" && value !== null

/** Returns the paths of a value and of all values inside it, outermost first. */
const pathsIn = (value: unknown, path: Path = []): ReadonlyArray<Path> => [
  path,
  ...(isContainer(value)
    ? Object.entries(value).flatMap(([key, part]) => pathsIn(part, [...path, Array.isArray(value) ? Number(key) : key]))
    : [])
]

const withValueAt = (value: unknown, [key, ...rest]: Path, part: unknown): unknown => {
  if (key === undefined) return part
  if (Array.isArray(value)) return value.with(Number(key), withValueAt(value[Number(key)], rest, part))
  const fields = (isContainer(value) ? value : {}) as Readonly<Record<string, unknown>>
  return { ...fields, [key]: withValueAt(fields[key], rest, part) }
}

const fieldsOf = (ast: SchemaAST.AST): ReadonlyArray<string> =>
  SchemaAST.isUnion(ast)
    ? ast.types.flatMap(fieldsOf)
    : SchemaAST.isObjects(ast)
      ? ast.propertySignatures.map(({ name }) => String(name))
      : []

/**
 * Generates bodies: each hostile value at each path of each operation's example, and in each field that the example
 * omits.
 */
export const hostileBodies = function* (): Generator<HostileBody> {
  for (const { example: known = {}, id, method, params = {}, path, payload } of endpointList) {
    if (payload === undefined) continue
    const example = known.body ?? {}
    const fields = fieldsOf(SchemaAST.toEncoded(payload.ast)).map((name): Path => [name])
    const fieldPaths = new Map([...pathsIn(example), ...fields].map((fieldPath) => [fieldPath.join("."), fieldPath]))
    const parameters = Object.keys(params).reduce(
      (filled, name) => filled.replace(`:${name}`, String(known.parameters?.[name] ?? "1")),
      path as string
    )
    for (const [name, fieldPath] of fieldPaths) {
      const text = JSON.stringify(withValueAt(example, fieldPath, PLACEHOLDER))
      for (const [kind, value] of Object.entries(hostileValues)) {
        const body = text.replace(`"${PLACEHOLDER}"`, () => value)
        yield { id, method, path: parameters, name: `${kind} at ${name === "" ? "the top" : name}`, text: body }
      }
    }
  }
}
