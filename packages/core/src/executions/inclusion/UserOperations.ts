import { Context, DateTime, Effect, Layer, Option, Result } from "effect"
import type { UpstreamUnavailable } from "../../errors/index.ts"
import { isUserOperation, type UserOperationIntent } from "../../intents/index.ts"
import { Losses, type UnpaidGasLimit } from "../../losses/index.ts"
import { type Address, decimalFromBaseUnits, type Hash32, HexBytes, isNativeCoin } from "../../primitives/index.ts"
import type { ProjectId } from "../../projects/index.ts"
import { type Quote, QuoteStore } from "../../quotes/index.ts"
import type { Signatures } from "../../signing/index.ts"
import { TokenCatalog, tokenKey } from "../../tokens/index.ts"
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
import { type Acceptance, Executions, type Funds } from "../Executions.ts"
import { reservationOf } from "../reservation/reservationOf.ts"
import type { Shortage } from "../reservation/shortage.ts"
import { INCLUSION, inclusionState } from "./InclusionStage.ts"
import { requireOwnersSignatures } from "./ownerSignatures.ts"

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

/** How often an operation is tried again because others of its wallet came into a block meanwhile. */
const LOOKS_AGAIN = 2

/** The signatures of a request, each under the hash of its element. */
const signaturesIn = ({ signData }: UserOperationIntent, request: ExecuteRequest): Signatures =>
  Object.fromEntries(
    signData.flatMap(({ hash, type }) => {
      const signature = type === "AUTHORIZATION" ? request.authorization : request.signature
      return signature === null ? [] : [[hash, signature]]
    })
  )

