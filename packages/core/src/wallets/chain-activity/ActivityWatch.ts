import { Clock, Context, DateTime, Effect, Layer, Option } from "effect"
import { chainOf, type EvmChainId } from "../../foundation/chains/index.ts"
import { UpstreamUnavailable } from "../../foundation/errors/index.ts"
import { type Address, NATIVE_COIN, UnitOfWork } from "../../foundation/primitives/index.ts"
import { TokenCatalog } from "../../foundation/tokens/index.ts"
import { Finality } from "../../operations/executions/index.ts"
import { ChainReader } from "../../operations/user-operations/index.ts"
import type { BlockGone, BlockMark, RangeRefused } from "../../trading/pools/index.ts"
import type { WatchProgress } from "./Activity.ts"
import { ActivityRecords } from "./ActivityRecords.ts"
import { ActivitySettings } from "./ActivitySettings.ts"
import { ActivityStore, type Backfill, type WatchedChain } from "./ActivityStore.ts"
import { type BlocksRead, ChainActivity } from "./ChainActivity.ts"
import { type SightedTokens, sightingsOf } from "./sightings.ts"

/** No other worker takes a chain for so long: longer than a step takes, however slow the node is. */
const LEASE_SECONDS = 180
const STEP_MS = 150_000
/** Blocks that are read at once: with coin each of them whole, else their logs alone. */
const COIN_SPAN = 20
const LOG_SPAN = 500
const BACKFILL_SPAN = 2_000
const LARGEST_BACKFILL_SPAN = 100_000
/** More touches than this in an answer are asked for in smaller parts next time. */
const MANY_TOUCHES = 5_000
/** Up to so many wallets logs are asked for by their addresses, and above by the event alone. */
const FEW_WALLETS = 300
/** Wallets whose past is read together. */
const BACKFILLED_AT_ONCE = 100
/** Blocks that are remembered one by one. */
const RECENT = 16
/** How far back the first block is that is read: a wallet may get coin a moment before its chain is looked at. */
const FIRST_MS = 10_000
/** Sightings that a step looks at, and those at once. */
const RECORDED_AT_ONCE = 200
const CONCURRENCY = 8
/** Transactions with tokens that are not listed which are recorded of a wallet; those after them are counted alone. */
const MOST_UNLISTED = 100
/** The longest time between two looks at a chain, where that of its blocks is not less. */
const LONGEST_LOOK_MS = 4_000
/** Without wallets nothing is asked of a chain. */
const IDLE_MS = 2_000
const RETRY_MS = 5_000

const tooSlow = new UpstreamUnavailable({ upstream: "The chain's node", reason: `no answers within ${STEP_MS} ms` })

const halved = (span: number): number => Math.max(1, Math.floor(span / 2))

/** The chain's blocks after a step: the last one, and some before it. */
const withBlocks = (progress: WatchProgress, marks: ReadonlyArray<BlockMark>): WatchProgress => {
  const last = marks.at(-1) ?? progress.last
  const recent = [...progress.recent, progress.last, ...marks].filter(({ number }) => number < last.number)
  return { ...progress, last, recent: recent.slice(-RECENT) }
}

type ReadError = UpstreamUnavailable | RangeRefused | BlockGone

/** Finds what happens to registered wallets on their chains, step by step, and has it recorded. */
export class ActivityWatch extends Context.Service<
  ActivityWatch,
  {
    /** Takes a step of the chain that has been due for longest. False where none is due. */
    readonly watchDue: Effect.Effect<boolean>
  }
