import { Clock, Context, DateTime, Effect, Layer, Option, Queue } from "effect"
import type { UpstreamUnavailable } from "../errors/index.ts"
import { HistoryStore, type HistoryTransaction, Transactions } from "../history/index.ts"
import { Entropy, type Hash32, type HexBytes, UnitOfWork } from "../primitives/index.ts"
import type { ProjectId } from "../projects/index.ts"
import { WalletStore, Wallets } from "../wallets/index.ts"
import { AccountOperations } from "./AccountOperations.ts"
import { Bundler, type OperationOutcome } from "./Bundler.ts"
import { ChainReader } from "./ChainReader.ts"
import {
  AuthorizationStale,
  InvalidSignature,
  QuoteStale,
  UserOperationExpired,
  UserOperationNotFound
} from "./errors.ts"
import { failedTransaction, inclusionEstimateMs, pollDelayMs, settledTransaction } from "./followPolicy.ts"
import type { OperationRecord, Submission } from "./OperationRecord.ts"
import { INCLUSION_GRACE_SECONDS } from "./UserOperationBuilder.ts"
import { UserOperationStore } from "./UserOperationStore.ts"

export interface ExecuteRequest {
  readonly hash: Hash32
  readonly signature: HexBytes
  /** The owner's signature of the EIP-7702 tuple, where the operation carries one. */
  readonly authorization: HexBytes | null
}

export type ExecuteError =
  | UserOperationNotFound
  | InvalidSignature
  | UserOperationExpired
  | AuthorizationStale
  | QuoteStale
  | UpstreamUnavailable

/** How long a worker that has claimed an operation is believed to be alive. */
const LEASE_MS = 30_000
/** Operations that one worker follows at once. */
const CLAIM_LIMIT = 64
const CONCURRENCY = 16
/** Wait before a bundler or node that did not answer is asked again. */
const RETRY_MS = 1_000

/** Prepared operations: signed, submitted, followed to their end. */
export class UserOperations extends Context.Service<
  UserOperations,
  {
    /** Stores a prepared operation. From here on it is immutable. */
    readonly keep: (record: OperationRecord) => Effect.Effect<void>
    readonly get: (projectId: ProjectId, hash: Hash32) => Effect.Effect<OperationRecord, UserOperationNotFound>
    /**
     * Accepts the owner's signature and hands the operation to the followers.
     * Checked in this order: known, signed by the owner, (accepted before: the same answer again), not expired,
     * authorization fresh, would not revert now. Nothing is stored or sent unless all hold.
     */
    readonly execute: (projectId: ProjectId, request: ExecuteRequest) => Effect.Effect<Submission, ExecuteError>
    /** Takes due operations and brings each a step further. Answers how many there were. */
    readonly followDue: (worker: string) => Effect.Effect<number>
    /** Waits until an operation was submitted in this process, or for as long as said. */
    readonly awaitWork: (maximumMs: number) => Effect.Effect<void>
  }
