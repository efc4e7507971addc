import type { AnyEndpoint } from "@countersign/adapters/api/endpoints"
import { ProcessScheduler } from "@countersign/adapters/service/processor"
import { BadRequest, fieldProblems } from "@countersign/core/foundation/errors"
import { PersonalDataReader } from "@countersign/core/identity"
import { RateLimiter } from "@countersign/core/tenancy/metering"
import { type Caller, CallerExpiry, InvalidApiKey, ProjectIsMoving, Projects } from "@countersign/core/tenancy/projects"
import { Effect, Layer, Option, Redacted, Scheduler, Semaphore } from "effect"
import { HttpServerRequest } from "effect/http"
import { HttpApiMiddleware } from "effect/http-api"
import { errorBodyOf, type RequestPart, toErrorBody } from "../errors/index.ts"
import type { SlotRefusal } from "../server/FairSlots.ts"
import { overloadedResponse, PROCESS_IS_FULL } from "../server/fallbackErrors.ts"
import { requestInfo } from "../server/RequestInfo.ts"
import { RequestSlots } from "../server/RequestSlots.ts"
import { unitsRequirement } from "./computeUnits.ts"
import { CurrentCaller, MalformedRequest, ProjectAuth, servedEndpointOf } from "./definitions.ts"
import { idempotencyKeyOf } from "./idempotentPost.ts"

/** Returns the error response if the project has used its share of slots, or if all slots are in use. */
const slotErrorResponse = (refusal: SlotRefusal) =>
  overloadedResponse(
    refusal === "FULL"
      ? PROCESS_IS_FULL
      : "This project has reached its maximum number of concurrent requests. Try again in a second.",
    requestInfo()
  )

/** The value of `Retry-After` in seconds while a project moves to another database, which takes minutes. */
const MOVE_RETRY_SECONDS = 30

/**
 * Admits a request before its body is read. Checks the API key, the project's request slots, the rate limit, the scope
 * and the compute units.
 */
export const layerProjectAuth = Layer.effect(
  ProjectAuth,
  Effect.gen(function* () {
    const projects = yield* Projects
    const limiter = yield* RateLimiter
    const slots = yield* RequestSlots
    const scheduler = yield* ProcessScheduler
    const requireUnits = yield* unitsRequirement

    const authenticate = (keyText: string, { errors }: AnyEndpoint) =>
      Semaphore.withPermitsIfAvailable(
        slots.authentications,
        1,
        Effect.catchTag(projects.authenticate(keyText), "PROJECT_IS_MOVING", Effect.succeed)
      ).pipe(
        Effect.catchTag("PROJECT_NOT_FOUND", (error) =>
          // Only endpoints that declare PROJECT_NOT_FOUND can encode it. Other endpoints report an invalid API key.
          errors.includes(error._tag) ? Effect.fail(error as never) : Effect.fail(new InvalidApiKey())
        ),
        Effect.mapError(toErrorBody)
      )

    const limitRate = (caller: Caller) =>
      limiter.admit(caller.keyId).pipe(
        Effect.tapError((rateLimitError) =>
          Effect.sync(() => {
            const { requests, retryAfterSeconds, windowSeconds } = rateLimitError
            const info = requestInfo()
            info.retryAfterSeconds = retryAfterSeconds
            info.rateLimit = { requests, windowSeconds, remaining: 0, resetSeconds: retryAfterSeconds }
          })
        ),
        Effect.mapError(toErrorBody)
      )

    return ProjectAuth.of({
      apiKey: Effect.fnUntraced(function* (httpEffect, { credential, endpoint }) {
        // A missing header has an empty credential, which is an invalid key.
        const servedEndpoint = servedEndpointOf(endpoint)
        const callerOption = yield* authenticate(Redacted.value(credential), servedEndpoint)
        if (Option.isNone(callerOption)) return slotErrorResponse("FULL")
        const caller = callerOption.value
        if (caller instanceof ProjectIsMoving)
          return overloadedResponse(caller.message, requestInfo(), MOVE_RETRY_SECONDS)
        const { id } = caller.project
        const info = requestInfo()
        info.projectId = id
        const slot = slots.projects.take(id)
        if (typeof slot === "string") return slotErrorResponse(slot)
        info.slot = slot
        info.rateLimit = yield* limitRate(caller)
        const { scope } = servedEndpoint
        info.scope = scope
        yield* Effect.mapError(projects.requireScope(caller, scope), toErrorBody)
        const request = yield* HttpServerRequest.HttpServerRequest
        // With an idempotency key, IdempotentPost requires the units later, because the response to a repeated request
        // is free.
        if (idempotencyKeyOf(request) === undefined) yield* requireUnits(caller, endpoint)
        return yield* httpEffect.pipe(
          Effect.provideService(CurrentCaller, caller),
          Effect.provideService(PersonalDataReader, caller.keyId),
          Effect.provideService(CallerExpiry, caller.expiresAt),
          Effect.provideService(Scheduler.Scheduler, scheduler.of(id))
        )
      })
    })
  })
)

const requestParts: Readonly<Record<string, RequestPart>> = { Params: "path", Query: "query", Headers: "headers" }

export const layerMalformedRequest = HttpApiMiddleware.layerSchemaErrorTransform(MalformedRequest, (error) => {
  // A response that does not match its own schema is a defect of the service.
  if (error.kind === "Body" || error.kind === "ResponseHeaders") return Effect.fail(error)
  const badRequest = new BadRequest(fieldProblems(error.cause.issue))
  return Effect.fail(errorBodyOf(requestParts[error.kind] ?? "body")(badRequest))
})
