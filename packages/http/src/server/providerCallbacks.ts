import { FiatCallbacks } from "@countersign/core/fiat"
import { VerificationChecks } from "@countersign/core/identity"
import { Effect, Layer } from "effect"
import { HttpRouter, HttpServerRequest, HttpServerResponse } from "effect/http"
import { CALLBACKS_PATH } from "./documentPaths.ts"
import { errorResponse } from "./fallbackErrors.ts"
import { countCallback } from "./metrics/callbacks.ts"
import { requestInfo } from "./RequestInfo.ts"

const LONGEST_BODY = 64 * 1_024

/** Takes messages of providers: 204 for every genuine one, also of what is not known, which the provider would send again. */
export const layerProviderCallbacks = Layer.effectDiscard(
  Effect.gen(function* () {
    const router = yield* HttpRouter.HttpRouter
    const fiat = yield* FiatCallbacks
    const checks = yield* VerificationChecks
    yield* router.add(
      "POST",
      CALLBACKS_PATH,
      Effect.gen(function* () {
        const { provider = "" } = yield* HttpRouter.params
        const request = yield* HttpServerRequest.HttpServerRequest
        const body = yield* Effect.orElseSucceed(request.text, () => "")
        const about = provider === checks.provider ? "identity" : "fiat"
        const counted = (outcome: string) =>
          Effect.withFiber((fiber) => Effect.sync(() => countCallback(about, outcome, fiber.context)))
        const refuse = (reason: string) =>
          Effect.as(counted("refused"), errorResponse("CALLBACK_SIGNATURE_INVALID", reason, requestInfo().traceId))
        if (body.length > LONGEST_BODY) return yield* refuse("The message is too long.")
        const message = { headers: request.headers, body }
        const received = Effect.gen(function* () {
          const outcome: string = yield* about === "identity"
            ? checks.receive(message)
            : fiat.receive(provider, message)
          if (outcome !== "TAKEN") yield* Effect.logWarning("a provider names what is not known here", outcome)
          yield* counted(outcome.toLowerCase())
          return HttpServerResponse.empty({ status: 204 })
        })
        return yield* Effect.catchTag(received, "CALLBACK_SIGNATURE_INVALID", ({ message: reason }) => refuse(reason))
      })
    )
  })
)
