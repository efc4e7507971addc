import { accountAddressesContract } from "@countersign/core/contracts/wallets/registry/AccountAddresses"
import { NATIVE_TOKEN } from "@countersign/core/foundation/primitives"
import { tokenKey } from "@countersign/core/foundation/tokens"
import { approveCall, Bundler, ChainReader } from "@countersign/core/operations/user-operations"
import { AccountAddresses } from "@countersign/core/wallets/registry"
import { assert, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { SandboxChains } from "../../../sandbox/index.ts"
import { fundedAccount } from "../../../test/evm/bundlerScenarios.ts"
import { serveJsonRpc } from "../../../test/evm/emulators/JsonRpcServer.ts"
import {
  accounts,
  buildOperation,
  CHAIN,
  evmSandbox,
  freshOwner,
  nativeToken,
  outcomeOf,
  randomAddress,
  signOperation,
  usdc,
  weth
} from "../../../test/evm/evmSandbox.ts"
import { PATIENT_RPC } from "../../../test/evm/patientRpc.ts"
import { accountContracts } from "../deployments/index.ts"
import * as BundlerGasPrices from "./BundlerGasPrices.ts"
import { RpcClients, layer as rpcClientsLayer } from "./RpcClients.ts"
import * as ViemChainReader from "./ViemChainReader.ts"

accountAddressesContract("the EVM chains", accounts.pipe(Layer.provide(evmSandbox)))

layer(evmSandbox, { excludeTestServices: true })("ViemChainReader", (it) => {
  const noRequests = { tokens: [], allowances: [] }

  it.effect("reads an account that has no transactions", () =>
    Effect.gen(function* () {
      const reader = yield* ChainReader
      const address = randomAddress()
      const spender = randomAddress()
      const state = yield* reader.readAccountState(CHAIN, {
        address,
        tokens: [usdc.address, NATIVE_TOKEN, address],
        allowances: [{ token: usdc.address, spender }]
      })
      assert.isFalse(state.hasCode)
      assert.isNull(state.delegate)
      assert.strictEqual(state.transactionCount, 0n)
      assert.deepStrictEqual(
        [...state.balances],
        [
          [tokenKey(usdc), 0n],
          [tokenKey(nativeToken), 0n],
          [tokenKey({ chainId: CHAIN, address }), 0n]
        ]
      )
      assert.deepStrictEqual(state.allowances, [0n])
    })
  )

  it.effect("reads balances, allowances, code, delegate and transaction count", () =>
    Effect.gen(function* () {
      const reader = yield* ChainReader
      const bundler = yield* Bundler
      const owner = freshOwner()
      const account = yield* fundedAccount("SIMPLE_7702", owner)
      const spender = randomAddress()
      const { operation, hash } = yield* buildOperation(account, [approveCall(usdc, spender, 7n)], nativeToken)
      const { signature, authorization } = yield* signOperation(account, owner, operation)
      yield* bundler.submit(operation, signature, authorization)
      const { blockNumber } = yield* outcomeOf(operation, hash)
      const state = yield* reader.readAccountState(CHAIN, {
        address: account.address,
        tokens: [NATIVE_TOKEN, usdc.address, weth.address],
        allowances: [
          { token: weth.address, spender },
          { token: usdc.address, spender }
        ],
        nonces: { entryPoint: operation.entryPoint, of: [operation.nonce, operation.nonce + 1n, 7n << 64n] }
      })
      assert.isTrue(state.hasCode)
      assert.strictEqual(state.delegate, accountContracts.simple7702Account)
      assert.strictEqual(state.transactionCount, 1n)
      assert.strictEqual(state.balances.get(tokenKey(usdc)), 100_000_000n)
      assert.strictEqual(state.balances.get(tokenKey(weth)), 0n)
      assert.isTrue((state.balances.get(tokenKey(nativeToken)) ?? 0n) < 10n ** 17n)
      assert.deepStrictEqual(state.allowances, [0n, 7n])
      assert.isTrue(state.blockNumber >= blockNumber)
      assert.deepStrictEqual([...state.usedNonces], [operation.nonce])

      const { findDeployments } = yield* AccountAddresses
      assert.deepStrictEqual(yield* findDeployments(account), new Map([[CHAIN, true]]))
      const otherImplementation = { ...account, implementation: randomAddress() }
      assert.deepStrictEqual(yield* findDeployments(otherImplementation), new Map([[CHAIN, false]]))
    })
  )

  it.effect("reads the number, time and fees of the latest block", () =>
    Effect.gen(function* () {
      const reader = yield* ChainReader
      const rpc = yield* RpcClients
      const state = yield* reader.readAccountState(CHAIN, { address: randomAddress(), ...noRequests })
      const block = yield* rpc.call(CHAIN, (client) => client.getBlock({ blockTag: "latest" }))
      assert.strictEqual(state.blockNumber, block.number)
      assert.isAtMost(Math.abs(state.blockTimestamp - Number(block.timestamp)), 2)
      assert.isTrue(state.baseFeePerGas > 0n)
      assert.strictEqual(state.maxFeePerGas, 2n * state.baseFeePerGas + state.maxPriorityFeePerGas)
    })
  )

  it.effect("makes one HTTP request after the node has reported its chain id", () =>
    Effect.gen(function* () {
      const { rpcUrl } = yield* SandboxChains
      const requests: Array<ReadonlyArray<string>> = []
      const countedClients = rpcClientsLayer({
        ...PATIENT_RPC,
        urls: (chainId) => [rpcUrl(chainId)],
        onRequest: (_chainId, methods) => requests.push(methods)
      })
      yield* Effect.gen(function* () {
        const reader = yield* ChainReader
        const request = { address: randomAddress(), tokens: [usdc.address], allowances: [] }
        yield* reader.readAccountState(CHAIN, request)
        requests.length = 0
        yield* reader.readAccountState(CHAIN, request)
      }).pipe(Effect.provide(Layer.fresh(ViemChainReader.layer).pipe(Layer.provide(countedClients))))
      assert.strictEqual(requests.length, 1)
      assert.strictEqual(requests[0]?.length, 5)
    })
  )

  it.effect("raises the prices to the bundler's minimum", () =>
    Effect.gen(function* () {
      const minimumPrices = { maxFeePerGas: "0xe8d4a51000", maxPriorityFeePerGas: "0x1" }
      const { url, inject } = yield* serveJsonRpc({
        pimlico_getUserOperationGasPrice: async () => ({
          slow: minimumPrices,
          standard: minimumPrices,
          fast: minimumPrices
        })
      })
      const prices = BundlerGasPrices.layer({ urls: new Map([[CHAIN, [url]]]), rounds: 1 })
      const readState = Effect.gen(function* () {
        return yield* (yield* ChainReader).readAccountState(CHAIN, { address: randomAddress(), ...noRequests })
      }).pipe(Effect.provide(Layer.fresh(ViemChainReader.layer).pipe(Layer.provide(prices))))
      const raisedState = yield* readState
      assert.strictEqual(raisedState.maxFeePerGas, 10n ** 12n)
      assert.isTrue(raisedState.maxPriorityFeePerGas > 1n)
      // If a bundler does not support the method, the node's prices are used.
      inject({ _tag: "Error", code: -32601, message: "no such method" })
      const { maxFeePerGas, baseFeePerGas, maxPriorityFeePerGas } = yield* readState
      assert.strictEqual(maxFeePerGas, 2n * baseFeePerGas + maxPriorityFeePerGas)
    })
  )
})
