import { Address, Hash32 } from "@countersign/core/foundation/primitives"
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { encodeFunctionData, type Hex, numberToHex, parseAbi } from "viem"
import { generatePrivateKey, privateKeyToAddress } from "viem/accounts"
import { SandboxChains } from "../../../sandbox/index.ts"
import { PATIENT_RPC } from "../../../test/evm/patientRpc.ts"
import { HostFailure } from "../../outbound/json-api/index.ts"
import { deploymentOf } from "../deployments/index.ts"
import { hash32FromHex } from "./hex.ts"
import { nativeTransfersTo } from "./nativeTransfers.ts"
import { RpcClients, layer as rpcClients } from "./RpcClients.ts"
import { JsonRpcError } from "./rpc/JsonRpcError.ts"
import type { LatestBlock } from "./rpc/latestBlocks.ts"

/**
 * Tests which native tokens a transaction sent to an account, on a real chain. Two transactions in one block pay the
 * account.
 */

const abi = parseAbi([
  "struct Call { address target; bool allowFailure; uint256 value; bytes callData; }",
  "function aggregate3Value(Call[] calls) payable returns ((bool success, bytes returnData)[])"
])

const anAccount = () => Address.make(privateKeyToAddress(generatePrivateKey()).toLowerCase())

layer(SandboxChains.layerTemporary)("native transfers", (it) => {
  it.effect(
    "are those of the transaction's own calls, or the block's increase of the balance if no node traces the transaction",
    () =>
      Effect.gen(function* () {
        const chains = yield* SandboxChains
        const rpc = yield* Effect.provide(RpcClients, rpcClients({ ...PATIENT_RPC, urls: (id) => [chains.rpcUrl(id)] }))
        const call = (method: string, ...params: ReadonlyArray<unknown>) =>
          Effect.promise(() => rpc.request(1, method, params) as Promise<Hex>)
        const from = chains.keys.owners[0]!.address
        const [receiver, other] = [anAccount(), anAccount()]
        yield* call("anvil_setBalance", from, numberToHex(10n ** 18n))
        const pay = (...amounts: ReadonlyArray<readonly [Address, bigint]>) => {
          const calls = amounts.map(([target, value]) => ({
            target,
            value,
            allowFailure: false,
            callData: "0x" as const
          }))
          const value = amounts.reduce((sum, [, amount]) => sum + amount, 0n)
          const data = encodeFunctionData({ abi, functionName: "aggregate3Value", args: [calls] })
          const to = deploymentOf(1).multicall3
          return call("eth_sendTransaction", { from, to, data, value: numberToHex(value), gas: numberToHex(500_000) })
        }
        yield* call("evm_setAutomine", false)
        const hashes = [yield* pay([receiver, 5n], [other, 7n], [receiver, 3n]), yield* pay([receiver, 11n])]
        yield* call("evm_mine")
        yield* call("evm_setAutomine", true)
        const receipts = yield* Effect.promise(() =>
          Promise.all(hashes.map((hash) => rpc.request(1, "eth_getTransactionReceipt", [hash])))
        )
        const [first, second] = receipts.map((receipt) => ({
          account: receiver,
          hash: hash32FromHex(receipt!.transactionHash!),
          block: { number: BigInt(receipt!.blockNumber), hash: Hash32.make(receipt!.blockHash) }
        }))
        assert.strictEqual(first!.block.number, second!.block.number)
        const transfersOf = (location: NonNullable<typeof first>, nodes = rpc) =>
          Effect.map(
            Effect.promise(() => nativeTransfersTo(nodes, 1, location)),
            ({ hash, transfers }) => [
              hash,
              transfers.map(({ amount, index, isShared }) => [index, amount, isShared ?? false])
            ]
          )
        assert.deepStrictEqual(yield* transfersOf(first!), [
          first!.hash,
          [
            [-1, 5n, false],
            [-2, 3n, false]
          ]
        ])
        assert.deepStrictEqual(yield* transfersOf(second!), [second!.hash, [[-1, 11n, false]]])
        assert.deepStrictEqual(yield* transfersOf({ ...second!, account: anAccount() }), [second!.hash, []])
        const withTraceFailure = (failure: Error, nodes = rpc) => ({
          ...nodes,
          request: ((chainId: 1, method: string, params: []) =>
            method === "debug_traceTransaction"
              ? Promise.reject(failure)
              : rpc.request(chainId, method, params)) as typeof rpc.request
        })
        const rpcWithoutTraces = withTraceFailure(new JsonRpcError(-32601, "the method does not exist", undefined))
        assert.deepStrictEqual(yield* transfersOf(first!, rpcWithoutTraces), [first!.block.hash, [[-1, 19n, true]]])
        assert.deepStrictEqual(yield* transfersOf({ ...first!, account: anAccount() }, rpcWithoutTraces), [
          first!.block.hash,
          []
        ])
        const oneDown = { ...rpcWithoutTraces, witnesses: () => ({ nodes: [], required: 1 }) }
        const undecidedTransfers = nativeTransfersTo(oneDown, 1, first!)
        assert.instanceOf(
          yield* Effect.promise(() => undecidedTransfers.catch((thrown: unknown) => thrown)),
          JsonRpcError
        )
        // A temporary failure before the block is final must not determine the result.
        const failures = [
          new HostFailure("it did not respond"),
          new HostFailure("no response within 4000 ms", "TOO_HEAVY"),
          new JsonRpcError(-32000, "transaction not found", undefined)
        ]
        for (const failure of failures) {
          const failedScan = nativeTransfersTo(withTraceFailure(failure), 1, first!)
          assert.strictEqual(yield* Effect.promise(() => failedScan.catch((thrown: unknown) => thrown)), failure)
        }
        const laterTransfer = {
          ...rpc,
          latestBlock: () => Promise.resolve({ number: first!.block.number + 12n } as LatestBlock)
        }
        for (const failure of failures) {
          const transfers = yield* Effect.promise(() =>
            nativeTransfersTo(withTraceFailure(failure, laterTransfer), 1, first!)
          )
          assert.strictEqual(transfers.hash, first!.block.hash)
        }
        const withoutState = (failure: Error) => ({
          ...rpcWithoutTraces,
          request: ((chainId: 1, method: string, params: []) =>
            method === "eth_getBalance"
              ? Promise.reject(failure)
              : rpcWithoutTraces.request(chainId, method, params)) as typeof rpc.request
        })
        const prunedNode = withoutState(new JsonRpcError(-32000, "missing trie node", undefined))
        assert.deepStrictEqual(yield* transfersOf(first!, prunedNode), [first!.block.hash, []])
        const failedRead = nativeTransfersTo(withoutState(new HostFailure("it did not respond")), 1, first!)
        assert.instanceOf(yield* Effect.promise(() => failedRead.catch((thrown: unknown) => thrown)), HostFailure)
      })
  )
})
