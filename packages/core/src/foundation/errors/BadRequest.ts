import { Array, Predicate, Schema } from "effect"

/** A problem in a request: the field, a stable code, and a message with a remedy. */
export const RequestProblem = Schema.Struct({
  /**
   * The field, such as `extraFee.percentage` or `operations[3].params.token`. Empty if the problem does not concern a
   * single field.
   */
  path: Schema.String,
  code: Schema.String,
  message: Schema.String
})
export type RequestProblem = typeof RequestProblem.Type

/**
 * Maximum number of listed problems. Further problems are only counted, because a request can have one problem per
 * byte.
 */
export const PROBLEMS_MAX = 50

/** An error that contains names of request fields. */
export interface FieldError {
  readonly problems: ReadonlyArray<RequestProblem>
  /**
   * Returns the same error with field names in the notation of the interface, such as `body.amountIn` or `--amount`.
   */
  readonly withPaths: (nameOf: (path: string) => string) => FieldError
  /** The listed problems, and the number of omitted problems. */
  readonly report: { readonly listed: ReadonlyArray<RequestProblem>; readonly omitted: number }
}

export const isFieldError = (error: unknown): error is FieldError =>
  Predicate.hasProperty(error, "problems") && Predicate.hasProperty(error, "withPaths")

/** An invalid request and its problems. */
export class BadRequest extends Schema.TaggedError<BadRequest>("core/errors/BadRequest")("BAD_REQUEST", {
  problems: Schema.NonEmptyArray(RequestProblem),
  /** Number of problems that are not listed. */
  omitted: Schema.optionalKey(Schema.Int)
}) {
  static of(path: string, code: string, message: string): BadRequest {
    return new BadRequest({ problems: [{ path, code, message }] })
  }

  withPaths(nameOf: (path: string) => string): BadRequest {
    return new BadRequest({
      problems: Array.map(this.problems, (problem) => ({ ...problem, path: nameOf(problem.path) })),
      omitted: this.omitted ?? 0
    })
  }

  get report(): { readonly listed: ReadonlyArray<RequestProblem>; readonly omitted: number } {
    const listedProblems = this.problems.slice(0, PROBLEMS_MAX)
    return { listed: listedProblems, omitted: this.problems.length - listedProblems.length + (this.omitted ?? 0) }
  }

  override get message(): string {
    const { listed, omitted } = this.report
    const sentences = listed.map(({ message, path }) => (path === "" ? message : `${path}: ${message}`))
    return [...sentences, ...(omitted === 0 ? [] : [`and ${omitted} more problems`])].join("; ")
  }
}
