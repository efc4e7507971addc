/** A token in a request to a provider. */
export interface HostToken {
  readonly chainId: number
  /** Address in lower case. The native token is 0xeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee. */
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
  /** The wallet that executes the calls. */
  readonly sender: string
  /** Address that receives `tokenOut`. */
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
  /** Calldata: `0x` and hexadecimal digits. */
  readonly data: string
  /** Short description of the call's effect, for the signer. */
  readonly summary: string
}

export interface HostOffer {
  /** Base units of `tokenOut`, after the provider's fees. */
  readonly amountOut: bigint
  /** Seconds until the receiver has `tokenOut`. Default: the block time. */
  readonly executionSeconds?: number
  /** Returns the calls of the wallet in order, including approvals of `tokenIn`. */
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
  /** The wallet that executed the calls. */
  readonly sender: string
  readonly recipient: string
  /** Hash of the transaction with the calls, on the chain of `tokenIn`. */
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
  /** Base units of the delivered token. */
  readonly amount: bigint
}

/**
 * WAITING: `status` is called again after a few seconds. ARRIVED: the recipient received `tokenOut` on its chain.
 * REFUNDED: `tokenIn` was returned to the wallet. FAILED: the tokens will neither be delivered nor returned; the reason
 * is for the wallet owner.
 */
export type HostFollowResponse =
  | { readonly status: "WAITING" }
  | ({ readonly status: "ARRIVED" | "REFUNDED" } & HostArrival)
  | { readonly status: "FAILED"; readonly reason: string }

/** Tracks cross-chain swaps for a provider. */
export interface HostFollow {
  /** Seconds after which `status` is called with `isOverdue: true`. Default: one hour. */
  readonly patienceSeconds?: number
  readonly status: (request: HostFollowRequest) => HostFollowResponse | Promise<HostFollowResponse>
}

/**
 * A swap provider of the host application. It is queried in addition to the others, and can't make a quote fail. If it
 * throws, returns an invalid offer, or does not respond in time, the quotes omit it and list it among their
 * `candidates`. Its offers are not trusted more than others: the operation is simulated before it is offered, and the
 * wallet owner signs it.
 */
export interface HostSwapProvider {
  /** The provider's id, such as `MY_PROVIDER`: the value of `swapProvider` in quotes and transactions. */
  readonly id: string
  /** Display name. */
  readonly name: string
  /**
   * Returns whether the provider swaps between tokens of these EVM chains. Default: same-chain swaps on every chain.
   * Cross-chain swaps are only requested if `follow` is set.
   */
  readonly serves?: (market: { readonly chainIdIn: number; readonly chainIdOut: number }) => boolean
  /**
   * Returns the provider's offer for the amount; null if there is no route. Called again with other amounts once fees
   * and gas are known.
   */
  readonly offer: (request: HostOfferRequest) => HostOffer | null | Promise<HostOffer | null>
  /** Required for cross-chain swaps. Reports how a swap ends after its calls. */
  readonly follow?: HostFollow
}
