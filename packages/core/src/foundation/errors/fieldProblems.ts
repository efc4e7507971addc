import { Array, SchemaAST, SchemaIssue } from "effect"
import { PROBLEMS_MAX, type RequestProblem } from "./BadRequest.ts"
import { suggestWord } from "./didYouMean.ts"

const MISSING = "This field is required."
const UNKNOWN = "There is no such field. Check its spelling, or omit it."

const codes: Readonly<Record<string, string>> = { [MISSING]: "missing", [UNKNOWN]: "unknown_field" }

/** Separates the known fields in the message about an unknown field. `problemOf` replaces them with a suggestion. */
const KNOWN_FIELDS = "\u0000"

/** Separates a message from the code with which the schema has annotated the issue. */
const CODE = "\u0001"

const unknownField = ({ ast }: SchemaIssue.UnexpectedKey): string =>
  [UNKNOWN, ...(SchemaAST.isObjects(ast) ? ast.propertySignatures.map(({ name }) => String(name)) : [])].join(
    KNOWN_FIELDS
  )

const problemOf = (path: string, text: string): RequestProblem => {
  const [description = "", code] = text.split(CODE)
  const [message = "", ...knownFields] = description.split(KNOWN_FIELDS)
  const suggestedField = suggestWord(path.slice(path.lastIndexOf(".") + 1), knownFields)
  return {
    path,
    code: code ?? codes[message] ?? "invalid",
    message:
      suggestedField === null ? simplifyMessage(message) : `There is no such field. Did you mean ${suggestedField}?`
  }
}

/** Maximum length of a message. Some messages list all valid values of a field, such as all countries. */
const MESSAGE_LENGTH_MAX = 1_000

const clipText = (text: string, lengthMax: number): string =>
  text.length > lengthMax ? `${text.slice(0, lengthMax)}…` : text

/** Rewrites a schema's message for readers who do not know the schema library. */
const simplifyMessage = (message: string): string =>
  clipText(message, MESSAGE_LENGTH_MAX)
    .replace(/^Expected (string|number|boolean)$/u, "Expected a $1")
    .replace(/^Expected [A-Z]\w*$/u, "Expected a JSON object")
    .replace(/^Expected "(.*)"$/u, (_, words: string) => `Expected one of "${words.replaceAll('" | "', '", "')}"`)

const describeLeaf: SchemaIssue.LeafHook = (issue) => {
  switch (issue._tag) {
    case "MissingKey":
      return MISSING
    case "UnexpectedKey":
      return unknownField(issue)
    case "InvalidValue":
      return [SchemaIssue.defaultLeafHook(issue), issue.annotations?.code]
        .filter((part) => part !== undefined)
        .join(CODE)
    default:
      return SchemaIssue.defaultLeafHook(issue)
  }
}

/** Formats only as many problems of an issue as are listed, because the description of an unknown field is long. */
const format = (issue: SchemaIssue.Issue) => {
  let leaves = 0
  const leafHook: SchemaIssue.LeafHook = (leaf) => (leaves++ < PROBLEMS_MAX ? describeLeaf(leaf) : "")
  return SchemaIssue.makeFormatterStandardSchemaV1({ leafHook })(issue).issues
}

/** Maximum length of an unknown field name in a message. The caller chooses this name. */
const KEY_LENGTH_MAX = 128

const keyText = (key: PropertyKey): string => clipText(String(key), KEY_LENGTH_MAX)

/** Returns the path of a field from its keys, such as `operations[3].params.token`. */
const pathOf = (keys: ReadonlyArray<PropertyKey>): string =>
  keys.reduce<string>(
    (path, key) =>
      typeof key === "number" ? `${path}[${key}]` : path === "" ? keyText(key) : `${path}.${keyText(key)}`,
    ""
  )

/** Returns the first problems that a schema found, with their fields, and the number of omitted problems. */
export const fieldProblems = (
  issue: SchemaIssue.Issue
): { readonly problems: Array.NonEmptyReadonlyArray<RequestProblem>; readonly omitted: number } => {
  const issues = format(issue)
  const problems = issues
    .slice(0, PROBLEMS_MAX)
    .map(({ message, path = [] }) =>
      problemOf(pathOf(path.map((key) => (typeof key === "object" ? key.key : key))), message)
    )
  return {
    problems: Array.isReadonlyArrayNonEmpty(problems)
      ? problems
      : [{ path: "", code: "invalid", message: "Malformed" }],
    omitted: issues.length - problems.length
  }
}