>()("@countersign/core/user-operations/UserOperations") {
  static readonly layer = Layer.effect(
    UserOperations,
    Effect.gen(function* () {
      const store = yield* UserOperationStore
      const history = yield* HistoryStore
      const transactions = yield* Transactions
      const wallets = yield* WalletStore
      const registry = yield* Wallets
      const accounts = yield* AccountOperations
      const bundler = yield* Bundler
      const reader = yield* ChainReader
      const entropy = yield* Entropy
      const unitOfWork = yield* UnitOfWork
      const wakeups = yield* Queue.sliding<void>(1)

      const get = Effect.fn("UserOperations.get")(function* (projectId: ProjectId, hash: Hash32) {
        const record = yield* store.find(projectId, hash)
        return Option.isSome(record) ? record.value : yield* new UserOperationNotFound({ hash })
      })

      const requireOwnersSignatures = Effect.fnUntraced(function* (record: OperationRecord, request: ExecuteRequest) {
        for (const asked of record.signData) {
          const isAuthorization = asked.type === "AUTHORIZATION"
          const given = isAuthorization ? request.authorization : request.signature
          const recovered = given === null ? null : yield* accounts.recoverSigner(asked, given)
          if (recovered !== record.account.owner) {
            return yield* new InvalidSignature({
              field: isAuthorization ? "authorization" : "signature",
              expected: record.account.owner,
              recovered,
              method: asked.method
            })
          }
        }
      })

      const requireFreshAuthorization = Effect.fnUntraced(function* ({ account, operation }: OperationRecord) {
        if (operation.authorization === null) return
        const state = yield* reader.accountState(operation.chainId, {
          address: account.owner,
          tokens: [],
          allowances: []
        })
        if (state.transactionCount !== BigInt(operation.authorization.nonce)) {
          return yield* new AuthorizationStale({
            authorization: accounts.authorization(operation.chainId, account.implementation, state.transactionCount)
          })
        }
      })

      const requireExecutable = Effect.fnUntraced(function* (record: OperationRecord, signature: HexBytes) {
        const wrapped = accounts.wrapSignature(record.account, signature)
        const { revert } = yield* bundler.simulate(record.operation, wrapped)
        if (revert !== null) return yield* new QuoteStale({ hash: record.hash, reason: revert })
      })

      const submissionOf = Effect.fnUntraced(function* (record: OperationRecord, request: ExecuteRequest) {
        const submittedAt = yield* DateTime.now
        const { blockNumber } = yield* reader.accountState(record.operation.chainId, {
          address: record.account.address,
          tokens: [],
          allowances: []
        })
        const submission: Submission = {
          signature: request.signature,
          authorizationSignature: request.authorization,
          transactionId: yield* entropy.uuid,
          submittedAt,
          estimatedExecutionTime: DateTime.add(submittedAt, {
            milliseconds: inclusionEstimateMs(record.operation.chainId)
          }),
          fromBlock: blockNumber,
          deadline: DateTime.add(record.expiresAt, { seconds: 2 * INCLUSION_GRACE_SECONDS })
        }
        return submission
      })

      const accept = (record: OperationRecord, submission: Submission) =>
        unitOfWork.run(
          Effect.gen(function* () {
            if (!(yield* store.submit(record.projectId, record.hash, submission))) return false
            yield* transactions.add({
              ...record.transaction,
              id: submission.transactionId,
              status: "PROCESSING",
              substatus: "SUBMITTED",
              createdAt: submission.submittedAt,
              updatedAt: submission.submittedAt
            })
            yield* wallets.recordTransaction(record.projectId, record.account.address, submission.submittedAt)
            return true
          })
        )

      const execute = Effect.fn("UserOperations.execute")(function* (projectId: ProjectId, request: ExecuteRequest) {
        const record = yield* get(projectId, request.hash)
        yield* requireOwnersSignatures(record, request)
        if (record.submission !== null) return record.submission
        if (DateTime.isGreaterThan(yield* DateTime.now, record.expiresAt)) {
          return yield* new UserOperationExpired({ hash: record.hash, expiresAt: record.expiresAt })
        }
        const [submission] = yield* Effect.all(
          [
            submissionOf(record, request),
            requireFreshAuthorization(record).pipe(Effect.andThen(requireExecutable(record, request.signature)))
          ],
          { concurrency: 2 }
        )
        if (yield* accept(record, submission)) {
          yield* Queue.offer(wakeups, undefined)
          return submission
        }
        // Another request with the same signature came first: its answer is the answer.
        const accepted = yield* get(projectId, request.hash)
        return accepted.submission ?? submission
      })

      const settle = (record: OperationRecord, change: (transaction: HistoryTransaction) => HistoryTransaction) =>
        unitOfWork.run(
          Effect.gen(function* () {
            if (record.submission === null || !(yield* store.settle(record.hash, yield* DateTime.now))) return
            const transaction = yield* history.find(record.projectId, record.submission.transactionId)
            if (Option.isNone(transaction)) return
            const settled = change(transaction.value)
            yield* transactions.change(transaction.value, settled)
            if (settled.status === "COMPLETED") {
              yield* registry.recordDeployment(record.account.address, record.operation.chainId)
            }
            yield* Effect.logInfo("operation settled", {
              userOperationHash: record.hash,
              status: settled.status,
              transactionHash: settled.transactionHash
            })
          })
        )

      const settleWithOutcome = Effect.fnUntraced(function* (record: OperationRecord, outcome: OperationOutcome) {
        const now = yield* DateTime.now
        const executedAt = DateTime.makeUnsafe(outcome.blockTimestamp * 1000)
        yield* settle(record, (transaction) => settledTransaction(transaction, outcome, executedAt, now))
      })

      const settleAsFailed = Effect.fnUntraced(function* (record: OperationRecord, code: string, message: string) {
        const now = yield* DateTime.now
        yield* settle(record, (transaction) => failedTransaction(transaction, { code, message }, now))
      })

      /** Looks for the operation on chain, hands it in when it is not there; answers how long to wait, or settles it. */
      const step = Effect.fn("UserOperations.step")(function* (record: OperationRecord, submission: Submission) {
        const { operation, hash } = record
        const lookUp = bundler.outcome(operation, hash, submission.fromBlock)
        const before = yield* lookUp
        if (Option.isSome(before)) return yield* Effect.as(settleWithOutcome(record, before.value), null)

        if (DateTime.isGreaterThan(yield* DateTime.now, submission.deadline)) {
          return yield* Effect.as(
            settleAsFailed(record, "NOT_INCLUDED", "No block took the operation before its deadline"),
            null
          )
        }
        const rejection = yield* bundler
          .submit(
            operation,
            accounts.wrapSignature(record.account, submission.signature),
            submission.authorizationSignature
          )
          .pipe(
            Effect.as(null),
            Effect.catchTag("OPERATION_REJECTED", (rejected) => Effect.succeed(rejected))
          )
        // Included meanwhile, or refused because it is included: the chain knows better than the bundler.
        const after = yield* lookUp
        if (Option.isSome(after)) return yield* Effect.as(settleWithOutcome(record, after.value), null)
        if (rejection !== null) {
          return yield* Effect.as(settleAsFailed(record, "REJECTED", rejection.message), null)
        }
        const now = yield* Clock.currentTimeMillis
        return pollDelayMs(operation.chainId, now - DateTime.toEpochMillis(submission.submittedAt))
      })

      const follow = Effect.fnUntraced(function* (record: OperationRecord, worker: string) {
        if (record.submission === null) return
        const waitMs = yield* step(record, record.submission).pipe(
          Effect.catchTag("UPSTREAM_UNAVAILABLE", (error) =>
            Effect.as(Effect.logWarning("operation waits for an upstream", { reason: error.message }), RETRY_MS)
          ),
          Effect.annotateLogs({ userOperationHash: record.hash })
        )
        if (waitMs === null) return
        const now = yield* DateTime.now
        yield* store.reschedule(record.hash, worker, DateTime.add(now, { milliseconds: waitMs }))
      })

      return UserOperations.of({
        keep: store.insert,
        get,
        execute,
        followDue: Effect.fnUntraced(function* (worker) {
          const nowMs = yield* Clock.currentTimeMillis
          const claimed = yield* store.claim({
            worker,
            now: DateTime.makeUnsafe(nowMs),
            leaseUntil: DateTime.makeUnsafe(nowMs + LEASE_MS),
            limit: CLAIM_LIMIT
          })
          yield* Effect.forEach(
            claimed,
            (record) =>
              Effect.catchCause(follow(record, worker), (cause) => Effect.logError("following failed", cause)),
            { concurrency: CONCURRENCY, discard: true }
          )
          return claimed.length
        }),
        awaitWork: (maximumMs) => Effect.asVoid(Effect.timeoutOption(Queue.take(wakeups), maximumMs))
      })
    })
  )
}
