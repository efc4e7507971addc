import { Array, SchemaAST, SchemaIssue } from "effect"
import type { RequestProblem } from "./BadRequest.ts"
import { didYouMean } from "./didYouMean.ts"

const MISSING = "This field is required."
const UNKNOWN = "There is no such field. Check its spelling, or leave it out."

const codes: Readonly<Record<string, string>> = { [MISSING]: "missing", [UNKNOWN]: "unknown_field" }

/** The fields that there are travel with the message that there is no such one, until its path is known. */
const KNOWN_FIELDS = "\u0000"

const unknownField = ({ ast }: SchemaIssue.UnexpectedKey): string =>
  [UNKNOWN, ...(SchemaAST.isObjects(ast) ? ast.propertySignatures.map(({ name }) => String(name)) : [])].join(
    KNOWN_FIELDS
  )

const problemOf = (path: string, text: string): RequestProblem => {
  const [message = "", ...knownFields] = text.split(KNOWN_FIELDS)
  const meant = didYouMean(path.slice(path.lastIndexOf(".") + 1), knownFields)
  return {
    path,
    code: codes[message] ?? "invalid",
    message: meant === null ? inPlainWords(message) : `There is no such field. Did you mean ${meant}?`
  }
}

/** The expectation of a schema, in words for people who don't know our schemas. */
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
      return unknownField(issue)
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
  const problems = format(issue).issues.map(({ message, path = [] }) =>
    problemOf(pathOf(path.map((key) => (typeof key === "object" ? key.key : key))), message)
  )
  return Array.isReadonlyArrayNonEmpty(problems) ? problems : [{ path: "", code: "invalid", message: "Malformed" }]
}
