import { Effect } from "effect"
import { loadArtifacts } from "../../sandbox/contracts/index.ts"

/**
 * Downloads the sandbox's contracts once for all tests, because otherwise each test file would download them on a new
 * machine.
 */
export default () => Effect.runPromise(Effect.asVoid(loadArtifacts))
