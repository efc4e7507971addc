import { FiatCallbacks, FiatProviders } from "@countersign/core/fiat"
import { VerificationChecks } from "@countersign/core/identity"
import { ByteSize, Effect, Layer, Option } from "effect"
import { HttpIncomingMessage, HttpRouter, HttpServerRequest, HttpServerResponse } from "effect/http"
import { callbackPath } from "./documentPaths.ts"
import { errorResponse } from "./fallbackErrors.ts"
import { countCallback } from "./metrics/callbacks.ts"
import { requestInfo } from "./RequestInfo.ts"

const BODY_MAX = ByteSize.kibibytes(64)

/** Processes a callback that a provider sent, and returns the outcome. */
type Receive = (message: {
  readonly headers: Readonly<Record<string, string | undefined>>
  readonly body: string
}) => Effect.Effect<string, { readonly _tag: "CALLBACK_SIGNATURE_INVALID"; readonly message: string }>

const responseOf = (subject: "fiat" | "identity", receive: Receive) =>
  Effect.gen(function* () {
    const request = yield* HttpServerRequest.HttpServerRequest
    const countOutcome = (outcome: string) =>
      Effect.withFiber((fiber) => Effect.sync(() => countCallback(subject, outcome, fiber.context)))
    const refuse = (reason: string) =>
      Effect.as(countOutcome("refused"), errorResponse("CALLBACK_SIGNATURE_INVALID", reason, requestInfo().traceId))
    const body = yield* Effect.option(Effect.provideService(request.text, HttpIncomingMessage.MaxBodySize, BODY_MAX))
    if (Option.isNone(body)) return yield* refuse("The callback's body is too long or incomplete.")
    const receiveCallback = Effect.gen(function* () {
      const outcome = yield* receive({ headers: request.headers, body: body.value })
      if (outcome !== "TAKEN")
        yield* Effect.logWarning("a provider callback is for an unknown order or session", outcome)
      yield* countOutcome(outcome.toLowerCase())
      return HttpServerResponse.empty({ status: 204 })
    })
    return yield* Effect.catchTag(receiveCallback, "CALLBACK_SIGNATURE_INVALID", ({ message: reason }) =>
      refuse(reason)
    )
  })

/**
 * Receives the callbacks of the configured providers, each at its own path. Responds with 204 to an authentic callback,
 * even for an unknown order or session, because the provider would otherwise repeat it.
 */
export const layerProviderCallbacks = Layer.effectDiscard(
  Effect.gen(function* () {
    const router = yield* HttpRouter.HttpRouter
    const fiat = yield* FiatCallbacks
    const checks = yield* VerificationChecks
    for (const { name } of yield* FiatProviders) {
      yield* router.add(
        "POST",
        callbackPath(name),
        responseOf("fiat", (message) => fiat.receive(name, message))
      )
    }
    if (checks.provider !== null) {
      yield* router.add("POST", callbackPath(checks.provider), responseOf("identity", checks.receive))
    }
  })
)
