import type { DateTime } from "effect"
import type { ChainId } from "../chains/index.ts"
import type { Fee } from "../fees/index.ts"
import type { Address, DecimalString, Hash32, Metadata } from "../primitives/index.ts"
import type { SignData } from "../signing/index.ts"
import type { RevertReason } from "../user-operations/index.ts"

export interface GasEstimate {
  readonly payGasFeeToken: Address
  /** The most that gas can cost, and what it is expected to, in whole tokens. */
  readonly maxGasFeeToken: DecimalString
  readonly gasFeeTokenAmount: DecimalString
  readonly gasFeeTokenAmountUsd: DecimalString | null
  readonly maxGasFeeNative: DecimalString
}

export interface CollectedFee {
  readonly token: Address
  /** What the project's treasury gets of transactionFeePercent. */
  readonly amount: DecimalString
  readonly percent: string
  /** What the operator of the service gets of it. */
  readonly serviceAmount: DecimalString
  readonly servicePercent: string
}

/** A provider that was asked: what it gave, or why it gave nothing, and how long it took. */
export interface Candidate {
  readonly provider: string
  readonly name: string
  readonly latencyMs: number
  readonly amountOut: DecimalString | null
  readonly refusal: string | null
}

export interface AssetChange {
  readonly token: Address
  /** In whole tokens, with a minus for what leaves the wallet. */
  readonly amount: string
}

export interface SwapQuote {
  readonly quoteId: Hash32
  readonly provider: string
  readonly walletAddress: Address
  readonly toAddress: string
  readonly chainIn: ChainId
  readonly chainOut: ChainId
  readonly tokenIn: Address
  readonly tokenOut: Address
  readonly amountIn: DecimalString
  readonly amountOut: DecimalString
  readonly minAmountOut: DecimalString
  readonly amountInUsd: DecimalString | null
  readonly amountOutUsd: DecimalString | null
  readonly tokenInPriceUsd: DecimalString | null
  readonly estimatedExecutionTime: DateTime.Utc
  readonly expiresAt: DateTime.Utc
  readonly gas: GasEstimate
  readonly collectedFee: CollectedFee
  readonly fees: ReadonlyArray<Fee>
  readonly signData: ReadonlyArray<SignData>
  /** Why executing now would fail; null when it would not. */
  readonly revertReason: RevertReason | null
  readonly preview: {
    readonly calls: ReadonlyArray<{
      readonly to: Address
      readonly value: string
      readonly data: string
      readonly summary: string
    }>
    readonly assetChanges: ReadonlyArray<AssetChange>
  }
  readonly metadata: Metadata
}

export interface SwapQuotes {
  readonly quotes: ReadonlyArray<SwapQuote>
  readonly candidates: ReadonlyArray<Candidate>
}
