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
  /** The message that the fill executes; null if the fill only pays the receiver. */
  readonly message: ArrivalMessage | null
}

/** The fee that relayers charge, as quoted. */
export interface BridgeFees {
  readonly amountIn: bigint
  /** Base units of the output token. */
  readonly amountOut: bigint
  /** The fee share that is proportional to the amount: a fraction scaled by 10^18. */
  readonly shareE18: bigint
  /** Seconds from the deposit's block until the fill, as estimated by the provider. */
  readonly fillSeconds: number
}

/** Quotes relayer fees. The service uses the source only for fees. It reads fills and refunds on-chain. */
export interface AcrossFees {
  readonly feesOf: (request: BridgeRequest) => Effect.Effect<BridgeFees, OfferError>
}
