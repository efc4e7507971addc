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
  /** The message of the fill; null if the fill only pays. */
  readonly message: ArrivalMessage | null
}

/** The quoted fee of the relayers. */
export interface BridgeFees {
  readonly amountIn: bigint
  /** Base units of the output token. */
  readonly amountOut: bigint
  /** The part of the fee that is proportional to the amount: a fraction scaled by 10^18. */
  readonly shareE18: bigint
  /** Seconds from the deposit's block until the fill, as estimated by the provider. */
  readonly fillSeconds: number
}

/** Quotes relayer fees. The source is trusted for nothing else: fills and refunds are read on-chain. */
export interface AcrossFees {
  readonly feesOf: (request: BridgeRequest) => Effect.Effect<BridgeFees, OfferError>
}
