import type { EvmChainId } from "@countersign/core/foundation/chains"
import { Address, isNativeCoin } from "@countersign/core/foundation/primitives"
import { Schema } from "effect"
import { type Hex, keccak256, stringToHex } from "viem"
import { deploymentOf } from "../../src/chains/deployments/index.ts"
import { executorData, makerCalls, poolCalls } from "./executorCalls.ts"
import { bestPoolPath, type EmulatorChain, type PoolPath } from "./poolPaths.ts"

/** What the emulators of aggregators share. */

export interface EmulatorAnswer {
  readonly status: number
  readonly body: unknown
}

/** A request as the API of an aggregator gets it. */
export interface EmulatorRequest {
  readonly method: string
  /** Without the query. */
  readonly path: string
  readonly query: URLSearchParams
  readonly body: string
}

export interface AggregatorEmulator {
  readonly chain: (chainId: EvmChainId) => EmulatorChain
  readonly nowSeconds: () => number
  /** By how many hundredths of a percent a market maker gives more than the pools. */
  readonly makerBps?: bigint
}

/** Answers as an aggregator does; null for a path that it has not. */
export type AnswerOrNull = (emulator: AggregatorEmulator, request: EmulatorRequest) => Promise<EmulatorAnswer | null>

export const EvmAddress = Schema.String.check(Schema.isPattern(/^0x[0-9a-fA-F]{40}$/u))
export const WholeNumber = Schema.String.check(Schema.isPattern(/^[1-9]\d{0,77}$/u))

export const addressOf = (text: string): Address => Address.make(text.toLowerCase())

/** Of JSON that must come back as it was given. */
export const checksumOf = (given: object): Hex => keccak256(stringToHex(JSON.stringify(given)))

/** The maker mints the tokens that it pays out; native tokens cannot be minted, wrapped or not. */
export const makerBpsOf = ({ makerBps = 0n }: AggregatorEmulator, chainId: EvmChainId, tokenOut: Address): bigint =>
  isNativeCoin(tokenOut) || tokenOut === deploymentOf(chainId).wrappedNative.address ? 0n : makerBps

const BPS = 10_000n

interface AskedSwap {
  readonly chainId: EvmChainId
  readonly tokenIn: Address
  readonly tokenOut: Address
  readonly amountIn: bigint
}

/** What the best way over the pools gives, with what a market maker adds; null where there is no way. */
export const routeOrNull = async (
  emulator: AggregatorEmulator,
  { amountIn, chainId, tokenIn, tokenOut }: AskedSwap
): Promise<PoolPath | null> => {
  const found = await bestPoolPath(emulator.chain(chainId), chainId, { tokenIn, tokenOut }, amountIn)
  if (found === null) return null
  return { ...found, amountOut: found.amountOut + (found.amountOut * makerBpsOf(emulator, chainId, tokenOut)) / BPS }
}

/** The data by which the executor makes such a route, and lets the receiver have what it gives. */
export const routeData = (
  emulator: AggregatorEmulator,
  { amountOut, path, ...asked }: AskedSwap & PoolPath,
  { deadline, recipient }: { readonly deadline: bigint; readonly recipient: Address }
): Hex => {
  const { chainId, tokenOut } = asked
  // What the maker adds is a share of what the pools gave when the route was found.
  const more = amountOut - (amountOut * BPS) / (BPS + makerBpsOf(emulator, chainId, tokenOut))
  return executorData(deadline, [
    ...poolCalls({ ...asked, path, recipient }),
    ...(more === 0n ? [] : makerCalls(tokenOut, more, recipient))
  ])
}
