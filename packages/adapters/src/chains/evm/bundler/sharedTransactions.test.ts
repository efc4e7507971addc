import type { Token } from "@countersign/core/foundation/tokens"
import { Bundler, OperationRejected, transferCall } from "@countersign/core/operations/user-operations"
import type { AccountKind } from "@countersign/core/wallets/registry"
import { assert, layer } from "@effect/vitest"
import { Effect, Option, Result } from "effect"
import { encodeFunctionData, numberToHex } from "viem"
import { waitUntilEffect } from "../../../../../core/test/support/untilEffect.ts"
import { SandboxChains } from "../../../../sandbox/index.ts"
import { fundedAccount } from "../../../../test/evm/bundlerScenarios.ts"
import {
  buildOperation,
  CHAIN,
  evmSandbox,
  freshOwner,
  nativeToken,
  outcomeOf,
  randomAddress,
  signOperation,
  usdc
} from "../../../../test/evm/evmSandbox.ts"
import { HostFailure } from "../../../outbound/json-api/index.ts"
import { accountContracts } from "../../deployments/index.ts"
import { entryPointAbi } from "../abi/entryPoint.ts"
import { bytesFromHex } from "../hex.ts"
import { RpcClients } from "../RpcClients.ts"

/** Tests several operations in one transaction: the results of the other operations if one is invalid. */

const ask = Effect.fnUntraced(function* (method: string, ...params: ReadonlyArray<unknown>) {
  const rpc = yield* RpcClients
  return yield* rpc.call(CHAIN, () => rpc.request(CHAIN, method, params))
})

/** Disables mining while the effect runs, so that transactions stay in the mempool. */
const withoutBlocks = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.acquireUseRelease(
    ask("evm_setAutomine", false),
    () => effect,
    () => Effect.orDie(Effect.andThen(ask("evm_setAutomine", true), ask("evm_mine")))
  )

/** Builds a transfer from a new account. */
const aTransfer = Effect.fnUntraced(function* (
  kind: AccountKind,
  gasToken: Token,
  signer = freshOwner(),
  owner = signer
) {
  const account = yield* fundedAccount(kind, owner)
  const builtOperation = yield* buildOperation(account, [transferCall(usdc, randomAddress(), 1n)], gasToken)
  return { account, ...builtOperation, ...(yield* signOperation(account, signer, builtOperation.operation)) }
})

type Transfer = Effect.Success<ReturnType<typeof aTransfer>>

const submit = ({ authorization, operation, signature }: Transfer) =>
  Bundler.use((bundler) => bundler.submit(operation, signature, authorization))

const awaitOutcome = ({ hash, operation }: Transfer) => outcomeOf(operation, hash)

