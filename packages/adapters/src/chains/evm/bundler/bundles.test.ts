import { Address, Hash32, HexBytes } from "@countersign/core/foundation/primitives"
import type { UserOperation } from "@countersign/core/operations/user-operations"
import { assert, describe, it } from "@effect/vitest"
import { Deferred, Effect } from "effect"
import { TestClock } from "effect/testing"
import { encodeErrorResult, type Hex } from "viem"
import { HostFailure } from "../../../outbound/json-api/index.ts"
import { accountContracts } from "../../deployments/index.ts"
import { knownErrorsAbi } from "../abi/errors.ts"
import type { ClaimedOperatorAccount } from "../operator/ClaimedOperatorAccount.ts"
import type { RpcClients } from "../RpcClients.ts"
import { JsonRpcError } from "../rpc/JsonRpcError.ts"
import { bundleQueue } from "./bundleQueue.ts"
import { bundleStatusOf } from "./bundleStatus.ts"
import { bundleVerdict } from "./bundleVerdict.ts"
import { ExpensiveOperations } from "./ExpensiveOperations.ts"
import { handleOpsCall } from "./handleOpsCall.ts"
import { nextBundle } from "./nextBundle.ts"
import { isAtFault } from "./revertedBundles.ts"
import type { Submission } from "./Submission.ts"
import { type BundleSender, sendBundle } from "./sendBundle.ts"
import type { CallFrame } from "./simulation/CallFrame.ts"
import { SupportedMethods } from "./simulation/SupportedMethods.ts"
import { bundleTracer } from "./traceBundle.ts"

const ENTRY_POINT = accountContracts.entryPoint08

const addressOf = (index: number) => Address.make(`0x${index.toString(16).padStart(40, "0")}`)

/** Builds a submission, by default of a deployed account. */
const aSubmission = (
  index: number,
  fields: Partial<UserOperation> = {},
  isSuspect = false,
  canChange = false
): Submission => ({
  operation: {
    chainId: 1,
    entryPoint: ENTRY_POINT,
    entryPointVersion: "0.8",
    sender: addressOf(index),
    nonce: BigInt(index),
    factory: null,
    factoryData: null,
    callData: HexBytes.make("0x"),
    callGasLimit: 100_000n,
    verificationGasLimit: 100_000n,
    preVerificationGas: 50_000n,
    maxFeePerGas: 100n + BigInt(index),
    maxPriorityFeePerGas: 10n - BigInt(index),
    paymaster: null,
    authorization: null,
    validUntil: null,
    ...fields
  },
  hash: Hash32.make(`0x${index.toString(16).padStart(64, "0")}`),
  signature: HexBytes.make("0x"),
  authorizationSignature: null,
  canChange,
  isSuspect,
  sendResult: Deferred.makeUnsafe()
})

const indicesOf = (bundle: ReadonlyArray<Submission>) => bundle.map(({ operation }) => Number(operation.nonce))

describe("nextBundle", () => {
  const bundledIndices = (...waiting: ReadonlyArray<Submission>) => indicesOf(nextBundle(waiting))

  it("takes up to eight pending operations", () => {
    assert.deepStrictEqual(bundledIndices(), [])
    assert.deepStrictEqual(bundledIndices(aSubmission(1)), [1])
    assert.deepStrictEqual(
      bundledIndices(...Array.from({ length: 20 }, (_, i) => aSubmission(i))),
      [0, 1, 2, 3, 4, 5, 6, 7]
    )
  })

  it("sends a suspect operation on its own, after all others", () => {
    assert.deepStrictEqual(bundledIndices(aSubmission(1, {}, true), aSubmission(2, {}, true)), [1])
    assert.deepStrictEqual(bundledIndices(aSubmission(1, {}, true), aSubmission(2)), [2])
    assert.deepStrictEqual(bundledIndices(aSubmission(1), aSubmission(2, {}, true), aSubmission(3)), [1, 3])
  })

  it("sends an operation that can change after the check only with operations of its own account", () => {
    const sender = addressOf(9)
    const changingSubmission = (index: number, fields = {}) => aSubmission(index, fields, false, true)
    assert.deepStrictEqual(bundledIndices(changingSubmission(1), changingSubmission(2), aSubmission(3)), [1])
    assert.deepStrictEqual(bundledIndices(aSubmission(1), changingSubmission(2), aSubmission(3)), [1, 3])
    assert.deepStrictEqual(
      bundledIndices(changingSubmission(1, { sender }), aSubmission(2), changingSubmission(3, { sender })),
      [1, 3]
    )
  })

  it("separates two operations of one account only if one of them deploys it", () => {
    const sender = addressOf(9)
    const factory = addressOf(8)
    assert.deepStrictEqual(bundledIndices(aSubmission(1, { sender }), aSubmission(2, { sender })), [1, 2])
    assert.deepStrictEqual(
      bundledIndices(aSubmission(1, { sender, factory }), aSubmission(2, { sender, factory })),
      [1]
    )
    assert.deepStrictEqual(bundledIndices(aSubmission(1, { sender }), aSubmission(2, { sender, factory })), [1])
  })

  it("stays below the gas limit of a bundle, but sends a single operation above it", () => {
    const largeLimits = { callGasLimit: 8_000_000n }
    assert.deepStrictEqual(
      bundledIndices(aSubmission(1, largeLimits), aSubmission(2, largeLimits), aSubmission(3)),
      [1, 3]
    )
    assert.deepStrictEqual(bundledIndices(aSubmission(1, { callGasLimit: 20_000_000n }), aSubmission(2)), [1])
  })
})

