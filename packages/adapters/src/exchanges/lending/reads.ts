import type { EvmChainId } from "@countersign/core/foundation/chains"
import type { Address } from "@countersign/core/foundation/primitives"
import { decodeFunctionResult, type Hex, type PublicClient } from "viem"
import { encoderOf, erc20Abi, type ReadCall } from "../../chains/evm/index.ts"
import { HostFailure } from "../../outbound/json-api/index.ts"
import { type CallResult, multicall } from "../pools/index.ts"

const erc20Data = encoderOf(erc20Abi)

/** A contract read and the decoder of its result. The decoded result is null if the read failed. */
export interface ContractRead<A> extends ReadCall {
  readonly decode: (result: CallResult) => A | null
}

export const decodedOrNull =
  <A>(decode: (data: Hex) => A) =>
  (result: CallResult): A | null => {
    if (result === null) return null
    try {
      return decode(result)
    } catch {
      // The result does not have the format of the ABI.
      return null
    }
  }

type Reads = Readonly<Record<string, ContractRead<unknown>>>
type ReadResults<R extends Reads> = { readonly [K in keyof R]: ReturnType<R[K]["decode"]> }

/** Decodes the results, by the names of the reads. */
export const decodeResults = <R extends Reads>(reads: R, results: ReadonlyArray<CallResult>): ReadResults<R> =>
  Object.fromEntries(
    Object.entries(reads).map(([name, read], i) => [name, read.decode(results[i] ?? null)])
  ) as ReadResults<R>

/** Makes named reads at the latest block. Also returns the block timestamp in Unix seconds. */
export const readByName = async <R extends Reads>(client: PublicClient, chainId: EvmChainId, reads: R) => {
  const { results, timestamp } = await multicall(client, chainId, Object.values(reads), null)
  return { decodedResults: decodeResults(reads, results), timestamp }
}

/** Makes reads with the same result type, and returns the results in order. */
export const readEach = async <A>(client: PublicClient, chainId: EvmChainId, reads: ReadonlyArray<ContractRead<A>>) => {
  const { results, timestamp } = await multicall(client, chainId, reads, null)
  return { decodedResults: reads.map((read, i) => read.decode(results[i] ?? null)), timestamp }
}

/** Returns the result of a read. Throws if it failed, because the contract must exist. */
export const requireResult = <A>(response: A | null, what: string): A => {
  if (response === null) throw new HostFailure(`it does not return ${what}`)
  return response
}

export const balanceRead = (token: Address, account: Address): ContractRead<bigint> => ({
  target: token,
  callData: erc20Data("balanceOf", [account]),
  decode: decodedOrNull((data) => decodeFunctionResult({ abi: erc20Abi, functionName: "balanceOf", data }))
})

export const allowanceRead = (token: Address, account: Address, spender: Address): ContractRead<bigint> => ({
  target: token,
  callData: erc20Data("allowance", [account, spender]),
  decode: decodedOrNull((data) => decodeFunctionResult({ abi: erc20Abi, functionName: "allowance", data }))
})

const TOTAL_SUPPLY: Hex = "0x18160ddd"

export const totalSupplyRead = (token: Address): ContractRead<bigint> => ({
  target: token,
  callData: TOTAL_SUPPLY,
  decode: decodedOrNull((data) => BigInt(data.slice(0, 66)))
})
