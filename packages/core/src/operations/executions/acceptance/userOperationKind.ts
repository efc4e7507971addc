import { DateTime, Effect } from "effect"
import type { Hash32 } from "../../../foundation/primitives/index.ts"
import { type Signatures, signatureOf } from "../../../foundation/signing/index.ts"
import { isUserOperation, type UserOperationIntent } from "../../intents/index.ts"
import type { Quote } from "../../quotes/index.ts"
import { UnpaidGasLedger } from "../../unpaid-gas/index.ts"
import {
  AccountChanged,
  AccountInspector,
  AccountOperations,
  AuthorizationStale,
  Bundler,
  ChainReader,
  QuoteStale
} from "../../user-operations/index.ts"
import { INCLUSION, inclusionState } from "../inclusion/InclusionStage.ts"
import { signedTuple } from "../inclusion/signedTuple.ts"
import { walletCovers } from "../reservation/walletCovers.ts"
import type { IntentKind } from "./IntentKind.ts"
import { ownerSignatureProblem } from "./ownerSignature.ts"

/**
 * The last Unix second at which each operation is valid. Null if it has no deadline, or if the simulation can't show
 * it.
 */
type OperationDeadlines = ReadonlyMap<Hash32, number | null>

/**
 * Handles the acceptance of ERC-4337 operations, which the account's owner signs. First checks the limits for unpaid
 * gas. Then concurrently reads the balances, checks that the account is unchanged, and checks the authorization and the
 * simulation.
 */
export const userOperationKind = Effect.gen(function* () {
  const accounts = yield* AccountOperations
  const bundler = yield* Bundler
  const reader = yield* ChainReader
  const inspector = yield* AccountInspector
  const unpaidGasLedger = yield* UnpaidGasLedger
  const readWalletBalances = yield* walletCovers

  /**
   * Fails if the owner's transaction count differs from the nonce of the signed EIP-7702 tuple, because the chain would
   * ignore the tuple.
   */
  const requireFreshAuthorization = Effect.fnUntraced(function* (intent: UserOperationIntent, signatures: Signatures) {
    const { account, operation, signData } = intent
    const element = signData.find(({ type }) => type === "AUTHORIZATION")
    if (element === undefined) return
    const signedAuthorization = yield* signedTuple(accounts, intent, signatureOf(signatures, element)!)
    const { transactionCount } = yield* reader.readAccountState(operation.chainId, {
      address: account.owner,
      tokens: [],
      allowances: []
    })
    if (signedAuthorization === null || transactionCount !== BigInt(signedAuthorization.nonce)) {
      return yield* new AuthorizationStale({
        authorization: accounts.buildAuthorization(operation.chainId, account.implementation, transactionCount)
      })
    }
  })

  const requireUnchanged = Effect.fnUntraced(function* (intents: ReadonlyArray<UserOperationIntent>) {
    // The EIP-7702 account may still delegate to another contract, because an authorization of the quote changes this.
    if (intents.some(({ signData }) => signData.some(({ type }) => type === "AUTHORIZATION"))) return
    const { account, operation } = intents.at(-1)!
    const change = yield* inspector.changeOrNull(operation.chainId, account)
    if (change !== null) return yield* new AccountChanged({ walletAddress: account.address, change })
  })

  /** Returns the operation's signature in the account's format. */
  const wrappedSignature = ({ account, operation, signData }: UserOperationIntent, signatures: Signatures) => {
    const element = signData.find(({ type }) => type === "USER_OPERATION")!
    return accounts.wrapSignature(account, operation, signatureOf(signatures, element)!)
  }

  /**
   * Simulates each operation in its final form, on the state that its predecessor leaves. Returns the deadlines of the
   * operations.
   */
  const requireExecutable = Effect.fnUntraced(function* (
    { revertReason }: Quote,
    operations: ReadonlyArray<UserOperationIntent>,
    signatures: Signatures
  ) {
    const deadlines: OperationDeadlines = new Map(
      yield* Effect.forEach(
        operations,
        Effect.fnUntraced(function* (intent, i) {
          const { hash, operation } = intent
          // The paymaster does not sign an operation that reverted in its quote.
          if (revertReason !== null && operation.paymaster !== null) {
            return yield* new QuoteStale({ hash, reason: revertReason, remedy: "NEW_QUOTE" })
          }
          const previousOperation = operations[i - 1]
          const changes =
            previousOperation === undefined
              ? undefined
              : yield* bundler.simulateStateChanges(
                  previousOperation.operation,
                  wrappedSignature(previousOperation, signatures)
                )
          const signature = wrappedSignature(intent, signatures)
          const { revert, validUntil } = yield* bundler.simulate(operation, signature, "OWNER", changes)
          if (revert !== null) return yield* new QuoteStale({ hash, reason: revert, remedy: "NEW_QUOTE" })
          return [hash, validUntil ?? operation.validUntil] as const
        }),
        { concurrency: operations.length }
      )
    )
    return deadlines
  })

  const kind: IntentKind<UserOperationIntent> = {
    type: "USER_OPERATION",
    signerOf: ({ account }) => account.owner,
    signatureProblem: Effect.fnUntraced(function* (intent, element, signature) {
      if (element.type === "AUTHORIZATION" && (yield* signedTuple(accounts, intent, signature)) !== null) return null
      return yield* ownerSignatureProblem(accounts, intent.account.owner, element, signature)
    }),
    makeReady: Effect.fnUntraced(function* ({ intents, quote, signatures }) {
      const intent = intents.findLast(isUserOperation)!
      const { account, hash, operation } = intent
      const customer = { projectId: quote.projectId, account, usesPaymaster: operation.paymaster !== null }
      yield* unpaidGasLedger.admitOperation(customer, hash)
      const executableCheck = requireExecutable(quote, intents, signatures)
      const [cover, deadlines] = yield* Effect.all(
        [
          readWalletBalances({ intent, quote, requireExecutable: executableCheck }),
          Effect.forEach(intents, (each) => requireFreshAuthorization(each, signatures)).pipe(
            Effect.andThen(executableCheck)
          ),
          requireUnchanged(intents)
        ],
        { concurrency: 3 }
      )
      return {
        cover,
        // Each operation may be included in any block from now on, until it becomes invalid.
        startOf: ({ name }, { hash: operationHash }) => {
          if (name !== INCLUSION) return undefined
          const deadlineSeconds = deadlines.get(operationHash) ?? null
          return {
            state: inclusionState.encode({ fromBlock: cover.funds.blockNumber }),
            // An operation without a deadline may be included at any time, so it is tracked without a time limit.
            deadline: deadlineSeconds === null ? null : DateTime.makeUnsafe(deadlineSeconds * 1000)
          }
        }
      }
    })
  }
  return kind
})
