import type { EvmChainId } from "@countersign/core/foundation/chains"
import { Address, isNativeToken } from "@countersign/core/foundation/primitives"
import { Option, Schema } from "effect"
import { type Hex, keccak256, stringToHex } from "viem"
import { deploymentOf } from "../../src/chains/deployments/index.ts"
import { executorData, makerCalls, poolCalls } from "./executorCalls.ts"
import { bestPoolPath, type EmulatorChain, type PoolPath } from "./poolPaths.ts"

/** Shared code of the aggregator emulators. */

export interface EmulatorResponse {
  readonly status: number
  readonly body: unknown
}

/** A request to the API of an aggregator. */
export interface EmulatorRequest {
  readonly method: string
  /** The path, without the query. */
  readonly path: string
  readonly query: URLSearchParams
  readonly body: string
}

export interface AggregatorEmulator {
  readonly chain: (chainId: EvmChainId) => EmulatorChain
  readonly nowSeconds: () => number
  /** Premium of a simulated market maker over the output of the pools, in basis points. */
  readonly makerBps?: bigint
}

/** Emulates an aggregator's API. Returns null for a path that the API does not have. */
export type ResponseOrNull = (
  emulator: AggregatorEmulator,
  request: EmulatorRequest
) => Promise<EmulatorResponse | null>

export const EvmAddress = Schema.String.check(Schema.isPattern(/^0x[0-9a-fA-F]{40}$/u))
export const WholeNumber = Schema.String.check(Schema.isPattern(/^[1-9]\d{0,77}$/u))

export const jsonOrNull = (text: string): unknown => Option.getOrNull(Option.liftThrowable(JSON.parse)(text))

export const addressOf = (text: string): Address => Address.make(text.toLowerCase())

/** Computes a checksum of JSON that the client must send back unchanged. */
export const checksumOf = (value: object): Hex => keccak256(stringToHex(JSON.stringify(value)))

/**
 * Returns the maker's premium in basis points. It is zero for native and wrapped native tokens, because the maker mints
 * the tokens that it pays, and these cannot be minted.
 */
export const makerBpsOf = ({ makerBps = 0n }: AggregatorEmulator, chainId: EvmChainId, tokenOut: Address): bigint =>
  isNativeToken(tokenOut) || tokenOut === deploymentOf(chainId).wrappedNative.address ? 0n : makerBps

const BPS = 10_000n

interface PoolSwap {
  readonly chainId: EvmChainId
  readonly tokenIn: Address
  readonly tokenOut: Address
  readonly amountIn: bigint
}

/** Finds the best route through the pools, and adds the market maker's premium. Null if there is no route. */
export const routeOrNull = async (
  emulator: AggregatorEmulator,
  { amountIn, chainId, tokenIn, tokenOut }: PoolSwap
): Promise<PoolPath | null> => {
  const bestPath = await bestPoolPath(emulator.chain(chainId), chainId, { tokenIn, tokenOut }, amountIn)
  if (bestPath === null) return null
  return {
    ...bestPath,
    amountOut: bestPath.amountOut + (bestPath.amountOut * makerBpsOf(emulator, chainId, tokenOut)) / BPS
  }
}

/** Encodes executor calldata that swaps through the route and sends the output to the recipient. */
export const routeData = (
  emulator: AggregatorEmulator,
  { amountOut, path, ...poolSwap }: PoolSwap & PoolPath,
  { deadline, recipient }: { readonly deadline: bigint; readonly recipient: Address }
): Hex => {
  const { chainId, tokenOut } = poolSwap
  // The amount that the maker adds to the quoted output of the pools.
  const makerAmount = amountOut - (amountOut * BPS) / (BPS + makerBpsOf(emulator, chainId, tokenOut))
  return executorData(deadline, [
    ...poolCalls({ ...poolSwap, path, recipient }),
    ...(makerAmount === 0n ? [] : makerCalls(tokenOut, makerAmount, recipient))
  ])
}
