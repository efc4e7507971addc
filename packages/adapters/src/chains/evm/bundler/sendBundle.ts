import { chainOf } from "@countersign/core/foundation/chains"
import { UpstreamUnavailable } from "@countersign/core/foundation/errors"
import { maxBigInt } from "@countersign/core/foundation/primitives"
import type { OperatorTransactionStore } from "@countersign/core/operations/operator"
import { OperationRejected } from "@countersign/core/operations/user-operations"
import { type Cause, Clock, Deferred, Effect } from "effect"
import type { SignedAuthorization } from "viem"
import type { ClaimedOperatorAccount } from "../operator/ClaimedOperatorAccount.ts"
import type { RpcClients } from "../RpcClients.ts"
import { bundleStatusOf } from "./bundleStatus.ts"
import { signedAuthorization, staleDelegation } from "./delegation.ts"
import type { ExpensiveOperations } from "./ExpensiveOperations.ts"
import { type BundleExamination, examineBundle } from "./examineBundle.ts"
import { handleOpsCall } from "./handleOpsCall.ts"
import { refusalOf } from "./refusal.ts"
import type { Submission } from "./Submission.ts"
import { sendTransaction } from "./sendTransaction.ts"
import type { TraceBundle } from "./traceBundle.ts"

type Bundle = ReadonlyArray<Submission>
type Refusal = OperationRejected | UpstreamUnavailable

/**
 * A node's error if the operator's balance does not cover the bundle's maximum gas fee. The balance may still cover the
 * fee of a single operation.
 */
const TOO_LITTLE_NATIVE_TOKEN = /insufficient funds/iu

/** The dependencies for sending bundles. */
export interface BundleSender {
  readonly rpc: RpcClients["Service"]
  readonly store: OperatorTransactionStore["Service"]
  readonly trace: TraceBundle
  /** Operations that were too expensive to trace. */
  readonly expensiveOperations: ExpensiveOperations
}

const confirmSubmissions = (submissions: Bundle) =>
  Effect.forEach(submissions, ({ sendResult }) => Deferred.succeed(sendResult, undefined), { discard: true })

const rejectSubmission = ({ sendResult }: Submission, refusal: Refusal) => Deferred.fail(sendResult, refusal)

const removeAt = (bundle: Bundle, index: number): Bundle => bundle.filter((_, position) => position !== index)

/** Returns why an operation must not be sent although its trace succeeded; null if it can be sent. */
const objectionTo = (
  submission: Submission,
  { delegations, fees }: BundleExamination,
  index: number
): Refusal | null => {
  const { authorizationSignature, operation } = submission
  const delegation = delegations[index] ?? null
  const staleDelegationRefusal = staleDelegation(operation, delegation)
  if (staleDelegationRefusal !== null) return staleDelegationRefusal
  const isDelegating = delegation !== null && !delegation.isCurrent
  if (isDelegating && signedAuthorization(operation, authorizationSignature) === null) {
    return new OperationRejected({ reason: "the EIP-7702 authorization is not signed" })
  }
  return gasPriceRefusal(submission, fees)
}

const gasPriceRefusal = (
  { operation }: Submission,
  { baseFeePerGas }: BundleExamination["fees"]
): UpstreamUnavailable | null =>
  operation.maxFeePerGas >= baseFeePerGas
    ? null
    : new UpstreamUnavailable({
        upstream: `Bundler of ${chainOf(operation.chainId).name}`,
        reason: `the operation's maximum gas price is ${operation.maxFeePerGas} wei, but the base fee is ${baseFeePerGas} wei`
      })

const authorizationsOf = (bundle: Bundle, { delegations }: BundleExamination): Array<SignedAuthorization> =>
  bundle.flatMap(({ authorizationSignature, operation }, index) => {
    const delegation = delegations[index]
    if (delegation == null || delegation.isCurrent) return []
    return signedAuthorization(operation, authorizationSignature) ?? []
  })

/**
 * Sends the operations whose trace succeeded. If other transactions already contain some of them, it sends nothing. It
 * then reports these as sent, and returns the others to trace again.
 */
const sendTracedBundle = (
  sender: BundleSender,
  operatorAccount: ClaimedOperatorAccount,
  bundle: Bundle,
  examination: BundleExamination
) =>
  operatorAccount.runExclusively(
    Effect.gen(function* () {
      const { rpc, store } = sender
      const bundledOperations = yield* Effect.filter(bundle, ({ hash, operation }) =>
        Effect.map(store.listBundles(operation.chainId, hash), (transactions) => bundleStatusOf(transactions).isBundled)
      )
      if (bundledOperations.length > 0) {
        yield* confirmSubmissions(bundledOperations)
        return bundle.filter((submission) => !bundledOperations.includes(submission))
      }
      const { fees, pendingCount } = examination
      const call = handleOpsCall(bundle, operatorAccount.id.operator)
      yield* sendTransaction(rpc, store, operatorAccount, {
        unsigned: {
          ...call,
          // Uses the fees of the operations, but at least current fees, so that a rising base fee does not block the
          // operator's next nonces.
          maxFeePerGas: maxBigInt(call.maxFeePerGas, fees.maxFeePerGas),
          authorizationList: authorizationsOf(bundle, examination)
        },
        operations: bundle.map(({ hash }) => hash),
        pendingCount,
        head: Number(fees.blockNumber)
      })
      yield* confirmSubmissions(bundle)
      return []
    })
  )

/** The operations of a bundle that must still be traced, and those to retry one by one afterwards. */
interface RemainingOperations {
  readonly bundle: Bundle
  readonly separateSubmissions: Bundle
}

