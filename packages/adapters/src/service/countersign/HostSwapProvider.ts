/** A token in requests to providers. */
export interface HostToken {
  readonly chainId: number
  /** The address in lower case. The native token is 0xeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee. */
  readonly address: string
  readonly symbol: string
  readonly decimals: number
}

export interface HostOfferRequest {
  readonly tokenIn: HostToken
  readonly tokenOut: HostToken
  /** Base units of `tokenIn`. */
  readonly amountIn: bigint
  /** Aborted when the result is no longer needed. */
  readonly signal: AbortSignal
}

export interface HostOfferTerms {
  /** The wallet that makes the calls. */
  readonly sender: string
  /** The receiver of `tokenOut`. */
  readonly recipient: string
  /** Base units of `tokenOut`. The calls must revert if the output is lower. */
  readonly minAmountOut: bigint
  /** Unix seconds. The calls must revert after this time. */
  readonly deadline: number
}

export interface HostCall {
  readonly to: string
  /** Native tokens in wei. Default: none. */
  readonly value?: bigint
  /** `0x` and hexadecimal digits. */
  readonly data: string
  /** A short description of the call's effect for the signer. */
  readonly summary: string
}

export interface HostOffer {
  /** Base units of `tokenOut`, after the provider's fees. */
  readonly amountOut: bigint
  /** Seconds until `tokenOut` has arrived. Default: the block time. */
  readonly executionSeconds?: number
  /** The calls of the wallet in order, including approvals of `tokenIn`. */
  readonly calls: (terms: HostOfferTerms) => ReadonlyArray<HostCall> | Promise<ReadonlyArray<HostCall>>
}

/** A cross-chain swap whose calls were executed. */
export interface HostFollowRequest {
  readonly tokenIn: HostToken
  readonly tokenOut: HostToken
  /** Base units of `tokenIn`, after fees. */
  readonly amountIn: bigint
  /** Base units of `tokenOut`. */
  readonly minAmountOut: bigint
  /** The wallet that made the calls. */
  readonly sender: string
  readonly recipient: string
  /** The transaction with the calls, on the chain of `tokenIn`. */
  readonly transactionHash: string
  /** Whether `patienceSeconds` have passed. */
  readonly isOverdue: boolean
  /** Aborted when the result is no longer needed. */
  readonly signal: AbortSignal
}

/** The transaction that delivered the tokens. It is watched until a reorg can no longer remove its block. */
export interface HostArrival {
  readonly transactionHash: string
  readonly blockNumber: bigint
  readonly blockHash: string
  /** Base units of the arrived token. */
  readonly amount: bigint
}

/**
 * WAITING: polled again after a few seconds. ARRIVED: `tokenOut` arrived at the recipient, on its chain. REFUNDED:
 * `tokenIn` returned to the wallet. FAILED: the tokens will neither arrive nor return, with the reason for the wallet
 * owner.
 */
export type HostFollowAnswer =
  | { readonly status: "WAITING" }
  | ({ readonly status: "ARRIVED" | "REFUNDED" } & HostArrival)
  | { readonly status: "FAILED"; readonly reason: string }

/** How a provider of cross-chain swaps reports the end of a swap. */
export interface HostFollow {
  /** Seconds after which `status` gets `isOverdue`. Default: one hour. */
  readonly patienceSeconds?: number
  readonly status: (request: HostFollowRequest) => HostFollowAnswer | Promise<HostFollowAnswer>
}

/**
 * A swap provider of the host. It is queried in addition to the others, and cannot make a quote fail. If it throws,
 * returns an invalid offer, or does not respond in time, the quotes omit it and list it among their `candidates`. Its
 * offers are trusted no more than other offers: the operation is simulated before it is offered, and the wallet owner
 * signs it.
 */
export interface HostSwapProvider {
  /** The `swapProvider` in quotes and transactions, such as `MY_PROVIDER`. */
  readonly id: string
  /** Human-readable. */
  readonly name: string
  /**
   * Whether the provider swaps between tokens of these EVM chains. Default: on every chain, within the chain. Swaps
   * between two chains are only requested if `follow` is set.
   */
  readonly serves?: (market: { readonly chainIdIn: number; readonly chainIdOut: number }) => boolean
  /**
   * The provider's offer for the amount; null if there is no route. Called again with other amounts, when fees and gas
   * are known.
   */
  readonly offer: (request: HostOfferRequest) => HostOffer | null | Promise<HostOffer | null>
  /** Required for cross-chain swaps. Reports the end of a swap after its calls. */
  readonly follow?: HostFollow
}
