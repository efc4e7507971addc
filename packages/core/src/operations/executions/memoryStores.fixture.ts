import { Context, DateTime, Effect, Layer, Option, Semaphore } from "effect"
import {
  HistoryStore,
  type Transaction,
  Transactions,
  TransferClaims,
  transactionEvents
} from "../../accounting/history/index.ts"
import { aUuid } from "../../foundation/primitives/ids.fixture.ts"
import { Entropy, type Hash32, UnitOfWork } from "../../foundation/primitives/index.ts"
import { WorkClaims } from "../../foundation/work/index.ts"
import { type DomainEvent, EventId, EventOutbox, type NewEvent } from "../../tenancy/events/index.ts"
import { WalletStore } from "../../wallets/registry/index.ts"
import { isUserOperation } from "../intents/index.ts"
import { type Quote, QuoteExists, QuoteStore } from "../quotes/index.ts"
import { UnpaidGasStore } from "../unpaid-gas/index.ts"
import { memoryUnpaidGasStore, type UnpaidGasMemory } from "../unpaid-gas/memoryUnpaidGasStore.fixture.ts"
import type { Execution } from "./Execution.ts"
import { ExecutionStore, type WakeListener } from "./ExecutionStore.ts"

/** Counts the calls, so that each call returns different bytes. */
let draws = 0

interface StoredExecution {
  readonly execution: Execution
  readonly version: number
  /** Null if the execution has ended. */
  readonly dueAt: DateTime.Utc | null
  readonly claim: { readonly worker: string; readonly until: DateTime.Utc } | null
}

/** All stored data. Tests can read and modify them. */
export interface Memory {
  readonly quotes: Map<string, Quote>
  readonly acceptedQuotes: Set<string>
  readonly executions: Map<string, StoredExecution>
  readonly transactions: Map<string, Transaction>
  readonly events: Array<NewEvent>
  readonly gasEntries: UnpaidGasMemory
}

export const aMemory = (...quotes: ReadonlyArray<Quote>): Memory => ({
  quotes: new Map(quotes.map((quote) => [quote.id, quote])),
  acceptedQuotes: new Set(),
  executions: new Map(),
  transactions: new Map(),
  events: [],
  gasEntries: []
})

/** Returns the type, status and substatus of each event, in order. */
export const eventsIn = ({ events }: Memory): ReadonlyArray<string> =>
  events.map(({ snapshot, type }) => {
    const { status, substatus } = transactionEvents.resourceOf(snapshot)
    return `${type.replace("transaction.", "")} ${status} ${substatus}`
  })

const quoteStore = (memory: Memory): QuoteStore["Service"] => {
  const belongsTo = (projectId: string) => (quote: Quote | undefined) => quote?.projectId === projectId
  const quotesOfOperation = (hash: Hash32) =>
    [...memory.quotes.values()].filter(({ intents }) =>
      intents.some((candidate) => isUserOperation(candidate) && candidate.hash === hash)
    )
  return {
    insert: (quotes) =>
      Effect.suspend(() => {
        if (quotes.some(({ id, projectId }) => belongsTo(projectId)(memory.quotes.get(id)))) return new QuoteExists()
        for (const quote of quotes) memory.quotes.set(quote.id, quote)
        return Effect.void
      }),
    find: (projectId, id) =>
      Effect.sync(() => Option.filter(Option.fromNullishOr(memory.quotes.get(id)), belongsTo(projectId))),
    findByOperation: (projectId, hash) =>
      Effect.sync(() => Option.fromNullishOr(quotesOfOperation(hash).find(belongsTo(projectId)))),
    findByOperationInAnyProject: (hash) => Effect.sync(() => Option.fromNullishOr(quotesOfOperation(hash)[0])),
    listUnsigned: (walletAddress, now) =>
      Effect.sync(() =>
        [...memory.quotes.values()].filter(
          (quote) =>
            quote.walletAddress === walletAddress &&
            !memory.acceptedQuotes.has(quote.id) &&
            DateTime.isGreaterThanOrEqualTo(quote.expiresAt, now)
        )
      ),
    accept: (projectId, id) =>
      Effect.sync(() => {
        if (!belongsTo(projectId)(memory.quotes.get(id)) || memory.acceptedQuotes.has(id)) return false
        memory.acceptedQuotes.add(id)
        return true
      })
  }
}

