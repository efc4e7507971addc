import { Clock, Context, DateTime, Effect, Layer, Option } from "effect"
import { UpstreamUnavailable } from "../../foundation/errors/index.ts"
import { type BitcoinAddress, type Hash32, type HexBytes, UnitOfWork } from "../../foundation/primitives/index.ts"
import type { BlockMark } from "../../trading/pools/index.ts"
import {
  ActivitySettings,
  ActivityStore,
  type WatchedChain,
  type WatchProgress
} from "../../wallets/chain-activity/index.ts"
import {
  type BitcoinBlock,
  type BitcoinBlockContent,
  BitcoinChain,
  type BitcoinTransaction,
  BitcoinTransactions
} from "../chain/index.ts"
import { upstream } from "../payments/index.ts"
import { BitcoinActivityRecords } from "./BitcoinActivityRecords.ts"
import { BitcoinActivityStore } from "./BitcoinActivityStore.ts"
import type { AddressLook, BitcoinSighted, BitcoinSighting } from "./BitcoinSighting.ts"

const CHAIN = 0
/** No other worker takes the chain for so long: longer than a step takes, however slow the hosts are. */
const LEASE_SECONDS = 180
const STEP_MS = 150_000
/** Between two looks at the chain, and at addresses with waiting transactions. */
const LOOK_MS = 5_000
/** Without addresses nothing is asked. */
const IDLE_MS = 2_000
const RETRY_MS = 5_000
/** What failed for one address or transaction alone is tried again so soon. */
const FAILED_MS = 30_000
/** Blocks that are remembered one by one. */
const RECENT = 100
/** A block is about as many requests as this many addresses: what is cheaper is read after a pause. */
const ADDRESSES_PER_BLOCK = 100
const MOST_BEHIND = 6
/** Addresses that a step looks at, sightings that it looks at, and how many of each at once. */
const LOOKS = 10
const RECORDED = 50
const CONCURRENCY = 4
/**
 * An address is looked at for what waits after a sixtieth of the time since something happened to it: at the soonest after
 * this, and at the latest when each address has had so much time. So idle ones together cost a request in two seconds, however
 * many they are; what a block has is seen at once.
 */
const SHORTEST_LOOK_MS = 10_000
const LONGEST_LOOK_MS = 60_000
const LONGEST_LOOK_MS_BY_ADDRESS = 2_000
/** Transactions of an address that are read back at most. */
const MOST_HISTORY = 1_000

const tooSlow = new UpstreamUnavailable({ upstream: "Bitcoin's chain", reason: `no answers within ${STEP_MS} ms` })

/** What a step has of each address: the transactions that pay to it or spend from it, each once. */
const touchesOf = (
  transactions: ReadonlyArray<BitcoinTransaction>,
  addressOf: (script: HexBytes) => BitcoinAddress | null
): ReadonlyMap<BitcoinAddress, ReadonlySet<Hash32>> => {
  const known = new Map<HexBytes, BitcoinAddress | null>()
  const touches = new Map<BitcoinAddress, Set<Hash32>>()
  for (const { inputs, outputs, txid } of transactions) {
    for (const { script } of [...inputs, ...outputs]) {
      if (!known.has(script)) known.set(script, addressOf(script))
      const address = known.get(script) ?? null
      if (address === null) continue
      const of = touches.get(address)
      if (of === undefined) touches.set(address, new Set([txid]))
      else of.add(txid)
    }
  }
  return touches
}

/** Finds what happens to registered addresses on Bitcoin's chain, step by step, and has it recorded. */
export class BitcoinWatch extends Context.Service<
  BitcoinWatch,
  {
    /** Whether the chain is watched at all. */
    readonly isOn: boolean
    /** Takes a step of the chain where one is due. False where none is. */
    readonly watchDue: Effect.Effect<boolean>
  }
