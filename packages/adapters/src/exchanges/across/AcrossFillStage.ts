import type { Leg, Transaction } from "@countersign/core/accounting/history"
import { type EvmChainId, isEvmChainId } from "@countersign/core/foundation/chains"
import type { UpstreamUnavailable } from "@countersign/core/foundation/errors"
import { type Address, BoundedMap, isEvmAddress, type WalletAddress } from "@countersign/core/foundation/primitives"
import type { Token } from "@countersign/core/foundation/tokens"
import { delayForAgeMs } from "@countersign/core/foundation/work"
import {
  type ArrivalTransaction,
  type Change,
  FINALITY,
  reorgFinder,
  type Stage,
  type Step,
  type Work,
  withArrival
} from "@countersign/core/operations/executions"
import { mainOperation } from "@countersign/core/operations/intents"
import { quotedValue } from "@countersign/core/operations/quotes"
import { swapKind } from "@countersign/core/trading/swap"
import { DateTime, Effect } from "effect"
import { acrossOrNull } from "../../chains/deployments/index.ts"
import type { RpcClients } from "../../chains/evm/index.ts"
import { listedTokenOrNull, representsToken } from "./acrossRoute.ts"
import { type DepositLocation, depositOfOperation } from "./depositOfOperation.ts"
import { type Deposit, wordToAddress } from "./deposits.ts"
import type { FillTimes } from "./FillTimes.ts"
import { ACROSS_FILL, fillState } from "./fillState.ts"
import { fillOf, isFilled, type Settlement } from "./fills.ts"
import { depositRefund, REFUND_SECONDS } from "./refunds.ts"
import { settlementClaims } from "./settlementClaims.ts"
import { settlementOfSwap } from "./swappedFill.ts"

/** Maximum number of cached deposits. The id of a deposit changes only if its block is orphaned. */
const MAX_REMEMBERED = 5_000
/** Bounds of the polling interval. Most fills take seconds, others hours. */
const WAIT = { shortestMs: 500, longestMs: 15_000 }
/** Maximum age, in milliseconds, of the destination chain's head. */
const HEAD_AGE_MS = 500

const secondsToTime = (seconds: number): DateTime.Utc => DateTime.makeUnsafe(seconds * 1_000)

/**
 * Returns the token of a refund, which is the deposited token. If a swap precedes the deposit, this is not the sold
 * token.
 */
const refundedToken = (chainId: EvmChainId, tokenIn: Token, refunded: Address): Token =>
  representsToken(tokenIn, { chainId, address: refunded }) ? tokenIn : (listedTokenOrNull(chainId, refunded) ?? tokenIn)

/** Ends the swap. `isLess` means that the receiver got less than the quote guaranteed. */
const completionStep = (change: Change, isLess: boolean): Step => ({
  _tag: "Next",
  change: (before) => ({ ...change(before), substatus: isLess ? "PARTIALLY_FILLED" : "FILLED" })
})

/**
 * Ends the swap without movements, because another operation has already recorded the received tokens. So the history
 * contains the tokens only once.
 */
const endWithoutMovements = (
  { execution: { at } }: Work,
  chainId: EvmChainId,
  { block, hash, timestamp }: Settlement,
  status: "COMPLETED" | "REFUNDED"
): Step => {
  const arrivalTransaction: ArrivalTransaction = { chainId, hash, block }
  return {
    _tag: "Next",
    to: FINALITY,
    change: (before) => ({
      ...withArrival(before, at, arrivalTransaction),
      status,
      substatus: "RECORDED_ELSEWHERE",
      executedAt: secondsToTime(timestamp)
    })
  }
}

/** Ends the swap if the swap after the fill failed and the receiver got the filled token instead. */
const otherTokenStep = (change: Change): Step => ({
  _tag: "Next",
  to: FINALITY,
  change: (before) => ({ ...change(before), status: "PARTIALLY_COMPLETED", substatus: "OTHER_TOKEN" })
})

