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
const BODY_BYTES = 1_000_000

const repeatPiece = (piece: (i: number) => string, count: number) =>
  Array.from({ length: count }, (_, i) => piece(i)).join(",")
const objectJson = (fields: number) => `{${repeatPiece((i) => `"f${i}":0`, fields)}}`
const nestedJsonOf = (levels: number) => `${'{"a":'.repeat(levels)}0${"}".repeat(levels)}`

const hostileValues: Readonly<Record<string, string>> = {
  "the longest array of objects": `[${repeatPiece(() => "{}", Math.floor(BODY_BYTES / 3))}]`,
  "the longest array of numbers": `[${repeatPiece(() => "0", Math.floor(BODY_BYTES / 2))}]`,
  "1,000 objects": `[${repeatPiece(() => "{}", 1_000)}]`,
  "100 objects": `[${repeatPiece(() => "{}", 100)}]`,
  "20 objects": `[${repeatPiece(() => "{}", 20)}]`,
  "1,000 texts": `[${repeatPiece((i) => `"${i}"`, 1_000)}]`,
  "the widest object": objectJson(80_000),
  "256 fields": objectJson(256),
  "the most values": `[${repeatPiece(() => objectJson(255), 38)}]`,
  "the most values of 100 objects": `[${repeatPiece(() => objectJson(97), 100)}]`,
  "the deepest nesting": nestedJsonOf(Math.floor(BODY_BYTES / 6)),
  "30 levels": nestedJsonOf(30),
  "the longest name": `{"${"n".repeat(BODY_BYTES)}":0}`,
  "the longest text of digits": `"${"1".repeat(BODY_BYTES)}"`,
  "the longest text of letters": `"${"a".repeat(BODY_BYTES)}"`,
  "the longest hexadecimal": `"0x${"ab".repeat(BODY_BYTES / 2 - 1)}"`
}

const PLACEHOLDER = "@hostile"

type Path = ReadonlyArray<string | number>

const isContainer = (value: unknown): value is object => typeof value === "object" && value !== null

/** Returns the paths of a value and of all values inside it, outermost first. */
const pathsOf = (value: unknown, path: Path = []): ReadonlyArray<Path> => [
  path,
  ...(isContainer(value)
    ? Object.entries(value).flatMap(([key, part]) => pathsOf(part, [...path, Array.isArray(value) ? Number(key) : key]))
    : [])
]

const replaceAt = (value: unknown, [key, ...rest]: Path, part: unknown): unknown => {
  if (key === undefined) return part
  if (Array.isArray(value)) return value.with(Number(key), replaceAt(value[Number(key)], rest, part))
  const fields = (isContainer(value) ? value : {}) as Readonly<Record<string, unknown>>
  return { ...fields, [key]: replaceAt(fields[key], rest, part) }
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
export const generateHostileBodies = function* (): Generator<HostileBody> {
  for (const { example: exampleValues = {}, id, method, params = {}, path, payload } of endpointList) {
    if (payload === undefined) continue
    const example = exampleValues.body ?? {}
    const fields = fieldsOf(SchemaAST.toEncoded(payload.ast)).map((name): Path => [name])
    const fieldPaths = new Map([...pathsOf(example), ...fields].map((fieldPath) => [fieldPath.join("."), fieldPath]))
    const filledPath = Object.keys(params).reduce(
      (partialPath, name) => partialPath.replace(`:${name}`, String(exampleValues.parameters?.[name] ?? "1")),
      path as string
    )
    for (const [name, fieldPath] of fieldPaths) {
      const text = JSON.stringify(replaceAt(example, fieldPath, PLACEHOLDER))
      for (const [valueName, value] of Object.entries(hostileValues)) {
        const body = text.replace(`"${PLACEHOLDER}"`, () => value)
        yield { id, method, path: filledPath, name: `${valueName} at ${name === "" ? "the top" : name}`, text: body }
      }
    }
  }
}