>()("@countersign/core/bitcoin-activity/BitcoinWatch") {
  static readonly layer = ({ isRead }: { readonly isRead: boolean }) =>
    Layer.effect(
      BitcoinWatch,
      Effect.gen(function* () {
        const chain = yield* BitcoinChain
        const { addressOf } = yield* BitcoinTransactions
        const cursor = yield* ActivityStore
        const store = yield* BitcoinActivityStore
        const records = yield* BitcoinActivityRecords
        const unitOfWork = yield* UnitOfWork
        const settings = yield* ActivitySettings

        type Claimed = WatchedChain<typeof CHAIN>

        /** Stores a step whole or not at all. Answers whether the chain was still this worker's. */
        const keep = (claimed: Claimed, progress: WatchProgress, also: Effect.Effect<unknown> = Effect.void) =>
          unitOfWork.run(
            Effect.gen(function* () {
              if (!(yield* cursor.advance(claimed, progress))) return false
              yield* also
              return true
            })
          )

        const markOf = ({ hash, height }: BitcoinBlock, minedAtMs: number): BlockMark => ({
          number: height,
          hash,
          at: Math.floor(minedAtMs / 1_000)
        })

        /** From the chain's end on. What was before is in the histories of the addresses. */
        const beginAt = Effect.fnUntraced(function* (tip: BitcoinBlock) {
          const now = yield* Clock.currentTimeMillis
          const progress: WatchProgress = {
            last: markOf(tip, now),
            recent: [],
            span: 1,
            backfillSpan: 1,
            headNumber: tip.height,
            headSeenAt: now,
            seesInternalCoin: true
          }
          return progress
        })

        /** To the chain's end after a long pause: by addresses, which costs less than the blocks between. */
        const jump = Effect.fnUntraced(function* (claimed: Claimed, before: WatchProgress, tip: BitcoinBlock) {
          const now = yield* DateTime.now
          const progress = yield* beginAt(tip)
          const sighted = yield* store.above(-1)
          const again = Effect.andThen(
            Effect.forEach(sighted, records.takeBack, { discard: true }),
            store.lookAgain(Math.max(0, before.last.number - MOST_BEHIND), now)
          )
          yield* keep(claimed, progress, again)
          return progress
        })

        /** Back to the last block that this chain and the one that was read have in common. */
        const rewind = Effect.fnUntraced(function* (claimed: Claimed, progress: WatchProgress, tip: BitcoinBlock) {
          let fork: BlockMark | null = null
          for (const mark of progress.recent.toReversed()) {
            if (mark.number > tip.height) continue
            if ((yield* upstream(chain.blockHash(mark.number))) !== mark.hash) continue
            fork = mark
            break
          }
          if (fork === null) return yield* jump(claimed, progress, tip)
          const common = fork.number
          const sighted = yield* store.above(common)
          yield* Effect.logInfo("blocks of Bitcoin's chain were replaced", {
            from: common + 1,
            transactions: sighted.length
          })
          const rewound = { ...progress, last: fork, recent: progress.recent.filter(({ number }) => number < common) }
          yield* keep(claimed, rewound, Effect.forEach(sighted, records.takeBack, { discard: true }))
          return rewound
        })

        /** Whether the chain that was read is another one, and not the same with more blocks than this host has. */
        const isReplaced = Effect.fnUntraced(function* ({ last, recent }: WatchProgress, tip: BitcoinBlock) {
          const known = tip.height >= last.number ? last : recent.find(({ number }) => number === tip.height)
          if (known === undefined) return false
          const hash = known.number === tip.height ? tip.hash : yield* upstream(chain.blockHash(known.number))
          return hash !== null && hash !== known.hash
        })

        const sightingsIn = Effect.fnUntraced(function* (transactions: ReadonlyArray<BitcoinTransaction>) {
          const touches = touchesOf(transactions, addressOf)
          const registered = yield* store.registered(touches.keys())
          return [...registered].flatMap((address) =>
            Array.from(touches.get(address) ?? [], (txid) => ({ txid, address }))
          )
        })

        /** The block after the last one that was read. Null where it has no such block, or is of another chain. */
        const nextBlock = Effect.fnUntraced(function* ({ last }: WatchProgress) {
          const hash = yield* upstream(chain.blockHash(last.number + 1))
          if (hash === null) return null
          const content: BitcoinBlockContent = yield* upstream(chain.block(hash))
          return content.previous === last.hash ? { hash, height: last.number + 1, content } : null
        })

        /** On with the chain, by a block. */
        const goOn = Effect.fnUntraced(function* (claimed: Claimed) {
          const tip = yield* upstream(chain.tip)
          if (claimed.progress === null) {
            const first = yield* beginAt(tip)
            yield* keep(claimed, first)
            return first
          }
          const headSeenAt = yield* Clock.currentTimeMillis
          const progress = { ...claimed.progress, headNumber: tip.height, headSeenAt }
          if (yield* isReplaced(progress, tip)) return yield* rewind(claimed, progress, tip)
          const behind = tip.height - progress.last.number
          const most = Math.max(MOST_BEHIND, (yield* store.addressCount) / ADDRESSES_PER_BLOCK)
          if (behind > most) return yield* jump(claimed, progress, tip)
          const block = behind > 0 ? yield* nextBlock(progress) : null
          if (block === null) {
            yield* keep(claimed, progress)
            return progress
          }
          const { content, hash, height } = block
          const found = yield* sightingsIn(content.transactions)
          const sightings: ReadonlyArray<BitcoinSighting> = found.map((one) => ({ ...one, block: { hash, height } }))
          const next = {
            ...progress,
            last: markOf(block, content.minedAtMs),
            recent: [...progress.recent, progress.last].slice(-RECENT)
          }
          const now = yield* DateTime.now
          const addresses = [...new Set(found.map(({ address }) => address))]
          const also = Effect.andThen(
            store.see(sightings, now),
            store.hurryLooks(addresses, now, DateTime.add(now, { milliseconds: SHORTEST_LOOK_MS }))
          )
          yield* keep(claimed, next, also)
          return next
        })

        const nextLook = Effect.fnUntraced(function* (activeAt: DateTime.Utc) {
          const now = yield* Clock.currentTimeMillis
          const since = (now - DateTime.toEpochMillis(activeAt)) / 60
          const longest = Math.max(LONGEST_LOOK_MS, (yield* store.addressCount) * LONGEST_LOOK_MS_BY_ADDRESS)
          return DateTime.makeUnsafe(now + Math.min(longest, Math.max(SHORTEST_LOOK_MS, since)))
        })

        /** The newest transaction's time, where that is later than what was known. */
        const activityOf = Effect.fnUntraced(function* (
          { activeAt }: AddressLook,
          [newest]: ReadonlyArray<BitcoinTransaction>
        ) {
          if (newest === undefined) return activeAt
          const at = newest.block === null ? yield* Clock.currentTimeMillis : newest.block.minedAtMs
          return DateTime.makeUnsafe(Math.max(at, DateTime.toEpochMillis(activeAt)))
        })

        /** The last one of a page may have lost its block since: its place in the history is gone, which is no end. */
        const isEnd = Effect.fnUntraced(function* (page: ReadonlyArray<BitcoinTransaction>, after: Hash32 | null) {
          if (page.length > 0 || after === null) return true
          return (yield* upstream(chain.transaction(after)))?.block != null
        })

        /** A page of the history of an address: what waits, and what is not read yet of the past. */
        const look = Effect.fnUntraced(function* (at: AddressLook, last: number) {
          const { address, after, toHeight } = at
          const page = yield* upstream(chain.transactionsOf(address, after))
          const floor = toHeight === null ? last + 1 : Math.max(toHeight, last - settings.backfillBlocks + 1)
          const isWanted = ({ block }: BitcoinTransaction) =>
            block === null || (block.height >= floor && block.height <= last)
          const found = page.filter(isWanted).map(({ block, txid }): BitcoinSighting => {
            const place = block === null ? null : { hash: block.hash, height: block.height }
            return { txid, address, block: place }
          })
          const bottom = page.at(-1)?.block ?? null
          const read = at.read + page.length
          const isGoingOn = toHeight !== null && bottom !== null && bottom.height >= floor && read < MOST_HISTORY
          const activeAt = after === null ? yield* activityOf(at, page) : at.activeAt
          const done = { ...at, activeAt, after: null, read: 0 }
          const now = yield* DateTime.now
          if (!(yield* isEnd(page, after))) return yield* store.moveLook({ ...done, toHeight }, now)
          const next = isGoingOn ? { ...at, activeAt, after: page.at(-1)!.txid, read } : { ...done, toHeight: null }
          const dueAt = isGoingOn ? now : yield* nextLook(activeAt)
          yield* unitOfWork.run(Effect.andThen(store.see(found, now), store.moveLook(next, dueAt)))
        })

        const quietly = (what: string) =>
          Effect.catch((error: UpstreamUnavailable) =>
            Effect.logWarning(`${what} of Bitcoin's chain failed`, { reason: error.message })
          )

        /** What fails for one of them does not keep the others. */
        const lookAround = Effect.fnUntraced(function* (last: number) {
          const now = yield* DateTime.now
          const due = yield* store.looks(now, LOOKS)
          const again = DateTime.add(now, { milliseconds: FAILED_MS })
          const each = (one: AddressLook) =>
            look(one, last).pipe(
              Effect.tapError(() => store.moveLook(one, again)),
              quietly("looking at an address")
            )
          yield* Effect.forEach(due, each, { concurrency: CONCURRENCY, discard: true })
          return due.length
        })

        const recordDue = Effect.fnUntraced(function* (last: number) {
          const now = yield* DateTime.now
          const due = yield* store.due(now, RECORDED)
          const again = DateTime.add(now, { milliseconds: FAILED_MS })
          const each = (one: BitcoinSighted) =>
            records.record(one, last).pipe(
              Effect.tapError(() => store.later(one, again)),
              quietly("recording a transaction")
            )
          yield* Effect.forEach(due, each, { concurrency: CONCURRENCY, discard: true })
          const grown = yield* store.grown(last, RECORDED)
          yield* Effect.forEach(grown, (one) => records.confirm(one, last), { discard: true })
          return due.length + grown.length
        })

        /** The time until the next step. */
        const step = Effect.fnUntraced(function* (claimed: Claimed) {
          if ((yield* store.addressCount) === 0) return IDLE_MS
          const { headNumber, last } = yield* goOn(claimed)
          const isBehind = last.number < headNumber
          // First, so that what is found is recorded at once.
          const looked = isBehind ? 0 : yield* lookAround(last.number)
          const recorded = yield* recordDue(last.number)
          // A host that has not the next block yet is not asked for it without a pause.
          if (isBehind) return last.hash === claimed.progress?.last.hash ? RETRY_MS : 0
          return recorded >= RECORDED || looked === LOOKS ? LOOK_MS / 10 : LOOK_MS
        })

        const isOn = isRead && settings.isOn
        let isFollowed = false

        const due = Effect.gen(function* () {
          if (!isOn) return Option.none<Claimed>()
          const now = yield* DateTime.now
          if (!isFollowed) yield* cursor.follow([CHAIN], now)
          isFollowed = true
          return yield* cursor.claim([CHAIN], now, DateTime.add(now, { seconds: LEASE_SECONDS }))
        })

        const watchDue = Effect.gen(function* () {
          const claim = yield* due
          if (Option.isNone(claim)) return false
          const claimed = claim.value
          const giveBack = (waitMs: number) =>
            Effect.flatMap(Clock.currentTimeMillis, (nowMs) =>
              cursor.giveBack(claimed, DateTime.makeUnsafe(nowMs + waitMs))
            )
          const waitMs = yield* step(claimed).pipe(
            Effect.timeoutOrElse({ duration: STEP_MS, orElse: () => Effect.fail(tooSlow) }),
            Effect.catch((error) =>
              Effect.as(Effect.logWarning("watching Bitcoin's chain failed", { reason: error.message }), RETRY_MS)
            ),
            Effect.onError(() => giveBack(RETRY_MS))
          )
          yield* giveBack(waitMs)
          return true
        })

        return BitcoinWatch.of({ isOn, watchDue: Effect.withSpan(watchDue, "BitcoinWatch.watchDue") })
      })
    )
}