>()("@countersign/core/chain-activity/ActivityWatch") {
  static readonly layer = ({ chainIds }: { readonly chainIds: () => ReadonlyArray<EvmChainId> }) =>
    Layer.effect(
      ActivityWatch,
      Effect.gen(function* () {
        const chain = yield* ChainActivity
        const store = yield* ActivityStore
        const records = yield* ActivityRecords
        const reader = yield* ChainReader
        const catalog = yield* TokenCatalog
        const unitOfWork = yield* UnitOfWork
        const finality = yield* Finality
        const settings = yield* ActivitySettings

        const usualSpan = settings.withCoin ? COIN_SPAN : LOG_SPAN

        const lookMs = (chainId: EvmChainId) => Math.min(LONGEST_LOOK_MS, finality(chainId).lookEveryMs)

        const upstream = (chainId: EvmChainId, reason: string) =>
          new UpstreamUnavailable({ upstream: `nodes of ${chainOf(chainId).name}`, reason })

        const isUnlisted = Effect.fnUntraced(function* (chainId: EvmChainId, { tokens }: SightedTokens) {
          for (const token of tokens) {
            if (token === null || token === NATIVE_COIN) return false
            if (Option.isSome(yield* catalog.find(chainId, token))) return false
          }
          return true
        })

        /** Those that are stored: of the ones about unlisted tokens alone a number for each wallet, so that spam has an end. */
        const withinBounds = Effect.fnUntraced(function* (chainId: EvmChainId, found: ReadonlyArray<SightedTokens>) {
          const [unlisted, listed]: [Array<SightedTokens>, Array<SightedTokens>] = [[], []]
          for (const each of found) {
            const among = (yield* isUnlisted(chainId, each)) ? unlisted : listed
            among.push(each)
          }
          const kept = [...listed]
          for (const [address, group] of Map.groupBy(unlisted, ({ sighting }) => sighting.address)) {
            const before = yield* store.countUnlisted(address, group.length)
            kept.push(...group.slice(0, Math.max(0, MOST_UNLISTED - before)))
          }
          return kept.map(({ sighting }) => sighting)
        })

        /** Stores a step whole or not at all. Answers whether the chain was still this worker's. */
        const keep = (
          claimed: WatchedChain<EvmChainId>,
          progress: WatchProgress,
          found: ReadonlyArray<SightedTokens>,
          also: Effect.Effect<unknown> = Effect.void
        ) =>
          unitOfWork.run(
            Effect.gen(function* () {
              if (!(yield* store.advance(claimed, progress))) return false
              const sightings = yield* withinBounds(claimed.chainId, found)
              yield* store.see(sightings, yield* DateTime.now)
              yield* also
              return true
            })
          )

        const foundIn = Effect.fnUntraced(function* (chainId: EvmChainId, { touches }: BlocksRead) {
          if (touches.length === 0) return []
          const registered = yield* store.registered(new Set(touches.map(({ account }) => account)))
          return sightingsOf(chainId, touches, registered)
        })

        /** The wallets by whose addresses logs are asked for; null where there are too many. */
        const fewWallets = Effect.map(store.some(FEW_WALLETS + 1), (some) => (some.length > FEW_WALLETS ? null : some))

        const begin = Effect.fnUntraced(function* (chainId: EvmChainId) {
          const head = yield* chain.head(chainId)
          const back = Math.ceil(FIRST_MS / chainOf(chainId).blockTimeMs)
          const [first] = yield* chain.marks(chainId, [Math.max(0, head.number - back)])
          const progress: WatchProgress = {
            last: first ?? head,
            recent: [],
            span: usualSpan,
            backfillSpan: BACKFILL_SPAN,
            headNumber: head.number,
            headSeenAt: yield* Clock.currentTimeMillis,
            seesInternalCoin: settings.withCoin
          }
          return progress
        })

        /** The last block that this chain and the one that was read have in common. */
        const forkOf = Effect.fnUntraced(function* (
          chainId: EvmChainId,
          { last, recent }: WatchProgress,
          head: number
        ) {
          const known = recent.filter(({ number }) => number <= head)
          const there = yield* chain.marks(
            chainId,
            known.map(({ number }) => number)
          )
          const common = known.findLast(({ hash }, place) => there[place]?.hash === hash)
          if (common !== undefined) return common
          const number = Math.max(0, Math.min(last.number, head) - finality(chainId).blocks)
          const [mark] = yield* chain.marks(chainId, [number])
          return mark ?? (yield* upstream(chainId, `they do not have block ${number}`))
        })

        /** Back to where another chain forks off. What was found in blocks that are gone is taken back. */
        const rewind = Effect.fnUntraced(function* (
          claimed: WatchedChain<EvmChainId>,
          progress: WatchProgress,
          head: BlockMark
        ) {
          const { chainId } = claimed
          const fork = yield* forkOf(chainId, progress, head.number)
          const sighted = yield* store.since(chainId, fork.number + 1)
          const gone = new Set<number>()
          for (const [blockNumber, group] of Map.groupBy(sighted, ({ sighting }) => sighting.blockNumber)) {
            const { hash, isMissing = false } = yield* reader.agreedBlockAt(chainId, BigInt(blockNumber))
            // Without a hash the block may be there or not.
            if (hash === null && !isMissing)
              return yield* upstream(chainId, `they do not agree on block ${blockNumber}`)
            if (group.some(({ sighting }) => sighting.blockHash !== hash)) gone.add(blockNumber)
          }
          const takenBack = Effect.forEach(
            sighted.filter(({ sighting, state }) => gone.has(sighting.blockNumber) && state !== "GONE"),
            records.takeBack,
            { discard: true }
          )
          const recent = progress.recent.filter(({ number }) => number < fork.number)
          yield* Effect.logInfo("blocks were replaced", {
            chainId,
            from: fork.number + 1,
            transactions: sighted.length
          })
          const rewound = { ...progress, last: fork, recent }
          yield* keep(claimed, rewound, [], takenBack)
          return rewound
        })

        /** Whether the chain that the node has is another one, and not the same with fewer blocks. */
        const isReplaced = Effect.fnUntraced(function* (
          chainId: EvmChainId,
          { last, recent }: WatchProgress,
          head: BlockMark
        ) {
          if (head.number > last.number) return false
          const known = head.number === last.number ? last : recent.find(({ number }) => number === head.number)
          if (known !== undefined) return known.hash !== head.hash
          const { isMissing = false } = yield* reader.agreedBlockAt(chainId, BigInt(last.number))
          return isMissing && head.number < last.number - finality(chainId).blocks
        })

        /** On with the chain. */
        const goOn = Effect.fnUntraced(function* (
          claimed: WatchedChain<EvmChainId>,
          before: WatchProgress,
          among: ReadonlyArray<Address> | null
        ): Effect.fn.Return<WatchProgress, ReadError> {
          const { chainId } = claimed
          const head = yield* chain.head(chainId)
          const progress = { ...before, headNumber: head.number, headSeenAt: yield* Clock.currentTimeMillis }
          if (yield* isReplaced(chainId, progress, head)) return yield* rewind(claimed, progress, head)
          if (head.number <= progress.last.number) {
            yield* keep(claimed, progress, [])
            return progress
          }
          const range = {
            from: progress.last.number + 1,
            to: Math.min(head.number, progress.last.number + progress.span)
          }
          const coin = settings.withCoin ? "EVERY_BLOCK" : "NONE"
          const read = chain.between(chainId, { range, among, coin, anchor: progress.last })
          return yield* Effect.matchEffect(read, {
            onSuccess: Effect.fnUntraced(function* (blocks: BlocksRead) {
              const { seesInternalCoin } = blocks
              const span = Math.min(usualSpan, progress.span * 2)
              const next = { ...withBlocks(progress, blocks.marks), seesInternalCoin, span }
              yield* keep(claimed, next, yield* foundIn(chainId, blocks))
              return next
            }),
            onFailure: Effect.fnUntraced(function* (failure: ReadError): Effect.fn.Return<WatchProgress, ReadError> {
              if (failure._tag === "BLOCK_GONE") return yield* rewind(claimed, progress, head)
              if (failure._tag !== "RANGE_REFUSED" || progress.span === 1) return yield* Effect.fail(failure)
              const smaller = { ...progress, span: halved(progress.span) }
              yield* keep(claimed, smaller, [])
              return smaller
            })
          })
        })

        /** The wallets whose past is read next, which are at the same place. */
        const nextBackfills = (all: ReadonlyArray<Backfill>): ReadonlyArray<Backfill> =>
          all.filter(({ next, to }) => next === all[0]!.next && to === all[0]!.to)

        /** One part of the past of new wallets. False where there is none. */
        const backfill = Effect.fnUntraced(function* (
          claimed: WatchedChain<EvmChainId>,
          progress: WatchProgress
        ): Effect.fn.Return<boolean, ReadError> {
          const { chainId } = claimed
          const all = yield* store.backfills(chainId, BACKFILLED_AT_ONCE)
          if (all.length === 0) return false
          const group = nextBackfills(all)
          const addresses = group.map(({ address }) => address)
          const to = group[0]!.to ?? progress.last.number
          const next = group[0]!.next ?? Math.max(0, to - settings.backfillBlocks + 1)
          if (settings.backfillBlocks === 0 || next > to) {
            yield* store.moveBackfills(chainId, addresses, null)
            return true
          }
          const range = { from: next, to: Math.min(to, next + progress.backfillSpan - 1) }
          const coin = settings.withCoin ? "CHANGED_BALANCES" : "NONE"
          const read = yield* Effect.result(chain.between(chainId, { range, among: addresses, coin, anchor: null }))
          if (read._tag === "Failure") {
            if (read.failure._tag !== "RANGE_REFUSED" || progress.backfillSpan === 1) return yield* read.failure
            yield* keep(claimed, { ...progress, backfillSpan: halved(progress.backfillSpan) }, [])
            return true
          }
          const { touches } = read.success
          const grown = Math.min(LARGEST_BACKFILL_SPAN, Math.ceil(progress.backfillSpan * 1.25))
          const backfillSpan = touches.length > MANY_TOUCHES ? halved(progress.backfillSpan) : grown
          const left = range.to === to ? null : { next: range.to + 1, to }
          yield* keep(
            claimed,
            { ...progress, backfillSpan },
            sightingsOf(chainId, touches, new Set(addresses)),
            store.moveBackfills(chainId, addresses, left)
          )
          return true
        })

        const recordDue = Effect.fnUntraced(function* (chainId: EvmChainId) {
          const due = yield* store.due(chainId, yield* DateTime.now, RECORDED_AT_ONCE)
          const groups = Map.groupBy(due, ({ sighting }) => sighting.transactionHash)
          yield* Effect.forEach(groups.values(), records.record, { concurrency: CONCURRENCY, discard: true })
        })

        const closeFinal = Effect.fnUntraced(function* (chainId: EvmChainId, { last }: WatchProgress) {
          const final = yield* store.until(chainId, last.number - finality(chainId).blocks, RECORDED_AT_ONCE)
          yield* Effect.forEach(final, records.close, { discard: true })
        })

        const quietly = (chainId: EvmChainId, what: string) =>
          Effect.catch((error: ReadError) =>
            Effect.as(Effect.logWarning(`${what} of ${chainOf(chainId).name} failed`, { reason: error.message }), null)
          )

        /** The time until the next step. */
        const step = Effect.fnUntraced(function* (
          claimed: WatchedChain<EvmChainId>
        ): Effect.fn.Return<number, ReadError> {
          const { chainId } = claimed
          const among = yield* fewWallets
          if (among?.length === 0) return IDLE_MS
          const before = claimed.progress ?? (yield* begin(chainId))
          const progress = yield* goOn(claimed, before, among)
          yield* recordDue(chainId).pipe(quietly(chainId, "recording transactions"))
          yield* closeFinal(chainId, progress).pipe(quietly(chainId, "ending the watch of transactions"))
          if (progress.last.number < progress.headNumber) return 0
          const isBackfilling = yield* backfill(claimed, progress).pipe(quietly(chainId, "reading the past of wallets"))
          if (isBackfilling === true) return 0
          const nextDue = yield* store.nextDue(chainId)
          if (nextDue === null) return lookMs(chainId)
          const untilDue = DateTime.toEpochMillis(nextDue) - (yield* Clock.currentTimeMillis)
          return Math.max(0, Math.min(lookMs(chainId), untilDue))
        })

        const followed = new Set<EvmChainId>()

        const due = Effect.gen(function* () {
          const watched = settings.isOn ? chainIds() : []
          if (watched.length === 0) return Option.none<WatchedChain<EvmChainId>>()
          const now = yield* DateTime.now
          const unknown = watched.filter((chainId) => !followed.has(chainId))
          yield* store.follow(unknown, now)
          for (const chainId of unknown) followed.add(chainId)
          return yield* store.claim(watched, now, DateTime.add(now, { seconds: LEASE_SECONDS }))
        })

        const watchDue = Effect.gen(function* () {
          const claim = yield* due
          if (Option.isNone(claim)) return false
          const claimed = claim.value
          const giveBack = (waitMs: number) =>
            Effect.flatMap(Clock.currentTimeMillis, (nowMs) =>
              store.giveBack(claimed, DateTime.makeUnsafe(nowMs + waitMs))
            )
          const waitMs = yield* step(claimed).pipe(
            Effect.timeoutOrElse({ duration: STEP_MS, orElse: () => Effect.fail(tooSlow) }),
            Effect.catch((error) =>
              Effect.as(
                Effect.logWarning(`watching ${chainOf(claimed.chainId).name} failed`, { reason: error.message }),
                RETRY_MS
              )
            ),
            Effect.onError(() => giveBack(RETRY_MS))
          )
          yield* giveBack(waitMs)
          return true
        })

        return ActivityWatch.of({ watchDue: Effect.withSpan(watchDue, "ActivityWatch.watchDue") })
      })
    )
}
