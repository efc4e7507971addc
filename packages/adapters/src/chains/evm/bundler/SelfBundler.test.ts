import { bundlerContract, bundlerOrderContract } from "@countersign/core/contracts/operations/user-operations/Bundler"
import { Address, HexBytes, MAX_UINT256, NATIVE_TOKEN } from "@countersign/core/foundation/primitives"
import {
  AccountOperations,
  approveCall,
  Bundler,
  ChainReader,
  OperationRejected,
  transferCall
} from "@countersign/core/operations/user-operations"
import { AccountAddresses } from "@countersign/core/wallets/registry"
import { assert, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { SandboxChains } from "../../../../sandbox/index.ts"
import { bundlerScenarios, expiredRouterCall, fundedAccount } from "../../../../test/evm/bundlerScenarios.ts"
import {
  accountKinds,
  accountOf,
  buildOperation,
  CHAIN,
  evmSandbox,
  evmSandboxPaidFirst,
  freshOwner,
  nativeToken,
  outcomeOf,
  randomAddress,
  signOperation,
  usdc,
  weth
} from "../../../../test/evm/evmSandbox.ts"
import { stubEcdsaSignature } from "../accounts/signature.ts"
import { RpcClients } from "../RpcClients.ts"

bundlerContract("our own", bundlerScenarios("SIMPLE_0_8").pipe(Layer.provideMerge(evmSandbox)))

for (const kind of accountKinds) {
  bundlerOrderContract(`our own, ${kind}`, bundlerScenarios(kind).pipe(Layer.provideMerge(evmSandboxPaidFirst)))
}

layer(evmSandbox, { excludeTestServices: true })("SelfBundler", (it) => {
  for (const kind of accountKinds) {
    for (const gasToken of [usdc, nativeToken]) {
      it.effect(`${kind}: deploys, transfers, and transfers again with gas paid in ${gasToken.symbol}`, () =>
        Effect.gen(function* () {
          const sandbox = yield* SandboxChains
          const bundler = yield* Bundler
          const rpc = yield* RpcClients
          const owner = freshOwner()
          const account = accountOf(kind, owner)
          yield* sandbox.fund(CHAIN, account.address, usdc.address, 100_000_000n)
          if (gasToken === nativeToken) yield* sandbox.fund(CHAIN, account.address, "native", 10n ** 17n)
          const to = randomAddress()
          const expected = { token: usdc.address, from: account.address, to, amount: 1_000_000n }
          for (const round of [1, 2]) {
            const builtOperation = yield* buildOperation(account, [transferCall(usdc, to, 1_000_000n)], gasToken)
            assert.strictEqual(builtOperation.operation.factory !== null, round === 1)
            assert.isNull(builtOperation.simulation.revert)
            assert.deepInclude(builtOperation.simulation.transfers, expected)

            const { signature, authorization } = yield* signOperation(account, owner, builtOperation.operation)
            const final = yield* bundler.simulate(builtOperation.operation, signature, "OWNER")
            assert.isNull(final.revert)

            yield* bundler.submit(builtOperation.operation, signature, authorization)
            const outcome = yield* outcomeOf(builtOperation.operation, builtOperation.hash)
            assert.isTrue(outcome.success)
            assert.deepInclude(outcome.transfers, expected)
            assert.strictEqual(outcome.transfers.length, 1)
            assert.strictEqual(outcome.tokenPayment !== null, gasToken === usdc)

            const { gasUsed, effectiveGasPrice } = yield* rpc.call(CHAIN, (client) =>
              client.getTransactionReceipt({ hash: outcome.transactionHash })
            )
            const actualGasUsed = Number(outcome.actualGasCost / effectiveGasPrice)
            // The charge is close to the quoted cost: it reimburses the operator without a large excess.
            assert.closeTo(Number(builtOperation.simulation.gasUsed), actualGasUsed, 0.09 * actualGasUsed)
            assert.closeTo(Number(final.gasUsed), actualGasUsed, 0.02 * actualGasUsed)
            const margin = actualGasUsed - Number(gasUsed)
            assert.isTrue(margin > 0 && margin < 20_000, `the operator's margin is ${margin} gas`)
          }
        })
      )
    }

    it.effect(`${kind}: reports why an operation would revert`, () =>
      Effect.gen(function* () {
        const account = yield* fundedAccount(kind, freshOwner())
        const otherAddress = randomAddress()
        const takeUnapproved = {
          ...transferCall(weth, otherAddress, 1n),
          data: transferFromOf(account.address, otherAddress)
        }
        for (const [calls, message] of [
          [[transferCall(usdc, otherAddress, 10n ** 12n)], /balance|Panic 0x11/u],
          [[expiredRouterCall], /^Transaction too old$/u],
          [[approveCall(usdc, otherAddress, 1n), expiredRouterCall], /^Transaction too old$/u],
          [[transferCall(nativeToken, otherAddress, 10n ** 20n)], /native balance does not cover/u],
          // WETH9 reverts without a message.
          [[takeUnapproved], /^Reverted without a reason$/u]
        ] as const) {
          const { simulation } = yield* buildOperation(account, calls, nativeToken)
          assert.match(simulation.revert?.decoded ?? "no revert", message)
          assert.deepStrictEqual(simulation.transfers, [])
          assert.isTrue(simulation.limits.callGasLimit > 100_000n)
        }
      })
    )
  }

  it.effect("finds the gas limits of calls that use far more gas than the first simulation allows", () =>
    Effect.gen(function* () {
      const bundler = yield* Bundler
      const owner = freshOwner()
      const account = yield* fundedAccount("SIMPLE_0_7", owner)
      const smallOperation = yield* buildOperation(account, [], usdc)
      const { paymaster } = smallOperation.operation
      const operations = yield* AccountOperations
      const transfers = Array.from({ length: 90 }, () => transferCall(usdc, randomAddress(), 1n))
      const calls = [approveCall(usdc, paymaster?.address ?? NOBODY, MAX_UINT256), ...transfers]
      const { limits, revert } = yield* bundler.simulate(
        {
          ...smallOperation.operation,
          callData: operations.encodeCalls(account, calls),
          callGasLimit: 0n,
          verificationGasLimit: 0n
        },
        operations.stubSignatureOf(account),
        "STUB"
      )
      assert.isNull(revert)
      assert.isTrue(limits.callGasLimit > 2_500_000n, String(limits.callGasLimit))
    })
  )

  it.effect("reports an insufficient balance of the gas token", () =>
    Effect.gen(function* () {
      const sandbox = yield* SandboxChains
      const account = accountOf("SIMPLE_0_7", freshOwner())
      yield* sandbox.fund(CHAIN, account.address, usdc.address, 10n)
      const { simulation } = yield* buildOperation(account, [], usdc)
      assert.match(simulation.revert?.decoded ?? "no revert", /^AA50 postOp reverted: TransferFromFailed\(\)$/u)
    })
  )

  it.effect("shows native tokens that the account sends and receives", () =>
    Effect.gen(function* () {
      const account = yield* fundedAccount("SAFE_4337", freshOwner())
      const to = randomAddress()
      const wrap = { to: weth.address, value: 5n, data: HexBytes.make("0xd0e30db0"), summary: "Wrap" }
      const { simulation } = yield* buildOperation(account, [transferCall(nativeToken, to, 7n), wrap], nativeToken)
      const from = account.address
      assert.deepStrictEqual(simulation.transfers, [
        { token: NATIVE_TOKEN, from, to, amount: 7n },
        { token: NATIVE_TOKEN, from, to: weth.address, amount: 5n },
        { token: weth.address, from: NOBODY, to: from, amount: 5n }
      ])
    })
  )

  it.effect("records an operation that reverts on-chain, with its reason", () =>
    Effect.gen(function* () {
      const bundler = yield* Bundler
      const owner = freshOwner()
      const account = yield* fundedAccount("SIMPLE_0_8", owner)
      const { operation, hash } = yield* buildOperation(account, [expiredRouterCall], nativeToken)
      const { signature, authorization } = yield* signOperation(account, owner, operation)
      yield* bundler.submit(operation, signature, authorization)
      const outcome = yield* outcomeOf(operation, hash)
      assert.isFalse(outcome.success)
      assert.strictEqual(outcome.revert?.decoded, "Transaction too old")
      assert.deepStrictEqual(outcome.transfers, [])
    })
  )

  it.effect(
    "completes an operation that pays in the native token, if the account's signature can be used for it: a Safe's",
    () =>
      Effect.gen(function* () {
        const bundler = yield* Bundler
        const reader = yield* ChainReader
        for (const kind of accountKinds) {
          const owner = freshOwner()
          const account = yield* fundedAccount(kind, owner)
          const { operation } = yield* buildOperation(account, [transferCall(usdc, randomAddress(), 1n)], nativeToken)
          const liveSignature = yield* signOperation(account, owner, operation)
          const { revert, validUntil } = yield* bundler.simulate(operation, liveSignature.signature, "OWNER")
          assert.isNull(revert)
          assert.strictEqual(validUntil, operation.validUntil)
          assert.strictEqual(validUntil !== null, kind === "SAFE_4337")
          if (kind !== "SAFE_4337") continue
          const state = yield* reader.readAccountState(CHAIN, { address: account.address, tokens: [], allowances: [] })
          const lateOperation = { ...operation, validUntil: state.blockTimestamp - 10 }
          const { authorization, signature } = yield* signOperation(account, owner, lateOperation)
          const error = yield* Effect.flip(bundler.submit(lateOperation, signature, authorization))
          assert.instanceOf(error, OperationRejected)
          assert.match(error.message, /AA22/u)
        }
      })
  )

  it.effect("sends many concurrent operations, several in one transaction, and returns each its own result", () =>
    Effect.gen(function* () {
      const bundler = yield* Bundler
      const addresses = yield* AccountAddresses
      const owner = freshOwner()
      const account = yield* fundedAccount("SIMPLE_0_7", owner)
      const send = Effect.gen(function* () {
        const to = randomAddress()
        const builtOperation = yield* buildOperation(account, [transferCall(usdc, to, 1n)], usdc)
        const { signature, authorization } = yield* signOperation(account, owner, builtOperation.operation)
        yield* bundler.submit(builtOperation.operation, signature, authorization)
        const outcome = yield* outcomeOf(builtOperation.operation, builtOperation.hash)
        assert.isTrue(outcome.success)
        assert.deepStrictEqual(outcome.transfers, [{ token: usdc.address, from: account.address, to, amount: 1n }])
        assert.isNotNull(outcome.tokenPayment)
        return outcome
      })
      yield* send
      const outcomes = yield* Effect.all(
        Array.from({ length: 12 }, () => send),
        { concurrency: "unbounded" }
      )
      assert.isAtMost(new Set(outcomes.map(({ transactionHash }) => transactionHash)).size, 6)
      assert.deepStrictEqual(yield* addresses.findDeployments(account), new Map([[CHAIN, true]]))
    })
  )

  it.effect("reports that a chain does not support EIP-7702, although a simulation could succeed", () =>
    Effect.gen(function* () {
      const bundler = yield* Bundler
      const account = yield* fundedAccount("SIMPLE_7702", freshOwner())
      const { operation } = yield* buildOperation(account, [], usdc)
      const { revert } = yield* bundler.simulate({ ...operation, chainId: 43114 }, stubEcdsaSignature, "STUB")
      assert.strictEqual(revert?.decoded, "Avalanche does not support EIP-7702")
    })
  )

  it.effect("rejects an EIP-7702 operation whose authorization has another nonce, before it costs gas", () =>
    Effect.gen(function* () {
      const bundler = yield* Bundler
      const reader = yield* ChainReader
      const owner = freshOwner()
      const account = yield* fundedAccount("SIMPLE_7702", owner)
      const { operation } = yield* buildOperation(account, [transferCall(usdc, randomAddress(), 1n)], usdc)
      const { operation: stale } = {
        operation: { ...operation, authorization: operation.authorization && { ...operation.authorization, nonce: 9 } }
      }
      const { signature, authorization } = yield* signOperation(account, owner, stale)
      const error = yield* Effect.flip(bundler.submit(stale, signature, authorization))
      assert.instanceOf(error, OperationRejected)
      assert.include(error.message, "nonce 9")
      const state = yield* reader.readAccountState(CHAIN, { address: account.address, tokens: [], allowances: [] })
      assert.isNull(state.delegate)
    })
  )
})

const NOBODY = Address.make("0x0000000000000000000000000000000000000000")

/** `transferFrom(from, to, 1)`. */
const transferFromOf = (from: string, to: string): HexBytes =>
  HexBytes.make(`0x23b872dd${from.slice(2).padStart(64, "0")}${to.slice(2).padStart(64, "0")}${"1".padStart(64, "0")}`)