const executionStore = ({ executions, quotes }: Memory): ExecutionStore["Service"] => {
  const listeners = new Set<WakeListener>()
  const find = (matches: (execution: Execution) => boolean) =>
    Option.fromNullishOr([...executions.values()].map(({ execution }) => execution).find(matches))
  return {
    insert: (execution) =>
      Effect.sync(
        () => void executions.set(execution.id, { execution, version: 0, dueAt: execution.acceptedAt, claim: null })
      ),
    find: (projectId, id) =>
      Effect.sync(() => find((candidate) => candidate.projectId === projectId && candidate.id === id)),
    lockWallet: () => Effect.void,
    listPendingQuotes: (walletAddress) =>
      Effect.sync(() =>
        [...executions.values()].flatMap(({ dueAt, execution }) => {
          const quote = quotes.get(execution.quoteId)
          return dueAt === null || quote?.walletAddress !== walletAddress ? [] : [quote]
        })
      ),
    findByQuote: (projectId, quoteId) =>
      Effect.sync(() => find((candidate) => candidate.projectId === projectId && candidate.quoteId === quoteId)),
    findArchived: () => Effect.succeedNone,
    claim: ({ acceptedAfter, leaseUntil, limit, now, worker }) =>
      Effect.sync(() =>
        [...executions.values()]
          .filter(
            ({ claim, dueAt, execution }) =>
              dueAt !== null &&
              DateTime.isLessThanOrEqualTo(dueAt, now) &&
              (claim === null || DateTime.isLessThan(claim.until, now)) &&
              (acceptedAfter === undefined || DateTime.isGreaterThan(execution.acceptedAt, acceptedAfter))
          )
          .slice(0, limit)
          .map((entry) => {
            const { execution, version } = entry
            executions.set(execution.id, { ...entry, claim: { worker, until: leaseUntil } })
            return { execution, quote: quotes.get(execution.quoteId)!, version }
          })
      ),
    lock: () => Effect.void,
    wakeQuote: (projectId, quoteId, now) =>
      Effect.sync(() => {
        for (const [id, entry] of executions) {
          const { claim, dueAt, execution } = entry
          const isMatch = execution.projectId === projectId && execution.quoteId === quoteId
          if (isMatch && claim === null && dueAt !== null && DateTime.isGreaterThan(dueAt, now)) {
            executions.set(id, { ...entry, dueAt: now })
          }
        }
        for (const listener of listeners) listener([quoteId])
      }),
    onWake: (listener) =>
      Effect.acquireRelease(
        Effect.sync(() => void listeners.add(listener)),
        () => Effect.sync(() => listeners.delete(listener))
      ),
    wake: (operations, now) =>
      Effect.sync(() => {
        for (const [id, entry] of executions) {
          const { claim, dueAt, execution } = entry
          const intents = quotes.get(execution.quoteId)?.intents ?? []
          const isMatch = intents.some((intent) => isUserOperation(intent) && operations.includes(intent.hash))
          if (isMatch && claim === null && dueAt !== null && DateTime.isGreaterThan(dueAt, now)) {
            executions.set(id, { ...entry, dueAt: now })
          }
        }
        for (const listener of listeners) listener(operations)
      }),
    reschedule: (_, id, worker, dueAt) =>
      Effect.sync(() => {
        const entry = executions.get(id)
        if (entry?.claim?.worker === worker) executions.set(id, { ...entry, dueAt, claim: null })
      }),
    update: (execution, version, dueAt) =>
      Effect.sync(() => {
        const entry = executions.get(execution.id)
        if (entry === undefined || entry.version !== version || entry.dueAt === null) return false
        executions.set(execution.id, { execution, version: version + 1, dueAt, claim: null })
        return true
      }),
    listReserved: ({ acceptedSince, blockNumber, chainId, walletAddress }) =>
      Effect.sync(() =>
        [...executions.values()].flatMap(({ execution: { reservation, ...execution } }) =>
          reservation?.chainId === chainId &&
          execution.walletAddress === walletAddress &&
          (reservation.block === null
            ? reservation.isHeld === true || DateTime.isGreaterThanOrEqualTo(execution.acceptedAt, acceptedSince)
            : reservation.block > blockNumber)
            ? [{ id: execution.id, projectId: execution.projectId, reservation }]
            : []
        )
      ),
    readPendingGas: ({ acceptedSince, owner, projectId }) =>
      Effect.sync(() => {
        const unpaidExecutions = [...executions.values()].flatMap(({ execution }) => {
          const { acceptedAt, reservation } = execution
          const isWaiting = reservation?.block === null && DateTime.isGreaterThanOrEqualTo(acceptedAt, acceptedSince)
          return isWaiting && reservation.unpaid !== null ? [{ execution, gas: reservation.unpaid }] : []
        })
        const sum = (group: typeof unpaidExecutions) => group.reduce((total, { gas }) => total + gas.usdE6, 0n)
        return {
          projectUsdE6: sum(unpaidExecutions.filter(({ execution }) => execution.projectId === projectId)),
          operatorUsdE6: sum(unpaidExecutions),
          hasFirstUse: unpaidExecutions.some(({ gas }) => gas.isFirstUse && gas.owner === owner)
        }
      }),
    countPending: () => Effect.die(new Error("unused")),
    listLate: () => Effect.die(new Error("unused"))
  }
}