describe("handleOpsCall", () => {
  it("has the highest fee of its operations, and a priority fee that all of them pay", () => {
    const call = handleOpsCall([aSubmission(1), aSubmission(3), aSubmission(2)], addressOf(7))
    assert.strictEqual(call.maxFeePerGas, 103n)
    assert.strictEqual(call.maxPriorityFeePerGas, 7n)
  })
})

describe("bundleQueue", () => {
  /** Records the bundles of each sender, in the order of their start. Each bundle takes `tookMs`. */
  const makeFixture = Effect.fnUntraced(function* (senders: number, tookMs: number) {
    const sentItems: Array<ReadonlyArray<number>> = []
    /** Operations that the sender returns for a separate retry. */
    const separateHashes = new Set<Hash32>()
    const scope = yield* Effect.scope
    const enqueue = bundleQueue(
      Array.from({ length: senders }, (_, index) => index),
      scope,
      (_, bundle) => {
        sentItems.push(indicesOf(bundle))
        return Effect.as(
          Effect.sleep(tookMs),
          bundle.filter(({ hash }) => separateHashes.delete(hash))
        )
      }
    )
    return { apart: separateHashes, sent: sentItems, enter: enqueue }
  })

  it.effect("retries rejected operations one by one, after all others", () =>
    Effect.gen(function* () {
      const { apart, enter, sent } = yield* makeFixture(1, 10)
      const [first, second, third] = [aSubmission(1), aSubmission(2), aSubmission(3)]
      apart.add(second.hash)
      yield* enter(first)
      yield* enter(second)
      yield* TestClock.adjust("5 millis")
      yield* enter(third)
      yield* TestClock.adjust("50 millis")
      assert.deepStrictEqual(sent, [[1, 2], [3], [2]])
    })
  )

  it.effect("delays a single operation by at most two milliseconds", () =>
    Effect.gen(function* () {
      const { enter, sent } = yield* makeFixture(1, 10)
      yield* enter(aSubmission(1))
      yield* TestClock.adjust("2 millis")
      assert.deepStrictEqual(sent, [[1]])
    })
  )

  it.effect("bundles operations that arrive together, or while another bundle is sent", () =>
    Effect.gen(function* () {
      const { enter, sent } = yield* makeFixture(1, 10)
      yield* enter(aSubmission(1))
      yield* enter(aSubmission(2))
      yield* TestClock.adjust("3 millis")
      for (const index of [3, 4, 5]) yield* enter(aSubmission(index))
      yield* TestClock.adjust("5 millis")
      assert.deepStrictEqual(sent, [[1, 2]])
      yield* TestClock.adjust("5 millis")
      assert.deepStrictEqual(sent, [
        [1, 2],
        [3, 4, 5]
      ])
      yield* TestClock.adjust("20 millis")
      yield* enter(aSubmission(6))
      yield* TestClock.adjust("2 millis")
      assert.deepStrictEqual(sent.at(-1), [6])
    })
  )

  it.effect("uses another sender while one is busy", () =>
    Effect.gen(function* () {
      const { enter, sent } = yield* makeFixture(2, 1_000)
      yield* enter(aSubmission(1))
      yield* TestClock.adjust("5 millis")
      yield* enter(aSubmission(2))
      yield* TestClock.adjust("5 millis")
      assert.deepStrictEqual(sent, [[1], [2]])
    })
  )
})

