import type { IntentKind, OutcomeReader, Stage } from "@countersign/core/operations/executions"
import type { ChainReader } from "@countersign/core/operations/user-operations"
import type { SwapProvider } from "@countersign/core/trading/swap"
import { Context, type Effect } from "effect"
import type { AnyEndpoint } from "../../api/endpoints/index.ts"
import type { KnownPresenter } from "../../api/presenters/index.ts"

/** The parts that a kind of operation adds to the service. */
export interface Extension {
  /** Asked after the service's own. Each brings its own stages. */
  readonly swapProviders?: ReadonlyArray<SwapProvider>
  readonly stages?: Effect.Effect<ReadonlyArray<Stage>, never, ChainReader>
  readonly intentKinds?: ReadonlyArray<IntentKind>
  /** Read what an operation's outcome says beyond what moved, as `details` of its transaction. */
  readonly outcomeReaders?: ReadonlyArray<OutcomeReader>
  /** Show the resources of its own events. */
  readonly eventPresenters?: ReadonlyArray<KnownPresenter>
  /** Served beside the service's own, with the same keys, limits, errors and reference. */
  readonly endpoints?: ReadonlyArray<AnyEndpoint>
}

/** The kinds of operations that a host adds to the service; none where it says nothing. */
export const Extensions = Context.Reference<ReadonlyArray<Extension>>("@countersign/adapters/composition/Extensions", {
  defaultValue: () => []
})
