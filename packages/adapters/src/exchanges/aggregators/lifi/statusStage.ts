import type { Leg, MovementValue } from "@countersign/core/accounting/history"
import type { BitcoinChain, BitcoinTransactions } from "@countersign/core/bitcoin/chain"
import { ConfirmationPolicy, depositReorg } from "@countersign/core/bitcoin/payments"
import { type ChainId, isEvmChainId } from "@countersign/core/foundation/chains"
import { type Address, isEvmAddress, isNativeToken } from "@countersign/core/foundation/primitives"
import {
  type Arrival,
  type ArrivalTransaction,
  amountOf,
  type Change,
  claimedArrivals,
  FINALITY,
  failureChange,
  reorgFinder,
  type Stage,
  type Step,
  type Work,
  withArrival
} from "@countersign/core/operations/executions"
import { mainOperation } from "@countersign/core/operations/intents"
import { type PlannedStage, quotedValue } from "@countersign/core/operations/quotes"
import { type SwapContent, swapKind } from "@countersign/core/trading/swap"
import { DateTime, Effect } from "effect"
import { acrossOrNull, deploymentOf } from "../../../chains/deployments/index.ts"
import type { RpcClients } from "../../../chains/evm/index.ts"
import { depositOfOperation, fillInTransaction, settlementClaims } from "../../across/index.ts"
import type { AggregatorHost } from "../AggregatorHost.ts"
import { arrivalIn, type DetectedArrival, type ReceivedTransfer } from "./arrivalIn.ts"
import { bitcoinArrivalIn } from "./bitcoin/bitcoinArrivalIn.ts"
import { bridgeTo, LIFI_BITCOIN } from "./LiFiApi.ts"
import { type LiFiStatus, readStatus } from "./LiFiStatus.ts"

const STAGE = "lifi:status"
const POLL_EVERY_MS = 10_000
/**
 * Time after which a transfer without a result is recorded as failed. Across refunds unfilled transfers a few hours
 * after their deadline.
 */
const PATIENCE_MS = 24 * 3_600_000
/**
 * Returns the maximum clock difference between two chains, in seconds. The timestamp of a Bitcoin block may deviate by
 * two hours (consensus rule).
 */
const clockTolerance = (chainId: ChainId): number => (chainId === 0 ? 7_200 : 120)

/** The stage that a quote plans for a cross-chain transfer. */
export const statusStagePlan: PlannedStage = { name: STAGE, intent: null, status: "ON_BRIDGE", state: "" }

/** The ports that read Bitcoin transactions. */
interface BitcoinPorts {
  readonly chain: BitcoinChain["Service"]
  readonly transactions: BitcoinTransactions["Service"]
}

type EndedStatus = Extract<LiFiStatus, { readonly _tag: "ENDED" }>

const wait: Step = { _tag: "Wait", afterMs: POLL_EVERY_MS }

/**
 * Selects the transfers of an expected token, otherwise those of the token that LI.FI reports. Empty if no such token
 * arrived.
 */
const transfersOf = (
  { received }: DetectedArrival,
  expectedTokens: ReadonlyArray<Address>,
  reportedToken: string | null
): ReadonlyArray<ReceivedTransfer> => {
  const token = [...expectedTokens, reportedToken].find((each) => received.some((transfer) => transfer.token === each))
  return received.filter((transfer) => transfer.token === token)
}

/** Returns the tokens in which a refund can be paid. A refund of the native token may be paid in the wrapped token. */
const refundedTokens = ({ tokens: { tokenIn } }: SwapContent): ReadonlyArray<Address> => {
  if (!isNativeToken(tokenIn.address) || !isEvmChainId(tokenIn.chainId)) return [tokenIn.address]
  return [tokenIn.address, deploymentOf(tokenIn.chainId).wrappedNative.address]
}

/** Returns the expected chain, account, tokens and amount of the transaction that LI.FI reports. */
const expectedEnd = (content: SwapContent, { quote }: Work, isRefund: boolean) =>
  isRefund
    ? {
        chainId: content.tokens.tokenIn.chainId,
        account: quote.walletAddress,
        tokens: refundedTokens(content),
        amount: content.amountIn
      }
    : {
        chainId: content.tokens.tokenOut.chainId,
        account: content.request.toAddress,
        tokens: [content.tokens.tokenOut.address],
        amount: content.amountOut
      }

