import { Effect } from "effect"
import { BadRequest, type RequestProblem } from "./BadRequest.ts"

/** Fails with all problems if there are any. */
export const requireNoProblem = (problems: ReadonlyArray<RequestProblem | null>): Effect.Effect<void, BadRequest> => {
  const [first, ...others] = problems.filter((problem) => problem !== null)
  return first === undefined ? Effect.void : Effect.fail(new BadRequest({ problems: [first, ...others] }))
}
