import { Clock, Context, DateTime, Effect, Layer, Option } from "effect"
import {
  foundDetails,
  HistoryStore,
  isUnlisted,
  type Transaction,
  Transactions
} from "../../accounting/history/index.ts"
import type { UpstreamUnavailable } from "../../foundation/errors/index.ts"
import { type Address, Entropy, NATIVE_COIN, UnitOfWork } from "../../foundation/primitives/index.ts"
import {
  type ByToken,
  isToken,
  type Token,
  TokenCatalog,
  tokenKey,
  type UsdPriceE18,
  usdValueOrNull
} from "../../foundation/tokens/index.ts"
import { flowsOf } from "../../operations/executions/index.ts"
import type { ProjectId } from "../../tenancy/projects/index.ts"
import { WalletStore, Wallets } from "../registry/index.ts"
import type { Evidence } from "./Activity.ts"
import { ActivityStore, type Sighted } from "./ActivityStore.ts"
import { awaitedFlows } from "./awaitedFlows.ts"
import { ChainActivity } from "./ChainActivity.ts"
import {
  type FoundIn,
  type FoundPart,
  foundTypes,
  inBlock,
  isOfPart,
  lost,
  mayLoseLegs,
  newTransaction,
  partsOf,
  recordedElsewhere,
  settledForGood,
  takenBack
} from "./foundTransactions.ts"
import { type OwnOperation, ownOperations } from "./ownOperations.ts"
import { isRecent, pastValues } from "./pastValues.ts"
import { unrecorded } from "./unrecorded.ts"

/** More than a transaction has parts of one account. */
const PARTS = 1_000
/** Wait before what is not clear yet is looked at again: a fourth of the time since it was seen, within these. */
const SHORTEST_WAIT_MS = 250
const LONGEST_WAIT_MS = 60_000

/** What nodes agree on of a transaction, and its operations of ours, of which none is under way. */
interface ClearEvidence {
  readonly evidence: Evidence
  readonly own: ReadonlyArray<OwnOperation>
}

const isFound = ({ type }: Transaction): boolean => foundTypes.some((found) => found === type)

/** What a project's history is to have of a transaction. */
interface FoundParts {
  readonly parts: ReadonlyArray<FoundPart>
  /** Whether something of the project's own has recorded the token, in the same direction. */
  readonly isRecorded: (transaction: Transaction) => boolean
}

/** Writes sightings into the histories of the projects that registered the wallet, and takes them back. */
export class ActivityRecords extends Context.Service<
  ActivityRecords,
  {
    /**
     * Records what is not recorded yet, once it is clear what that is: nodes agree on the transaction, and the operations of
     * ours in it are in the history. Else it is looked at again later. All are of the same transaction.
     */
    readonly record: (group: ReadonlyArray<Sighted>) => Effect.Effect<void, UpstreamUnavailable>
    /** Its block is gone. */
    readonly takeBack: (sighted: Sighted) => Effect.Effect<void>
    /**
     * Its block can't be replaced any more; of one whose block is gone, that no other has it. Not before what of ours has it can't lose
     * it any more by a reorganisation of another chain. What had it and has lost it so has left it to nobody: it is looked at again.
     */
    readonly close: (sighted: Sighted) => Effect.Effect<void, UpstreamUnavailable>
  }
