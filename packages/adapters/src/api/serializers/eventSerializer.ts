import { taxEvents } from "@countersign/core/accounting/tax"
import { fiatEvents, registrationEvents } from "@countersign/core/fiat"
import { ServedChains } from "@countersign/core/foundation/chains"
import type { FiatRates, TokenCatalog } from "@countersign/core/foundation/tokens"
import { businessSessionEvents, individualSessionEvents } from "@countersign/core/identity"
import { EventSerializer } from "@countersign/core/tenancy/events"
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
import { type ResourceSerializer, resourceSerializer } from "./ResourceSerializer.ts"
import { transactionSerializer } from "./transactionSerializer.ts"

const walletSerializer = resourceSerializer(
  walletEvents,
  Effect.gen(function* () {
    const base = yield* LinkBase
    const servedChains = yield* ServedChains
    return ({ chainId, wallet }) => Effect.succeed({ ...walletBody(base, servedChains, walletView(wallet)), chainId })
  })
)

const taxSerializer = resourceSerializer(
  taxEvents,
  Effect.succeed((run) => Effect.succeed(taxRunBody(run)))
)

const individualSessionSerializer = resourceSerializer(
  individualSessionEvents,
  Effect.succeed((session) => Effect.succeed(sessionEventBody(session)))
)

const businessSessionSerializer = resourceSerializer(
  businessSessionEvents,
  Effect.succeed((session) => Effect.succeed(sessionEventBody(session)))
)

const registrationSerializer = resourceSerializer(
  registrationEvents,
  Effect.succeed((registration) => Effect.succeed(registrationEventBody(registration)))
)

const fiatSerializer = resourceSerializer(
  fiatEvents,
  Effect.succeed((order) => Effect.succeed(fiatOrderBody(order)))
)

const webhookSerializer = resourceSerializer(webhookEvents, Effect.succeed(Effect.succeed))

/** A serializer that needs only the token catalog and the exchange rates. */
export type KnownSerializer = ResourceSerializer<TokenCatalog | FiatRates>

/** One serializer for each event kind. A new feature adds its serializer here. */
export const eventSerializers: ReadonlyArray<KnownSerializer> = [
  transactionSerializer,
  walletSerializer,
  taxSerializer,
  individualSessionSerializer,
  businessSessionSerializer,
  registrationSerializer,
  fiatSerializer,
  webhookSerializer
]

/** The serializers that extensions of the service add. */
export const ExtensionSerializers = Context.Reference<ReadonlyArray<KnownSerializer>>(
  "@countersign/adapters/serializers/ExtensionSerializers",
  { defaultValue: () => [] }
)

/**
 * Serializes the resources in events in the API's format. If the kind of an event is unknown, only that event fails.
 */
export const layerEventSerializer = Layer.effect(
  EventSerializer,
  Effect.gen(function* () {
    const serializersByKind = new Map(
      yield* Effect.forEach(
        [...eventSerializers, ...(yield* ExtensionSerializers)],
        ({ kind, makeSnapshotSerializer }) =>
          Effect.map(makeSnapshotSerializer, (serialize) => [kind, serialize] as const)
      )
    )
    return EventSerializer.of({
      serialize: ({ resource, snapshot }) => {
        const serializeResource = serializersByKind.get(resource.kind)
        return serializeResource === undefined
          ? Effect.die(new Error(`No event serializer is registered for the resource type "${resource.kind}"`))
          : serializeResource(snapshot)
      }
    })
  })
)
