import { Context, DateTime, Duration, Effect, Layer, Option } from "effect"
import { type Transaction, Transactions } from "../../accounting/history/index.ts"
import { type Address, Entropy, UnitOfWork } from "../../foundation/primitives/index.ts"
import type { Signatures } from "../../foundation/signing/index.ts"
import { WalletStore } from "../../wallets/registry/index.ts"
import { mainOperation } from "../intents/index.ts"
import { type Quote, QuoteSettings, QuoteStore } from "../quotes/index.ts"
import { UnpaidGasLedger, type UnpaidGasLimit } from "../unpaid-gas/index.ts"
import type { QuoteStale } from "../user-operations/index.ts"
import type { Execution } from "./Execution.ts"
import { ExecutionStore } from "./ExecutionStore.ts"
import { enterStage } from "./moves.ts"
import { Conflict, conflictOf } from "./reservation/conflict.ts"
import type { Reservation } from "./reservation/Reservation.ts"
import { reservationOf } from "./reservation/reservationOf.ts"
import { type Holding, Shortage, shortageOf } from "./reservation/shortage.ts"
import { Stages } from "./Stage.ts"

/** The wallet's balances on the chain of a quote's operations, at one block. */
export interface Funds {
  readonly blockNumber: bigint
  readonly holdingOf: (token: Address) => Holding
  /** The requested nonces that operations up to this block have used. */
  readonly usedNonces: ReadonlySet<bigint>
}

/** The initial state of a stage. */
export interface StageStart {
  /** Encoded by the stage's own codec. */
  readonly state: string
  readonly deadline: DateTime.Utc | null
}

/** The data of an acceptance, after all intents of the quote have passed their checks. */
export interface Acceptance {
  readonly signatures: Signatures
  /** The initial state of each stage of the quote. If undefined, the state in the quote is used. */
  readonly stages: ReadonlyArray<StageStart | undefined>
  readonly acceptedAt: DateTime.Utc
  readonly estimatedExecutionTime: DateTime.Utc
  /** Null if the quote has no user operations. */
  readonly funds: Funds | null
  /** Further checks in the unit of work that stores the acceptance. */
  readonly checks?: ReadonlyArray<Effect.Effect<void, QuoteStale>>
}

/** The duration of a claim. If a process dies, its executions wait at most until the claims expire. */
export const ExecutionLease = Context.Reference<Duration.Duration>("@countersign/core/executions/FollowLease", {
  defaultValue: () => Duration.seconds(30)
})

/**
 * An operation that is not included loses its reservation this number of minutes after its acceptance, plus the
 * validity period of a quote. By then, no paymaster pays for the operation. Without this limit, an operation without a
 * deadline could reserve the wallet's balance forever.
 */
const RESERVED_MINUTES = 60

/** Builds the transaction of a newly accepted quote. */
const acceptedTransaction = (id: string, quote: Quote, at: DateTime.Utc): Transaction => ({
  ...quote.transaction,
  id,
  projectId: quote.projectId,
  walletAddress: quote.walletAddress,
  status: quote.stages[0]?.status ?? "COMPLETED",
  substatus: "SUBMITTED",
  userOperationHash: mainOperation(quote.intents)?.hash ?? null,
  movements: [],
  failure: null,
  metadata: quote.metadata,
  createdAt: at,
  updatedAt: at,
  executedAt: null
})

/**
 * Returns whether a use that lasts beyond the operations' block is still active. Also true if the inclusion of the
 * operations was not detected yet.
 */
const lastsBeyondInclusion = ({ block, uses }: Reservation): boolean =>
  block === null && uses.some(({ until }) => until !== undefined)

/** Turns accepted quotes into executions, and reserves the wallet's balances for them. */
export class Executions extends Context.Service<
  Executions,
  {
    /**
     * Accepts a quote and adds it to the wallet's history, in one unit of work. Of all concurrent callers in all
     * processes, only one succeeds; the others get `None`. Fails if pending operations conflict with the quote, or
     * leave too little of the wallet's balances. The used nonces show which pending operations are already included,
     * even if this service has not detected it yet. Also fails if the gas that may stay unpaid exceeds the budgets.
     */
    readonly accept: (
      quote: Quote,
      acceptance: Acceptance
    ) => Effect.Effect<Option.Option<Execution>, Shortage | Conflict | UnpaidGasLimit | QuoteStale>
  }