>()("@countersign/core/chain-activity/ActivityRecords") {
  static readonly layer = Layer.effect(
    ActivityRecords,
    Effect.gen(function* () {
      const chain = yield* ChainActivity
      const store = yield* ActivityStore
      const history = yield* HistoryStore
      const transactions = yield* Transactions
      const wallets = yield* WalletStore
      const registry = yield* Wallets
      const catalog = yield* TokenCatalog
      const entropy = yield* Entropy
      const unitOfWork = yield* UnitOfWork
      const ownOperation = yield* ownOperations
      const valuesAt = yield* pastValues
      const isAwaited = yield* awaitedFlows

      /** What the history has of a sighting in one project. */
      const known = (projectId: ProjectId, { sighting: { address, transactionHash } }: Sighted) =>
        history.list({
          projectId,
          walletAddress: address,
          filter: { transactionHash, types: [...foundTypes], includeUnlisted: true },
          after: null,
          take: PARTS
        })

      /** What tells of a sighting in any project: what was found, or something of ours. */
      const toldBy = Effect.fnUntraced(function* ({ sighting: { address, chainId, transactionHash } }: Sighted) {
        const filter = { transactionHash, includeUnlisted: true }
        const lists = yield* Effect.forEach(yield* wallets.registrations(address), ({ projectId }) =>
          history.list({ projectId, walletAddress: address, filter, after: null, take: PARTS })
        )
        const isOfChain = ({ legs }: Transaction) =>
          legs.some((leg) => leg.chainId === chainId && leg.hash === transactionHash)
        return lists.flat().filter(isOfChain)
      })

      const foundInAll = (sighted: Sighted) => Effect.map(toldBy(sighted), (tellers) => tellers.filter(isFound))

      /** Of what may be spam nobody is told. */
      const change = (before: Transaction, after: Transaction) =>
        isUnlisted(after) ? transactions.amend(after) : transactions.change(before, after)

      const add = Effect.fnUntraced(function* (transaction: Transaction, address: Address) {
        if (isUnlisted(transaction)) return yield* history.insert(transaction)
        yield* transactions.add(transaction)
        const at = transaction.executedAt ?? transaction.updatedAt
        yield* wallets.recordTransaction(transaction.projectId, address, at)
      })

      /** Makes the history of a project what the parts say. */
      const writeParts = Effect.fnUntraced(function* (
        projectId: ProjectId,
        sighted: Sighted,
        { isRecorded, parts }: FoundParts,
        found: FoundIn
      ) {
        const { address } = sighted.sighting
        const now = yield* DateTime.now
        const before = (yield* known(projectId, sighted)).filter(({ legs }) => legs[0]?.chainId === found.chainId)
        const blockAt = DateTime.makeUnsafe(found.block.at * 1_000)
        const createdAt = isRecent(found.block.at, DateTime.toEpochMillis(now)) ? now : blockAt
        for (const part of parts) {
          const same = before.find(isOfPart(part))
          if (same === undefined) {
            const id = yield* entropy.uuid
            const of = { id, projectId, walletAddress: address, createdAt }
            yield* add(newTransaction(of, part, found, now), address)
          } else if (same.legs[0]?.block?.hash !== found.block.hash) {
            yield* change(same, inBlock(same, part, found, now))
          }
        }
        const isLost = (transaction: Transaction) =>
          transaction.status === "PROCESSING" && !parts.some((part) => isOfPart(part)(transaction))
        yield* Effect.forEach(before.filter(isLost), (one) => change(one, lost(one, now)), { discard: true })
        const isDouble = (transaction: Transaction) =>
          transaction.status === "COMPLETED" &&
          isRecorded(transaction) &&
          !parts.some((part) => isOfPart(part)(transaction))
        yield* Effect.forEach(before.filter(isDouble), (one) => change(one, recordedElsewhere(one, now)), {
          discard: true
        })
      })

      const listedAmong = Effect.fnUntraced(function* ({ sighting: { chainId } }: Sighted, addresses: Set<Address>) {
        const found = yield* Effect.forEach(addresses, (address) => catalog.find(chainId, address))
        return new Map(found.filter(Option.isSome).map(({ value }) => [value.address, value]))
      })

      /** What the account paid for gas in coin, as far as the project has not recorded it with an operation. */
      const gasOf = (
        { address }: Sighted["sighting"],
        { fee, from, operations }: Evidence,
        own: ReadonlyArray<OwnOperation>,
        projectId: ProjectId
      ): bigint => {
        const ofOperations = operations.reduce((sum, { actualGasCost, paysInCoin, sender }, place) => {
          const known = own[place]!
          const isRecorded = known._tag === "Recorded" && known.projectId === projectId
          return sender === address && paysInCoin && !isRecorded ? sum + actualGasCost : sum
        }, 0n)
        return from === address ? ofOperations + fee : ofOperations
      }

      const partsFor = Effect.fnUntraced(function* (
        projectId: ProjectId,
        { sighting }: Sighted,
        evidence: Evidence,
        own: ReadonlyArray<OwnOperation>,
        tokens: ReadonlyMap<Address, Token>,
        usd: ByToken<UsdPriceE18>
      ) {
        const { address, chainId, coin, transactionHash } = sighting
        const recorded = yield* store.recorded(projectId, address, chainId, transactionHash)
        const coins = evidence.success ? coin.map((moved) => ({ token: NATIVE_COIN, ...moved })) : []
        const flows = unrecorded(flowsOf([...evidence.transfers, ...coins], [address]), recorded)
        const isOwn = recorded.length > 0
        const parts = partsOf(
          // An operation of ours records listed tokens alone, as what it was made for is known.
          flows.filter(({ token }) => !isOwn || tokens.has(token)),
          {
            chainId,
            account: address,
            isListed: (token) => tokens.has(token),
            usd: (token, amount) => {
              const listed = tokens.get(token)
              return listed === undefined ? null : usdValueOrNull(amount, listed, usd.get(tokenKey(listed)))
            },
            gas: gasOf(sighting, evidence, own, projectId)
          }
        )
        const isRecorded = (transaction: Transaction) =>
          recorded.some(
            ({ asset, direction }) =>
              isToken(asset) &&
              asset.token === foundDetails.in(transaction)?.token &&
              direction === (transaction.type === "CRYPTO_DEPOSIT" ? "IN" : "OUT")
          )
        return { parts, isRecorded } satisfies FoundParts
      })

      const later = Effect.fnUntraced(function* (sighted: Sighted) {
        const nowMs = yield* Clock.currentTimeMillis
        const waited = (nowMs - DateTime.toEpochMillis(sighted.seenAt)) / 4
        const waitMs = Math.min(LONGEST_WAIT_MS, Math.max(SHORTEST_WAIT_MS, waited))
        yield* store.later(sighted, DateTime.makeUnsafe(nowMs + waitMs))
      })

      const recordOne = Effect.fnUntraced(function* (sighted: Sighted, { evidence, own }: ClearEvidence) {
        const { address, chainId, transactionHash } = sighted.sighting
        const moved = evidence.transfers.filter(({ from, to }) => from === address || to === address)
        const tokens = yield* listedAmong(sighted, new Set([NATIVE_COIN, ...moved.map(({ token }) => token)]))
        const usd = yield* valuesAt([...tokens.values()], evidence.block.at, sighted.seenAt)
        if (usd === null || (yield* isAwaited(sighted, evidence))) {
          yield* later(sighted)
          return false
        }

        const { hash: blockHash, number: blockNumber } = evidence.block
        const write = Effect.gen(function* () {
          const decided = { ...sighted.sighting, blockNumber, blockHash }
          if (!(yield* store.decide(sighted, "RECORDED", decided))) return false
          for (const { projectId } of yield* wallets.registrations(address)) {
            const parts = yield* partsFor(projectId, sighted, evidence, own, tokens, usd)
            yield* writeParts(projectId, sighted, parts, { chainId, transactionHash, block: evidence.block })
          }
          if (evidence.operations.some(({ sender }) => sender === address)) {
            yield* registry.recordDeployment(address, chainId)
          }
          return true
        })
        return yield* unitOfWork.run(write)
      })

      /** The node's evidence of a transaction; null where it is not clear yet. */
      const clearEvidence = Effect.fnUntraced(function* ({ chainId, transactionHash }: Sighted["sighting"]) {
        const evidence = Option.getOrNull(yield* chain.evidence(chainId, transactionHash))
        const own = yield* Effect.forEach(evidence?.operations ?? [], ({ hash }) =>
          ownOperation(chainId, transactionHash, hash)
        )
        return evidence === null || own.some(({ _tag }) => _tag === "UnderWay") ? null : { evidence, own }
      })

      /** Records a sighting, or has it looked at later. Answers whether it was recorded. */
      const look = (sighted: Sighted, clear: ClearEvidence | null) =>
        clear === null ? Effect.as(later(sighted), false) : recordOne(sighted, clear)

      const record = Effect.fn("ActivityRecords.record")(function* (group: ReadonlyArray<Sighted>) {
        const [first] = group
        if (first === undefined) return
        const clear = yield* clearEvidence(first.sighting)
        yield* Effect.forEach(group, (sighted) => look(sighted, clear), { discard: true })
      })

      /** Looks at a sighting once more; null where that is not clear yet and done later. */
      const recordAgain = Effect.fnUntraced(function* (sighted: Sighted) {
        const isDecided = yield* look(sighted, yield* clearEvidence(sighted.sighting))
        return isDecided ? { ...sighted, version: sighted.version + 1 } : null
      })

      const takeBack = (sighted: Sighted) =>
        unitOfWork.run(
          Effect.gen(function* () {
            if (sighted.state === "WAITING") return yield* store.forget(sighted)
            if (!(yield* store.decide(sighted, "GONE", sighted.sighting))) return
            const now = yield* DateTime.now
            const recorded = (yield* foundInAll(sighted)).filter(({ status }) => status === "COMPLETED")
            yield* Effect.forEach(recorded, (one) => change(one, takenBack(one, now)), { discard: true })
          })
        )

      const close = Effect.fn("ActivityRecords.close")(function* (sighted: Sighted) {
        const tellers = yield* toldBy(sighted)
        if (tellers.some(mayLoseLegs)) return
        const isUntold = sighted.state === "RECORDED" && tellers.length === 0
        const last = isUntold ? yield* recordAgain(sighted) : sighted
        if (last === null) return
        yield* unitOfWork.run(
          Effect.gen(function* () {
            const now = yield* DateTime.now
            yield* store.forget(last)
            for (const one of yield* foundInAll(sighted)) {
              if (one.status === "PROCESSING") yield* change(one, lost(one, now))
              else yield* transactions.amend(settledForGood(one))
            }
          })
        )
      })

      return ActivityRecords.of({ record, takeBack, close })
    })
  )
}
