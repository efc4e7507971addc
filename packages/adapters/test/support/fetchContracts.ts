import { Effect } from "effect"
import { loadArtifacts } from "../../sandbox/contracts/index.ts"

/** Fetches the sandbox's contracts once for all tests: on a new machine each of them would fetch them by itself. */
export default () => Effect.runPromise(Effect.asVoid(loadArtifacts))
