import { taxEvents } from "@countersign/core/accounting/tax"
import { fiatEvents, registrationEvents } from "@countersign/core/fiat"
import { ServedChains } from "@countersign/core/foundation/chains"
import type { FiatRates, TokenCatalog } from "@countersign/core/foundation/tokens"
import { businessSessionEvents, individualSessionEvents } from "@countersign/core/identity"
import { EventPresenter } from "@countersign/core/tenancy/events"
import { webhookEvents } from "@countersign/core/tenancy/webhooks"
import { walletEvents, walletView } from "@countersign/core/wallets/registry"
import { Context, Effect, Layer } from "effect"
import {
  fiatOrderBody,
  LinkBase,
  registrationEventBody,
  sessionEventBody,
  taxRunBody,
  walletBody
} from "../wire/index.ts"
import { type ResourcePresenter, resourcePresenter } from "./ResourcePresenter.ts"
import { transactionPresenter } from "./transactionPresenter.ts"

const walletPresenter = resourcePresenter(
  walletEvents,
  Effect.gen(function* () {
    const base = yield* LinkBase
    const servedChains = yield* ServedChains
    return ({ chainId, wallet }) => Effect.succeed({ ...walletBody(base, servedChains, walletView(wallet)), chainId })
  })
)

const taxPresenter = resourcePresenter(
  taxEvents,
  Effect.succeed((run) => Effect.succeed(taxRunBody(run)))
)

const individualSessionPresenter = resourcePresenter(
  individualSessionEvents,
  Effect.succeed((session) => Effect.succeed(sessionEventBody(session)))
)

const businessSessionPresenter = resourcePresenter(
  businessSessionEvents,
  Effect.succeed((session) => Effect.succeed(sessionEventBody(session)))
)

const registrationPresenter = resourcePresenter(
  registrationEvents,
  Effect.succeed((registration) => Effect.succeed(registrationEventBody(registration)))
)

const fiatPresenter = resourcePresenter(
  fiatEvents,
  Effect.succeed((order) => Effect.succeed(fiatOrderBody(order)))
)

const webhookPresenter = resourcePresenter(webhookEvents, Effect.succeed(Effect.succeed))

/** A serializer that needs no other services than these. */
export type KnownPresenter = ResourcePresenter<TokenCatalog | FiatRates>

/** One serializer for each event kind. A new feature adds its serializer here. */
export const eventPresenters: ReadonlyArray<KnownPresenter> = [
  transactionPresenter,
  walletPresenter,
  taxPresenter,
  individualSessionPresenter,
  businessSessionPresenter,
  registrationPresenter,
  fiatPresenter,
  webhookPresenter
]

/** The serializers that extensions of the service add. */
export const ExtensionPresenters = Context.Reference<ReadonlyArray<KnownPresenter>>(
  "@countersign/adapters/presenters/ExtensionPresenters",
  { defaultValue: () => [] }
)

/**
 * Serializes the resources in events in the API's format. If the kind of an event is unknown, only that event fails.
 */
export const layerEventPresenter = Layer.effect(
  EventPresenter,
  Effect.gen(function* () {
    const byKind = new Map(
      yield* Effect.forEach([...eventPresenters, ...(yield* ExtensionPresenters)], ({ kind, ofSnapshot }) =>
        Effect.map(ofSnapshot, (present) => [kind, present] as const)
      )
    )
    return EventPresenter.of({
      present: ({ resource, snapshot }) => {
        const serializeResource = byKind.get(resource.kind)
        return serializeResource === undefined
          ? Effect.die(new Error(`No event serializer is registered for the resource type "${resource.kind}"`))
          : serializeResource(snapshot)
      }
    })
  })
)