/** Values an amount of one of the swap's two tokens at the prices of the quote. Any other token has no value. */
const valueOf = (
  { quote }: Work,
  { tokens }: SwapContent,
  chainId: ChainId,
  { amount, token }: { readonly token: Address; readonly amount: bigint }
): MovementValue => {
  const quotedToken = [tokens.tokenOut, tokens.tokenIn].find((one) => one.chainId === chainId && one.address === token)
  return quotedToken === undefined ? { usd: null } : quotedValue(quote, quotedToken, amount)
}

/** Builds the final state of a transfer from the tokens that arrived. */
const endingOf = (
  { minAmountOut, tokens }: SwapContent,
  credit: { readonly token: Address; readonly amount: bigint },
  isRefund: boolean
): { readonly status?: "REFUNDED"; readonly substatus: string } => {
  if (isRefund) return { status: "REFUNDED", substatus: "NOT_FILLED" }
  if (credit.token !== tokens.tokenOut.address) return { substatus: "OTHER_TOKEN" }
  return { substatus: credit.amount < minAmountOut ? "PARTIALLY_FILLED" : "FILLED" }
}

/**
 * Creates the stage that tracks a cross-chain transfer by LI.FI. LI.FI only reports the hash of the final transaction.
 * The stage reads the credited amount from the receipt of that transaction, on the expected chain and for the expected
 * account.
 */
