import { Clock, Context, DateTime, Effect, Layer } from "effect"
import { HistoryStore, type Transaction, Transactions } from "../../accounting/history/index.ts"
import type { UpstreamUnavailable } from "../../foundation/errors/index.ts"
import { Entropy, type Hash32, UnitOfWork } from "../../foundation/primitives/index.ts"
import { tokenKey, usdValueOrNull } from "../../foundation/tokens/index.ts"
import { waitSinceMs } from "../../foundation/work/index.ts"
import type { ProjectId } from "../../tenancy/projects/index.ts"
import { foundTypes, isRecent, pastValues } from "../../wallets/chain-activity/index.ts"
import { WalletStore } from "../../wallets/registry/index.ts"
import { BitcoinChain, type BitcoinTransaction, BitcoinTransactions, bitcoinCoin } from "../chain/index.ts"
import { ConfirmationPolicy, confirmationsFor, upstream } from "../payments/index.ts"
import { BitcoinActivityStore } from "./BitcoinActivityStore.ts"
import type { BitcoinSighted } from "./BitcoinSighting.ts"
import {
  asFound,
  confirmed,
  type FoundState,
  isChanged,
  lost,
  newPayment,
  recordedElsewhere,
  waiting
} from "./foundPayments.ts"
import { ownPayments } from "./ownPayments.ts"
import { amountOf, type BitcoinPart, partOf } from "./paymentParts.ts"

/** More than a transaction has entries of one address in one project. */
const ENTRIES = 10
/** The wait before a transaction that may change without a block is checked again. */
const WAIT = { shortestMs: 5_000, longestMs: 600_000, share: 1 / 4 }
/** What was told of once, and is known nowhere, is believed to come for so long. */
const RUMOUR_MS = 600_000
/** Nodes drop what waits for longer (Bitcoin Core, `DEFAULT_MEMPOOL_EXPIRY_HOURS`). */
const MEMPOOL_MS = 336 * 3_600_000
/** A block with fewer on top of it may be replaced, however few confirmations the operator is content with. */
const SETTLED = 6

/** Writes sighted payments into the histories of the projects that registered the address, and takes them back. */
export class BitcoinActivityRecords extends Context.Service<
  BitcoinActivityRecords,
  {
    /** Makes the histories what the chain, read up to this height, says of a sighting. */
    readonly record: (sighted: BitcoinSighted, height: number) => Effect.Effect<void, UpstreamUnavailable>
    /** Its block stays, and the chain is so high now. */
    readonly confirm: (sighted: BitcoinSighted, height: number) => Effect.Effect<void>
    /** Its block may be gone: it is looked at again. To be run in the unit of work that moves the chain's cursor. */
    readonly takeBack: (sighted: BitcoinSighted) => Effect.Effect<void>
  }
