/** A token as providers are asked for it. */
export interface HostToken {
  readonly chainId: number
  /** In lower case. The native token is 0xeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee. */
  readonly address: string
  readonly symbol: string
  readonly decimals: number
}

export interface HostOfferRequest {
  readonly tokenIn: HostToken
  readonly tokenOut: HostToken
  /** Base units of `tokenIn`. */
  readonly amountIn: bigint
  /** Aborted when the answer is not needed any more. */
  readonly signal: AbortSignal
}

export interface HostOfferTerms {
  /** The wallet, which makes the calls. */
  readonly sender: string
  /** The receiver of `tokenOut`. */
  readonly recipient: string
  /** Base units of `tokenOut`. The calls must fail rather than give less. */
  readonly minAmountOut: bigint
  /** Unix seconds. The calls must fail after this time. */
  readonly deadline: number
}

export interface HostCall {
  readonly to: string
  /** Wei of the chain's coin; none when left out. */
  readonly value?: bigint
  /** `0x` and hexadecimal digits. */
  readonly data: string
  /** A few words for the person who signs: the effect of the call. */
  readonly summary: string
}

export interface HostOffer {
  /** Base units of `tokenOut`, after all that the provider keeps. */
  readonly amountOut: bigint
  /** Seconds until `tokenOut` has arrived; as long as a block takes when left out. */
  readonly executionSeconds?: number
  /** The calls of the wallet in their order, approvals of `tokenIn` included. */
  readonly calls: (terms: HostOfferTerms) => ReadonlyArray<HostCall> | Promise<ReadonlyArray<HostCall>>
}

/** A swap to another chain, after its calls were executed. */
export interface HostFollowRequest {
  readonly tokenIn: HostToken
  readonly tokenOut: HostToken
  /** Base units of `tokenIn`, without the fees that were taken out of it. */
  readonly amountIn: bigint
  /** Base units of `tokenOut`. */
  readonly minAmountOut: bigint
  /** The wallet, which made the calls. */
  readonly sender: string
  readonly recipient: string
  /** The transaction on the chain of `tokenIn` that has the calls. */
  readonly transactionHash: string
  /** Whether `patienceSeconds` have passed. */
  readonly isOverdue: boolean
  /** Aborted when the answer is not needed any more. */
  readonly signal: AbortSignal
}

/** The transaction that brought the tokens. It stays under watch until a reorganisation can't reach its block. */
export interface HostArrival {
  readonly transactionHash: string
  readonly blockNumber: bigint
  readonly blockHash: string
  /** Base units of the token that came. */
  readonly amount: bigint
}

/**
 * WAITING: asked again after some seconds. ARRIVED: `tokenOut` came to the recipient, on its chain. REFUNDED: `tokenIn`
 * came back to the wallet. FAILED: neither will happen, with the reason for the wallet's owner.
 */
export type HostFollowAnswer =
  | { readonly status: "WAITING" }
  | ({ readonly status: "ARRIVED" | "REFUNDED" } & HostArrival)
  | { readonly status: "FAILED"; readonly reason: string }

/** How a provider that swaps to other chains tells what became of a swap. */
export interface HostFollow {
  /** Seconds after which `look` is told that it is overdue; an hour when left out. */
  readonly patienceSeconds?: number
  readonly look: (request: HostFollowRequest) => HostFollowAnswer | Promise<HostFollowAnswer>
}

/**
 * A provider of swaps that the host brings. It is asked beside the others, and can't bring a quote down: what throws,
 * answers something else than an offer, or does not answer in time, is left out of the quotes and named among their
 * `candidates`. What it answers is believed no more than of others: the operation is simulated before it is offered,
 * and the wallet's owner signs it.
 */
export interface HostSwapProvider {
  /** The `swapProvider` of quotes and transactions: `MY_PROVIDER`. */
  readonly id: string
  /** For people. */
  readonly name: string
  /**
   * Whether it swaps between tokens of these EVM chains. When left out: on every chain, within it. It is asked about two
   * different chains only where `follow` is there.
   */
  readonly serves?: (market: { readonly chainIdIn: number; readonly chainIdOut: number }) => boolean
  /**
   * The provider's offer for the amount; null where it has no way from one token to the other. Asked again with other
   * amounts, once fees and gas are known.
   */
  readonly offer: (request: HostOfferRequest) => HostOffer | null | Promise<HostOffer | null>
  /** Needed for swaps to another chain: what became of them after the calls. */
  readonly follow?: HostFollow
}
