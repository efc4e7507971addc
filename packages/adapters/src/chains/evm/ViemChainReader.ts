import type { EvmChainId } from "@countersign/core/foundation/chains"
import { type Address, isNativeToken } from "@countersign/core/foundation/primitives"
import { tokenKey } from "@countersign/core/foundation/tokens"
import { type AccountState, type AccountStateRequest, ChainReader } from "@countersign/core/operations/user-operations"
import { Effect, Layer } from "effect"
import { type Hex, numberToHex, type PublicClient, size } from "viem"
import { deploymentOf } from "../deployments/index.ts"
import { erc20Abi } from "./abi/erc20.ts"
import { multicall3Abi } from "./abi/multicall3.ts"
import { BundlerGasPrices, raiseToFees } from "./BundlerGasPrices.ts"
import { delegateOf } from "./delegation.ts"
import { encoderOf } from "./encoderOf.ts"
import { suggestedFees } from "./gasPrice.ts"
import { hash32FromHex } from "./hex.ts"
import { type CallResponse, type ReadCall, readsOfBlock } from "./multicall.ts"
import { headAgeMs, RpcClients } from "./RpcClients.ts"
import { agreedBlock } from "./rpc/agreedBlock.ts"
import { BlockHashes } from "./rpc/BlockHashes.ts"
import { requestFromEach } from "./rpc/Witnesses.ts"
import { nextNonceData } from "./user-operation/nextNonceData.ts"
import { wordAt } from "./words.ts"

const multicall3Data = encoderOf(multicall3Abi)
const erc20Data = encoderOf(erc20Abi)

/**
 * A `ChainReader` over JSON-RPC. `accountState` sends one HTTP request to a node. It reads the balances, allowances and
 * nonces with one Multicall3 call.
 */
export const layer: Layer.Layer<ChainReader, never, RpcClients> = Layer.effect(
  ChainReader,
  Effect.gen(function* () {
    const rpc = yield* RpcClients
    const bundlerPrices = yield* BundlerGasPrices
    const hashes = new BlockHashes()
    return ChainReader.of({
      readAccountState: Effect.fn("ChainReader.accountState")((chainId, request) =>
        rpc.call(chainId, async (client) => {
          const [state, prices] = await Promise.all([
            readAccountState(client, chainId, request),
            bundlerPrices(chainId)
          ])
          return { ...state, ...raiseToFees(prices, state) }
        })
      ),
      readHead: Effect.fn("ChainReader.head")((chainId) =>
        rpc.call(chainId, async () => {
          const { number, timestamp } = await rpc.latestBlock(chainId, headAgeMs(chainId))
          return { number, timestamp }
        })
      ),
      blockAt: Effect.fn("ChainReader.blockAt")((chainId, blockNumber) =>
        rpc.call(chainId, async (client) => {
          const head = await rpc.latestBlock(chainId, headAgeMs(chainId))
          const hash = await hashes.at(chainId, head, blockNumber, async () => {
            const params = [numberToHex(blockNumber), false] as const
            const block = await client.request({ method: "eth_getBlockByNumber", params: [...params] })
            return block?.hash == null ? null : hash32FromHex(block.hash)
          })
          return { headNumber: head.number, hash }
        })
      ),
      agreedBlockAt: Effect.fn("ChainReader.agreedBlockAt")((chainId, blockNumber) =>
        rpc.call(chainId, async () => {
          const witnesses = rpc.witnesses(chainId)
          const views = await requestFromEach(witnesses, async ({ request }) => {
            const [head, block] = await Promise.all([
              request("eth_blockNumber", []),
              request("eth_getBlockByNumber", [numberToHex(blockNumber), false])
            ])
            return { headNumber: BigInt(head), hash: block?.hash == null ? null : hash32FromHex(block.hash) }
          })
          return agreedBlock(views, blockNumber, witnesses.required)
        })
      )
    })
  })
)

const balanceRead = (multicall3: Hex, account: Hex, token: Address): ReadCall =>
  isNativeToken(token)
    ? {
        target: multicall3,
        callData: multicall3Data("getEthBalance", [account])
      }
    : {
        target: token,
        callData: erc20Data("balanceOf", [account])
      }

const allowanceRead = (
  account: Hex,
  { owner, token, spender }: AccountStateRequest["allowances"][number]
): ReadCall => ({
  target: token,
  callData: erc20Data("allowance", [owner ?? account, spender])
})

/** Builds the call that reads the next nonce with the same nonce key. */
const nonceRead = (account: Address, entryPoint: Address, nonce: bigint): ReadCall => ({
  target: entryPoint,
  callData: nextNonceData(account, nonce)
})

/**
 * Decodes an integer. Zero if the token is not a contract or its function failed, because a balance that can't be read
 * can't be spent.
 */
const uintOrZero = (result: CallResponse | undefined): bigint =>
  result?.success && size(result.returnData) >= 32 ? wordAt(result.returnData, 0) : 0n

const readAccountState = async (
  client: PublicClient,
  chainId: EvmChainId,
  { address, tokens, allowances, nonces }: AccountStateRequest
): Promise<AccountState> => {
  const { multicall3 } = deploymentOf(chainId)
  const reads = readsOfBlock(chainId, [
    ...tokens.map((token) => balanceRead(multicall3, address, token)),
    ...allowances.map((allowance) => allowanceRead(address, allowance)),
    ...(nonces?.of.map((nonce) => nonceRead(address, nonces.entryPoint, nonce)) ?? [])
  ])
  const [returnData, code, transactionCount, fees] = await Promise.all([
    client.request({ method: "eth_call", params: [reads.call, "latest"] }),
    client.request({ method: "eth_getCode", params: [address, "latest"] }),
    client.request({ method: "eth_getTransactionCount", params: [address, "latest"] }),
    suggestedFees(client)
  ])
  const { responses, blockNumber, timestamp } = reads.decode(returnData)
  const nextNonces = responses.slice(tokens.length + allowances.length).map(uintOrZero)
  return {
    ...fees,
    blockNumber,
    blockTimestamp: timestamp,
    hasCode: code !== "0x",
    delegate: delegateOf(code),
    transactionCount: BigInt(transactionCount),
    balances: new Map(
      tokens.map((token, index) => [tokenKey({ chainId, address: token }), uintOrZero(responses[index])])
    ),
    allowances: allowances.map((_, index) => uintOrZero(responses[tokens.length + index])),
    usedNonces: new Set(nonces?.of.filter((nonce, index) => nextNonces[index]! > nonce))
  }
}
