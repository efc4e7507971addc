import type { BitcoinChain, BitcoinTransaction, BitcoinTransactions } from "@countersign/core/bitcoin/chain"
import { bitcoinToken } from "@countersign/core/bitcoin/chain"
import { ConfirmationPolicy, confirmationsFor, depositReorg, mapToUpstream } from "@countersign/core/bitcoin/payments"
import { isEvmChainId } from "@countersign/core/foundation/chains"
import { Hash32, isEvmAddress } from "@countersign/core/foundation/primitives"
import {
  type Arrival,
  amountOf,
  type Change,
  claimedArrivals,
  FINALITY,
  failureChange,
  type IncomingTransfer,
  reorgFinder,
  type Stage,
  type Step,
  type Work,
  withArrival
} from "@countersign/core/operations/executions"
import { type PlannedStage, quotedValue } from "@countersign/core/operations/quotes"
import { type SwapContent, swapKind } from "@countersign/core/trading/swap"
import { DateTime, Effect } from "effect"
import type { RpcClients } from "../../chains/evm/index.ts"
import { chainNameOrNull } from "./assets.ts"
import { deliveryIn } from "./delivery.ts"
import { hasText, outboundMemo, refundMemo } from "./memo.ts"
import type { Outbound, ThorNodeApi, ThorStatus } from "./ThorNodeApi.ts"

const STAGE = "thorchain:outbound"
const POLL_EVERY_MS = 10_000
/**
 * Time after which the swap fails if THORChain has reported no result. Large amounts can be delayed for hours, and a
 * chain can be halted for days.
 */
const PATIENCE_MS = 7 * 24 * 3_600_000

/** The stage between the confirmation of a deposit and its completion. */
export const outboundStagePlan: PlannedStage = { name: STAGE, intent: null, status: "ON_BRIDGE", state: "" }

const wait: Step = { _tag: "Wait", afterMs: POLL_EVERY_MS }
const NOTHING: ThorStatus = { outbounds: [], isMorePlanned: false }

/** A verified delivery, with its display data. */
interface VerifiedDelivery {
  readonly arrival: Arrival
  readonly at: DateTime.Utc
}

interface BitcoinPorts {
  readonly chain: BitcoinChain["Service"]
  readonly transactions: BitcoinTransactions["Service"]
}

const endingOf = (
  { minAmountOut }: SwapContent,
  deliveryResult: VerifiedDelivery | null,
  refundResult: VerifiedDelivery | null
): { readonly status?: "PARTIALLY_COMPLETED" | "REFUNDED"; readonly substatus: string } => {
  if (deliveryResult === null) return { status: "REFUNDED", substatus: "NOT_FILLED" }
  if (refundResult !== null) return { status: "PARTIALLY_COMPLETED", substatus: "PARTIALLY_FILLED" }
  return { substatus: deliveryResult.arrival.moved.amount < minAmountOut ? "PARTIALLY_FILLED" : "FILLED" }
}

/**
 * Creates the stage that tracks a deposit at THORChain. A THORNode only reports transactions. The stage reads the
 * credited amount on the chain of each transaction, for the required account and this deposit.
 */