>()("@countersign/core/bitcoin-activity/BitcoinActivityRecords") {
  static readonly layer = Layer.effect(
    BitcoinActivityRecords,
    Effect.gen(function* () {
      const chain = yield* BitcoinChain
      const store = yield* BitcoinActivityStore
      const history = yield* HistoryStore
      const transactions = yield* Transactions
      const wallets = yield* WalletStore
      const scripts = yield* BitcoinTransactions
      const entropy = yield* Entropy
      const unitOfWork = yield* UnitOfWork
      const policy = yield* ConfirmationPolicy
      const ownership = yield* ownPayments
      const valuesAt = yield* pastValues

      const settledAfter = (needed: number) => Math.max(needed, SETTLED)
      const confirmationsAt = (block: { readonly height: number } | null, height: number) =>
        block === null ? 0 : Math.max(0, height - block.height + 1)

      /** What the history of a project has of a sighting. */
      const known = (projectId: ProjectId, { sighting: { address, txid } }: BitcoinSighted) =>
        history.list({
          projectId,
          walletAddress: address,
          filter: { transactionHash: txid, types: [...foundTypes], includeUnlisted: true },
          after: null,
          take: ENTRIES
        })

      const knownInAll = Effect.fnUntraced(function* (sighted: BitcoinSighted) {
        const projects = yield* store.projectsOf(sighted.sighting.address)
        return (yield* Effect.forEach(projects, (projectId) => known(projectId, sighted))).flat()
      })

      const neededOf = ({ expected, movements }: Transaction): number =>
        confirmationsFor(
          policy,
          [...movements, ...expected].reduce((sum, { amount, role }) => (role === "GAS" ? sum : sum + amount), 0n)
        )

      const change = (before: Transaction, after: Transaction) =>
        isChanged(before, after) ? transactions.change(before, after) : Effect.void

      const nextLook = Effect.fnUntraced(function* ({ seenAt }: BitcoinSighted) {
        const now = yield* DateTime.now
        return DateTime.add(now, { milliseconds: waitSinceMs(seenAt, now, WAIT) })
      })
      const later = (sighted: BitcoinSighted) =>
        Effect.flatMap(nextLook(sighted), (dueAt) => store.later(sighted, dueAt))

      /** Makes the history of a project what the chain says. */
      const write = Effect.fnUntraced(function* (
        projectId: ProjectId,
        sighted: BitcoinSighted,
        part: BitcoinPart,
        state: FoundState
      ) {
        const { address, txid } = sighted.sighting
        const now = yield* DateTime.now
        const [same] = yield* known(projectId, sighted)
        if (same !== undefined) return yield* change(same, asFound(same, state, now))
        const minedAtMs = state.block?.minedAtMs ?? DateTime.toEpochMillis(now)
        const minedAt = DateTime.makeUnsafe(minedAtMs)
        const createdAt = isRecent(minedAtMs / 1_000, DateTime.toEpochMillis(now)) ? now : minedAt
        const blank = newPayment({ id: yield* entropy.uuid, projectId, walletAddress: address, createdAt }, part, txid)
        yield* transactions.add(asFound(blank, state, now))
        yield* wallets.recordTransaction(projectId, address, minedAt)
      })

      /** Withdraws the payment from the history of a project whose operation has recorded it. */
      const withdraw = Effect.fnUntraced(function* (projectId: ProjectId, sighted: BitcoinSighted) {
        const now = yield* DateTime.now
        for (const one of yield* known(projectId, sighted)) yield* change(one, recordedElsewhere(one, now))
      })

      /** The value of what moved, at the time of its block; null where that may still be found out. */
      const usdAt = Effect.fnUntraced(function* (block: BitcoinTransaction["block"], { seenAt }: BitcoinSighted) {
        const seconds = Math.floor((block?.minedAtMs ?? (yield* Clock.currentTimeMillis)) / 1_000)
        const values = yield* valuesAt([bitcoinCoin], seconds, seenAt)
        if (values === null) return null
        const price = values.get(tokenKey(bitcoinCoin))
        return (amount: bigint) => usdValueOrNull(amount, bitcoinCoin, price)
      })

      const recordFound = Effect.fnUntraced(function* (
        sighted: BitcoinSighted,
        found: BitcoinTransaction,
        height: number
      ) {
        const { address, block: readIn, txid } = sighted.sighting
        const block = found.block !== null && found.block.height <= height ? found.block : null
        // A host is behind the one that told of the block.
        if (readIn !== null && readIn.hash !== block?.hash) return yield* later(sighted)
        const usd = yield* usdAt(block, sighted)
        if (usd === null) return yield* later(sighted)
        const script = scripts.scriptOf(address)
        const part = partOf(found, { address, script, addressOf: scripts.addressOf, usd })
        if (part === null) return yield* store.forget(sighted)
        const needed = confirmationsFor(policy, amountOf(part))
        const confirmations = confirmationsAt(block, height)
        const state: FoundState = { txid, block, confirmations, needed }

        yield* unitOfWork.run(
          Effect.gen(function* () {
            const spends = found.inputs.map((input) => ({ txid: input.txid, vout: input.vout }))
            const projects = yield* store.projectsOf(address)
            const owners = yield* Effect.forEach(projects, (projectId) => ownership(projectId, address, script, found))
            const isUnclear = owners.includes("UNDER_WAY")
            const dueAt = block === null || isUnclear ? yield* nextLook(sighted) : null
            if (!(yield* store.decide(sighted, { block, confirmations, spends, dueAt }))) return
            for (const [place, projectId] of projects.entries()) {
              if (owners[place] === "FOREIGN") yield* write(projectId, sighted, part, state)
              if (owners[place] === "RECORDED") yield* withdraw(projectId, sighted)
            }
            if (dueAt !== null || confirmations < settledAfter(needed)) return
            yield* store.forget({ ...sighted, version: sighted.version + 1 })
          })
        )
      })

      /** Ends what is in no history's future: all entries of it that are under way. */
      const end = (sighted: BitcoinSighted, code: "DROPPED" | "REPLACED", message: string) =>
        unitOfWork.run(
          Effect.gen(function* () {
            const now = yield* DateTime.now
            yield* store.forget(sighted)
            for (const one of yield* knownInAll(sighted)) {
              if (one.status === "PROCESSING") yield* change(one, lost(one, code, message, now))
            }
          })
        )

      const tell = (sighted: BitcoinSighted, substatus: string) =>
        unitOfWork.run(
          Effect.gen(function* () {
            const now = yield* DateTime.now
            yield* later(sighted)
            for (const one of yield* knownInAll(sighted)) {
              if (one.status === "PROCESSING") yield* change(one, waiting(one, substatus, now))
            }
          })
        )

      /** The transaction that has a coin of one that is gone. */
      const takerOf = Effect.fnUntraced(function* (spends: NonNullable<BitcoinSighted["spends"]>, txid: Hash32) {
        for (const output of spends) {
          const spender = yield* upstream(chain.spender(output))
          if (spender !== null && spender !== txid) return yield* upstream(chain.transaction(spender))
        }
        return null
      })

      /** No host knows it, although one has told of it. */
      const recordMissing = Effect.fnUntraced(function* (sighted: BitcoinSighted, height: number) {
        const { seenAt, sighting, spends } = sighted
        const waitedMs = (yield* Clock.currentTimeMillis) - DateTime.toEpochMillis(seenAt)
        if (sighting.block !== null) return yield* later(sighted)
        if (spends === null) return yield* waitedMs > RUMOUR_MS ? store.forget(sighted) : later(sighted)
        const taker = yield* takerOf(spends, sighting.txid)
        if (taker !== null) {
          const isOver = confirmationsAt(taker.block, height) >= SETTLED
          if (!isOver) return yield* tell(sighted, "COINS_TAKEN")
          return yield* end(sighted, "REPLACED", `Another transaction took its coins: ${taker.txid}`)
        }
        return yield* waitedMs > MEMPOOL_MS
          ? end(sighted, "DROPPED", "No block has it, and no node keeps it any longer.")
          : tell(sighted, "DROPPED")
      })

      const record = Effect.fn("BitcoinActivityRecords.record")(function* (sighted: BitcoinSighted, height: number) {
        const found = yield* upstream(chain.transaction(sighted.sighting.txid))
        return yield* found === null ? recordMissing(sighted, height) : recordFound(sighted, found, height)
      })

      const confirm = (sighted: BitcoinSighted, height: number) =>
        unitOfWork.run(
          Effect.gen(function* () {
            const { sighting, spends } = sighted
            const now = yield* DateTime.now
            const confirmations = confirmationsAt(sighting.block, height)
            const moved = { block: sighting.block, confirmations, spends, dueAt: null }
            if (!(yield* store.decide(sighted, moved))) return
            let settled = SETTLED
            for (const one of yield* knownInAll(sighted)) {
              const needed = neededOf(one)
              settled = Math.max(settled, needed)
              if (one.status === "PROCESSING") yield* change(one, confirmed(one, confirmations, needed, now))
            }
            if (confirmations >= settled) yield* store.forget({ ...sighted, version: sighted.version + 1 })
          })
        )

      const takeBack = Effect.fnUntraced(function* (sighted: BitcoinSighted) {
        const now = yield* DateTime.now
        const { spends } = sighted
        if (!(yield* store.decide(sighted, { block: null, confirmations: 0, spends, dueAt: now }))) return
        for (const one of yield* knownInAll(sighted)) {
          if (one.legs.some(({ block }) => block !== null)) yield* change(one, waiting(one, "REORGED", now))
        }
      })

      return BitcoinActivityRecords.of({ record, confirm, takeBack })
    })
  )
}
