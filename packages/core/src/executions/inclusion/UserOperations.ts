import { Context, DateTime, Effect, Layer, Option, Result } from "effect"
import type { UpstreamUnavailable } from "../../errors/index.ts"
import { isUserOperation, operationByHash, type UserOperationIntent } from "../../intents/index.ts"
import { Losses, type UnpaidGasLimit } from "../../losses/index.ts"
import type { Hash32 } from "../../primitives/index.ts"
import type { ProjectId } from "../../projects/index.ts"
import { type Quote, QuoteStore } from "../../quotes/index.ts"
import { type Signatures, signatureOf } from "../../signing/index.ts"
import {
  AccountChanged,
  AccountInspector,
  AccountOperations,
  AuthorizationStale,
  Bundler,
  ChainReader,
  type InvalidSignature,
  inclusionEstimateMs,
  QuoteStale,
  UserOperationExpired,
  UserOperationNotFound
} from "../../user-operations/index.ts"
import type { Execution } from "../Execution.ts"
import { ExecutionStore } from "../ExecutionStore.ts"
import type { Acceptance } from "../Executions.ts"
import { coveredAcceptance } from "../reservation/coveredAcceptance.ts"
import { INCLUSION, inclusionState } from "./InclusionStage.ts"
import { type ExecuteRequest, requireOwnersSignatures } from "./ownerSignatures.ts"

export type ExecuteError =
  | UserOperationNotFound
  | InvalidSignature
  | UserOperationExpired
  | UnpaidGasLimit
  | AuthorizationStale
  | AccountChanged
  | QuoteStale
  | UpstreamUnavailable

/** A user operation with its quote, and its execution after the acceptance. */
export interface KnownOperation {
  readonly intent: UserOperationIntent
  readonly quote: Quote
  readonly execution: Execution | null
}

/** The unix second at which an operation is over; null where it has no end. */
type Ends = ReadonlyMap<Hash32, number | null>

/** Prepared user operations: looked up by their hash, signed, executed. */
export class UserOperations extends Context.Service<
  UserOperations,
  {
    readonly get: (projectId: ProjectId, hash: Hash32) => Effect.Effect<KnownOperation, UserOperationNotFound>
    /**
     * Accepts the owner's signatures of all the operations of a quote, and starts its execution.
     * Checked in this order: known, signed by the owner, (accepted before: the same answer again), not expired,
     * no gas left unpaid before, authorization fresh, would not revert now, account as it was made, enough of the wallet's
     * balances left by its other operations. Nothing is stored or sent unless all hold.
     */
    readonly execute: (projectId: ProjectId, request: ExecuteRequest) => Effect.Effect<Execution, ExecuteError>
  }
