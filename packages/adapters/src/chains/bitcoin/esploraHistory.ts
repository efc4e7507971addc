import type { BitcoinBlockContent, BitcoinTransaction } from "@countersign/core/bitcoin/chain"
import { type BitcoinAddress, Hash32 } from "@countersign/core/foundation/primitives"
import { Effect, type Schema } from "effect"
import { HostFailure } from "../../outbound/json-api/index.ts"
import { hashOf } from "./bytes.ts"
import type { EsploraHost } from "./EsploraHost.ts"
import { Block, Transaction, Transactions, transactionOf } from "./esploraResponses.ts"

const PAGE_SIZE = 25
/** Maximum number of concurrent requests for the pages of a block. */
const CONCURRENCY = 4

const requireTransaction = (response: typeof Transaction.Type) => {
  const transaction = transactionOf(response)
  return transaction === null
    ? Effect.fail(new HostFailure("it did not return the inputs of a transaction"))
    : Effect.succeed(transaction)
}

const transactionsAt = (host: EsploraHost, path: string) =>
  Effect.flatMap(host.get(path, Transactions as Schema.Codec<typeof Transactions.Type, unknown>), (responses) =>
    Effect.forEach(responses, requireTransaction)
  )

/** Reads a transaction; null if the server does not have it. */
export const transactionAt = Effect.fnUntraced(function* (host: EsploraHost, txid: Hash32) {
  const response = yield* host.getOrNull(`/tx/${txid.slice(2)}`, Transaction)
  if (response === null) return null
  if (`0x${response.txid}` !== txid) return yield* Effect.fail(new HostFailure("it returned another transaction"))
  return yield* requireTransaction(response)
})

/**
 * Reads a page of an address's history, latest first. The first page (`after` is null) starts with at most 50
 * unconfirmed transactions. The other pages contain only confirmed ones.
 */
export const historyPage = (
  host: EsploraHost,
  address: BitcoinAddress,
  after: Hash32 | null
): Effect.Effect<ReadonlyArray<BitcoinTransaction>, HostFailure> =>
  transactionsAt(host, `/address/${address}/txs${after === null ? "" : `/chain/${after.slice(2)}`}`)

const NO_BLOCK = Hash32.make(`0x${"0".repeat(64)}`)

/** Maximum number of transactions in a block: the weight limit, divided by the minimum weight of a transaction. */
const MAX_BLOCK_TRANSACTIONS = Math.ceil(4_000_000 / 240)

/** Reads the transactions of a block, page by page. */
export const blockAt = Effect.fnUntraced(function* (host: EsploraHost, hash: Hash32) {
  const path = `/block/${hash.slice(2)}`
  const { previousblockhash, timestamp, tx_count } = yield* host.get(path, Block)
  const count = Number(tx_count)
  if (count > MAX_BLOCK_TRANSACTIONS) return yield* Effect.fail(new HostFailure("it reports too many transactions"))
  const starts = Array.from({ length: Math.ceil(count / PAGE_SIZE) }, (_, page) => page * PAGE_SIZE)
  const pages = yield* Effect.forEach(starts, (start) => transactionsAt(host, `${path}/txs/${start}`), {
    concurrency: CONCURRENCY
  })
  const transactions = pages.flat()
  const isComplete = transactions.length === count && transactions.every(({ block }) => block?.hash === hash)
  if (!isComplete) return yield* Effect.fail(new HostFailure("it did not return the entire block"))
  const previous = previousblockhash == null ? NO_BLOCK : hashOf(previousblockhash)
  const content: BitcoinBlockContent = { previous, minedAtMs: Number(timestamp) * 1_000, transactions }
  return content
})
