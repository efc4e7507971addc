import { Clock, DateTime, Effect } from "effect"
import { type Hash32, UnitOfWork } from "../../foundation/primitives/index.ts"
import { ActivitySettings } from "../../wallets/chain-activity/index.ts"
import { BitcoinChain, type BitcoinTransaction } from "../chain/index.ts"
import { mapToUpstream } from "../payments/index.ts"
import { BitcoinActivityStore } from "./BitcoinActivityStore.ts"
import type { AddressPoll, DetectedBitcoinTransfer } from "./DetectedBitcoinTransfer.ts"
import { CONCURRENCY, FAILED_MS, logFailure } from "./logFailure.ts"

/** Maximum number of addresses that a step polls. */
export const MAX_POLLS = 10
/**
 * Minimum interval between two polls of an address for unconfirmed transactions. The interval is 1/60 of the time since
 * the last activity. Its maximum is one minute, or two seconds times the number of registered addresses if that is
 * longer. Idle addresses together therefore cost at most one request per two seconds. Confirmed transactions are
 * detected when their block is read.
 */
export const MIN_POLL_MS = 10_000
const MAX_POLL_MS = 60_000
const MAX_POLL_MS_BY_ADDRESS = 2_000
/** Maximum number of past transactions that are read per address. */
const MAX_HISTORY = 1_000

/** Reads the histories of addresses in pages: unconfirmed transactions, and past transactions that are still unread. */
export const addressPolls = Effect.gen(function* () {
  const chain = yield* BitcoinChain
  const store = yield* BitcoinActivityStore
  const unitOfWork = yield* UnitOfWork
  const settings = yield* ActivitySettings

  const nextPollAt = Effect.fnUntraced(function* (activeAt: DateTime.Utc) {
    const now = yield* Clock.currentTimeMillis
    const intervalMs = (now - DateTime.toEpochMillis(activeAt)) / 60
    const maxIntervalMs = Math.max(MAX_POLL_MS, (yield* store.countAddresses) * MAX_POLL_MS_BY_ADDRESS)
    return DateTime.makeUnsafe(now + Math.min(maxIntervalMs, Math.max(MIN_POLL_MS, intervalMs)))
  })

  /** Returns the time of the newest transaction or of the last known activity, whichever is later. */
  const activityOf = Effect.fnUntraced(function* (
    { activeAt }: AddressPoll,
    [newest]: ReadonlyArray<BitcoinTransaction>
  ) {
    if (newest === undefined) return activeAt
    const newestAtMs = newest.block === null ? yield* Clock.currentTimeMillis : newest.block.minedAtMs
    return DateTime.makeUnsafe(Math.max(newestAtMs, DateTime.toEpochMillis(activeAt)))
  })

  /**
   * Returns false if the page is empty because a reorg removed the last transaction of the previous page. The history
   * must then be read again from the newest transaction.
   */
  const isEnd = Effect.fnUntraced(function* (page: ReadonlyArray<BitcoinTransaction>, after: Hash32 | null) {
    if (page.length > 0 || after === null) return true
    return (yield* mapToUpstream(chain.findTransaction(after)))?.block != null
  })

  /** Reads a page of an address's history, and stores the detected transfers. */
  const poll = Effect.fnUntraced(function* (addressPoll: AddressPoll, last: number) {
    const { address, after, toHeight } = addressPoll
    const page = yield* mapToUpstream(chain.transactionsOf(address, after))
    const minHeight = toHeight === null ? last + 1 : Math.max(toHeight, last - settings.backfillBlocks + 1)
    const isWanted = ({ block }: BitcoinTransaction) =>
      block === null || (block.height >= minHeight && block.height <= last)
    const pageDetectedTransfers = page.filter(isWanted).map(({ block, txid }): DetectedBitcoinTransfer => {
      const blockRef = block === null ? null : { hash: block.hash, height: block.height }
      return { txid, address, block: blockRef }
    })
    const oldestBlock = page.at(-1)?.block ?? null
    const transactionsRead = addressPoll.read + page.length
    const hasNextPage =
      toHeight !== null && oldestBlock !== null && oldestBlock.height >= minHeight && transactionsRead < MAX_HISTORY
    const activeAt = after === null ? yield* activityOf(addressPoll, page) : addressPoll.activeAt
    const completePoll = { ...addressPoll, activeAt, after: null, read: 0 }
    const now = yield* DateTime.now
    if (!(yield* isEnd(page, after))) return yield* store.recordPoll({ ...completePoll, toHeight }, now)
    const next = hasNextPage
      ? { ...addressPoll, activeAt, after: page.at(-1)!.txid, read: transactionsRead }
      : { ...completePoll, toHeight: null }
    const dueAt = hasNextPage ? now : yield* nextPollAt(activeAt)
    yield* unitOfWork.run(
      Effect.andThen(store.recordDetected(pageDetectedTransfers, now), store.recordPoll(next, dueAt))
    )
  })

  /** Polls the due addresses, and returns their number. A failure for one address does not stop the others. */
  return Effect.fnUntraced(function* (last: number) {
    const now = yield* DateTime.now
    const duePolls = yield* store.listDuePolls(now, MAX_POLLS)
    const retryAt = DateTime.add(now, { milliseconds: FAILED_MS })
    const pollAddress = (one: AddressPoll) =>
      poll(one, last).pipe(
        Effect.tapError(() => store.recordPoll(one, retryAt)),
        logFailure("polling an address")
      )
    yield* Effect.forEach(duePolls, pollAddress, { concurrency: CONCURRENCY, discard: true })
    return duePolls.length
  })
})
