import { Address } from "@countersign/core/foundation/primitives"
import { concatHex, encodeAbiParameters, type Hex, numberToHex, parseAbiParameters } from "viem"
import type { V4Key } from "../pools/index.ts"
import type { PartHop } from "./SwapPart.ts"

/** A command of the Universal Router, and its input. */
export interface Command {
  readonly code: Hex
  readonly input: Hex
}

/** The router's placeholder addresses and amount: its caller, itself, and its entire balance of a token. */
export const CALLER = Address.make("0x0000000000000000000000000000000000000001")
export const ROUTER = Address.make("0x0000000000000000000000000000000000000002")
export const WHOLE_BALANCE = 1n << 255n
/** Address of the native token in the Universal Router and Uniswap V4. */
export const NATIVE_TOKEN = Address.make("0x0000000000000000000000000000000000000000")

const FROM_THE_ROUTER = false
/** No minimum for a single swap, because the last command enforces the minimum on the sum. */
const NO_MINIMUM = 0n

/** Encodes tokens and fees alternately, as the routers of Uniswap V3 and its forks expect them. */
export const v3Path = (hops: ReadonlyArray<PartHop>): Hex =>
  concatHex([
    hops[0]!.tokenIn,
    ...hops.flatMap(({ key, tokenOut }) => [numberToHex(key._tag === "V3" ? key.feePips : 0, { size: 3 }), tokenOut])
  ])

export const tokensOf = (hops: ReadonlyArray<PartHop>): ReadonlyArray<Hex> => [
  hops[0]!.tokenIn,
  ...hops.map(({ tokenOut }) => tokenOut)
]

export const v3Swap = (hops: ReadonlyArray<PartHop>, amountIn: bigint, minAmountOut: bigint = NO_MINIMUM): Command => ({
  code: "0x00",
  input: encodeAbiParameters(parseAbiParameters("address, uint256, uint256, bytes, bool"), [
    ROUTER,
    amountIn,
    minAmountOut,
    v3Path(hops),
    FROM_THE_ROUTER
  ])
})

export const v2Swap = (hops: ReadonlyArray<PartHop>, amountIn: bigint): Command => ({
  code: "0x08",
  input: encodeAbiParameters(parseAbiParameters("address, uint256, uint256, address[], bool"), [
    ROUTER,
    amountIn,
    NO_MINIMUM,
    tokensOf(hops),
    FROM_THE_ROUTER
  ])
})

/** In Uniswap V4, zero means the open delta: the amount that was settled before, or that can be taken. */
const OPEN_DELTA = 0n

const v4SwapParams = (key: V4Key, zeroForOne: boolean): Hex =>
  encodeAbiParameters(
    parseAbiParameters("((address, address, uint24, int24, address), bool, uint128, uint128, bytes)"),
    [
      [
        [key.currency0, key.currency1, key.feePips, key.tickSpacing, NATIVE_TOKEN],
        zeroForOne,
        OPEN_DELTA,
        NO_MINIMUM,
        "0x"
      ]
    ]
  )

/** Actions of v4-periphery: SWAP_EXACT_IN_SINGLE, SETTLE, TAKE. */
const V4_SWAP = "06"
const V4_SETTLE = "0b"
const V4_TAKE = "0e"

const currencies = (key: V4Key, zeroForOne: boolean): readonly [given: Address, got: Address] =>
  zeroForOne ? [key.currency0, key.currency1] : [key.currency1, key.currency0]

export const v4Swap = (
  hops: ReadonlyArray<{ readonly key: V4Key; readonly zeroForOne: boolean }>,
  amountIn: bigint
): Command => {
  const [first, last] = [hops[0]!, hops.at(-1)!]
  const [inputCurrency] = currencies(first.key, first.zeroForOne)
  const [, outputCurrency] = currencies(last.key, last.zeroForOne)
  const settleParameters = encodeAbiParameters(parseAbiParameters("address, uint256, bool"), [
    inputCurrency,
    amountIn,
    FROM_THE_ROUTER
  ])
  const takeParameters = encodeAbiParameters(parseAbiParameters("address, address, uint256"), [
    outputCurrency,
    ROUTER,
    OPEN_DELTA
  ])
  const actions: Hex = `0x${V4_SETTLE}${V4_SWAP.repeat(hops.length)}${V4_TAKE}`
  const params = [settleParameters, ...hops.map(({ key, zeroForOne }) => v4SwapParams(key, zeroForOne)), takeParameters]
  return { code: "0x10", input: encodeAbiParameters(parseAbiParameters("bytes, bytes[]"), [actions, params]) }
}

const addressAndAmount = (address: Address, amount: bigint): Hex =>
  encodeAbiParameters(parseAbiParameters("address, uint256"), [address, amount])

/** Wraps an amount of the native token in the router. */
export const wrap = (amount: bigint): Command => ({ code: "0x0b", input: addressAndAmount(ROUTER, amount) })

/** Unwraps the router's entire balance. Reverts if it is below `minimum`. */
export const unwrapAll = (recipient: Address, minimum: bigint): Command => ({
  code: "0x0c",
  input: addressAndAmount(recipient, minimum)
})

/** Sends the router's entire balance of a token. Reverts if it is below `minimum`. */
export const sweep = (token: Address, recipient: Address, minimum: bigint): Command => ({
  code: "0x04",
  input: encodeAbiParameters(parseAbiParameters("address, address, uint256"), [token, recipient, minimum])
})

/** Sends a share of the router's balance in basis points, rounded down. */
export const payPortion = (token: Address, recipient: Address, bips: bigint): Command => ({
  code: "0x06",
  input: encodeAbiParameters(parseAbiParameters("address, address, uint256"), [token, recipient, bips])
})

/** Sends a fixed amount of the router's balance. */
export const payAmount = (token: Address, recipient: Address, amount: bigint): Command => ({
  code: "0x05",
  input: encodeAbiParameters(parseAbiParameters("address, address, uint256"), [token, recipient, amount])
})