layer(evmSandbox, { excludeTestServices: true })("SelfBundler with concurrent operations", (it) => {
  it.effect("sends the other operations if one of them is not signed by its owner", () =>
    Effect.gen(function* () {
      const goodOperations = yield* Effect.forEach([1, 2, 3], () => aTransfer("SIMPLE_0_8", usdc))
      const badOperation = yield* aTransfer("SIMPLE_0_8", usdc, freshOwner(), freshOwner())
      const [first, ...others] = goodOperations
      const results = yield* Effect.forEach([first!, badOperation, ...others], (each) => Effect.result(submit(each)), {
        concurrency: "unbounded"
      })
      assert.deepStrictEqual(results.map(Result.isSuccess), [true, false, true, true])
      const refusal = Result.getFailure(results[1]!)
      assert.instanceOf(refusal._tag === "Some" ? refusal.value : null, OperationRejected)
      const outcomes = yield* Effect.forEach(goodOperations, awaitOutcome)
      assert.isTrue(outcomes.every(({ success }) => success))
      assert.strictEqual(new Set(outcomes.map(({ transactionHash }) => transactionHash)).size, 1)
    })
  )

  it.effect(
    "sends separately the operations that a plain transaction of their owner can invalidate after the check",
    () =>
      Effect.gen(function* () {
        const allOperations = yield* Effect.forEach(
          [["SIMPLE_7702", usdc] as const, ["SIMPLE_0_8", nativeToken] as const, ["SIMPLE_0_8", nativeToken] as const],
          ([kind, gasToken]) => aTransfer(kind, gasToken)
        )
        yield* Effect.forEach(allOperations, submit, { concurrency: "unbounded" })
        const outcomes = yield* Effect.forEach(allOperations, awaitOutcome)
        assert.isTrue(outcomes.every(({ success }) => success))
        assert.strictEqual(new Set(outcomes.map(({ transactionHash }) => transactionHash)).size, allOperations.length)
      })
  )

  it.effect("rejects an operation that calls an EntryPoint during its execution", () =>
    Effect.gen(function* () {
      const owner = freshOwner()
      const account = yield* fundedAccount("SIMPLE_0_8", owner)
      const args = [account.address] as const
      const deposit = {
        to: accountContracts.entryPoint07,
        value: 1n,
        data: bytesFromHex(encodeFunctionData({ abi: entryPointAbi, functionName: "depositTo", args })),
        summary: "Deposit"
      }
      const builtOperation = yield* buildOperation(account, [deposit], nativeToken)
      const signedQuote = yield* signOperation(account, owner, builtOperation.operation)
      const rejection = yield* Effect.flip(submit({ account, ...builtOperation, ...signedQuote }))
      assert.instanceOf(rejection, OperationRejected)
      assert.match(rejection.message, /calls an EntryPoint/u)
    })
  )

  it.effect("sends the other operations if one of them has become too expensive to trace", () =>
    Effect.gen(function* () {
      const rpc = yield* RpcClients
      const { request } = rpc
      const contract = randomAddress()
      const owner = freshOwner()
      const account = yield* fundedAccount("SIMPLE_0_8", owner)
      const call = { to: contract, value: 0n, data: bytesFromHex("0x"), summary: "Call" }
      const builtOperation = yield* buildOperation(account, [call], usdc)
      const expensiveOperation = {
        account,
        ...builtOperation,
        ...(yield* signOperation(account, owner, builtOperation.operation))
      }
      const goodOperations = yield* Effect.forEach([1, 2, 3], () => aTransfer("SIMPLE_0_8", usdc))

      const slot = numberToHex(0, { size: 32 })
      yield* ask("anvil_setStorageAt", contract, slot, numberToHex(1, { size: 32 }))
      const textLengths: Array<number> = []
      /** A node that can't trace calls of the contract while its first storage slot is set. */
      const requestLimitedNode = async (...[chainId, method, params]: Parameters<typeof request>) => {
        const text = JSON.stringify(params)
        if (method !== "debug_traceCall" || !text.includes(contract.slice(2))) return request(chainId, method, params)
        if (BigInt((await request(chainId, "eth_getStorageAt", [contract, slot, "latest"])) as string) === 0n) {
          return request(chainId, method, params)
        }
        textLengths.push(text.length)
        throw new HostFailure("too many calls", "TOO_HEAVY")
      }
      const submitAll = (all: ReadonlyArray<Transfer>) =>
        Effect.forEach(all, (each) => Effect.result(submit(each)), { concurrency: "unbounded" })
      yield* Effect.acquireUseRelease(
        Effect.sync(() => Object.assign(rpc, { request: requestLimitedNode })),
        () =>
          Effect.gen(function* () {
            const [first, ...others] = goodOperations
            const results = yield* submitAll([first!, expensiveOperation, ...others])
            assert.deepStrictEqual(results.map(Result.isSuccess), [true, false, true, true])
            for (const goodOperation of goodOperations) assert.isTrue((yield* awaitOutcome(goodOperation)).success)
            // The operation was traced with the others, and then on its own.
            assert.strictEqual(textLengths.length, 2)
            assert.isAbove(textLengths[0]!, textLengths[1]!)
            // The operation is now paused: it is neither traced nor bundled with others.
            const nextOperation = yield* aTransfer("SIMPLE_0_8", usdc)
            assert.deepStrictEqual((yield* submitAll([expensiveOperation, nextOperation])).map(Result.isSuccess), [
              false,
              true
            ])
            assert.isTrue((yield* awaitOutcome(nextOperation)).success)
            assert.strictEqual(textLengths.length, 2)
          }),
        () => Effect.sync(() => Object.assign(rpc, { request }))
      )
    })
  )

  it.effect("sends an operation again after its transaction reverted", () =>
    Effect.gen(function* () {
      const sandbox = yield* SandboxChains
      const transferOperation = yield* aTransfer("SIMPLE_0_8", nativeToken)
      const { address } = transferOperation.account
      yield* withoutBlocks(
        Effect.gen(function* () {
          yield* submit(transferOperation)
          // The trace succeeds. Afterwards the balance is removed.
          yield* ask("anvil_setBalance", address, numberToHex(0n))
        })
      )
      yield* sandbox.fund(CHAIN, address, "native", 10n ** 17n)
      const outcome = yield* waitUntilEffect(
        Bundler.use((bundler) =>
          // The bundler rejects the operation after the block is mined.
          Effect.andThen(
            Effect.ignore(submit(transferOperation)),
            bundler.findOutcome(transferOperation.operation, transferOperation.hash, 0n)
          )
        ),
        Option.isSome
      )
      assert.isTrue(Option.getOrThrow(outcome).success)
    })
  )
})
