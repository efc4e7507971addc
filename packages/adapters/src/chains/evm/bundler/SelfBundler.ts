import { chainOf, type EvmChainId, evmChainIds } from "@countersign/core/foundation/chains"
import { UpstreamUnavailable } from "@countersign/core/foundation/errors"
import type { Hash32, HexBytes } from "@countersign/core/foundation/primitives"
import type { WorkSignals } from "@countersign/core/foundation/work"
import { OperatorAccounts, OperatorTransactionStore } from "@countersign/core/operations/operator"
import { QuoteStore } from "@countersign/core/operations/quotes"
import { UnpaidGasLedger } from "@countersign/core/operations/unpaid-gas"
import { Bundler, OperationRejected, type UserOperation } from "@countersign/core/operations/user-operations"
import type { EntryPointVersion } from "@countersign/core/wallets/registry"
import { Clock, Context, Deferred, Effect, Layer, Redacted } from "effect"
import { privateKeyToAccount } from "viem/accounts"
import { addressFromHex } from "../hex.ts"
import { type ClaimedOperatorAccount, claimedOperatorAccount } from "../operator/ClaimedOperatorAccount.ts"
import { operatorAccountKeeper, operatorAccountKeyOf } from "../operator/operatorAccountKeeper.ts"
import { type OperatorKeys, operatorAddresses, operatorKeyProblem } from "../operator/operatorKeys.ts"
import { RpcClients, rpcNodeOf } from "../RpcClients.ts"
import { userOperationHash } from "../user-operation/userOperationHash.ts"
import { bundleQueue } from "./bundleQueue.ts"
import { bundleStatusOf, REVERTS_MAX } from "./bundleStatus.ts"
import { ExpensiveOperations } from "./ExpensiveOperations.ts"
import { findAbsenceTime, type OutcomeSources, operationOutcome } from "./operationOutcome.ts"
import { operationSearch } from "./operationSearch.ts"
import { Rejections } from "./rejections.ts"
import { countReverts } from "./revertedBundles.ts"
import type { Submission } from "./Submission.ts"
import { sendBundle } from "./sendBundle.ts"
import { SupportedMethods } from "./simulation/SupportedMethods.ts"
import { changesOfOperation, simulateOperation } from "./simulation/simulateOperation.ts"
import type { EntryPointSimulations } from "./simulation/simulationRequest.ts"
import { bundleTracer } from "./traceBundle.ts"

export interface SelfBundlerOptions {
  /**
   * Keys of the accounts that send `handleOps`. Operations reimburse these accounts, but the accounts need native
   * tokens on every chain.
   */
  readonly operatorKeys: OperatorKeys
  readonly simulations: EntryPointSimulations
}

const versions: ReadonlyArray<EntryPointVersion> = ["0.7", "0.8"]

const requireValidKeys = (keys: OperatorKeys) =>
  Effect.forEach(
    versions,
    (version) => {
      const expected = operatorKeyProblem(keys, version)
      return expected === null
        ? Effect.void
        : Effect.die(new Error(`Invalid operator keys of EntryPoint ${version}. Expected ${expected}.`))
    },
    { discard: true }
  )

/**
 * How long a submission waits for its bundle. Afterwards sending continues in the background, and a later request gets
 * the result.
 */
const SUBMISSION_TIMEOUT = "1 second"

const awaitSendResult = (sendResult: Submission["sendResult"]) =>
  Effect.timeoutOrElse(Deferred.await(sendResult), { duration: SUBMISSION_TIMEOUT, orElse: () => Effect.void })

const queueKeyOf = (chainId: EvmChainId, version: EntryPointVersion): string => `${chainId}:${version}`

/**
 * The built-in bundler, which needs only the chains' nodes. It simulates operations by `debug_traceCall` or
 * `eth_simulateV1`, and sends them in transactions of the operator, which it stores first. A worker must watch the
 * operator accounts.
 */
export const layer = (
  options: SelfBundlerOptions
): Layer.Layer<
  Bundler | OperatorAccounts,
  never,
  RpcClients | OperatorTransactionStore | QuoteStore | UnpaidGasLedger | WorkSignals
