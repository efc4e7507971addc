import { approveCall, Bundler, transferCall } from "@countersign/core/operations/user-operations"
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { SandboxChains } from "../../../../sandbox/index.ts"
import { fundedAccount } from "../../../../test/evm/bundlerScenarios.ts"
import {
  accountKinds,
  buildOperation,
  evmSandbox,
  freshOwner,
  nativeToken,
  outcomeOf,
  randomAddress,
  signOperation,
  usdc
} from "../../../../test/evm/evmSandbox.ts"

layer(evmSandbox, { excludeTestServices: true })("the paymaster's allowance", (it) => {
  it.effect.each(accountKinds)("%s: covers only one of several operations that are prepared concurrently", (kind) =>
    Effect.gen(function* () {
      const bundler = yield* Bundler
      const { paymasters } = yield* SandboxChains
      const owner = freshOwner()
      const account = yield* fundedAccount(kind, owner)
      const send = Effect.fnUntraced(function* (built: Effect.Success<ReturnType<typeof buildOperation>>) {
        const { authorization, signature } = yield* signOperation(account, owner, built.operation)
        yield* bundler.submit(built.operation, signature, authorization)
        return yield* outcomeOf(built.operation, built.hash)
      })
      const pay = () => buildOperation(account, [transferCall(usdc, randomAddress(), 1n)], usdc)

      // A deployed account whose remaining allowance covers the maximum cost of only one of the operations.
      const { operation } = yield* pay()
      const paymaster = paymasters[operation.entryPointVersion]
      const allow = (amount: bigint) => buildOperation(account, [approveCall(usdc, paymaster, amount)], nativeToken)
      assert.isTrue((yield* send(yield* allow(1n))).success)
      const { gas } = yield* pay()
      assert.isTrue((yield* send(yield* allow(gas.maxToken))).success)

      const builtOperations = yield* Effect.all(Array.from({ length: 8 }, pay), { concurrency: 8 })
      for (const builtOperation of builtOperations) {
        const outcome = yield* send(builtOperation)
        assert.isTrue(outcome.success, outcome.revert?.decoded ?? "")
      }
    })
  )
})
