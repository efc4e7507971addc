import { Schema } from "effect"

/** One thing that is wrong with a request: where, a stable code, and what to do about it. */
export const RequestProblem = Schema.Struct({
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

  override get message(): string {
    return this.problems.map((problem) => `${problem.path}: ${problem.message}`).join("; ")
  }
}
