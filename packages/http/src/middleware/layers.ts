import { BadRequest, fieldProblems } from "@countersign/core/errors"
import { RateLimiter } from "@countersign/core/metering"
import { Projects } from "@countersign/core/projects"
import { Effect, Layer, Redacted } from "effect"
import { HttpApiMiddleware } from "effect/http-api"
import { errorOf, type Place, toErrorBody } from "../errors/index.ts"
import { requestInfo } from "../server/RequestInfo.ts"
import { CurrentCaller, MalformedRequest, ProjectAuth } from "./definitions.ts"

export const layerProjectAuth = Layer.effect(
  ProjectAuth,
  Effect.gen(function* () {
    const projects = yield* Projects
    const limiter = yield* RateLimiter
    return ProjectAuth.of({
      apiKey: Effect.fnUntraced(function* (httpEffect, { credential }) {
        // An absent header arrives as an empty credential, which is no valid key either.
        const caller = yield* Effect.mapError(projects.authenticate(Redacted.value(credential)), toErrorBody)
        const info = requestInfo()
        info.projectId = caller.project.id
        info.rateLimit = yield* limiter.admit(caller.keyId).pipe(
          Effect.tapError((rateLimitError) =>
            Effect.sync(() => {
              const { requests, retryAfterSeconds, windowSeconds } = rateLimitError
              info.retryAfterSeconds = retryAfterSeconds
              info.rateLimit = { requests, windowSeconds, remaining: 0, resetSeconds: retryAfterSeconds }
            })
          ),
          Effect.mapError(toErrorBody)
        )
        return yield* Effect.provideService(httpEffect, CurrentCaller, caller)
      })
    })
  })
)

const places: Readonly<Record<string, Place>> = { Params: "path", Query: "query", Headers: "headers" }

export const layerMalformedRequest = HttpApiMiddleware.layerSchemaErrorTransform(MalformedRequest, (error) => {
  // A response that its own schema rejects is our fault, not the client's.
  if (error.kind === "Body" || error.kind === "ResponseHeaders") return Effect.fail(error)
  const badRequest = new BadRequest({ problems: fieldProblems(error.cause.issue) })
  return Effect.fail(errorOf(places[error.kind] ?? "body")(badRequest))
})
