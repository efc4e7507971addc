import { Effect } from "effect"
import { loadArtifacts } from "../../sandbox/contracts/index.ts"

/**
 * Downloads the sandbox's contracts before all tests. Otherwise each test file would download them on a new machine.
 */
export default () => Effect.runPromise(Effect.asVoid(loadArtifacts))