/** Prepared user operations: looked up by their hash, signed, executed. */
export class UserOperations extends Context.Service<
  UserOperations,
  {
    readonly get: (projectId: ProjectId, hash: Hash32) => Effect.Effect<KnownOperation, UserOperationNotFound>
    /**
     * Accepts the owner's signature and starts the execution of the quote.
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
      const executions = yield* Executions
      const accounts = yield* AccountOperations
      const bundler = yield* Bundler
      const reader = yield* ChainReader
      const inspector = yield* AccountInspector
      const losses = yield* Losses
      const catalog = yield* TokenCatalog

      const get = Effect.fn("UserOperations.get")(function* (projectId: ProjectId, hash: Hash32) {
        const quote = Option.getOrNull(yield* quotes.findByOperation(projectId, hash))
        const intent = quote?.intents.filter(isUserOperation).find((candidate) => candidate.hash === hash)
        if (quote === null || intent === undefined) return yield* new UserOperationNotFound({ hash })
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

      const requireExecutable = Effect.fnUntraced(function* (
        { account, hash, operation }: UserOperationIntent,
        { revertReason }: Quote,
        signature: HexBytes
      ) {
        // The paymaster has signed for nothing that would have reverted when it was quoted.
        if (revertReason !== null && operation.paymaster !== null) {
          return yield* new QuoteStale({ hash, reason: revertReason, remedy: "NEW_QUOTE" })
        }
        const { revert, validUntil } = yield* bundler.simulate(
          operation,
          accounts.wrapSignature(account, operation, signature),
          "OWNER"
        )
        if (revert !== null) return yield* new QuoteStale({ hash, reason: revert, remedy: "NEW_QUOTE" })
        return validUntil ?? operation.validUntil ?? null
      })

      /** What the account holds, and the block in which it does: the operation can't be found in an earlier one. */
      const fundsFor = Effect.fnUntraced(function* (
        intent: UserOperationIntent,
        quote: Quote,
        nonces: ReadonlyArray<bigint>
      ) {
        const { chainId, entryPoint, sender } = intent.operation
        const spending = reservationOf(quote)?.spending ?? []
        const { balances, blockNumber, usedNonces } = yield* reader.accountState(chainId, {
          address: sender,
          // An EntryPoint tells a deposit as a token does a balance.
          tokens: [...spending.map(({ token }) => token), entryPoint],
          allowances: [],
          nonces: { entryPoint, of: nonces }
        })
        const balanceOf = (address: Address) => balances.get(tokenKey({ chainId, address })) ?? 0n
        const funds: Funds = {
          blockNumber,
          usedNonces,
          holdingOf: (token) => ({
            balance: balanceOf(token),
            prepaidGas: isNativeCoin(token) ? balanceOf(entryPoint) : 0n
          })
        }
        return funds
      })

      const staleFor = Effect.fnUntraced(function* (
        { hash, operation }: UserOperationIntent,
        { balance, needed, promised, token }: Shortage
      ) {
        const listed = Option.getOrNull(yield* catalog.find(operation.chainId, token))
        const text = (units: bigint) => decimalFromBaseUnits(units, listed?.decimals ?? 0)
        const symbol = listed?.symbol ?? `base units of ${token}`
        const decoded = `other operations of the wallet that are under way need ${text(promised)} of its ${text(balance)} ${symbol}, and this one needs ${text(needed)}, each with the most that its gas may cost`
        return new QuoteStale({ hash, reason: { decoded, raw: HexBytes.make("0x"), utf8: "" }, remedy: "LATER" })
      })

      /**
       * Where the balances do not suffice, some of the other operations may be in a block that they show already. Then the
       * operation is simulated on what those have left, and tried again.
       */
      const acceptWhereCovered = (
        intent: UserOperationIntent,
        quote: Quote,
        acceptance: Acceptance,
        signature: HexBytes,
        looks: number
      ): Effect.Effect<Option.Option<Execution>, QuoteStale | UpstreamUnavailable> =>
        Effect.catchTag(
          executions.accept(quote, acceptance),
          "Shortage",
          Effect.fnUntraced(function* (shortage) {
            const funds = yield* fundsFor(intent, quote, shortage.nonces)
            const isAllWaiting = shortage.nonces.length > 0 && funds.usedNonces.size === 0
            if (isAllWaiting || looks === 0) return yield* Effect.flatMap(staleFor(intent, shortage), Effect.fail)
            yield* requireExecutable(intent, quote, signature)
            return yield* acceptWhereCovered(intent, quote, { ...acceptance, funds }, signature, looks - 1)
          })
        )

      const acceptFirst = Effect.fnUntraced(function* (
        { intent, quote }: KnownOperation,
        signatures: Signatures,
        signature: HexBytes
      ) {
        const acceptedAt = yield* DateTime.now
        if (DateTime.isGreaterThan(acceptedAt, quote.expiresAt)) {
          return yield* new UserOperationExpired({ hash: intent.hash, expiresAt: quote.expiresAt })
        }
        const { account, hash, operation } = intent
        const customer = { projectId: quote.projectId, account, usesPaymaster: operation.paymaster !== null }
        yield* losses.admitOperation(customer, hash)
        const [funds, validUntil] = yield* Effect.all(
          [
            fundsFor(intent, quote, []),
            requireFreshAuthorization(intent).pipe(Effect.andThen(requireExecutable(intent, quote, signature))),
            requireUnchanged(intent)
          ],
          { concurrency: 3 }
        )
        const inclusionStart = {
          state: inclusionState.encode({ fromBlock: funds.blockNumber }),
          // Without an end of its own it could execute at any time, and is watched for as long.
          deadline: validUntil === null ? null : DateTime.makeUnsafe(validUntil * 1000)
        }
        const acceptance: Acceptance = {
          signatures,
          stages: quote.stages.map(({ name }) => (name === INCLUSION ? inclusionStart : undefined)),
          acceptedAt,
          estimatedExecutionTime: DateTime.add(acceptedAt, {
            milliseconds: inclusionEstimateMs(intent.operation.chainId)
          }),
          funds
        }
        return yield* acceptWhereCovered(intent, quote, acceptance, signature, LOOKS_AGAIN)
      })

      const execute = Effect.fn("UserOperations.execute")(function* (projectId: ProjectId, request: ExecuteRequest) {
        const knownOperation = yield* get(projectId, request.hash)
        const signatures = signaturesIn(knownOperation.intent, request)
        yield* requireOwnersSignatures(accounts, knownOperation.intent, signatures)
        if (knownOperation.execution !== null) return knownOperation.execution
        const first = yield* Effect.result(acceptFirst(knownOperation, signatures, request.signature))
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
