import { FiatCallbacks } from "@countersign/core/fiat"
import { Effect, Layer } from "effect"
import { HttpRouter, HttpServerRequest, HttpServerResponse } from "effect/http"
import { CALLBACKS_PATH } from "./documentPaths.ts"
import { errorResponse } from "./fallbackErrors.ts"
import { countFiatCallback } from "./metrics/fiat.ts"
import { requestInfo } from "./RequestInfo.ts"

const LONGEST_BODY = 64 * 1_024

const counted = (outcome: string) =>
  Effect.withFiber((fiber) => Effect.sync(() => countFiatCallback(outcome, fiber.context)))

/** Takes messages of providers: 204 for every genuine one, also of orders that are not known, which the provider would send again. */
export const layerFiatCallbacks = Layer.effectDiscard(
  Effect.gen(function* () {
    const router = yield* HttpRouter.HttpRouter
    const callbacks = yield* FiatCallbacks
    yield* router.add(
      "POST",
      CALLBACKS_PATH,
      Effect.gen(function* () {
        const { provider = "" } = yield* HttpRouter.params
        const request = yield* HttpServerRequest.HttpServerRequest
        const body = yield* Effect.orElseSucceed(request.text, () => "")
        const refuse = (reason: string) =>
          Effect.as(counted("refused"), errorResponse("CALLBACK_SIGNATURE_INVALID", reason, requestInfo().traceId))
        if (body.length > LONGEST_BODY) return yield* refuse("The message is too long.")
        return yield* callbacks.receive(provider, { headers: request.headers, body }).pipe(
          Effect.flatMap((outcome) =>
            Effect.andThen(
              outcome === "UNKNOWN_ORDER"
                ? Effect.logWarning("a provider names an order that is not known")
                : Effect.void,
              Effect.as(counted(outcome.toLowerCase()), HttpServerResponse.empty({ status: 204 }))
            )
          ),
          Effect.catchTag("CALLBACK_SIGNATURE_INVALID", ({ message }) => refuse(message))
        )
      })
    )
  })
)