/** Sorts by call gas, because calls make a trace expensive: the operation with the most call gas is tried last. */
const sortByCallGas = (bundle: Bundle): Bundle =>
  bundle.toSorted((a, b) => Number(a.operation.callGasLimit - b.operation.callGasLimit))

/** Splits a bundle that fails because of one operation, or for an unknown reason. */
const splitBundle = (bundle: Bundle, failingSubmission: Submission | null, isRefused: boolean): RemainingOperations => {
  if (failingSubmission === null) return { bundle: [], separateSubmissions: bundle.length === 1 ? [] : bundle }
  // Operations of one account often fail for the same reason. All of them are retried separately, so that operations of
  // other accounts do not wait for each failure.
  const isRetriedSeparately = ({ operation }: Submission) => operation.sender === failingSubmission.operation.sender
  return {
    bundle: bundle.filter((submission) => !isRetriedSeparately(submission)),
    separateSubmissions: bundle.filter(
      (submission) => isRetriedSeparately(submission) && !(isRefused && submission === failingSubmission)
    )
  }
}

/**
 * Traces a bundle once. Sends it if all operations succeed. Otherwise rejects the operations that certainly fail, and
 * returns those to trace again and those to retry separately. Fails if the bundle can't be traced and is not split.
 */
const processBundle = Effect.fnUntraced(function* (
  sender: BundleSender,
  operatorAccount: ClaimedOperatorAccount,
  bundle: Bundle
) {
  const { expensiveOperations, rpc, trace } = sender
  const { chainId } = bundle[0]!.operation
  const { operator } = operatorAccount.id
  const examination = yield* rpc.call(chainId, (client) => examineBundle(client, trace, operator, bundle))
  const { verdict } = examination
  switch (verdict._tag) {
    case "Fails":
    case "FailsWhole": {
      const failingSubmission = verdict._tag === "Fails" ? bundle[verdict.index]! : null
      const isFirst = failingSubmission !== null && failingSubmission === bundle[0]
      // The first operation is validated before all others, so no other operation can have caused its failure.
      if (bundle.length === 1 || isFirst) {
        const refusal = yield* rpc.call(chainId, (client) =>
          refusalOf(client, trace, operator, bundle[0]!, verdict.reason, examination.tracedAsOf)
        )
        yield* refusal === null ? confirmSubmissions(bundle.slice(0, 1)) : rejectSubmission(bundle[0]!, refusal)
      }
      return splitBundle(bundle, failingSubmission, isFirst)
    }
    case "CallsEntryPoint": {
      const reason = "it calls an EntryPoint during its execution, and so could execute other operations"
      yield* rejectSubmission(bundle[verdict.index]!, new OperationRejected({ reason }))
      return { bundle: removeAt(bundle, verdict.index), separateSubmissions: [] }
    }
    case "NotTraced": {
      const objections = bundle.map((submission) => gasPriceRefusal(submission, examination.fees))
      if (objections.some((objection) => objection !== null)) return yield* removeRefused(bundle, objections)
      const mustSplit = verdict.isTooExpensive || TOO_LITTLE_NATIVE_TOKEN.test(verdict.error.reason)
      if (mustSplit && bundle.length > 1) return { bundle: [], separateSubmissions: sortByCallGas(bundle) }
      const [{ hash }] = bundle as readonly [Submission]
      if (verdict.isTooExpensive) expensiveOperations.add(hash, verdict.error.reason, yield* Clock.currentTimeMillis)
      return yield* verdict.error
    }
    case "Passes": {
      const objections = bundle.map((submission, index) => objectionTo(submission, examination, index))
      if (objections.some((objection) => objection !== null)) return yield* removeRefused(bundle, objections)
      return { bundle: yield* sendTracedBundle(sender, operatorAccount, bundle, examination), separateSubmissions: [] }
    }
  }
})

const removeRefused = Effect.fnUntraced(function* (bundle: Bundle, objections: ReadonlyArray<Refusal | null>) {
  for (const [index, objection] of objections.entries()) {
    if (objection !== null) yield* rejectSubmission(bundle[index]!, objection)
  }
  const remainingOperations: RemainingOperations = {
    bundle: bundle.filter((_, index) => objections[index] === null),
    separateSubmissions: []
  }
  return remainingOperations
})

/**
 * Repeats until all operations are sent, rejected or set aside for a retry. The loop ends, because each step leaves
 * fewer operations.
 */
const sendAllOperations = Effect.fnUntraced(function* (
  sender: BundleSender,
  operatorAccount: ClaimedOperatorAccount,
  initialBundle: Bundle
) {
  const separateSubmissions: Array<Submission> = []
  let bundle = initialBundle
  while (bundle.length > 0) {
    const remainingOperations: RemainingOperations = yield* processBundle(sender, operatorAccount, bundle)
    separateSubmissions.push(...remainingOperations.separateSubmissions)
    bundle = remainingOperations.bundle
  }
  return separateSubmissions
})

/**
 * Sends operations of one chain and EntryPoint in one transaction. Removes operations that would make the bundle fail,
 * and returns those to retry one by one. Every other submission gets its result. Never fails.
 */
export const sendBundle = (
  sender: BundleSender,
  operatorAccount: ClaimedOperatorAccount,
  bundle: Bundle
): Effect.Effect<Bundle> =>
  sendAllOperations(sender, operatorAccount, bundle).pipe(
    Effect.catchCause((cause) =>
      Effect.as(
        Effect.forEach(bundle, ({ sendResult }) => Deferred.failCause(sendResult, cause as Cause.Cause<Refusal>), {
          discard: true
        }),
        []
      )
    )
  )
