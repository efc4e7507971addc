import type { IntentKind, Stage } from "@countersign/core/executions"
import type { SwapProvider } from "@countersign/core/swap"
import type { ChainReader } from "@countersign/core/user-operations"
import type { Effect } from "effect"

/** What a kind of operation adds to the service. */
export interface Extension {
  /** Asked after the service's own. Each brings its own stages. */
  readonly swapProviders?: ReadonlyArray<SwapProvider>
  readonly stages?: Effect.Effect<ReadonlyArray<Stage>, never, ChainReader>
  readonly intentKinds?: ReadonlyArray<IntentKind>
}
