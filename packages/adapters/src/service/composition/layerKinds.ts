import { bitcoinPaymentStage, bitcoinTransactionKind } from "@countersign/core/bitcoin/payments"
import { fiatStages } from "@countersign/core/fiat"
import {
  finalityStage,
  IntentKinds,
  inclusionStage,
  limitOrderKind,
  OutcomeReaders,
  Stages,
  userOperationKind
} from "@countersign/core/operations/executions"
import { limitOrderStage } from "@countersign/core/trading/limit-orders"
import { withMintedPosition } from "@countersign/core/trading/liquidity"
import { SwapProviders } from "@countersign/core/trading/swap"
import { Effect, Layer } from "effect"
import { ExtensionSerializers } from "../../api/serializers/index.ts"
import { Extensions } from "./Extension.ts"

const none = Effect.succeed([])

/** Registers all execution stages: those of the core, of swap providers, and of extensions. */
const layerStages = Layer.effect(
  Stages,
  Effect.gen(function* () {
    const coreStages = yield* Effect.all([inclusionStage, finalityStage, limitOrderStage, bitcoinPaymentStage])
    const stageSources = [...(yield* SwapProviders), ...(yield* Extensions)]
    const extensionStages = yield* Effect.forEach(stageSources, ({ stages = none }) => stages)
    const stages = [...coreStages, ...(yield* fiatStages), ...extensionStages.flat()]
    const duplicateStage = stages.find(({ name }, index) => stages.findIndex((other) => other.name === name) !== index)
    return duplicateStage === undefined
      ? stages
      : yield* Effect.die(new Error(`Two stages have the name ${duplicateStage.name}`))
  })
)

/** Registers all intent types. */
const layerIntentKinds = Layer.effect(
  IntentKinds,
  Effect.gen(function* () {
    const coreKinds = yield* Effect.all([userOperationKind, limitOrderKind, bitcoinTransactionKind])
    return [...coreKinds, ...(yield* Extensions).flatMap(({ intentKinds = [] }) => intentKinds)]
  })
)

const layerOutcomeReaders = Layer.effect(
  OutcomeReaders,
  Effect.map(Extensions, (extensions) => [
    withMintedPosition,
    ...extensions.flatMap(({ outcomeReaders = [] }) => outcomeReaders)
  ])
)

const layerExtensionSerializers = Layer.effect(
  ExtensionSerializers,
  Effect.map(Extensions, (extensions) => extensions.flatMap(({ eventSerializers = [] }) => eventSerializers))
)

/** Registers the execution stages, the intent types, and the serializers of extensions. */
export const layerKinds = Layer.mergeAll(
  Layer.provide(layerStages, layerOutcomeReaders),
  layerIntentKinds,
  layerExtensionSerializers
)
