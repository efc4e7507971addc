import { Bundler, OperationRejected, transferCall } from "@countersign/core/operations/user-operations"
import { assert, layer } from "@effect/vitest"
import { Effect, Layer, Option } from "effect"
import { fundedAccount } from "../../../../test/evm/bundlerScenarios.ts"
import {
  accountKinds,
  buildOperation,
  CHAIN,
  evmSandbox,
  freshOwner,
  outcomeOf,
  randomAddress,
  selfBundler,
  signOperation,
  usdc
} from "../../../../test/evm/evmSandbox.ts"
import { RpcClients } from "../RpcClients.ts"

/** Tests that another process takes over when a process dies with transactions in the node's mempool. */

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

/** Provides another bundler, which has no data about earlier operations in memory. */
const withAnotherBundler = <A, E, R>(use: (bundler: Bundler["Service"]) => Effect.Effect<A, E, R>) =>
  Effect.provide(Effect.flatMap(Bundler, use), Layer.fresh(selfBundler))

const signedTransfer = Effect.fnUntraced(function* (kind: (typeof accountKinds)[number]) {
  const owner = freshOwner()
  const account = yield* fundedAccount(kind, owner)
  const builtOperation = yield* buildOperation(account, [transferCall(usdc, randomAddress(), 1n)], usdc)
  return { account, owner, ...builtOperation, ...(yield* signOperation(account, owner, builtOperation.operation)) }
})

layer(evmSandbox, { excludeTestServices: true })("SelfBundler after a takeover", (it) => {
  it.effect.each(accountKinds)(
    "%s: treats a pending operation in the mempool as its own, and does not reject it",
    (kind) =>
      Effect.gen(function* () {
        const bundler = yield* Bundler
        const { authorization, hash, operation, signature } = yield* signedTransfer(kind)
        yield* withoutBlocks(
          Effect.gen(function* () {
            yield* bundler.submit(operation, signature, authorization)
            assert.isTrue(Option.isNone(yield* bundler.findOutcome(operation, hash, 0n)))
            yield* withAnotherBundler((heir) => heir.submit(operation, signature, authorization))
          })
        )
        assert.isTrue((yield* outcomeOf(operation, hash)).success)
        yield* withAnotherBundler((heir) => heir.submit(operation, signature, authorization))
      })
  )

  it.effect(
    "rejects an operation that deploys a deployed account, and accepts it while the deployment is pending",
    () =>
      Effect.gen(function* () {
        const bundler = yield* Bundler
        const firstOperation = yield* signedTransfer("SIMPLE_0_8")
        const secondOperation = yield* buildOperation(
          firstOperation.account,
          [transferCall(usdc, randomAddress(), 2n)],
          usdc
        )
        const signedQuote = yield* signOperation(
          firstOperation.account,
          firstOperation.owner,
          secondOperation.operation
        )
        const submitSecond = withAnotherBundler((heir) =>
          heir.submit(secondOperation.operation, signedQuote.signature, null)
        )
        yield* withoutBlocks(
          Effect.gen(function* () {
            yield* bundler.submit(firstOperation.operation, firstOperation.signature, null)
            yield* submitSecond
          })
        )
        assert.isTrue((yield* outcomeOf(firstOperation.operation, firstOperation.hash)).success)
        const rejection = yield* Effect.flip(submitSecond)
        assert.instanceOf(rejection, OperationRejected)
        assert.match(rejection.message, /AA10/u)
      })
  )
})
