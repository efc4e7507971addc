import { Context, DateTime, Effect, Layer, Option } from "effect"
import { ExecutionStore } from "../../operations/executions/index.ts"
import { FiatCallbackRefused } from "../errors.ts"
import { type FiatCallback, FiatProviders } from "../provider/FiatProvider.ts"
import { ProviderRegistrations } from "../registrations/ProviderRegistrations.ts"
import { FiatOrderStore } from "./FiatOrderStore.ts"

/** Maximum stored length of an unknown order id. */
const MAX_ID_LENGTH = 200

/**
 * Receives webhooks of providers. Their content is not trusted: an authentic webhook only triggers an immediate poll of
 * its order or customer, or records the id of an unknown order. A webhook that is late or duplicate, or that
 * contradicts the provider's API, changes no order.
 */
export class FiatCallbacks extends Context.Service<
  FiatCallbacks,
  {
    readonly receive: (
      provider: string,
      callback: FiatCallback
    ) => Effect.Effect<"TAKEN" | "UNKNOWN_ORDER", FiatCallbackRefused>
  }
>()("@countersign/core/fiat/FiatCallbacks") {
  static readonly layer = Layer.effect(
    FiatCallbacks,
    Effect.gen(function* () {
      const providers = yield* FiatProviders
      const store = yield* FiatOrderStore
      const executions = yield* ExecutionStore
      const registrations = yield* ProviderRegistrations
      return FiatCallbacks.of({
        receive: Effect.fn("FiatCallbacks.receive")(function* (name, callback) {
          const provider = providers.find((one) => one.name === name)
          if (provider === undefined)
            return yield* new FiatCallbackRefused({ reason: "the provider is not configured" })
          const now = yield* DateTime.now
          const callbackContent = provider.readCallback(callback, Math.floor(DateTime.toEpochMillis(now) / 1_000))
          if (callbackContent._tag === "Refused")
            return yield* new FiatCallbackRefused({ reason: callbackContent.reason })
          // An unknown customer may belong to another service that uses the same provider account.
          if (callbackContent.customer !== null) yield* registrations.wake(name, callbackContent.customer)
          if (callbackContent.providerOrder === null) return "TAKEN" as const
          const storedOrder = Option.getOrNull(yield* store.findByProviderOrder(name, callbackContent.providerOrder))
          if (storedOrder === null) {
            yield* store.recordUnknown(name, callbackContent.providerOrder.slice(0, MAX_ID_LENGTH), now)
            return "UNKNOWN_ORDER" as const
          }
          const { executedQuote, quote } = storedOrder.order
          yield* executions.wakeQuote(quote.projectId, executedQuote, now)
          return "TAKEN" as const
        })
      })
    })
  )
}
