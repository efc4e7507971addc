import { Clock, DateTime, Effect } from "effect"
import type { BitcoinAddress, Hash32, HexBytes } from "../../foundation/primitives/index.ts"
import { makeStoreStep, type WatchProgress } from "../../wallets/chain-activity/index.ts"
import { type BitcoinBlockContent, BitcoinChain, type BitcoinTransaction, BitcoinTransactions } from "../chain/index.ts"
import { mapToUpstream } from "../payments/index.ts"
import { MIN_POLL_MS } from "./addressPolls.ts"
import { BitcoinActivityStore } from "./BitcoinActivityStore.ts"
import type { DetectedBitcoinTransfer } from "./DetectedBitcoinTransfer.ts"
import { type ClaimedBitcoin, MAX_BEHIND, markOf, rewindBitcoin } from "./rewindBitcoin.ts"

/** Number of recent blocks whose hashes are stored to detect reorgs. */
const MAX_RECENT_MARKS = 100
/**
 * Number of address polls that cost as many requests as reading one block. After a pause, the watcher uses the cheaper
 * option.
 */
const ADDRESSES_PER_BLOCK = 100

/**
 * Returns the transactions of a block by address. A transaction that both spends from and pays to an address is listed
 * once.
 */
const txidsByAddressOf = (
  transactions: ReadonlyArray<BitcoinTransaction>,
  addressOf: (script: HexBytes) => BitcoinAddress | null
): ReadonlyMap<BitcoinAddress, ReadonlySet<Hash32>> => {
  const addressByScript = new Map<HexBytes, BitcoinAddress | null>()
  const txidsByAddress = new Map<BitcoinAddress, Set<Hash32>>()
  for (const { inputs, outputs, txid } of transactions) {
    for (const { script } of [...inputs, ...outputs]) {
      if (!addressByScript.has(script)) addressByScript.set(script, addressOf(script))
      const address = addressByScript.get(script) ?? null
      if (address === null) continue
      const knownTxids = txidsByAddress.get(address)
      if (knownTxids === undefined) txidsByAddress.set(address, new Set([txid]))
      else knownTxids.add(txid)
    }
  }
  return txidsByAddress
}

/** Reads the blocks of the chain one after another. */
export const bitcoinPolls = Effect.gen(function* () {
  const chain = yield* BitcoinChain
  const { addressOf } = yield* BitcoinTransactions
  const store = yield* BitcoinActivityStore
  const storeStep = yield* makeStoreStep
  const { beginAt, isReplaced, jump, rewind } = yield* rewindBitcoin

  const detectedTransfersIn = Effect.fnUntraced(function* (transactions: ReadonlyArray<BitcoinTransaction>) {
    const txidsByAddress = txidsByAddressOf(transactions, addressOf)
    const registeredAddresses = yield* store.findRegistered(txidsByAddress.keys())
    return [...registeredAddresses].flatMap((address) =>
      Array.from(txidsByAddress.get(address) ?? [], (txid) => ({ txid, address }))
    )
  })

  /**
   * Returns the block after the last one that was read. Null if the server does not have it, or is on a different fork.
   */
  const nextBlock = Effect.fnUntraced(function* ({ last }: WatchProgress) {
    const hash = yield* mapToUpstream(chain.blockHash(last.number + 1))
    if (hash === null) return null
    const content: BitcoinBlockContent = yield* mapToUpstream(chain.block(hash))
    return content.previous === last.hash ? { hash, height: last.number + 1, content } : null
  })

  /** Reads the next block. */
  return Effect.fnUntraced(function* (claimedChain: ClaimedBitcoin) {
    const tip = yield* mapToUpstream(chain.tip)
    if (claimedChain.progress === null) {
      const first = yield* beginAt(tip)
      yield* storeStep(claimedChain, first)
      return first
    }
    const headSeenAt = yield* Clock.currentTimeMillis
    const progress = { ...claimedChain.progress, headNumber: tip.height, headSeenAt }
    if (yield* isReplaced(progress, tip)) return yield* rewind(claimedChain, progress, tip)
    const blocksBehind = tip.height - progress.last.number
    const maxBehind = Math.max(MAX_BEHIND, (yield* store.countAddresses) / ADDRESSES_PER_BLOCK)
    if (blocksBehind > maxBehind) return yield* jump(claimedChain, progress, tip)
    const block = blocksBehind > 0 ? yield* nextBlock(progress) : null
    if (block === null) {
      yield* storeStep(claimedChain, progress)
      return progress
    }
    const { content, hash, height } = block
    const blockDetectedTransfers = yield* detectedTransfersIn(content.transactions)
    const detectedTransfers: ReadonlyArray<DetectedBitcoinTransfer> = blockDetectedTransfers.map((one) => ({
      ...one,
      block: { hash, height }
    }))
    const next = {
      ...progress,
      last: markOf(block, content.minedAtMs),
      recent: [...progress.recent, progress.last].slice(-MAX_RECENT_MARKS)
    }
    const now = yield* DateTime.now
    const addresses = [...new Set(blockDetectedTransfers.map(({ address }) => address))]
    const storeTransfers = Effect.andThen(
      store.recordDetected(detectedTransfers, now),
      store.advancePolls(addresses, now, DateTime.add(now, { milliseconds: MIN_POLL_MS }))
    )
    yield* storeStep(claimedChain, next, storeTransfers)
    return next
  })
})
