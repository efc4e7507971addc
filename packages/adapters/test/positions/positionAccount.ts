import type { Address } from "@countersign/core/foundation/primitives"
import type { Call } from "@countersign/core/operations/user-operations"
import { Effect } from "effect"
import {
  decodeFunctionResult,
  encodeFunctionData,
  type Hex,
  hexToBigInt,
  type Log,
  numberToHex,
  parseAbi,
  parseEventLogs
} from "viem"
import { SandboxChains, sandboxTokens } from "../../sandbox/index.ts"
import { accountContracts, deploymentOf } from "../../src/chains/deployments/index.ts"
import { addressFromHex, erc20Abi, RpcClients } from "../../src/chains/evm/index.ts"

/**
 * Provides an account on the sandbox's chain that executes the calls of an operation as a batch. This is faster than a
 * user operation.
 */

export const CHAIN = 1

const batchAbi = parseAbi([
  "struct Call { address target; uint256 value; bytes data; }",
  "function executeBatch(Call[] calls)"
])

export const managerEvents = parseAbi([
  "event IncreaseLiquidity(uint256 indexed tokenId, uint128 liquidity, uint256 amount0, uint256 amount1)",
  "event DecreaseLiquidity(uint256 indexed tokenId, uint128 liquidity, uint256 amount0, uint256 amount1)",
  "event Collect(uint256 indexed tokenId, address recipient, uint256 amount0, uint256 amount1)"
])

const ownerAbi = parseAbi(["function ownerOf(uint256 tokenId) view returns (address)"])

const batchOf = (calls: ReadonlyArray<Call>): Hex =>
  encodeFunctionData({
    abi: batchAbi,
    functionName: "executeBatch",
    args: [calls.map(({ data, to, value }) => ({ target: to, value, data }))]
  })

export interface TrialResult {
  readonly events: ReadonlyArray<ReturnType<typeof parseEventLogs<typeof managerEvents>>[number]>
  /** Balance changes, by `<holder> <token>`. */
  readonly changes: ReadonlyMap<string, bigint>
  /** The account's remaining allowances after the calls. */
  readonly allowances: ReadonlyArray<bigint>
}

export interface WatchedBalance {
  readonly holder: Address
  /** Null for the native token. */
  readonly token: Address | null
}

export const balanceKeyOf = ({ holder, token }: WatchedBalance): string => `${holder} ${token ?? "coin"}`

interface SimulatedCall {
  readonly status: Hex
  readonly returnData: Hex
  readonly logs: ReadonlyArray<Log>
  readonly error?: { readonly message: string }
}

const nativeTokenAbi = parseAbi(["function getEthBalance(address account) view returns (uint256)"])

/**
 * An account with balances of all tokens of the sandbox. It can simulate calls on the latest block, and execute them.
 */
export const positionAccount = Effect.gen(function* () {
  const { fund } = yield* SandboxChains
  const rpc = yield* RpcClients
  const { multicall3, uniswapV3 } = deploymentOf(CHAIN)
  const account = addressFromHex(`0x${"a11ce".padEnd(40, "7")}`)
  const request = <A>(method: string, ...params: ReadonlyArray<unknown>) =>
    Effect.promise(async () => (await rpc.request(CHAIN, method, params)) as A)
  const implementation = accountContracts.simple7702Account
  yield* request("anvil_setCode", account, `0xef0100${implementation.slice(2)}`)
  yield* request("anvil_setBalance", account, numberToHex(10n ** 27n))
  for (const { address, decimals } of sandboxTokens(CHAIN)) {
    yield* fund(CHAIN, account, address, 10n ** BigInt(decimals + 8)).pipe(Effect.orDie)
  }

  const balanceCall = ({ holder, token }: WatchedBalance) =>
    token === null
      ? { to: multicall3, data: encodeFunctionData({ abi: nativeTokenAbi, args: [holder] }) }
      : { to: token, data: encodeFunctionData({ abi: erc20Abi, functionName: "balanceOf", args: [holder] }) }

  /** Simulates the calls on the latest block, without a state change. */
  const simulate = Effect.fnUntraced(function* (
    calls: ReadonlyArray<Call>,
    watchedBalances: ReadonlyArray<WatchedBalance>
  ) {
    const spenders = [uniswapV3.swapRouter02, uniswapV3.nonfungiblePositionManager]
    const allowanceCalls = sandboxTokens(CHAIN).flatMap(({ address }) =>
      spenders.map((spender) => ({
        to: address,
        data: encodeFunctionData({ abi: erc20Abi, functionName: "allowance", args: [account, spender] })
      }))
    )
    const balanceCalls = watchedBalances.map(balanceCall)
    const batchCall = { from: account, to: account, data: batchOf(calls) }
    const response = yield* request<ReadonlyArray<{ readonly calls: ReadonlyArray<SimulatedCall> }>>(
      "eth_simulateV1",
      { blockStateCalls: [{ calls: [...balanceCalls, batchCall, ...balanceCalls, ...allowanceCalls] }] },
      "latest"
    )
    const results = response[0]!.calls
    const batchResult = results[watchedBalances.length]!
    if (batchResult.status !== "0x1") {
      return yield* Effect.die(new Error(`the calls revert: ${batchResult.error?.message} ${batchResult.returnData}`))
    }
    const returnedNumbers = results.map(({ returnData }) => (returnData === "0x" ? 0n : hexToBigInt(returnData)))
    const trialResult: TrialResult = {
      events: parseEventLogs({ abi: managerEvents, logs: [...batchResult.logs] }),
      changes: new Map(
        watchedBalances.map(
          (each, i) =>
            [balanceKeyOf(each), returnedNumbers[watchedBalances.length + 1 + i]! - returnedNumbers[i]!] as const
        )
      ),
      allowances: returnedNumbers.slice(2 * watchedBalances.length + 1)
    }
    return trialResult
  })

  /** Executes the calls in a transaction. */
  const execute = Effect.fnUntraced(function* (calls: ReadonlyArray<Call>) {
    yield* request("anvil_impersonateAccount", account)
    const receipt = yield* request<{ readonly status: string; readonly logs: ReadonlyArray<Log> }>(
      "eth_sendTransactionSync",
      { from: account, to: account, data: batchOf(calls), gas: "0x1000000" }
    )
    if (receipt.status !== "0x1") return yield* Effect.die(new Error("the calls revert"))
    return parseEventLogs({ abi: managerEvents, logs: [...receipt.logs] })
  })

  const ownerOf = (tokenId: bigint) =>
    Effect.map(
      request<Hex>(
        "eth_call",
        {
          to: uniswapV3.nonfungiblePositionManager,
          data: encodeFunctionData({ abi: ownerAbi, args: [tokenId] })
        },
        "latest"
      ),
      (data) => addressFromHex(decodeFunctionResult({ abi: ownerAbi, data }))
    )

  return { account, attempt: simulate, make: execute, ownerOf, request }
})
