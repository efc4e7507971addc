import type { ProjectId } from "@countersign/core/tenancy/projects"
import type { Calls } from "./calls.ts"
import { type CombinedCalls, combinedCalls } from "./combinedCalls.ts"
import { makeCalls } from "./makeCalls.ts"
import { callerOf } from "./requests.ts"
import type { Run } from "./session.ts"
import { waitsOf } from "./waiting.ts"

/** The calls of a project. Parameters and results are the same as in the client of the HTTP API. */
export type ProjectCalls = Calls & CombinedCalls

export const projectCalls = (run: Run, project: ProjectId): ProjectCalls => {
  const calls = makeCalls(callerOf(run, project))
  const { history, userOperations } = calls
  const waits = waitsOf(run, project)
  return {
    ...calls,
    ...combinedCalls(calls),
    userOperations: {
      ...userOperations,
      wait: async (hash, options) => history.get(await waits.userOperation(hash, options), options)
    },
    wait: async ({ transactionId }, options) => history.get(await waits.transaction(transactionId, options), options)
  }
}
