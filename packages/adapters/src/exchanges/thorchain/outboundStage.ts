import type { BitcoinChain, BitcoinTransaction, BitcoinTransactions } from "@countersign/core/bitcoin/chain"
import { bitcoinCoin } from "@countersign/core/bitcoin/chain"
import {
  ConfirmationPolicy,
  confirmationsFor,
  depositReorganisation,
  upstream
} from "@countersign/core/bitcoin/payments"
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
  reorganisations,
  type Stage,
  type Step,
  type Work,
  withArrival
} from "@countersign/core/operations/executions"
import { type PlannedStage, quotedValue } from "@countersign/core/operations/quotes"
import { type SwapContent, swapKind } from "@countersign/core/trading/swap"
import { DateTime, Effect } from "effect"
import type { RpcClients } from "../../chains/evm/index.ts"
import { chainWordOrNull } from "./assets.ts"
import { deliveryIn } from "./delivery.ts"
import { hasText, outboundMemo, refundMemo } from "./memo.ts"
import type { Outbound, ThorNodeApi, ThorStatus } from "./ThorNodeApi.ts"

const STAGE = "thorchain:outbound"
const LOOK_EVERY_MS = 10_000
/** Large amounts can be delayed for hours, and a halt of a chain can last for days. */
const PATIENCE_MS = 7 * 24 * 3_600_000

/** The stage between a deposit's blocks and its end. */
export const outboundStagePlan: PlannedStage = { name: STAGE, intent: null, status: "ON_BRIDGE", state: "" }

const wait: Step = { _tag: "Wait", afterMs: LOOK_EVERY_MS }
const NOTHING: ThorStatus = { outbounds: [], isMorePlanned: false }

/** The delivery, and its display data. */
interface Found {
  readonly arrival: Arrival
  readonly at: DateTime.Utc
}

interface BitcoinPorts {
  readonly chain: BitcoinChain["Service"]
  readonly transactions: BitcoinTransactions["Service"]
}

const endingOf = (
  { minAmountOut }: SwapContent,
  delivered: Found | null,
  refunded: Found | null
): { readonly status?: "PARTIALLY_COMPLETED" | "REFUNDED"; readonly substatus: string } => {
  if (delivered === null) return { status: "REFUNDED", substatus: "NOT_FILLED" }
  if (refunded !== null) return { status: "PARTIALLY_COMPLETED", substatus: "PARTIALLY_FILLED" }
  return { substatus: delivered.arrival.moved.amount < minAmountOut ? "PARTIALLY_FILLED" : "FILLED" }
}

/**
 * Tracks THORChain's handling of a deposit. A THORNode only reports transactions. The credited amount is read on the
 * chain of each transaction, for the required account and this deposit.
 */
