import { ProcessScheduler } from "@countersign/adapters/processor"
import { BadRequest, fieldProblems } from "@countersign/core/errors"
import { PersonalDataReader } from "@countersign/core/identity"
import { RateLimiter } from "@countersign/core/metering"
import { type Caller, Projects } from "@countersign/core/projects"
import { Context, Effect, Layer, Redacted, Scheduler } from "effect"
import { HttpApiMiddleware } from "effect/http-api"
import { errorOf, type Place, toErrorBody } from "../errors/index.ts"
import { overloaded } from "../server/fallbackErrors.ts"
import { ProjectShares } from "../server/ProjectShares.ts"
import { requestInfo } from "../server/RequestInfo.ts"
import { CurrentCaller, MalformedRequest, ProjectAuth } from "./definitions.ts"

/** How the requests that the process answers at once are shared among projects. */
export const Shares = Context.Reference<ProjectShares>("@countersign/http/middleware/Shares", {
  defaultValue: () => new ProjectShares(Number.POSITIVE_INFINITY)
})

const shareUsedUp = () =>
  overloaded("This project has as many requests answered at once as it may. Try again in a second.", requestInfo())

export const layerProjectAuth = Layer.effect(
  ProjectAuth,
  Effect.gen(function* () {
    const projects = yield* Projects
    const limiter = yield* RateLimiter
    const shares = yield* Shares
    const scheduler = yield* ProcessScheduler

    const answerFor = <A, E, R>(caller: Caller, httpEffect: Effect.Effect<A, E, R>) =>
      Effect.gen(function* () {
        const info = requestInfo()
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
        return yield* httpEffect.pipe(
          Effect.provideService(CurrentCaller, caller),
          Effect.provideService(PersonalDataReader, caller.keyId),
          Effect.provideService(Scheduler.Scheduler, scheduler.of(caller.project.id))
        )
      })

    return ProjectAuth.of({
      apiKey: Effect.fnUntraced(function* (httpEffect, { credential }) {
        // An absent header arrives as an empty credential, which is no valid key either.
        const caller = yield* Effect.mapError(projects.authenticate(Redacted.value(credential)), toErrorBody)
        const info = requestInfo()
        const { id } = caller.project
        info.projectId = id
        if (!shares.enter(id)) return shareUsedUp()
        const leave = Effect.sync(() => shares.leave(id))
        return yield* Effect.ensuring(answerFor(caller, httpEffect), leave)
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
