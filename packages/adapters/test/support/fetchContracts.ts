import { Effect } from "effect"
import { loadArtifacts } from "../../sandbox/contracts/index.ts"

/**
 * Downloads the sandbox's contracts once for all tests. On a new machine each test file would otherwise download them.
 */
export default () => Effect.runPromise(Effect.asVoid(loadArtifacts))
