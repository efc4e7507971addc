import { DateTime, Effect } from "effect"
import type { Transaction } from "../../accounting/history/index.ts"
import type { BitcoinAddress, HexBytes } from "../../foundation/primitives/index.ts"
import { ExecutionStore } from "../../operations/executions/index.ts"
import { type Quote, QuoteStore } from "../../operations/quotes/index.ts"
import type { ProjectId } from "../../tenancy/projects/index.ts"
import { ActivityStore } from "../../wallets/chain-activity/index.ts"
import { type BitcoinTransaction, BitcoinTransactions } from "../chain/index.ts"
import { BitcoinActivityStore } from "./BitcoinActivityStore.ts"

/** Begins scripts that carry a text and no coins. */
const OP_RETURN = "0x6a"

/** What a bridge keeps at most of what it gives back: a twentieth for itself, and this many satoshis for the miner. */
const [KEPT_PART, MINER_SATOSHIS] = [20n, 20_000n]

const isLessFees = (amount: bigint, whole: bigint): boolean => amount + whole / KEPT_PART + MINER_SATOSHIS >= whole

/** Whether a swap under way has sent about as much from an address. A bridge gives back no more than it got. */
const isAboutSent = ({ transaction }: Quote, address: BitcoinAddress, amount: bigint): boolean =>
  transaction.type === "CROSS_SWAP" &&
  transaction.expected.some(
    (moved) =>
      moved.direction === "OUT" &&
      moved.account === address &&
      amount <= moved.amount &&
      isLessFees(amount, moved.amount)
  )

/** Whether about as much is to arrive at an address from another chain: prices may have risen meanwhile as they may have fallen. */
const isAboutExpected = ({ expected }: Transaction, address: BitcoinAddress, amount: bigint): boolean =>
  expected.some(
    (moved) =>
      moved.direction === "IN" &&
      moved.account === address &&
      isLessFees(amount, moved.amount) &&
      isLessFees(moved.amount, amount)
  )

/** A quote may be accepted a moment after its end, by the clock of another process. */
const LATE_SECONDS = 60

const coinsOf = ({ intents }: Quote): ReadonlyArray<string> =>
  intents.flatMap((intent) =>
    intent.type === "BITCOIN_TRANSACTION" ? (intent.terms?.inputs ?? []).map(({ txid, vout }) => `${txid}:${vout}`) : []
  )

/**
 * What a project's history has of a transaction besides what the chain tells. RECORDED: one of its own operations has it.
 * UNDER_WAY: it spends the coins of one that is not over, and is that one, or what takes its place: which of them is known
 * later. FOREIGN: nothing but the chain tells of it.
 */
export type Ownership = "FOREIGN" | "RECORDED" | "UNDER_WAY"

export const ownPayments = Effect.gen(function* () {
  const activity = yield* ActivityStore
  const store = yield* BitcoinActivityStore
  const executions = yield* ExecutionStore
  const quotes = yield* QuoteStore
  const transactions = yield* BitcoinTransactions

  /** It may be one that is signed and was sent by its owner, and will be accepted yet. */
  const isQuoted = Effect.fnUntraced(function* (
    projectId: ProjectId,
    address: BitcoinAddress,
    found: BitcoinTransaction
  ) {
    const now = yield* DateTime.now
    const open = (yield* quotes.unsignedOf(address, DateTime.subtract(now, { seconds: LATE_SECONDS }))).filter(
      (quote) => quote.projectId === projectId && quote.intents.some(({ type }) => type === "BITCOIN_TRANSACTION")
    )
    if (open.length === 0) return false
    const { txid } = transactions.unsigned(found)
    return open.some(({ id }) => id === txid)
  })

  const underWayOf = (projectId: ProjectId, address: BitcoinAddress) =>
    Effect.map(executions.underWayOf(address), (quotes) => quotes.filter((quote) => quote.projectId === projectId))

  // A quote becomes an execution, and that one a record: asked in this order, none is missed in between.
  return Effect.fnUntraced(function* (
    projectId: ProjectId,
    address: BitcoinAddress,
    script: HexBytes,
    found: BitcoinTransaction
  ) {
    if (found.inputs.some((input) => input.script === script)) {
      if (yield* isQuoted(projectId, address, found)) return "UNDER_WAY"
      const spent = new Set(found.inputs.map(({ txid, vout }) => `${txid}:${vout}`))
      const underWay = yield* underWayOf(projectId, address)
      if (underWay.some((quote) => coinsOf(quote).some((coin) => spent.has(coin)))) return "UNDER_WAY"
    } else {
      // Whether a bridge pays back, which some say in a text, the swap's own stage finds out.
      const hasText = found.outputs.some((output) => output.script.startsWith(OP_RETURN))
      const amount = found.outputs.reduce((sum, output) => (output.script === script ? sum + output.value : sum), 0n)
      const underWay = yield* underWayOf(projectId, address)
      const mayBeRefund = (quote: Quote) =>
        hasText ? quote.transaction.type === "CROSS_SWAP" : isAboutSent(quote, address, amount)
      if (underWay.some(mayBeRefund)) return "UNDER_WAY"
      const arriving = yield* store.arriving(projectId)
      if (arriving.some((transaction) => isAboutExpected(transaction, address, amount))) return "UNDER_WAY"
    }
    const recorded = yield* activity.recorded(projectId, address, 0, found.txid)
    const ownership: Ownership = recorded.length > 0 ? "RECORDED" : "FOREIGN"
    return ownership
  })
})
