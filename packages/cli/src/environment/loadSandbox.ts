import { Effect } from "effect"
import { Refused } from "./errors.ts"

const explainMissingSandbox = <Module>(load: () => Promise<Module>) =>
  Effect.tryPromise({
    try: load,
    catch: (cause) => cause
  }).pipe(
    Effect.catch((cause) =>
      cause instanceof Error && "code" in cause && cause.code === "ERR_MODULE_NOT_FOUND"
        ? Effect.fail(
            new Refused({
              reason:
                "The published packages do not contain the sandbox. Clone the repository, then run `npm ci && npm start`."
            })
          )
        : Effect.die(cause)
    )
  )

/** The sandbox, for commands; absent in published packages. */
export const loadSandbox = explainMissingSandbox(() => import("@countersign/adapters/sandbox"))

/** The sandbox as a service to start. */
export const loadSandboxService = explainMissingSandbox(() => import("../sandbox/index.ts"))
