import type { IntentKind, OutcomeReader, Stage } from "@countersign/core/operations/executions"
import type { ChainReader } from "@countersign/core/operations/user-operations"
import type { SwapProvider } from "@countersign/core/trading/swap"
import { Context, type Effect } from "effect"
import type { AnyEndpoint } from "../../api/endpoints/index.ts"
import type { KnownSerializer } from "../../api/serializers/index.ts"

/** What a host application adds to the service. */
export interface Extension {
  /** Swap providers in addition to the built-in ones. Built-in providers come first among equal quotes. */
  readonly swapProviders?: ReadonlyArray<SwapProvider>
  readonly stages?: Effect.Effect<ReadonlyArray<Stage>, never, ChainReader>
  readonly intentKinds?: ReadonlyArray<IntentKind>
  /** Add data of an operation's outcome, other than its movements, to the `details` of its transaction. */
  readonly outcomeReaders?: ReadonlyArray<OutcomeReader>
  /** Serialize the resources in the host's own events. */
  readonly eventSerializers?: ReadonlyArray<KnownSerializer>
  /** Endpoints in addition to the built-in ones, with the same keys, limits, errors and reference. */
  readonly endpoints?: ReadonlyArray<AnyEndpoint>
}

/** The extensions of a host application. Default: none. */
export const Extensions = Context.Reference<ReadonlyArray<Extension>>("@countersign/adapters/composition/Extensions", {
  defaultValue: () => []
})