describe("bundleVerdict", () => {
  const frame = (to: Address, input: string, fields: Partial<CallFrame> = {}): CallFrame => ({
    type: "CALL",
    from: "0x",
    to,
    gasUsed: "0x0",
    input: input as Hex,
    ...fields
  })
  const handleOps = (fields: Partial<CallFrame>) => frame(ENTRY_POINT, "0x765e827f", fields)
  const execution = (...calls: ReadonlyArray<CallFrame>) => frame(ENTRY_POINT, "0x0042dc53", { calls })
  const verdictOf = (top: CallFrame) => bundleVerdict(top, ENTRY_POINT, 3)

  it("passes a bundle that does not revert", () => {
    const prefund = frame(addressOf(1), "0x19822f7c", { calls: [frame(ENTRY_POINT, "0x")] })
    assert.deepStrictEqual(verdictOf(handleOps({ calls: [prefund, execution(), execution(), execution()] })), {
      _tag: "Passes"
    })
  })

  it("names the operation that the EntryPoint names", () => {
    for (const [index, inner] of [
      [1, false],
      [2, true]
    ] as const) {
      const output = inner
        ? encodeErrorResult({ abi: knownErrorsAbi, errorName: "FailedOpWithRevert", args: [2n, "AA23 reverted", "0x"] })
        : encodeErrorResult({ abi: knownErrorsAbi, errorName: "FailedOp", args: [1n, "AA25 invalid account nonce"] })
      const verdict = verdictOf(handleOps({ error: "execution reverted", output }))
      assert.strictEqual(verdict._tag === "Fails" && verdict.index, index)
    }
  })

  it("names no operation if the EntryPoint names none or one that is not in the bundle", () => {
    assert.strictEqual(verdictOf(handleOps({ error: "out of gas" }))._tag, "FailsWhole")
    const output = encodeErrorResult({ abi: knownErrorsAbi, errorName: "FailedOp", args: [3n, "AA25"] })
    assert.strictEqual(verdictOf(handleOps({ error: "execution reverted", output }))._tag, "FailsWhole")
  })

  it("names the operation that calls an EntryPoint during its execution, at any depth", () => {
    const nestedFrame = frame(addressOf(2), "0x", { calls: [frame(accountContracts.entryPoint07, "0x765e827f")] })
    const calls = [execution(), execution(frame(addressOf(1), "0x", { calls: [nestedFrame] })), execution()]
    assert.deepStrictEqual(verdictOf(handleOps({ calls })), { _tag: "CallsEntryPoint", index: 1 })
  })
})

describe("bundleStatusOf", () => {
  const transaction = (state: "SENT" | "MINED" | "REVERTED" | "LOST", watched = true) => ({ state, watched })

  it("is bundled while a transaction is pending, or in a block that is watched", () => {
    assert.isTrue(bundleStatusOf([transaction("SENT")]).isBundled)
    assert.isTrue(bundleStatusOf([transaction("LOST"), transaction("MINED")]).isBundled)
    assert.isFalse(
      bundleStatusOf([transaction("MINED", false), transaction("REVERTED"), transaction("LOST")]).isBundled
    )
    assert.strictEqual(bundleStatusOf([transaction("REVERTED", false), transaction("REVERTED")]).reverts, 2)
  })
})

describe("isAtFault", () => {
  const [one, other] = [aSubmission(1).hash, aSubmission(2).hash]
  const bothOperations = { operations: [one, other], isOfOneWallet: false }
  const failureOf = (index: number, reason: string) => ({ _tag: "Fails", index, reason }) as const
  const unattributedFailure = { _tag: "FailsWhole", reason: "Reverted without a reason" } as const

  it("is true for the named operation, if its wallet caused the failure", () => {
    for (const reason of ["AA21 didn't pay prefund", "AA23 reverted: no", "AA24 signature error", "AA33 reverted"]) {
      assert.isTrue(isAtFault(other, bothOperations, failureOf(1, reason), false), reason)
      assert.isFalse(isAtFault(one, bothOperations, failureOf(1, reason), false), reason)
    }
  })

  it("is false for failures that the service must handle", () => {
    const ownReasons = ["AA10 sender already constructed", "AA22 expired or not due", "AA31 paymaster deposit too low"]
    for (const reason of [
      ...ownReasons,
      "AA32 paymaster expired or not due",
      "AA34 signature error",
      "AA95 out of gas"
    ]) {
      assert.isFalse(isAtFault(other, bothOperations, failureOf(1, reason), false), reason)
    }
  })

  it("is false if another transaction of the operator has used the nonce", () => {
    const usedNonceFailure = failureOf(0, "AA25 invalid account nonce")
    assert.isTrue(isAtFault(one, bothOperations, usedNonceFailure, false))
    assert.isFalse(isAtFault(one, bothOperations, usedNonceFailure, true))
  })

  it("is true for the first operation of a single wallet if the cause is unknown, and false for operations of several wallets", () => {
    assert.isTrue(isAtFault(one, { operations: [one], isOfOneWallet: true }, unattributedFailure, false))
    assert.isTrue(isAtFault(one, { ...bothOperations, isOfOneWallet: true }, unattributedFailure, false))
    assert.isFalse(isAtFault(other, { ...bothOperations, isOfOneWallet: true }, unattributedFailure, false))
    assert.isFalse(isAtFault(one, bothOperations, unattributedFailure, false))
  })
})

