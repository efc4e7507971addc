import type { RequestProblem } from "@countersign/core/errors"
import { SchemaIssue } from "effect"

const MISSING = "This field is required."
const UNKNOWN = "There is no such field. Check its spelling, or leave it out."

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

const codes: Readonly<Record<string, string>> = { [MISSING]: "missing", [UNKNOWN]: "unknown_field" }

/** Every problem that a schema has found in one part of a request: "body", "query", "path". */
export const requestProblems = (place: string, issue: SchemaIssue.Issue): ReadonlyArray<RequestProblem> =>
  format(issue).issues.map(({ message, path = [] }) => ({
    path: [place, ...path.map((key) => String(typeof key === "object" ? key.key : key))].join("."),
    code: codes[message] ?? "invalid",
    message: inPlainWords(message)
  }))