export const statusStage = (host: AggregatorHost, rpc: RpcClients["Service"], { chain, transactions }: BitcoinPorts) =>
  Effect.gen(function* () {
    const findReorg = yield* reorgFinder
    const policy = yield* ConfirmationPolicy
    const claim = yield* claimedArrivals
    const claimSettlement = yield* settlementClaims
    const findDepositReorg = depositReorg(chain)

    const statusOf = ({ tokens }: SwapContent, work: Work, transactionHash: string) => {
      const isBitcoin = tokens.tokenIn.chainId === 0
      const query = new URLSearchParams({
        txHash: isBitcoin ? transactionHash.slice(2) : transactionHash,
        ...(isBitcoin ? {} : { bridge: bridgeTo(tokens.tokenOut.chainId) }),
        fromChain: isBitcoin ? LIFI_BITCOIN : String(tokens.tokenIn.chainId),
        toChain: tokens.tokenOut.chainId === 0 ? LIFI_BITCOIN : String(tokens.tokenOut.chainId),
        // Selects the wallet's own transfer, because one transaction may contain transfers of several wallets.
        fromAddress: work.quote.walletAddress
      })
      return host.ask(`/status?${query}`).pipe(
        Effect.map(({ json, status }): LiFiStatus => (status === 200 ? readStatus(json) : { _tag: "WAITING" })),
        Effect.orElseSucceed((): LiFiStatus => ({ _tag: "WAITING" }))
      )
    }

    /**
     * Finds the Across deposit that the operation made; null if it made none. One transaction can contain several fills
     * to the same receiver, and the deposit's id distinguishes them.
     */
    const acrossDeposit = Effect.fnUntraced(function* ({ quote }: Work, { chainId, hash }: Leg) {
      const operation = mainOperation(quote.intents)
      const across = isEvmChainId(chainId) ? acrossOrNull(chainId) : null
      const { walletAddress: depositor } = quote
      if (!isEvmChainId(chainId) || across === null || !isEvmAddress(depositor)) return null
      if (operation === null || hash === null) return null
      const { spokePool } = across
      const depositLocation = { chainId, spokePool, transactionHash: hash, operation: operation.hash, depositor }
      return yield* rpc.call(chainId, () => depositOfOperation(rpc, depositLocation))
    })

    /**
     * Used if no Across event identifies the transfers. Selects the transfers of the transaction reported by LI.FI that
     * most likely belong to the operation.
     */
    const likelyArrival = Effect.fnUntraced(function* (
      work: Work,
      content: SwapContent,
      { chainId, hash, isRefund, token: reportedToken }: EndedStatus
    ) {
      const end = expectedEnd(content, work, isRefund)
      const arrival = isEvmChainId(chainId)
        ? yield* arrivalIn(rpc, { chainId, hash, account: end.account, tokens: end.tokens })
        : yield* bitcoinArrivalIn({ chain, transactions, policy }, hash, end.account)
      if (arrival === null) return null
      const { createdAt } = yield* work.transaction
      // A transaction before the source transaction can't complete this operation.
      if (arrival.blockTimestamp + clockTolerance(chainId) < DateTime.toEpochMillis(createdAt) / 1_000) return null
      const transfers = transfersOf(arrival, end.tokens, isRefund ? null : reportedToken)
      const [first] = transfers
      if (first === undefined) return null
      const { token } = first
      // The quote has no amount for another token, so the entire received amount counts as expected.
      const expectedAmount = end.tokens.includes(token) ? end.amount : amountOf(transfers)
      // A refund of this operation can't exceed the sent amount.
      const isPlausible = (amount: bigint) => !isRefund || amount <= end.amount
      const claimResult = yield* claim(work.execution, { chainId, hash: first.hash, account: end.account }, transfers, {
        expected: expectedAmount,
        isPlausible
      })
      if (claimResult._tag !== "Claimed") return null
      return { block: arrival.block, token, amount: claimResult.amount, counterparty: claimResult.transfers[0]!.from }
    })

    const endedStep = Effect.fnUntraced(function* (
      work: Work,
      content: SwapContent,
      sourceLeg: Leg,
      endedStatus: EndedStatus
    ) {
      const { chainId, hash, isRefund } = endedStatus
      const end = expectedEnd(content, work, isRefund)
      if (chainId !== end.chainId) return wait
      const deposit = isRefund || !isEvmChainId(chainId) ? null : yield* acrossDeposit(work, sourceLeg)
      const fill =
        deposit === null
          ? null
          : yield* rpc.call(deposit.destinationChainId, () => fillInTransaction(rpc, deposit, hash))
      const settledArrival = deposit === null ? yield* likelyArrival(work, content, endedStatus) : fill
      if (settledArrival === null) return wait
      const { amount, block, counterparty, token } = settledArrival
      const arrivalTransaction: ArrivalTransaction = { chainId, hash, block }
      const isOwn =
        deposit === null ||
        fill === null ||
        (yield* claimSettlement(work, deposit.destinationChainId, end.account, fill))
      const executedAt = yield* DateTime.now
      const credit = { token, amount }
      const movedAmount: Arrival["moved"] = {
        account: end.account,
        asset: { chainId, token },
        amount,
        ...valueOf(work, content, chainId, credit),
        counterparty
      }
      const change: Change = (before) => ({
        ...withArrival(
          before,
          work.execution.at,
          isOwn ? { ...arrivalTransaction, moved: movedAmount } : arrivalTransaction
        ),
        ...(isOwn ? endingOf(content, credit, isRefund) : { substatus: "RECORDED_ELSEWHERE" }),
        executedAt
      })
      return { _tag: "Next", to: FINALITY, change } satisfies Step
    })

    const stage: Stage = {
      name: STAGE,
      waitsFor: "BRIDGE",
      awaited: "the transfer on the destination chain, or the refund",
      normalMs: 3_600_000,
      patienceMs: PATIENCE_MS,
      step: Effect.fn("LiFiStatusStage.step")(function* (work) {
        const transaction = yield* work.transaction
        const reorgStep = yield* findReorg(transaction)
        if (reorgStep !== null) return reorgStep
        const missingDepositStep = yield* findDepositReorg(transaction, work.execution.at)
        if (missingDepositStep !== null) return missingDepositStep
        const content = swapKind.decode(work.quote.content!)
        const sourceLeg = transaction.legs.find((leg) => leg.stage < work.execution.at)!
        const status = yield* statusOf(content, work, sourceLeg.hash!)
        const finalStep = status._tag === "ENDED" ? yield* endedStep(work, content, sourceLeg, status) : wait
        if (finalStep._tag !== "Wait" || !work.isOverdue) return finalStep
        const reason =
          status._tag === "FAILED"
            ? status.reason
            : status._tag === "ENDED"
              ? `transaction ${status.hash} contains no transfer that matches this swap`
              : "NOT_FOUND"
        const executedAt = yield* DateTime.now
        const failedChange = failureChange(
          "NOT_FILLED",
          `LI.FI reports no result of the transfer after a day: ${reason}`
        )
        return {
          _tag: "Next",
          to: FINALITY,
          change: (before) => ({ ...failedChange(before), executedAt })
        } satisfies Step
      })
    }
    return [stage]
  })
