import { UpstreamUnavailable } from "@countersign/core/foundation/errors"
import { DatabaseProbe } from "@countersign/core/foundation/readiness"
import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { systemApi } from "../api/apiOf.ts"
import { toErrorBody } from "../errors/index.ts"
import { sharedWithTimeout } from "../server/sharedWithTimeout.ts"

export const SystemHandlers = HttpApiBuilder.group(
  systemApi,
  "system",
  Effect.fnUntraced(function* (handlers) {
    const { write } = yield* DatabaseProbe
    const sharedWrite = yield* sharedWithTimeout(write, "2 seconds")
    const unavailable = (reason: string) => new UpstreamUnavailable({ upstream: "The database", reason })
    const database = sharedWrite.pipe(
      Effect.catchTag("DATABASE_UNUSABLE", ({ reason }) => Effect.fail(unavailable(`it ${reason}`))),
      Effect.catchTag("TimeoutError", () => Effect.fail(unavailable("it did not respond to a query")))
    )
    return handlers.handleAll({
      healthz: () => Effect.succeed({ status: "ok" as const }),
      readyz: () =>
        database.pipe(Effect.as({ status: "ready" as const, checks: { database: "ok" } }), Effect.mapError(toErrorBody))
    })
  })
)
