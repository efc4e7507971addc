import { Effect } from "effect"
import { CommandRefused } from "./errors.ts"

const explainMissingSandbox = <Module>(load: () => Promise<Module>) =>
  Effect.tryPromise({
    try: load,
    catch: (cause) => cause
  }).pipe(
    Effect.catch((cause) =>
      cause instanceof Error && "code" in cause && cause.code === "ERR_MODULE_NOT_FOUND"
        ? Effect.fail(
            new CommandRefused({
              reason:
                "The published packages do not contain the sandbox. Clone the repository, then run `npm ci && npm start`."
            })
          )
        : Effect.die(cause)
    )
  )

/**
 * Loads the sandbox for a command. Fails with an explanation in published packages, which do not contain the sandbox.
 */
export const loadSandbox = explainMissingSandbox(() => import("@countersign/adapters/sandbox"))

/** Loads the sandbox service, which `sandbox` starts. */
export const loadSandboxService = explainMissingSandbox(() => import("../sandbox/index.ts"))
