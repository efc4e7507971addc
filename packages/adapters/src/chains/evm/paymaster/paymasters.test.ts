import { PaymasterScenario, paymasterContract } from "@countersign/core/contracts/operations/user-operations/Paymaster"
import { Bundler, Paymaster, transferCall } from "@countersign/core/operations/user-operations"
import { assert, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { parseAbi } from "viem"
import { SandboxChains } from "../../../../sandbox/index.ts"
import { fundedAccount } from "../../../../test/evm/bundlerScenarios.ts"
import { PaymasterEmulator } from "../../../../test/evm/emulators/PaymasterEmulator.ts"
import {
  accountKinds,
  buildOperation,
  CHAIN,
  evmSandbox,
  freshOwner,
  outcomeOf,
  randomAddress,
  selfPaymaster,
  signOperation,
  usdc,
  usdt,
  withPaymaster
} from "../../../../test/evm/evmSandbox.ts"
import { PATIENT_RPC } from "../../../../test/evm/patientRpc.ts"
import { randomOperation, seededRandom } from "../../../../test/evm/randomOperation.ts"
import { stubEcdsaSignature } from "../accounts/signature.ts"
import { bytesFromHex } from "../hex.ts"
import { RpcClients } from "../RpcClients.ts"
import { packUserOperation } from "../user-operation/packing.ts"
import * as Erc7677Paymaster from "./Erc7677Paymaster.ts"
import { paymasterHash } from "./singletonPaymaster.ts"

const scenario = Layer.succeed(
  PaymasterScenario,
  PaymasterScenario.of({
    acceptedToken: usdc,
    refusedToken: usdt,
    operation: { ...randomOperation(seededRandom(3), "0.7"), callGasLimit: 100_000n }
  })
)

paymasterContract("our own", scenario.pipe(Layer.provideMerge(evmSandbox)))

const erc7677 = Layer.unwrap(
  Effect.map(PaymasterEmulator, ({ url }) =>
    Erc7677Paymaster.layer({ urls: new Map([[CHAIN, [url]]]), ...PATIENT_RPC, rounds: 1 })
  )
).pipe(
  Layer.provideMerge(PaymasterEmulator.layer({ chainId: CHAIN, tokens: [usdc] }).pipe(Layer.provide(selfPaymaster)))
)

const sandboxWithErc7677 = withPaymaster(erc7677)

paymasterContract("any ERC-7677 RPC", scenario.pipe(Layer.provideMerge(sandboxWithErc7677)))

layer(sandboxWithErc7677, { excludeTestServices: true })("Erc7677Paymaster", (it) => {
  for (const kind of accountKinds) {
    it.effect(`${kind}: pays for an operation with the service's signature`, () =>
      Effect.gen(function* () {
        const bundler = yield* Bundler
        const owner = freshOwner()
        const account = yield* fundedAccount(kind, owner)
        const { operation, hash } = yield* buildOperation(account, [transferCall(usdc, randomAddress(), 1n)], usdc)
        const { signature, authorization } = yield* signOperation(account, owner, operation)
        yield* bundler.submit(operation, signature, authorization)
        const outcome = yield* outcomeOf(operation, hash)
        assert.isTrue(outcome.success)
        assert.strictEqual(outcome.transfers.length, 1)
        assert.isNotNull(outcome.tokenPayment)
      })
    )
  }

  it.effect("makes one request for the terms of a token", () =>
    Effect.gen(function* () {
      const { requestedMethods } = yield* PaymasterEmulator
      const countBefore = requestedMethods.length
      yield* (yield* Paymaster).readTerms(CHAIN, "0.8", usdc)
      assert.deepStrictEqual(requestedMethods.slice(countBefore), ["pimlico_getTokenQuotes", "pm_getPaymasterStubData"])
    })
  )

  it.effect("fails with UPSTREAM_UNAVAILABLE, which contains the chain, if the service fails", () =>
    Effect.gen(function* () {
      const { inject } = yield* PaymasterEmulator
      inject({ _tag: "Status", status: 503 })
      const error = yield* Effect.flip((yield* Paymaster).readTerms(CHAIN, "0.8", usdc))
      assert.strictEqual(
        error.message,
        "Paymaster of Ethereum is unavailable: it responded with HTTP status 503. Try again shortly."
      )
    })
  )
})

const getHashAbi = parseAbi([
  "struct PackedUserOperation { address sender; uint256 nonce; bytes initCode; bytes callData; bytes32 accountGasLimits; uint256 preVerificationGas; bytes32 gasFees; bytes paymasterAndData; bytes signature; }",
  "function getHash(uint8 mode, PackedUserOperation op) view returns (bytes32)"
])

layer(evmSandbox, { excludeTestServices: true })("SelfPaymaster", (it) => {
  it.effect("charges according to its terms, to the treasury", () =>
    Effect.gen(function* () {
      const bundler = yield* Bundler
      const { keys } = yield* SandboxChains
      const owner = freshOwner()
      const account = yield* fundedAccount("SIMPLE_0_8", owner)
      const { operation, hash, gas } = yield* buildOperation(account, [], usdc)
      const { signature, authorization } = yield* signOperation(account, owner, operation)
      yield* bundler.submit(operation, signature, authorization)
      const { actualGasCost, tokenPayment: charge } = yield* outcomeOf(operation, hash)
      const terms = yield* (yield* Paymaster).readTerms(CHAIN, "0.8", usdc)
      const coveredAmount = (actualGasCost * terms.tokenUnitsPerNativeToken) / 10n ** 18n
      assert.isNotNull(charge)
      assert.strictEqual(charge.to, keys.treasury.address)
      // The payment covers the gas cost. It is at most the quoted maximum, and differs from the expected amount by at
      // most 2 %.
      assert.isTrue(charge.amount >= coveredAmount, `${charge.amount} < ${coveredAmount}`)
      assert.isTrue(charge.amount <= gas.maxToken)
      assert.closeTo(Number(charge.amount), Number(gas.expectedToken), 0.02 * Number(charge.amount))
    })
  )

  it.effect("computes the hashes of the contracts", () =>
    Effect.gen(function* () {
      const rpc = yield* RpcClients
      const paymaster = yield* Paymaster
      const random = seededRandom(11)
      for (const version of ["0.7", "0.8"] as const) {
        const terms = yield* paymaster.readTerms(CHAIN, version, usdc)
        const { address, verificationGasLimit, postOpGasLimit, stubData: data } = terms
        const operation = {
          ...randomOperation(random, version),
          paymaster: { address, verificationGasLimit, postOpGasLimit, data }
        }
        const chainHash = yield* rpc.call(CHAIN, (client) =>
          client.readContract({
            address,
            abi: getHashAbi,
            functionName: "getHash",
            args: [1, packUserOperation(operation, stubEcdsaSignature)]
          })
        )
        const unsignedData = data.slice(0, -130)
        assert.strictEqual(paymasterHash(operation, operation.paymaster, bytesFromHex(unsignedData), "V7"), chainHash)
      }
    })
  )
})