>()("@countersign/core/executions/Executions") {
  static readonly layer = Layer.effect(
    Executions,
    Effect.gen(function* () {
      const quotes = yield* QuoteStore
      const store = yield* ExecutionStore
      const transactions = yield* Transactions
      const wallets = yield* WalletStore
      const unpaidGasLedger = yield* UnpaidGasLedger
      const entropy = yield* Entropy
      const unitOfWork = yield* UnitOfWork
      const { quoteSeconds } = yield* QuoteSettings
      const stagesByName = new Map((yield* Stages).map((stage) => [stage.name, stage]))

      const reservedSince = (now: DateTime.Utc) =>
        DateTime.subtract(now, { seconds: quoteSeconds, minutes: RESERVED_MINUTES })

      /**
       * Fails if a use conflicts with a use of another execution, or if the reservations of the other executions leave
       * too little of a balance. The balances were read at an earlier block, so amounts that left the wallet in a later
       * block still count as reserved.
       */
      const requireFunds = Effect.fnUntraced(function* (
        { acceptedAt, reservation, walletAddress }: Execution,
        { blockNumber, holdingOf, usedNonces }: Funds
      ) {
        if (reservation == null) return
        const { chainId, spending, uses } = reservation
        const acceptedSince = reservedSince(acceptedAt)
        const isIncluded = ({ isHeld, nonces }: Reservation) =>
          isHeld === true || nonces.every((nonce) => usedNonces.has(nonce))
        const otherReservations = (yield* store.listReserved({
          chainId,
          walletAddress,
          blockNumber,
          acceptedSince
        })).filter(({ reservation: other }) => !isIncluded(other) || lastsBeyondInclusion(other))
        const conflict = conflictOf(uses, otherReservations)
        if (conflict !== null) return yield* new Conflict({ ...conflict, nonces: conflict.other.reservation.nonces })
        const reservations = otherReservations.map((other) => other.reservation)
        const shortage = shortageOf(
          spending,
          reservations.flatMap((other) =>
            isIncluded(other)
              ? other.spending.map(({ held, token, value }) => ({ token, value: held ?? value, gas: 0n }))
              : other.spending
          ),
          holdingOf
        )
        if (shortage === null) return
        return yield* new Shortage({ ...shortage, nonces: reservations.flatMap(({ nonces }) => nonces) })
      })

      /** Checks the budgets at the acceptance, because gas that may stay unpaid counts before it is spent. */
      const requireBudget = Effect.fnUntraced(function* ({ acceptedAt, projectId, reservation }: Execution) {
        const unpaidGas = reservation?.unpaid ?? null
        if (unpaidGas === null) return
        const { owner } = unpaidGas
        const pendingGas = yield* store.readPendingGas({ projectId, owner, acceptedSince: reservedSince(acceptedAt) })
        yield* unpaidGasLedger.admitUnpaid(projectId, unpaidGas, pendingGas)
      })

      const storeAcceptance = Effect.fnUntraced(function* (
        quote: Quote,
        execution: Execution,
        funds: Funds | null,
        checks: ReadonlyArray<Effect.Effect<void, QuoteStale>>
      ) {
        if (funds !== null) yield* requireFunds(execution, funds)
        yield* Effect.all(checks, { discard: true })
        yield* requireBudget(execution)
        const { acceptedAt, projectId, walletAddress } = execution
        if (!(yield* quotes.accept(projectId, quote.id, acceptedAt))) return false
        yield* transactions.add(acceptedTransaction(execution.id, quote, acceptedAt))
        yield* store.insert(execution)
        yield* wallets.recordTransaction(projectId, walletAddress, acceptedAt)
        return true
      })

      return Executions.of({
        accept: Effect.fn("Executions.accept")(function* (quote, { checks = [], funds, stages, ...acceptance }) {
          const execution: Execution = {
            ...acceptance,
            id: yield* entropy.uuid,
            projectId: quote.projectId,
            quoteId: quote.id,
            walletAddress: quote.walletAddress,
            stages: quote.stages.map((plannedStage, i) => {
              const start = stages[i] ?? { state: plannedStage.state ?? "null", deadline: null }
              const stage = { ...plannedStage, ...start }
              return i === 0 ? enterStage(stage, stagesByName.get(stage.name), acceptance.acceptedAt) : stage
            }),
            at: 0,
            reservation: reservationOf(quote)
          }
          const isFirst = yield* unitOfWork.run(storeAcceptance(quote, execution, funds, checks))
          return isFirst ? Option.some(execution) : Option.none()
        })
      })
    })
  )
}
