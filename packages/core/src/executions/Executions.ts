import { Context, type DateTime, Duration, Effect, Layer, Option, Queue } from "effect"
import { type Transaction, Transactions } from "../history/index.ts"
import { isUserOperation } from "../intents/index.ts"
import { Entropy, UnitOfWork } from "../primitives/index.ts"
import { type Quote, QuoteStore } from "../quotes/index.ts"
import type { Signatures } from "../signing/index.ts"
import { WalletStore } from "../wallets/index.ts"
import type { Execution } from "./Execution.ts"
import { ExecutionStore } from "./ExecutionStore.ts"

/** What a quote is accepted with, once everything that its feature checks holds. */
export interface Acceptance {
  readonly signatures: Signatures
  /** For each of the quote's stages, what it begins with; as it was planned where nothing is said. */
  readonly stages: ReadonlyArray<{ readonly state: string; readonly deadline: DateTime.Utc | null } | undefined>
  readonly acceptedAt: DateTime.Utc
  readonly estimatedExecutionTime: DateTime.Utc
}

/** How long a worker that has claimed an execution is believed to be alive: what a process that dies costs in time. */
export const FollowLease = Context.Reference<Duration.Duration>("@countersign/core/executions/FollowLease", {
  defaultValue: () => Duration.seconds(30)
})

/** The transaction of a quote that was accepted just now. */
const acceptedTransaction = (id: string, quote: Quote, at: DateTime.Utc): Transaction => ({
  ...quote.transaction,
  id,
  projectId: quote.projectId,
  walletAddress: quote.walletAddress,
  status: quote.stages[0]?.status ?? "COMPLETED",
  substatus: "SUBMITTED",
  userOperationHash: quote.intents.find(isUserOperation)?.hash ?? null,
  movements: [],
  failure: null,
  metadata: quote.metadata,
  createdAt: at,
  updatedAt: at,
  executedAt: null
})

/** Accepted quotes: how they come to be, and the call that wakes who follows them. */
export class Executions extends Context.Service<
  Executions,
  {
    /**
     * Takes a quote on, with its entry in the wallet's history, all in one unit of work. None when somebody else has
     * accepted it: of any number of callers, here or in other processes, one is the first.
     */
    readonly accept: (quote: Quote, acceptance: Acceptance) => Effect.Effect<Option.Option<Execution>>
    /** Waits until a quote was accepted in this process, or for as long as said. */
    readonly awaitWork: (maximumMs: number) => Effect.Effect<void>
  }
>()("@countersign/core/executions/Executions") {
  static readonly layer = Layer.effect(
    Executions,
    Effect.gen(function* () {
      const quotes = yield* QuoteStore
      const store = yield* ExecutionStore
      const transactions = yield* Transactions
      const wallets = yield* WalletStore
      const entropy = yield* Entropy
      const unitOfWork = yield* UnitOfWork
      const wakeups = yield* Queue.sliding<void>(1)

      const take = Effect.fnUntraced(function* (quote: Quote, execution: Execution) {
        const { acceptedAt, projectId, walletAddress } = execution
        if (!(yield* quotes.accept(projectId, quote.id, acceptedAt))) return false
        yield* transactions.add(acceptedTransaction(execution.id, quote, acceptedAt))
        yield* store.insert(execution)
        yield* wallets.recordTransaction(projectId, walletAddress, acceptedAt)
        return true
      })

      return Executions.of({
        accept: Effect.fn("Executions.accept")(function* (quote, { stages, ...acceptance }) {
          const execution: Execution = {
            ...acceptance,
            id: yield* entropy.uuid,
            projectId: quote.projectId,
            quoteId: quote.id,
            walletAddress: quote.walletAddress,
            stages: quote.stages.map((plannedStage, i) => ({
              ...plannedStage,
              ...(stages[i] ?? { state: plannedStage.state ?? "null", deadline: null })
            })),
            at: 0
          }
          const isFirst = yield* unitOfWork.run(take(quote, execution))
          if (isFirst) yield* Queue.offer(wakeups, undefined)
          return isFirst ? Option.some(execution) : Option.none()
        }),
        awaitWork: (maximumMs) => Effect.asVoid(Effect.timeoutOption(Queue.take(wakeups), maximumMs))
      })
    })
  )
}