export const outboundStage = (api: ThorNodeApi, rpc: RpcClients["Service"], { chain, transactions }: BitcoinPorts) =>
  Effect.gen(function* () {
    const reorganisation = yield* reorganisations
    const policy = yield* ConfirmationPolicy
    const claim = yield* claimedArrivals
    const depositGone = depositReorganisation(chain)

    const delivery = Effect.fnUntraced(function* (work: Work, content: SwapContent, deposit: Hash32, { id }: Outbound) {
      const { tokenOut } = content.tokens
      const { toAddress } = content.request
      if (!isEvmChainId(tokenOut.chainId) || !isEvmAddress(toAddress)) return null
      const { address: token, chainId } = tokenOut
      const hash = Hash32.make(`0x${id.toLowerCase()}`)
      const seen = yield* deliveryIn(rpc, { chainId, hash, token, account: toAddress, memo: outboundMemo(deposit) })
      if (seen === null) return null
      const claimed = yield* claim(work.execution, { chainId, hash: seen.hash, account: toAddress }, seen.transfers, {
        expected: seen.amount,
        isPlausible: () => true
      })
      if (claimed._tag !== "Claimed") return null
      const { amount } = claimed
      const moved = {
        account: toAddress,
        asset: { chainId, token },
        amount,
        ...quotedValue(work.quote, tokenOut, amount),
        counterparty: seen.payer
      }
      const found: Found = {
        arrival: { chainId, hash, block: seen.block, moved },
        at: DateTime.makeUnsafe(seen.timestamp * 1_000)
      }
      return found
    })

    const outputsPaidBack = (
      { inputs, outputs }: BitcoinTransaction,
      script: string,
      deposit: Hash32
    ): ReadonlyArray<IncomingTransfer> =>
      inputs.some((input) => input.script === script) ||
      !outputs.some((output) => output.script.startsWith("0x6a") && hasText(output.script, refundMemo(deposit)))
        ? []
        : outputs.flatMap((output, index) => (output.script === script ? [{ index, amount: output.value }] : []))

    const refund = Effect.fnUntraced(function* (work: Work, deposit: Hash32, { id }: Outbound) {
      const account = work.quote.walletAddress
      if (isEvmAddress(account)) return null
      const seen = yield* upstream(chain.transaction(Hash32.make(`0x${id.toLowerCase()}`)))
      if (seen?.block == null) return null
      const outputs = outputsPaidBack(seen, transactions.scriptOf(account), deposit)
      const expected = amountOf(outputs)
      const confirmations = (yield* upstream(chain.tipHeight)) - seen.block.height + 1
      if (expected === 0n || confirmations < confirmationsFor(policy, expected)) return null
      const claimed = yield* claim(work.execution, { chainId: 0, hash: seen.txid, account }, outputs, {
        expected,
        isPlausible: () => true
      })
      if (claimed._tag !== "Claimed") return null
      const { amount } = claimed
      const { hash, height, minedAtMs } = seen.block
      const payer = seen.inputs[0] === undefined ? null : transactions.addressOf(seen.inputs[0].script)
      const moved = {
        account,
        asset: { chainId: bitcoinCoin.chainId, token: bitcoinCoin.address },
        amount,
        ...quotedValue(work.quote, bitcoinCoin, amount),
        counterparty: payer
      }
      const found: Found = {
        arrival: { chainId: 0, hash: seen.txid, block: { number: BigInt(height), hash }, moved },
        at: DateTime.makeUnsafe(minedAtMs)
      }
      return found
    })

    /** The first reported transaction that is verified. */
    const firstOf = Effect.fnUntraced(function* <E>(
      named: ReadonlyArray<Outbound>,
      look: (outbound: Outbound) => Effect.Effect<Found | null, E>
    ) {
      for (const outbound of named) {
        const found = yield* look(outbound)
        if (found !== null) return found
      }
      return null
    })

    const outcome = Effect.fnUntraced(function* (work: Work, content: SwapContent, deposit: Hash32) {
      const { isMorePlanned, outbounds } = yield* Effect.orElseSucceed(api.status(deposit), () => NOTHING)
      const word = chainWordOrNull(content.tokens.tokenOut.chainId)
      const [out, back] = [word, "BTC"].map((name) => outbounds.filter((each) => each.chain === name))
      const delivered = yield* firstOf(out!, (each) => delivery(work, content, deposit, each))
      const refunded = yield* firstOf(back!, (each) => refund(work, deposit, each))
      const isAll =
        !isMorePlanned && (out!.length === 0 || delivered !== null) && (back!.length === 0 || refunded !== null)
      // A part of a streaming swap may be refunded. The service does not wait forever for transactions that are only
      // announced.
      if ((delivered ?? refunded) === null || (!isAll && !work.isOverdue)) return null
      const { at } = work.execution
      const arrivals = [delivered, refunded].filter((each) => each !== null)
      const change: Change = (before) => ({
        ...withArrival(before, at, ...arrivals.map(({ arrival }) => arrival)),
        ...endingOf(content, delivered, refunded),
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
        const back = yield* reorganisation(transaction)
        if (back !== null) return back
        const leg = transaction.legs.find(({ stage: by }) => by < work.execution.at)
        if (leg?.hash == null) return wait
        const gone = yield* depositGone(transaction, work.execution.at)
        if (gone !== null) return gone
        const ended = yield* outcome(work, swapKind.decode(work.quote.content!), leg.hash)
        if (ended !== null) return ended
        if (!work.isOverdue) return wait
        const executedAt = yield* DateTime.now
        const failed = failureChange("NOT_FILLED", "THORChain has no end of the swap after a week")
        return { _tag: "Next", to: FINALITY, change: (before) => ({ ...failed(before), executedAt }) } satisfies Step
      })
    }
    return stage
  })