/** Returns the leg with the deposit: the last earlier leg with an included transaction. */
const depositLeg = (transaction: Transaction, at: number): (Leg & { readonly chainId: EvmChainId }) | null => {
  const leg = transaction.legs.findLast(({ block, stage }) => stage < at && block !== null)
  return leg !== undefined && isEvmChainId(leg.chainId) ? { ...leg, chainId: leg.chainId } : null
}

/**
 * Waits until a deposit is filled on the destination chain or refunded on its own chain. Reads fills and refunds from
 * the SpokePools.
 */
export const acrossFillStage = (
  rpc: RpcClients["Service"],
  times: FillTimes,
  isServed: (chainId: EvmChainId) => boolean
) =>
  Effect.gen(function* () {
    const findReorg = yield* reorgFinder
    const claimSettlement = yield* settlementClaims
    const deposits = new BoundedMap<string, Deposit>(MAX_REMEMBERED)

    const depositAt = Effect.fnUntraced(function* (location: DepositLocation, blockHash: string) {
      const key = `${blockHash}:${location.operation}`
      const knownDeposit = deposits.get(key)
      if (knownDeposit !== undefined) return knownDeposit
      const deposit = yield* rpc.call(location.chainId, () => depositOfOperation(rpc, location))
      if (deposit !== null) deposits.set(key, deposit)
      return deposit
    })

    /** Adds the received tokens to the history transaction, at the prices of the quote. */
    const withSettlement =
      ({ execution, quote }: Work, chainId: EvmChainId, settled: Settlement, token: Token, account: WalletAddress) =>
      (before: Transaction): Transaction => {
        const value = quotedValue(quote, token, settled.amount)
        const asset = { chainId, token: settled.token }
        const settledMovement = { account, asset, amount: settled.amount, ...value, counterparty: settled.counterparty }
        const { block, hash } = settled
        return {
          ...withArrival(before, execution.at, { chainId, hash, block, moved: settledMovement }),
          executedAt: secondsToTime(settled.timestamp)
        }
      }

    const fillStepOf = Effect.fnUntraced(function* (work: Work, deposit: Deposit) {
      const { destinationChainId: chainId, originChainId } = deposit
      const { fromBlock, saidSeconds } = fillState.decode(work.stage.state)
      const fill = yield* rpc.call(chainId, async () => {
        const head = await rpc.latestBlock(chainId, 0)
        return fillOf(rpc, deposit, fromBlock, head.number)
      })
      if (fill === null) return null
      const seconds = Math.max(0, fill.timestamp - deposit.quoteTimestamp)
      yield* times.record({
        from: originChainId,
        to: chainId,
        transferId: String(deposit.relay.depositId),
        seconds,
        saidSeconds,
        filledAt: secondsToTime(fill.timestamp)
      })
      const { amountOut, minAmountOut, request, tokens } = swapKind.decode(work.quote.content!)
      const { toAddress } = request
      if (deposit.relay.message === "0x" || !isEvmAddress(toAddress)) {
        if (!(yield* claimSettlement(work, chainId, toAddress, fill))) {
          return endWithoutMovements(work, chainId, fill, "COMPLETED")
        }
        return completionStep(
          withSettlement(work, chainId, fill, tokens.tokenOut, toAddress),
          fill.amount < minAmountOut
        )
      }
      const bridgedToken = wordToAddress(deposit.relay.outputToken)
      const tokenOut = tokens.tokenOut.address
      const swap = { receiver: toAddress, tokenOut, amountOut, minAmountOut, bridged: bridgedToken }
      const settlement = yield* rpc.call(chainId, () => settlementOfSwap(rpc, deposit, fill, swap))
      if (settlement === null) return null
      if (!(yield* claimSettlement(work, chainId, toAddress, settlement))) {
        return endWithoutMovements(work, chainId, settlement, "COMPLETED")
      }
      if (settlement.token !== tokenOut) {
        return otherTokenStep(
          withSettlement(
            work,
            chainId,
            settlement,
            listedTokenOrNull(chainId, bridgedToken) ?? tokens.tokenOut,
            toAddress
          )
        )
      }
      return completionStep(
        withSettlement(work, chainId, settlement, tokens.tokenOut, toAddress),
        settlement.amount < minAmountOut
      )
    })

    /**
     * Finds the first refund of a deposit that no other operation has recorded, and the refunds that other operations
     * have recorded.
     */
    const claimRefund = Effect.fnUntraced(function* (work: Work, deposit: Deposit, depositBlock: bigint) {
      const { originChainId: chainId } = deposit
      const recordedSettlements: Array<Settlement> = []
      for (;;) {
        const refund = yield* rpc.call(chainId, async () => {
          const head = await rpc.latestBlock(chainId, 0)
          const ignored = new Set(recordedSettlements.map(({ hash }) => hash))
          return depositRefund(rpc, deposit, { depositBlock, toBlock: head.number, isServed, ignored })
        })
        if (refund === null || (yield* claimSettlement(work, chainId, work.quote.walletAddress, refund)))
          return { refund, recordedSettlements }
        recordedSettlements.push(refund)
      }
    })

    const refundStepOf = Effect.fnUntraced(function* (
      work: Work,
      deposit: Deposit,
      depositBlock: bigint,
      headTimestamp: number
    ): Effect.fn.Return<Step | null, UpstreamUnavailable> {
      const { originChainId: chainId, relay } = deposit
      const { refund, recordedSettlements } = yield* claimRefund(work, deposit, depositBlock)
      if (refund === null) {
        const [recordedSettlement] = recordedSettlements
        const isLate = headTimestamp > relay.fillDeadline + REFUND_SECONDS
        return recordedSettlement !== undefined && isLate
          ? endWithoutMovements(work, chainId, recordedSettlement, "REFUNDED")
          : null
      }
      const { tokens } = swapKind.decode(work.quote.content!)
      const token = refundedToken(chainId, tokens.tokenIn, refund.token)
      return {
        _tag: "Next",
        to: FINALITY,
        change: (before) => ({
          ...withSettlement(work, chainId, refund, token, work.quote.walletAddress)(before),
          status: "REFUNDED",
          substatus: "NOT_FILLED"
        })
      }
    })

    /** Finds whether the deposit was filled or refunded, or neither yet. */
    const outcomeStepOf = Effect.fnUntraced(function* (work: Work, deposit: Deposit, depositBlock: bigint) {
      const { destinationChainId: chainId, relay } = deposit
      // The head is read before the status. If the deposit is unfilled at a head after its deadline, it can no longer
      // be filled.
      const head = yield* rpc.call(chainId, () => rpc.latestBlock(chainId, HEAD_AGE_MS))
      if (yield* rpc.call(chainId, () => isFilled(rpc, deposit))) return yield* fillStepOf(work, deposit)
      return head.timestamp > relay.fillDeadline
        ? yield* refundStepOf(work, deposit, depositBlock, head.timestamp)
        : null
    })

    const stage: Stage = {
      name: ACROSS_FILL,
      waitsFor: "BRIDGE",
      awaited: "the fill on the destination chain, or the refund",
      normalMs: 600_000,
      patienceMs: null,
      step: Effect.fn("AcrossFillStage.step")(function* (work) {
        const { execution, quote } = work
        const transaction = yield* work.transaction
        const reorgStep = yield* findReorg(transaction)
        if (reorgStep !== null) return reorgStep
        const wait: Step = { _tag: "Wait", afterMs: delayForAgeMs(execution.acceptedAt, yield* DateTime.now, WAIT) }
        const leg = depositLeg(transaction, execution.at)
        const operation = mainOperation(quote.intents)
        const across = leg === null ? null : acrossOrNull(leg.chainId)
        if (leg?.block == null || leg.hash === null || operation === null || across === null) return wait
        if (!isEvmAddress(quote.walletAddress)) return wait
        const depositLocation: DepositLocation = {
          chainId: leg.chainId,
          spokePool: across.spokePool,
          transactionHash: leg.hash,
          operation: operation.hash,
          depositor: quote.walletAddress
        }
        const deposit = yield* depositAt(depositLocation, leg.block.hash)
        return deposit === null ? wait : ((yield* outcomeStepOf(work, deposit, leg.block.number)) ?? wait)
      })
    }
    return stage
  })
