import { Array, Schema } from "effect"

/** One thing that is wrong with a request: in which field, a stable code, and what to do about it. */
export const RequestProblem = Schema.Struct({
  /** Such as `extraFee.percentage` or `operations[3].params.token`; empty for the request as a whole. */
  path: Schema.String,
  code: Schema.String,
  message: Schema.String
})
export type RequestProblem = typeof RequestProblem.Type

/** A request that can't be carried out as written. Names every problem, not only the first. */
export class BadRequest extends Schema.TaggedError<BadRequest>("core/errors/BadRequest")("BAD_REQUEST", {
  problems: Schema.NonEmptyArray(RequestProblem)
}) {
  static of(path: string, code: string, message: string): BadRequest {
    return new BadRequest({ problems: [{ path, code, message }] })
  }

  /** The same problems with their fields named as a shell names them: `body.amountIn`, `--amount`. */
  withPaths(nameOf: (path: string) => string): BadRequest {
    return new BadRequest({
      problems: Array.map(this.problems, (problem) => ({ ...problem, path: nameOf(problem.path) }))
    })
  }

  override get message(): string {
    return this.problems.map(({ message, path }) => (path === "" ? message : `${path}: ${message}`)).join("; ")
  }
}
