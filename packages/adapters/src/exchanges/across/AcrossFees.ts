import type { EvmChainId } from "@countersign/core/foundation/chains"
import type { Address } from "@countersign/core/foundation/primitives"
import type { OfferError } from "@countersign/core/trading/swap"
import type { Effect } from "effect"
import type { ArrivalMessage } from "./ArrivalMessage.ts"

/** A transfer of one token to another chain. */
export interface BridgeRequest {
  readonly from: { readonly chainId: EvmChainId; readonly address: Address; readonly decimals: number }
  readonly to: { readonly chainId: EvmChainId; readonly address: Address; readonly decimals: number }
  /** Base units of `from`. */
  readonly amountIn: bigint
  /** What the fill has to do besides; null where it pays alone. */
  readonly message: ArrivalMessage | null
}

/** For how much less relayers are said to fill a deposit. */
export interface BridgeFees {
  readonly amountIn: bigint
  /** Base units of the token that is given. */
  readonly amountOut: bigint
  /** The part of the fee that grows with the amount: a share scaled by 10^18. */
  readonly shareE18: bigint
  /** From the deposit's block until its fill, by the provider's word. */
  readonly fillSeconds: number
}

/** Tells what relayers ask for. Nothing else is believed of it: what was filled or paid back, the chains tell. */
export interface AcrossFees {
  readonly feesOf: (request: BridgeRequest) => Effect.Effect<BridgeFees, OfferError>
}