describe("bundleTracer", () => {
  const frame: CallFrame = { type: "CALL", from: "0x", gasUsed: "0x0", input: "0x" }

  /** A node whose response depends on the block tag of the request. */
  const nodeThat = (response: (asOf: unknown) => CallFrame) => {
    const blockTags: Array<unknown> = []
    const request = async (_chain: number, _method: string, [, asOf]: ReadonlyArray<unknown>) => {
      blockTags.push(asOf)
      return response(asOf)
    }
    return {
      blockTags,
      trace: bundleTracer({ request } as unknown as RpcClients["Service"], new SupportedMethods())
    }
  }
  const bundle = [aSubmission(1)]
  const call = handleOpsCall(bundle, addressOf(7))

  it("requests the pending block, and the latest one once the node has rejected a trace on the pending one", async () => {
    const { blockTags, trace } = nodeThat((asOf) => {
      if (asOf === "pending") throw new JsonRpcError(-32000, "tracing on top of pending is not supported", undefined)
      return frame
    })
    assert.deepStrictEqual(await trace(addressOf(7), bundle, call), { frame, asOf: "latest" })
    assert.deepStrictEqual(await trace(addressOf(7), bundle, call), { frame, asOf: "latest" })
    assert.deepStrictEqual(blockTags, ["pending", "latest", "latest"])
  })

  it("does not switch to the latest block after other errors", async () => {
    const { blockTags, trace } = nodeThat(() => {
      throw new JsonRpcError(-32000, "insufficient funds for gas * price + value", undefined)
    })
    assert.instanceOf(await trace(addressOf(7), bundle, call).catch((thrown: unknown) => thrown), JsonRpcError)
    assert.deepStrictEqual(blockTags, ["pending"])
  })
})

describe("sendBundle", () => {
  /** A node that can't trace the calls of the third operation. */
  const client = {
    request: async ({ method }: { readonly method: string }) =>
      method === "eth_feeHistory"
        ? { oldestBlock: "0x1", gasUsedRatio: [0.5], baseFeePerGas: ["0x1", "0x1"], reward: [["0x1"]] }
        : "0x1",
    getTransactionCount: async () => 0
  }
  const expensiveOperations = new ExpensiveOperations()
  const sender = {
    rpc: { call: (_chain: number, use: (given: unknown) => Promise<unknown>) => Effect.promise(() => use(client)) },
    expensiveOperations,
    trace: async () => {
      throw new Error("the request failed", { cause: new HostFailure("too many contracts", "TOO_HEAVY") })
    }
  } as unknown as BundleSender
  const operatorAccount = { id: { chainId: 1, operator: addressOf(7) } } as ClaimedOperatorAccount
  const light = aSubmission(1)
  const [heavyOne, other] = [aSubmission(2, { callGasLimit: 9_000_000n }), aSubmission(3)]

  it.effect(
    "returns all operations to be sent alone if the trace of the bundle is too expensive, the one with most gas last",
    () =>
      Effect.gen(function* () {
        const bundle = [light, heavyOne, other]
        const separateSubmissions = yield* sendBundle(sender, operatorAccount, bundle)
        assert.deepStrictEqual(indicesOf(separateSubmissions), [1, 3, 2])
        assert.isTrue(
          bundle.every(({ hash, sendResult }) => !Deferred.isDoneUnsafe(sendResult) && !expensiveOperations.has(hash))
        )
      })
  )

  it.effect("fails an operation that is too expensive to trace on its own, and pauses it", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* sendBundle(sender, operatorAccount, [heavyOne]), [])
      const error = yield* Effect.flip(Deferred.await(heavyOne.sendResult))
      assert.strictEqual(error._tag, "UPSTREAM_UNAVAILABLE")
      assert.strictEqual(expensiveOperations.pauseReason(heavyOne.hash, 0), "too many contracts")
    })
  )
})
