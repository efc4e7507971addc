import { keccak256, toHex } from "viem"
import { positionOf, swapOf, USDC, WETH } from "../support/accounts.ts"
import type { SeededRandom } from "./SeededRandom.ts"

export type OperationType = "SWAP" | "CROSS_SWAP" | "TRANSFER" | "BATCH" | "LENDING_SUPPLY" | "LIQUIDITY_CREATE"

/** A quote request, and the payments that its execution must make. */
export interface Operation {
  readonly type: OperationType
  readonly path: string
  readonly body: object
  /** Base units of USDC by recipient. Each recipient belongs to only one operation. */
  readonly payments: ReadonlyMap<string, bigint>
  /** Address on the other chain that receives only from this operation; absent for a same-chain operation. */
  readonly receiver?: string
}

/** Which operations a run executes. MIXED contains all operations except transfers to another chain. */
export type OperationMix = "MIXED" | "WITH_CROSSING" | "CROSSING"

const TYPES = ["SWAP", "TRANSFER", "BATCH", "LENDING_SUPPLY", "LIQUIDITY_CREATE"] as const

const typesByMix: Readonly<Record<OperationMix, readonly [OperationType, ...ReadonlyArray<OperationType>]>> = {
  MIXED: TYPES,
  WITH_CROSSING: [...TYPES, "CROSS_SWAP"],
  CROSSING: ["CROSS_SWAP"]
}

/** The other chain, and the token that arrives there. */
export const OTHER_CHAIN = 8453
export const USDC_ON_BASE = "0x833589fcd6edb6e08f4c7c32d4f71b54bda02913"

const gasFields = { gasFeePaymentMethod: "ADD_TO_AMOUNT", payGasFeeToken: USDC }

const pickAmount = (random: SeededRandom) => 1 + random.below(20)

const unitsOf = (amount: number) => BigInt(amount) * 1_000_000n

const transferOf = (amount: number, toAddress: string) => ({
  amount: String(amount),
  token: USDC,
  toAddress,
  ...gasFields
})

const supplyOf = (amount: number, walletAddress: string) => ({
  walletAddress,
  provider: "LENDING_PROVIDER_A",
  supply: { chainId: 1, tokenAddress: USDC, amount: String(amount) },
  gas: { tokenAddress: USDC, paymentMethod: "ADD_TO_AMOUNT" }
})

/** Returns a random operation of the mix. All types have equal probability. */
export const randomOperation = (random: SeededRandom, address: string, name: string, mix: OperationMix): Operation => {
  const type = random.pick(typesByMix[mix])
  const amount = pickAmount(random)
  const recipientOf = (nth: number) => keccak256(toHex(`${name} ${nth}`)).slice(0, 42)
  if (type === "SWAP") {
    const body = swapOf({ address }, { amountIn: String(amount), slippage: 50 })
    return { type, path: "/api/v1/crypto/swap", body, payments: new Map() }
  }
  if (type === "CROSS_SWAP") {
    const [receiver, otherChainFields] = [recipientOf(0), { chainIdOut: OTHER_CHAIN, tokenOut: USDC_ON_BASE }]
    const body = swapOf({ address }, { ...otherChainFields, amountIn: String(amount), toAddress: receiver })
    return { type, path: "/api/v1/crypto/swap", body, payments: new Map(), receiver }
  }
  if (type === "TRANSFER") {
    const body = { walletAddress: address, chainId: 1, ...transferOf(amount, recipientOf(0)) }
    return { type, path: "/api/v1/crypto/transfer", body, payments: new Map([[recipientOf(0), unitsOf(amount)]]) }
  }
  if (type === "LENDING_SUPPLY") {
    return { type, path: "/api/v1/lending/quote", body: supplyOf(amount, address), payments: new Map() }
  }
  if (type === "LIQUIDITY_CREATE") {
    return {
      type,
      path: "/api/v1/liquidity",
      body: positionOf({ address }, { amountIn: String(amount), slippage: 50 }),
      payments: new Map()
    }
  }
  const amounts = Array.from({ length: 1 + random.below(3) }, () => pickAmount(random))
  const transfers = amounts.map((each, i) => ({ type: "transfer", params: transferOf(each, recipientOf(i)) }))
  const swap = {
    type: "swap",
    params: { amountIn: String(amount), tokenIn: USDC, tokenOut: WETH, toAddress: address, slippage: 50, ...gasFields }
  }
  return {
    type,
    path: "/api/v1/crypto/batch-operations",
    body: { walletAddress: address, chainId: 1, operations: [swap, ...transfers] },
    payments: new Map(amounts.map((each, i) => [recipientOf(i), unitsOf(each)]))
  }
}

/** Returns the quote to sign from the response to an operation of any type. */
export const quoteOf = (type: OperationType, response: ResponseBody): SignableQuote => {
  if (type === "SWAP" || type === "CROSS_SWAP") return response.quotes[0]
  if (type === "TRANSFER") return response.transfer
  return type === "LIQUIDITY_CREATE" ? response.operation : response
}

export interface SignableQuote {
  readonly userOperationHash: string
  /** Decimal token amount, such as "1.5". Only for a swap. */
  readonly minAmountOut?: string
  // biome-ignore lint/suspicious/noExplicitAny: read as a client without generated types does.
  readonly signData: any
}

// biome-ignore lint/suspicious/noExplicitAny: read as a client without generated types does.
type ResponseBody = any