const workClaims = ({ executions }: Memory): WorkClaims["Service"] => ({
  releaseAll: Effect.sync(() => executions.forEach((entry, id) => void executions.set(id, { ...entry, claim: null })))
})

const historyStore = ({ transactions }: Memory): HistoryStore["Service"] => ({
  insert: (transaction) => Effect.sync(() => void transactions.set(transaction.id, transaction)),
  find: (projectId, id) =>
    Effect.sync(() =>
      Option.filter(Option.fromNullishOr(transactions.get(id)), (transaction) => transaction.projectId === projectId)
    ),
  findAll: (projectId, ids) =>
    Effect.sync(() => [...transactions.values()].filter((one) => one.projectId === projectId && ids.has(one.id))),
  update: (transaction) =>
    Effect.sync(() => {
      if (transactions.has(transaction.id)) transactions.set(transaction.id, transaction)
    }),
  list: ({ filter: { statuses }, projectId, take, walletAddress }) =>
    Effect.sync(() =>
      [...transactions.values()]
        .filter(
          (transaction) =>
            transaction.projectId === projectId &&
            transaction.walletAddress === walletAddress &&
            (statuses === undefined || statuses.includes(transaction.status))
        )
        .slice(0, take)
    ),
  listFailed: () => Effect.die("No test of the memory stores lists failed transactions."),
  listMovements: () => Effect.die("No test of the memory stores lists movements.")
})

const IsInUnit = Context.Reference<boolean>("memoryStores/IsInUnit", { defaultValue: () => false })

/** Runs units of work one after another. Does not roll back a failed unit. */
const unitOfWork = (): UnitOfWork["Service"] => {
  const semaphore = Semaphore.makeUnsafe(1)
  return {
    run: (effect) =>
      Effect.withFiber((fiber) =>
        fiber.getRef(IsInUnit) ? effect : Semaphore.withPermit(semaphore, Effect.provideService(effect, IsInUnit, true))
      )
  }
}

/** Provides in-memory stores, with the real `Transactions` service and an outbox that records events. */
export const memoryStores = (memory: Memory) =>
  Transactions.layer.pipe(
    Layer.provideMerge(
      Layer.mergeAll(
        Layer.succeed(QuoteStore, quoteStore(memory)),
        Layer.succeed(ExecutionStore, executionStore(memory)),
        Layer.succeed(WorkClaims, workClaims(memory)),
        Layer.succeed(HistoryStore, historyStore(memory)),
        Layer.succeed(UnpaidGasStore, memoryUnpaidGasStore(memory.gasEntries)),
        Layer.succeed(EventOutbox, {
          append: (event) =>
            Effect.sync(() => {
              const sequence = memory.events.push(event)
              return { ...event, id: EventId.make(`msg_${sequence}`), sequence } satisfies DomainEvent
            })
        }),
        TransferClaims.layerMemory,
        Layer.sync(UnitOfWork, unitOfWork),
        Layer.mock(WalletStore, { recordTransaction: () => Effect.void }),
        Layer.mock(Entropy, {
          uuid: Effect.sync(aUuid),
          bytes: (length) =>
            Effect.sync(() => {
              draws += 1
              return new Uint8Array(length).fill(draws)
            })
        })
      )
    )
  )
