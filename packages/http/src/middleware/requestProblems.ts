import { fieldProblems, type RequestProblem } from "@countersign/core/errors"
import type { SchemaIssue } from "effect"
import { type Place, wirePath } from "../errors/index.ts"

/** Every problem that a schema found in one part of a request. */
export const requestProblems = (place: Place, issue: SchemaIssue.Issue): ReadonlyArray<RequestProblem> =>
  fieldProblems(issue).map((problem) => ({ ...problem, path: wirePath(place, problem.path) }))
