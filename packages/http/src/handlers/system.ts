import { UpstreamUnavailable } from "@countersign/core/errors"
import { ProjectId, ProjectStore } from "@countersign/core/projects"
import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { Api } from "../api/Api.ts"
import { toErrorBody } from "../errors/index.ts"
import { sharedWithin } from "../server/sharedWithin.ts"

/** Asked for only to see whether the database answers. */
const unknownProject = ProjectId.make("00000000-0000-4000-8000-000000000000")

export const SystemHandlers = HttpApiBuilder.group(
  Api,
  "system",
  Effect.fnUntraced(function* (handlers) {
    const store = yield* ProjectStore
    const databaseProbe = yield* sharedWithin(store.find(unknownProject), "2 seconds")
    const database = databaseProbe.pipe(
      Effect.catchCause(() =>
        Effect.fail(new UpstreamUnavailable({ upstream: "The database", reason: "it did not answer a query" }))
      )
    )
    return handlers.handleAll({
      healthz: () => Effect.succeed({ status: "ok" as const }),
      readyz: () =>
        database.pipe(Effect.as({ status: "ready" as const, checks: { database: "ok" } }), Effect.mapError(toErrorBody))
    })
  })
)
