import { bundlerContract } from "@countersign/core/contracts/operations/user-operations/Bundler"
import { UpstreamUnavailable } from "@countersign/core/foundation/errors"
import { HexBytes } from "@countersign/core/foundation/primitives"
import {
  approveCall,
  Bundler,
  type GasLimits,
  transferCall,
  type UserOperation
} from "@countersign/core/operations/user-operations"
import { assert, layer } from "@effect/vitest"
import { Effect, Layer, Result } from "effect"
import { SandboxChains } from "../../../../sandbox/index.ts"
import { bundlerScenarios, expiredRouterCall, fundedAccount } from "../../../../test/evm/bundlerScenarios.ts"
import {
  accountKinds,
  accountOf,
  buildOperation,
  CHAIN,
  evmSandboxForAnyBundler,
  evmSandboxWithout,
  freshOwner,
  limitedRpcClients,
  nativeToken,
  outcomeOf,
  randomAddress,
  signOperation,
  usdc,
  weth
} from "../../../../test/evm/evmSandbox.ts"
import { entryPointSimulations as simulations } from "../../deployments/index.ts"
import { wrappedNativeData } from "../wrappedNative.ts"
import * as NodeBundler from "./NodeBundler.ts"

/**
 * Tests the built-in bundler with nodes that lack `debug_traceCall`: its contract suite, every account type, and which
 * effects are visible.
 */

const NO_TRACES = ["debug_", "trace_"]
const withLimitsOf = (operation: UserOperation, limits: GasLimits): UserOperation => ({
  ...operation,
  callGasLimit: limits.callGasLimit,
  verificationGasLimit: limits.verificationGasLimit,
  preVerificationGas: limits.preVerificationGas,
  paymaster:
    operation.paymaster === null
      ? null
      : {
          ...operation.paymaster,
          verificationGasLimit: limits.paymasterVerificationGasLimit,
          postOpGasLimit: limits.paymasterPostOpGasLimit
        }
})

const withoutTraces = evmSandboxWithout(NO_TRACES)

bundlerContract("our own over eth_simulateV1", bundlerScenarios("SIMPLE_0_8").pipe(Layer.provideMerge(withoutTraces)))

layer(withoutTraces, { excludeTestServices: true })("eth_simulateV1", (it) => {
  for (const kind of accountKinds) {
    for (const gasToken of [usdc, nativeToken]) {
      it.effect(`${kind}: deploys, transfers, and transfers again with gas paid in ${gasToken.symbol}`, () =>
        Effect.gen(function* () {
          const sandbox = yield* SandboxChains
          const bundler = yield* Bundler
          const owner = freshOwner()
          const account = accountOf(kind, owner)
          yield* sandbox.fund(CHAIN, account.address, usdc.address, 100_000_000n)
          yield* sandbox.fund(CHAIN, account.address, "native", 10n ** 17n)
          const to = randomAddress()
          const sentTransfer = { token: usdc.address, from: account.address, to, amount: 1_000_000n }
          const coins = { token: nativeToken.address, from: account.address, to, amount: 7n }
          for (const _round of [1, 2]) {
            const calls = [transferCall(usdc, to, 1_000_000n), transferCall(nativeToken, to, 7n)]
            const builtOperation = yield* buildOperation(account, calls, gasToken)
            assert.isNull(builtOperation.simulation.revert)
            assert.deepInclude(builtOperation.simulation.transfers, sentTransfer)
            assert.deepInclude(builtOperation.simulation.transfers, coins)
            assert.match(
              builtOperation.simulation.notSeen ?? "",
              /^The nodes of Ethereum return the events of a simulation/u
            )
            const { signature, authorization } = yield* signOperation(account, owner, builtOperation.operation)
            const final = yield* bundler.simulate(builtOperation.operation, signature, "OWNER")
            assert.isNull(final.revert)
            yield* bundler.submit(builtOperation.operation, signature, authorization)
            const outcome = yield* outcomeOf(builtOperation.operation, builtOperation.hash)
            assert.isTrue(outcome.success)
            assert.deepInclude(outcome.transfers, sentTransfer)
            // The price in the next block differs slightly from the price in the simulated block.
            const chargedAmount = final.tokenPaid === null ? null : Number(final.tokenPaid)
            const paidAmount = outcome.tokenPayment === null ? null : Number(outcome.tokenPayment.amount)
            if (gasToken === usdc) assert.closeTo(chargedAmount ?? 0, paidAmount ?? 1, 0.15 * (paidAmount ?? 0))
            else assert.isNull(chargedAmount)
          }
        })
      )
    }

    it.effect(`${kind}: reports why an operation would revert, without the contract`, () =>
      Effect.gen(function* () {
        const account = yield* fundedAccount(kind, freshOwner())
        const { simulation } = yield* buildOperation(account, [expiredRouterCall], nativeToken)
        assert.match(simulation.revert?.decoded ?? "no revert", kind === "SAFE_4337" ? /./u : /^Transaction too old$/u)
        assert.notProperty(simulation.revert, "failedAt")
        assert.deepStrictEqual(simulation.transfers, [])
      })
    )
  }

  it.effect("shows, after the inclusion, the native tokens that an operation wraps and unwraps", () =>
    Effect.gen(function* () {
      const owner = freshOwner()
      const account = yield* fundedAccount("SIMPLE_0_8", owner)
      const [wrap, unwrap] = [wrappedNativeData("deposit", []), wrappedNativeData("withdraw", [4n])]
      const onWeth = { to: weth.address, summary: "WETH" }
      const calls = [
        { ...onWeth, value: 10n, data: HexBytes.make(wrap) },
        { ...onWeth, value: 0n, data: HexBytes.make(unwrap) }
      ]
      const builtOperation = yield* buildOperation(account, calls, usdc)
      const { signature, authorization } = yield* signOperation(account, owner, builtOperation.operation)
      yield* (yield* Bundler).submit(builtOperation.operation, signature, authorization)
      const { tokenPayment, transfers } = yield* outcomeOf(builtOperation.operation, builtOperation.hash)
      assert.strictEqual(tokenPayment?.token, usdc.address)
      assert.deepStrictEqual(
        transfers.filter(({ token }) => token === nativeToken.address),
        [
          { token: nativeToken.address, from: account.address, to: weth.address, amount: 10n },
          { token: nativeToken.address, from: weth.address, to: account.address, amount: 4n }
        ]
      )
    })
  )

  it.effect("shows the remaining allowance after the calls", () =>
    Effect.gen(function* () {
      const account = yield* fundedAccount("SIMPLE_0_8", freshOwner())
      const spender = randomAddress()
      const { simulation } = yield* buildOperation(account, [approveCall(usdc, spender, 5n)], nativeToken)
      assert.deepStrictEqual(simulation.allowanceChanges, [{ type: "GIVEN", token: usdc.address, spender, amount: 5n }])
    })
  )

  it.effect("can't compute the state changes for a following operation, and reports the reason", () =>
    Effect.gen(function* () {
      const account = yield* fundedAccount("SIMPLE_0_8", freshOwner())
      const builtOperation = yield* buildOperation(account, [transferCall(usdc, randomAddress(), 1n)], nativeToken)
      const error = yield* Effect.flip((yield* Bundler).simulateStateChanges(builtOperation.operation, "0x" as never))
      assert.instanceOf(error, UpstreamUnavailable)
      assert.strictEqual(error.reason, "it does not support debug_traceCall")
    })
  )
})

