import { Array, SchemaIssue } from "effect"
import type { RequestProblem } from "./BadRequest.ts"

const MISSING = "This field is required."
const UNKNOWN = "There is no such field. Check its spelling, or leave it out."

const codes: Readonly<Record<string, string>> = { [MISSING]: "missing", [UNKNOWN]: "unknown_field" }

/** What a schema expected, in words for people who don't know our schemas. */
const inPlainWords = (message: string): string =>
  message
    .replace(/^Expected (string|number|boolean)$/u, "Expected a $1")
    .replace(/^Expected [A-Z]\w*$/u, "Expected a JSON object")
    .replace(/^Expected "(.*)"$/u, (_, words: string) => `Expected one of "${words.replaceAll('" | "', '", "')}"`)

const leafHook: SchemaIssue.LeafHook = (issue) => {
  switch (issue._tag) {
    case "MissingKey":
      return MISSING
    case "UnexpectedKey":
      return UNKNOWN
    default:
      return SchemaIssue.defaultLeafHook(issue)
  }
}

const format = SchemaIssue.makeFormatterStandardSchemaV1({ leafHook })

/** `operations[3].params.token` from its keys. */
const pathOf = (keys: ReadonlyArray<PropertyKey>): string =>
  keys.reduce<string>(
    (path, key) => (typeof key === "number" ? `${path}[${key}]` : path === "" ? String(key) : `${path}.${String(key)}`),
    ""
  )

/** Every problem that a schema found, by field. */
export const fieldProblems = (issue: SchemaIssue.Issue): Array.NonEmptyReadonlyArray<RequestProblem> => {
  const problems = format(issue).issues.map(({ message, path = [] }) => ({
    path: pathOf(path.map((key) => (typeof key === "object" ? key.key : key))),
    code: codes[message] ?? "invalid",
    message: inPlainWords(message)
  }))
  return Array.isReadonlyArrayNonEmpty(problems) ? problems : [{ path: "", code: "invalid", message: "Malformed" }]
}