>()("@countersign/core/executions/UserOperations") {
  static readonly layer = Layer.effect(
    UserOperations,
    Effect.gen(function* () {
      const quotes = yield* QuoteStore
      const store = yield* ExecutionStore
      const accounts = yield* AccountOperations
      const bundler = yield* Bundler
      const reader = yield* ChainReader
      const inspector = yield* AccountInspector
      const losses = yield* Losses
      const covered = yield* coveredAcceptance

      const get = Effect.fn("UserOperations.get")(function* (projectId: ProjectId, hash: Hash32) {
        const quote = Option.getOrNull(yield* quotes.findByOperation(projectId, hash))
        const intent = quote === null ? null : operationByHash(quote.intents, hash)
        if (quote === null || intent === null) return yield* new UserOperationNotFound({ hash })
        const execution = Option.getOrNull(yield* store.findByQuote(projectId, quote.id))
        return { intent, quote, execution }
      })

      /** A tuple for another transaction count would be ignored on chain. */
      const requireFreshAuthorization = Effect.fnUntraced(function* ({ account, operation }: UserOperationIntent) {
        if (operation.authorization === null) return
        const { transactionCount } = yield* reader.accountState(operation.chainId, {
          address: account.owner,
          tokens: [],
          allowances: []
        })
        if (transactionCount !== BigInt(operation.authorization.nonce)) {
          return yield* new AuthorizationStale({
            authorization: accounts.authorization(operation.chainId, account.implementation, transactionCount)
          })
        }
      })

      const requireUnchanged = Effect.fnUntraced(function* ({ account, operation }: UserOperationIntent) {
        const change = yield* inspector.changeOrNull(operation.chainId, account)
        if (change !== null) return yield* new AccountChanged({ walletAddress: account.address, change })
      })

      /** An operation as it was signed, in the account's format. */
      const wrappedSignature = ({ account, operation, signData }: UserOperationIntent, signatures: Signatures) => {
        const element = signData.find(({ type }) => type === "USER_OPERATION")!
        return accounts.wrapSignature(account, operation, signatureOf(signatures, element)!)
      }

      /** Runs each operation as it will be sent, on top of the one before it. */
      const requireExecutable = Effect.fnUntraced(function* (
        { revertReason }: Quote,
        operations: ReadonlyArray<UserOperationIntent>,
        signatures: Signatures
      ) {
        const ends: Ends = new Map(
          yield* Effect.forEach(
            operations,
            Effect.fnUntraced(function* (intent, i) {
              const { hash, operation } = intent
              // The paymaster has signed for nothing that would have reverted when it was quoted.
              if (revertReason !== null && operation.paymaster !== null) {
                return yield* new QuoteStale({ hash, reason: revertReason, remedy: "NEW_QUOTE" })
              }
              const before = operations[i - 1]
              const changes =
                before === undefined
                  ? undefined
                  : yield* bundler.stateChanges(before.operation, wrappedSignature(before, signatures))
              const signature = wrappedSignature(intent, signatures)
              const { revert, validUntil } = yield* bundler.simulate(operation, signature, "OWNER", changes)
              if (revert !== null) return yield* new QuoteStale({ hash, reason: revert, remedy: "NEW_QUOTE" })
              return [hash, validUntil ?? operation.validUntil] as const
            }),
            { concurrency: operations.length }
          )
        )
        return ends
      })

      /** How the stages begin: each operation may be in any block from now on, until it is over. */
      const stagesFrom = (quote: Quote, fromBlock: bigint, ends: Ends): Acceptance["stages"] =>
        quote.stages.map(({ intent, name }) => {
          const operation = intent === null ? undefined : quote.intents[intent]
          if (name !== INCLUSION || !isUserOperation(operation)) return undefined
          const end = ends.get(operation.hash) ?? null
          return {
            state: inclusionState.encode({ fromBlock }),
            // Without an end of its own it could execute at any time, and is watched for as long.
            deadline: end === null ? null : DateTime.makeUnsafe(end * 1000)
          }
        })

      const acceptFirst = Effect.fnUntraced(function* (
        { intent, quote }: KnownOperation,
        operations: ReadonlyArray<UserOperationIntent>,
        signatures: Signatures
      ) {
        const acceptedAt = yield* DateTime.now
        if (DateTime.isGreaterThan(acceptedAt, quote.expiresAt)) {
          return yield* new UserOperationExpired({ hash: intent.hash, expiresAt: quote.expiresAt })
        }
        const { account, hash, operation } = intent
        const customer = { projectId: quote.projectId, account, usesPaymaster: operation.paymaster !== null }
        yield* losses.admitOperation(customer, hash)
        const runs = requireExecutable(quote, operations, signatures)
        const [funds, ends] = yield* Effect.all(
          [
            covered.fundsFor(intent, quote),
            Effect.forEach(operations, requireFreshAuthorization).pipe(Effect.andThen(runs)),
            requireUnchanged(intent)
          ],
          { concurrency: 3 }
        )
        const acceptance: Acceptance = {
          signatures,
          stages: stagesFrom(quote, funds.blockNumber, ends),
          acceptedAt,
          estimatedExecutionTime: DateTime.add(acceptedAt, {
            milliseconds: inclusionEstimateMs(operation.chainId, operations.length)
          }),
          funds
        }
        return yield* covered.accept({ intent, quote, acceptance, requireExecutable: runs })
      })

      const execute = Effect.fn("UserOperations.execute")(function* (projectId: ProjectId, request: ExecuteRequest) {
        const knownOperation = yield* get(projectId, request.hash)
        const { intent, quote } = knownOperation
        const operations = quote.intents.filter(isUserOperation)
        const signatures = yield* requireOwnersSignatures(accounts, operations, intent.account.owner, request)
        if (knownOperation.execution !== null) return knownOperation.execution
        const first = yield* Effect.result(acceptFirst(knownOperation, operations, signatures))
        if (Result.isSuccess(first) && Option.isSome(first.success)) return first.success.value
        // Another request with the same signature may have come first: then its execution is the answer. This holds also
        // where the checks failed, because an operation that was executed meanwhile does not pass them.
        const { execution } = yield* get(projectId, request.hash)
        if (execution !== null) return execution
        return yield* Result.isFailure(first)
          ? Effect.fail(first.failure)
          : Effect.die(new Error(`Operation ${request.hash} was neither accepted nor to be accepted`))
      })

      return UserOperations.of({ get, execute })
    })
  )
}