layer(evmSandboxWithout([...NO_TRACES, "eth_simulateV1"]), { excludeTestServices: true })("eth_call", (it) => {
  it.effect("is not sufficient for the built-in bundler, which reports the required methods", () =>
    Effect.gen(function* () {
      const account = yield* fundedAccount("SIMPLE_0_8", freshOwner())
      const error = yield* Effect.flip(buildOperation(account, [transferCall(usdc, randomAddress(), 1n)], nativeToken))
      assert.instanceOf(error, UpstreamUnavailable)
      assert.match(error.reason, /^it does not support any of debug_traceCall, eth_simulateV1/u)
    })
  )
})
/** A chain without a bundler, whose node supports only `eth_call`. */
const callsOnly = NodeBundler.layer({ simulations }).pipe(
  Layer.provide(limitedRpcClients([...NO_TRACES, "eth_simulateV1"]))
)

layer(evmSandboxForAnyBundler, { excludeTestServices: true })("eth_call, of a node that serves nothing else", (it) => {
  const askCalls = <A, E>(use: (bundler: Bundler["Service"]) => Effect.Effect<A, E>) =>
    Effect.provide(Effect.flatMap(Bundler, use), callsOnly)

  for (const kind of accountKinds) {
    it.effect(
      `${kind}: finds sufficient limits and the reason of failing calls, and reports what it does not show`,
      () =>
        Effect.gen(function* () {
          const bundler = yield* Bundler
          const owner = freshOwner()
          const account = yield* fundedAccount(kind, owner)
          for (const round of ["first", "second"] as const) {
            const builtOperation = yield* buildOperation(account, [transferCall(usdc, randomAddress(), 1n)], usdc)
            const { authorization, signature } = yield* signOperation(account, owner, builtOperation.operation)
            const unlimited = { ...builtOperation.operation, callGasLimit: 0n, verificationGasLimit: 0n }
            const estimate = yield* Effect.result(askCalls((node) => node.simulate(unlimited, signature, "STUB")))
            if (kind === "SAFE_4337" && round === "first") {
              assert.isTrue(Result.isFailure(estimate) && /first operation/u.test(estimate.failure.message))
            } else {
              const { allowanceChanges, limits, notSeen, revert, transfers } = Result.getOrThrow(estimate)
              assert.isNull(revert)
              assert.deepStrictEqual([transfers, allowanceChanges], [[], []])
              assert.match(notSeen ?? "", /^The nodes of Ethereum return neither calls nor events of a simulation/u)
              const operationWithLimits = withLimitsOf(builtOperation.operation, limits)
              assert.isNull((yield* bundler.simulate(operationWithLimits, signature, "STUB")).revert)
              assert.isBelow(Number(limits.callGasLimit), 3 * Number(builtOperation.operation.callGasLimit))
              const failing = yield* buildOperation(account, [expiredRouterCall], nativeToken)
              const { revert: reason } = yield* askCalls((node) => node.simulate(failing.operation, signature, "STUB"))
              assert.match(reason?.decoded ?? "", kind === "SAFE_4337" ? /./u : /^Transaction too old$/u)
            }
            yield* bundler.submit(builtOperation.operation, signature, authorization)
            assert.isTrue((yield* outcomeOf(builtOperation.operation, builtOperation.hash)).success)
          }
        })
    )
  }
})
