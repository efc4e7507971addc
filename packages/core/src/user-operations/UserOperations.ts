import { Clock, Context, DateTime, Duration, Effect, Layer, Option, Queue, Result } from "effect"
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
import { Finality } from "./finality.ts"
import {
  failedTransaction,
  hasEnded,
  inclusionEstimateMs,
  pollDelayMs,
  reorgedTransaction,
  settledTransaction
} from "./followPolicy.ts"
import type { Inclusion, OperationRecord, Submission } from "./OperationRecord.ts"
import { INCLUSION_GRACE_SECONDS } from "./UserOperationBuilder.ts"
import { type Claimed, UserOperationStore } from "./UserOperationStore.ts"

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

/** How long a worker that has claimed an operation is believed to be alive: what a process that dies costs in time. */
export const FollowLease = Context.Reference<Duration.Duration>(
  "@countersign/core/user-operations/UserOperations/FollowLease",
  { defaultValue: () => Duration.seconds(30) }
)

/** No step takes a greater share of the lease, so that its worker still holds the operation when it ends. */
const STEP_SHARE = 0.8
/** Operations that one worker follows at once. It claims no more: what waited for its turn could outlive its lease. */
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
      const leaseMs = Duration.toMillis(yield* FollowLease)
      const finalityOf = yield* Finality
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

      /** Accepts an operation that was not submitted when it was read. */
      const submitFirst = Effect.fnUntraced(function* (record: OperationRecord, request: ExecuteRequest) {
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
        const isFirst = yield* accept(record, submission)
        if (isFirst) yield* Queue.offer(wakeups, undefined)
        return isFirst ? Option.some(submission) : Option.none()
      })

      const execute = Effect.fn("UserOperations.execute")(function* (projectId: ProjectId, request: ExecuteRequest) {
        const record = yield* get(projectId, request.hash)
        yield* requireOwnersSignatures(record, request)
        if (record.submission !== null) return record.submission
        const first = yield* Effect.result(submitFirst(record, request))
        if (Result.isSuccess(first) && Option.isSome(first.success)) return first.success.value
        // Another request with the same signature may have come first: its answer is the answer, also where the checks
        // failed, because an operation that is executed meanwhile does not pass them.
        const { submission } = yield* get(projectId, request.hash)
        if (submission !== null) return submission
        return yield* Result.isFailure(first)
          ? Effect.fail(first.failure)
          : Effect.die(new Error(`Operation ${request.hash} was neither submitted nor to be submitted`))
      })

      /** Makes a move of the operation and the change of its transaction together, unless another worker made it. */
      const move = (
        record: OperationRecord,
        made: Effect.Effect<boolean>,
        change: (transaction: HistoryTransaction) => HistoryTransaction
      ) =>
        unitOfWork.run(
          Effect.gen(function* () {
            if (record.submission === null || !(yield* made)) return
            const transaction = yield* history.find(record.projectId, record.submission.transactionId)
            if (Option.isNone(transaction)) return
            const changed = change(transaction.value)
            yield* transactions.change(transaction.value, changed)
            if (changed.status === "COMPLETED") {
              yield* registry.recordDeployment(record.account.address, record.operation.chainId)
            }
            yield* Effect.logInfo("operation moved", {
              userOperationHash: record.hash,
              status: changed.status,
              substatus: changed.substatus,
              transactionHash: changed.transactionHash
            })
          })
        )

      const settleWithOutcome = Effect.fnUntraced(function* (record: OperationRecord, outcome: OperationOutcome) {
        const now = yield* DateTime.now
        const { chainId } = record.operation
        const executedAt = DateTime.makeUnsafe(outcome.blockTimestamp * 1000)
        const { blocks, lookEveryMs } = finalityOf(chainId)
        const nextLook = DateTime.add(now, { milliseconds: lookEveryMs })
        const made = blocks === 0 ? store.settle(record.hash, now) : store.include(record.hash, outcome, nextLook)
        yield* move(record, made, (transaction) => settledTransaction(transaction, outcome, executedAt, now))
      })

      const settleAsFailed = Effect.fnUntraced(function* (record: OperationRecord, code: string, message: string) {
        const now = yield* DateTime.now
        yield* move(record, store.settle(record.hash, now), (transaction) =>
          failedTransaction(transaction, { code, message }, now)
        )
      })

      /**
       * Whether nothing can take the operation any more. By the clock of the chain, because a node may be behind; by our
       * own where the chain makes no blocks.
       */
      const isPastDeadline = Effect.fnUntraced(function* (
        { account, operation }: OperationRecord,
        deadline: DateTime.Utc
      ) {
        const now = yield* DateTime.now
        if (!DateTime.isGreaterThan(now, deadline)) return false
        const { blockTimestamp } = yield* reader.accountState(operation.chainId, {
          address: account.address,
          tokens: [],
          allowances: []
        })
        return hasEnded(deadline, now, DateTime.makeUnsafe(blockTimestamp * 1000))
      })

      /** Looks for the operation on chain, hands it in when it is not there; answers how long to wait, or settles it. */
      const step = Effect.fn("UserOperations.step")(function* (record: OperationRecord, submission: Submission) {
        const { operation, hash } = record
        // A reorganisation may have put it into a block below the one at which it was submitted.
        const depth = BigInt(finalityOf(operation.chainId).blocks)
        const fromBlock = submission.fromBlock > depth ? submission.fromBlock - depth : 0n
        const lookUp = bundler.outcome(operation, hash, fromBlock)
        // Before the last look, so that a block between the two is not missed.
        const isOver = yield* isPastDeadline(record, submission.deadline)
        const before = yield* lookUp
        if (Option.isSome(before)) return yield* Effect.as(settleWithOutcome(record, before.value), null)

        if (isOver) {
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

      /** Looks whether the operation's block is still there; answers how long to wait, or ends or reopens it. */
      const watch = Effect.fn("UserOperations.watch")(function* (record: OperationRecord, inclusion: Inclusion) {
        const { chainId } = record.operation
        const { hash, headNumber } = yield* reader.blockAt(chainId, inclusion.blockNumber)
        const now = yield* DateTime.now
        if (hash !== null && hash !== inclusion.blockHash) {
          const reopened = store.reopen(record.hash, inclusion.blockHash, now)
          yield* move(record, reopened, (transaction) => reorgedTransaction(transaction, now))
          return null
        }
        const { blocks, lookEveryMs } = finalityOf(chainId)
        // Without a hash the node is behind: nothing is known, and nothing is concluded.
        if (hash === null || headNumber - inclusion.blockNumber < blocks) return lookEveryMs
        yield* store.finalize(record.hash, inclusion.blockHash, now)
        return null
      })

      const giveBack = Effect.fnUntraced(function* ({ hash }: OperationRecord, worker: string, waitMs: number) {
        const now = yield* DateTime.now
        yield* store.reschedule(hash, worker, DateTime.add(now, { milliseconds: waitMs }))
      })

      const follow = Effect.fnUntraced(function* ({ inclusion, record }: Claimed, worker: string) {
        if (record.submission === null) return
        const onward = inclusion === null ? step(record, record.submission) : watch(record, inclusion)
        const waitMs = yield* onward.pipe(
          Effect.catchTag("UPSTREAM_UNAVAILABLE", (error) =>
            Effect.as(Effect.logWarning("operation waits for an upstream", { reason: error.message }), RETRY_MS)
          ),
          Effect.timeoutOrElse({
            duration: leaseMs * STEP_SHARE,
            orElse: () => Effect.as(Effect.logWarning("a step took too long and was cut off"), RETRY_MS)
          }),
          Effect.onInterrupt(() => giveBack(record, worker, 0)),
          Effect.annotateLogs({ userOperationHash: record.hash })
        )
        if (waitMs !== null) yield* giveBack(record, worker, waitMs)
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
            leaseUntil: DateTime.makeUnsafe(nowMs + leaseMs),
            limit: CONCURRENCY
          })
          yield* Effect.forEach(
            claimed,
            (one) => Effect.catchCause(follow(one, worker), (cause) => Effect.logError("following failed", cause)),
            { concurrency: CONCURRENCY, discard: true }
          )
          return claimed.length
        }),
        awaitWork: (maximumMs) => Effect.asVoid(Effect.timeoutOption(Queue.take(wakeups), maximumMs))
      })
    })
  )
}
