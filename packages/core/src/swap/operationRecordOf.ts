import type { DateTime } from "effect"
import type { Address } from "../primitives/index.ts"
import type { Project } from "../projects/index.ts"
import { type Token, type UsdPriceE18, usdValueOrNull } from "../tokens/index.ts"
import type { BuiltOperation, OperationRecord } from "../user-operations/index.ts"
import type { Wallet } from "../wallets/index.ts"
import type { SwapQuote } from "./SwapQuote.ts"
import type { SwapRequest } from "./SwapRequest.ts"
import type { SwapPlan } from "./swapPlan.ts"
import type { SwapTokens } from "./swapRefusals.ts"

export interface QuotedSwap {
  readonly project: Project
  readonly wallet: Wallet
  readonly request: SwapRequest
  readonly tokens: SwapTokens
  /** Base units of tokenIn. */
  readonly amountIn: bigint
  readonly quote: SwapQuote
  readonly built: BuiltOperation<SwapPlan>
  readonly prices: ReadonlyMap<Address, UsdPriceE18>
  readonly quotedAt: DateTime.Utc
  readonly recordId: string
  readonly transactionId: string
}

/** What is stored of a quoted swap: its operation, and how it will stand in the wallet's history once signed. */
export const operationRecordOf = (swap: QuotedSwap): OperationRecord => {
  const { built, project, quote, request, tokens } = swap
  const { route } = built.plan
  const amountOf = (token: Token, units: bigint) => ({
    chainId: token.chainId,
    token: token.address,
    amount: units,
    usd: usdValueOrNull(units, token, swap.prices.get(token.address))
  })
  return {
    id: swap.recordId,
    projectId: project.id,
    hash: built.hash,
    account: swap.wallet.account,
    operation: built.operation,
    chainIdIn: request.chainIdIn,
    chainIdOut: request.chainIdOut,
    payGasFeeToken: request.payGasFeeToken,
    maxGasFeeNative: quote.gas.maxGasFeeNative,
    maxGasFeeToken: quote.gas.maxGasFeeToken,
    signData: built.signData,
    revertReason: quote.revertReason,
    metadata: request.metadata,
    createdAt: swap.quotedAt,
    expiresAt: quote.expiresAt,
    transaction: {
      id: swap.transactionId,
      projectId: project.id,
      walletAddress: request.walletAddress,
      type: "SWAP",
      status: "PENDING_SIGNATURE",
      substatus: null,
      chainIdIn: request.chainIdIn,
      chainIdOut: request.chainIdOut,
      userOperationHash: built.hash,
      transactionHash: null,
      sent: amountOf(tokens.tokenIn, swap.amountIn),
      sentTo: request.toAddress,
      received: amountOf(tokens.tokenOut, route.amountOut),
      receivedBy: request.toAddress,
      receivedFrom: route.hops.at(-1)?.pool ?? null,
      swapProvider: quote.provider,
      fees: quote.fees,
      failure: null,
      nftNumber: null,
      metadata: request.metadata,
      createdAt: swap.quotedAt,
      updatedAt: swap.quotedAt,
      executedAt: null
    },
    submission: null
  }
}