> =>
  Layer.effectContext(
    Effect.gen(function* () {
      yield* requireValidKeys(options.operatorKeys)
      const rpc = yield* RpcClients
      const store = yield* OperatorTransactionStore
      const unpaidGasLedger = yield* UnpaidGasLedger
      const quotes = yield* QuoteStore
      const scope = yield* Effect.scope
      const holder = crypto.randomUUID()
      const supportedMethods = new SupportedMethods()
      const expensiveOperations = new ExpensiveOperations()
      const sender = { rpc, store, trace: bundleTracer(rpc, supportedMethods), expensiveOperations }
      const sources: OutcomeSources = {
        rpc,
        search: operationSearch(rpc),
        bundleTransactions: ({ hash, operation }) =>
          Effect.map(store.listBundles(operation.chainId, hash), (transactions) =>
            transactions.flatMap(({ hashes }) => hashes)
          )
      }

      const operatorAccountsOf = (
        chainId: EvmChainId,
        version: EntryPointVersion
      ): ReadonlyArray<ClaimedOperatorAccount> =>
        options.operatorKeys[version].map((key) => {
          const account = privateKeyToAccount(Redacted.value(key))
          return claimedOperatorAccount(store, holder, { chainId, operator: addressFromHex(account.address) }, account)
        })

      const operatorAccountQueues = evmChainIds.flatMap((chainId) =>
        versions.map((version) => ({
          key: queueKeyOf(chainId, version),
          operatorAccounts: operatorAccountsOf(chainId, version)
        }))
      )
      const operatorAccountsByQueue = new Map(
        operatorAccountQueues.map(({ key, operatorAccounts }) => [key, operatorAccounts])
      )
      const queues = new Map(
        operatorAccountQueues.map(({ key, operatorAccounts }) => [
          key,
          bundleQueue(operatorAccounts, scope, (operatorAccount, bundle) => sendBundle(sender, operatorAccount, bundle))
        ])
      )
      const operatorAccounts = operatorAccountQueues.flatMap((queue) => queue.operatorAccounts)
      const operatorAccountsByKey = new Map(
        operatorAccounts.map((operatorAccount) => [operatorAccountKeyOf(operatorAccount.id), operatorAccount])
      )
      const accountKeeper = yield* operatorAccountKeeper(
        holder,
        operatorAccountsByKey,
        countReverts({ rpc, store, quotes, unpaidGasLedger })
      )

      /** Operations that this process is currently sending. */
      const pendingResults = new Map<string, Submission["sendResult"]>()
      const rejections = new Map(operatorAccountQueues.map(({ key }) => [key, new Rejections()]))

      const enqueue = Effect.fnUntraced(function* (submission: Submission) {
        const { chainId, entryPointVersion } = submission.operation
        const addToQueue = queues.get(queueKeyOf(chainId, entryPointVersion))
        if (addToQueue === undefined)
          return yield* Effect.die(new Error(`No operator account for ${chainOf(chainId).name}`))
        yield* addToQueue(submission)
      })

      const submit = Effect.fnUntraced(function* (
        operation: UserOperation,
        hash: Hash32,
        signature: HexBytes,
        authorizationSignature: HexBytes | null,
        isDelegated: boolean
      ): Effect.fn.Return<void, OperationRejected | UpstreamUnavailable> {
        const { chainId, entryPointVersion } = operation
        const { isBundled, isInBlock, reverts } = bundleStatusOf(yield* store.listBundles(chainId, hash))
        if (isInBlock) {
          yield* Effect.forEach(
            operatorAccountsByQueue.get(queueKeyOf(chainId, entryPointVersion)) ?? [],
            ({ id }) => accountKeeper.markDoubtful(id),
            { discard: true }
          )
        }
        if (isBundled) return
        if (reverts >= REVERTS_MAX) {
          const reason = `its transaction reverted ${reverts} times, although its simulation succeeded`
          return yield* new OperationRejected({ reason })
        }
        const key = `${chainId}:${hash}`
        const pendingResult = pendingResults.get(key)
        if (pendingResult !== undefined) return yield* awaitSendResult(pendingResult)
        const rejection = rejections.get(queueKeyOf(chainId, entryPointVersion))
        const nowMs = yield* Clock.currentTimeMillis
        const pauseReason = expensiveOperations.pauseReason(hash, nowMs)
        if (pauseReason !== null)
          return yield* new UpstreamUnavailable({ upstream: rpcNodeOf(chainId), reason: pauseReason })
        const reason = rejection?.reasonUnlessRetry(key, nowMs) ?? null
        if (reason !== null) return yield* new OperationRejected({ reason })
        const sendResult = Deferred.makeUnsafe<void, OperationRejected | UpstreamUnavailable>()
        pendingResults.set(key, sendResult)
        const isSuspect = reverts > 0 || rejection?.has(key) === true || expensiveOperations.has(hash)
        const canChange = isDelegated || operation.paymaster === null
        yield* enqueue({ operation, hash, signature, authorizationSignature, canChange, isSuspect, sendResult })
        const outcome = Deferred.await(sendResult).pipe(
          Effect.tapErrorTag("OPERATION_REJECTED", (error) => Effect.sync(() => rejection?.add(key, error.reason))),
          Effect.ensuring(Effect.sync(() => pendingResults.delete(key)))
        )
        yield* Effect.forkIn(Effect.ignore(outcome), scope)
        return yield* awaitSendResult(sendResult)
      })

      const addresses = operatorAddresses(options.operatorKeys)
      const simulatorOf = (version: EntryPointVersion) => {
        const [operator] = addresses[version]
        return {
          rpc,
          supportedMethods,
          simulations: options.simulations,
          operator: operator ?? null,
          allowsEthCall: false
        }
      }

      const bundler = Bundler.of({
        simulate: Effect.fn("Bundler.simulate")((operation, signature, signedBy, after) =>
          rpc.call(operation.chainId, () =>
            simulateOperation(simulatorOf(operation.entryPointVersion), operation, signature, signedBy, after)
          )
        ),
        simulateStateChanges: Effect.fn("Bundler.stateChanges")((operation, signature) =>
          rpc.call(operation.chainId, () =>
            changesOfOperation(simulatorOf(operation.entryPointVersion), operation, signature)
          )
        ),
        submit: Effect.fn("Bundler.submit")(
          (operation, signature, authorizationSignature, isDelegated = operation.authorization !== null) =>
            submit(operation, userOperationHash(operation), signature, authorizationSignature, isDelegated)
        ),
        findOutcome: Effect.fn("Bundler.outcome")((operation, hash, fromBlock) =>
          operationOutcome(sources, { operation, hash, fromBlock })
        ),
        proveAbsentUntil: Effect.fn("Bundler.absentUntil")((operation, hash, fromBlock) =>
          findAbsenceTime(sources, { operation, hash, fromBlock })
        )
      })
      return Context.make(Bundler, bundler).pipe(
        Context.add(
          OperatorAccounts,
          OperatorAccounts.of({
            checkDue: accountKeeper.checkDue,
            takeChangedOperations: accountKeeper.takeChangedOperations
          })
        )
      )
    })
  )