export const outboundStage = (api: ThorNodeApi, rpc: RpcClients["Service"], { chain, transactions }: BitcoinPorts) =>
  Effect.gen(function* () {
    const findReorg = yield* reorgFinder
    const policy = yield* ConfirmationPolicy
    const claim = yield* claimedArrivals
    const findDepositReorg = depositReorg(chain)

    const verifyDelivery = Effect.fnUntraced(function* (
      work: Work,
      content: SwapContent,
      deposit: Hash32,
      { id }: Outbound
    ) {
      const { tokenOut } = content.tokens
      const { toAddress } = content.request
      if (!isEvmChainId(tokenOut.chainId) || !isEvmAddress(toAddress)) return null
      const { address: token, chainId } = tokenOut
      const hash = Hash32.make(`0x${id.toLowerCase()}`)
      const verifiedDelivery = yield* deliveryIn(rpc, {
        chainId,
        hash,
        token,
        account: toAddress,
        memo: outboundMemo(deposit)
      })
      if (verifiedDelivery === null) return null
      const claimResult = yield* claim(
        work.execution,
        { chainId, hash: verifiedDelivery.hash, account: toAddress },
        verifiedDelivery.transfers,
        {
          expected: verifiedDelivery.amount,
          isPlausible: () => true
        }
      )
      if (claimResult._tag !== "Claimed") return null
      const { amount } = claimResult
      const movedAmount = {
        account: toAddress,
        asset: { chainId, token },
        amount,
        ...quotedValue(work.quote, tokenOut, amount),
        counterparty: verifiedDelivery.payer
      }
      const result: VerifiedDelivery = {
        arrival: { chainId, hash, block: verifiedDelivery.block, moved: movedAmount },
        at: DateTime.makeUnsafe(verifiedDelivery.timestamp * 1_000)
      }
      return result
    })

    const refundOutputsOf = (
      { inputs, outputs }: BitcoinTransaction,
      script: string,
      deposit: Hash32
    ): ReadonlyArray<IncomingTransfer> =>
      inputs.some((input) => input.script === script) ||
      !outputs.some((output) => output.script.startsWith("0x6a") && hasText(output.script, refundMemo(deposit)))
        ? []
        : outputs.flatMap((output, index) => (output.script === script ? [{ index, amount: output.value }] : []))

    const verifyRefund = Effect.fnUntraced(function* (work: Work, deposit: Hash32, { id }: Outbound) {
      const account = work.quote.walletAddress
      if (isEvmAddress(account)) return null
      const bitcoinTransaction = yield* mapToUpstream(chain.findTransaction(Hash32.make(`0x${id.toLowerCase()}`)))
      if (bitcoinTransaction?.block == null) return null
      const outputs = refundOutputsOf(bitcoinTransaction, transactions.scriptOf(account), deposit)
      const expectedAmount = amountOf(outputs)
      const confirmations = (yield* mapToUpstream(chain.tipHeight)) - bitcoinTransaction.block.height + 1
      if (expectedAmount === 0n || confirmations < confirmationsFor(policy, expectedAmount)) return null
      const claimResult = yield* claim(
        work.execution,
        { chainId: 0, hash: bitcoinTransaction.txid, account },
        outputs,
        {
          expected: expectedAmount,
          isPlausible: () => true
        }
      )
      if (claimResult._tag !== "Claimed") return null
      const { amount } = claimResult
      const { hash, height, minedAtMs } = bitcoinTransaction.block
      const payer =
        bitcoinTransaction.inputs[0] === undefined ? null : transactions.addressOf(bitcoinTransaction.inputs[0].script)
      const movedAmount = {
        account,
        asset: { chainId: bitcoinToken.chainId, token: bitcoinToken.address },
        amount,
        ...quotedValue(work.quote, bitcoinToken, amount),
        counterparty: payer
      }
      const result: VerifiedDelivery = {
        arrival: {
          chainId: 0,
          hash: bitcoinTransaction.txid,
          block: { number: BigInt(height), hash },
          moved: movedAmount
        },
        at: DateTime.makeUnsafe(minedAtMs)
      }
      return result
    })

    /** Returns the first reported transaction that is verified on-chain; null if there is none. */
    const firstOf = Effect.fnUntraced(function* <E>(
      outbounds: ReadonlyArray<Outbound>,
      verify: (outbound: Outbound) => Effect.Effect<VerifiedDelivery | null, E>
    ) {
      for (const outbound of outbounds) {
        const result = yield* verify(outbound)
        if (result !== null) return result
      }
      return null
    })

    const outcomeStepOf = Effect.fnUntraced(function* (work: Work, content: SwapContent, deposit: Hash32) {
      const { isMorePlanned, outbounds } = yield* Effect.orElseSucceed(api.status(deposit), () => NOTHING)
      const chainName = chainNameOrNull(content.tokens.tokenOut.chainId)
      const [deliveryOutbounds, refundOutbounds] = [chainName, "BTC"].map((name) =>
        outbounds.filter((each) => each.chain === name)
      )
      const deliveryResult = yield* firstOf(deliveryOutbounds!, (each) => verifyDelivery(work, content, deposit, each))
      const refundResult = yield* firstOf(refundOutbounds!, (each) => verifyRefund(work, deposit, each))
      const areAllVerified =
        !isMorePlanned &&
        (deliveryOutbounds!.length === 0 || deliveryResult !== null) &&
        (refundOutbounds!.length === 0 || refundResult !== null)
      // THORChain may refund some sub-swaps of a streaming swap. If the deposit is overdue, the stage no longer waits
      // for transactions that are only announced.
      if ((deliveryResult ?? refundResult) === null || (!areAllVerified && !work.isOverdue)) return null
      const { at } = work.execution
      const arrivals = [deliveryResult, refundResult].filter((each) => each !== null)
      const change: Change = (before) => ({
        ...withArrival(before, at, ...arrivals.map(({ arrival }) => arrival)),
        ...endingOf(content, deliveryResult, refundResult),
        executedAt: arrivals[0]!.at
      })
      return { _tag: "Next", to: FINALITY, change } satisfies Step
    })

    const stage: Stage = {
      name: STAGE,
      waitsFor: "BRIDGE",
      awaited: "the outbound transaction of THORChain, or the refund",
      normalMs: 6 * 3_600_000,
      patienceMs: PATIENCE_MS,
      step: Effect.fn("ThorchainOutboundStage.step")(function* (work) {
        const transaction = yield* work.transaction
        const reorgStep = yield* findReorg(transaction)
        if (reorgStep !== null) return reorgStep
        const leg = transaction.legs.find(({ stage: by }) => by < work.execution.at)
        if (leg?.hash == null) return wait
        const missingDepositStep = yield* findDepositReorg(transaction, work.execution.at)
        if (missingDepositStep !== null) return missingDepositStep
        const finalStep = yield* outcomeStepOf(work, swapKind.decode(work.quote.content!), leg.hash)
        if (finalStep !== null) return finalStep
        if (!work.isOverdue) return wait
        const executedAt = yield* DateTime.now
        const failedChange = failureChange("NOT_FILLED", "THORChain reports no result of the swap after a week")
        return {
          _tag: "Next",
          to: FINALITY,
          change: (before) => ({ ...failedChange(before), executedAt })
        } satisfies Step
      })
    }
    return stage
  })
