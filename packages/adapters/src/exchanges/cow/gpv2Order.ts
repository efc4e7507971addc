import type { EvmChainId } from "@countersign/core/foundation/chains"
import { type Address, Hash32, type HexBytes } from "@countersign/core/foundation/primitives"
import type { SignData, TypedData } from "@countersign/core/foundation/signing"
import { concat, hashTypedData, numberToHex } from "viem"
import { cowContracts } from "../../chains/deployments/index.ts"
import { bytesFromHex } from "../../chains/evm/index.ts"

/** A sell order of GPv2 (`Order`) that uses only ERC-20 balances. Amounts are in base units. */
export interface SellOrder {
  readonly sellToken: Address
  readonly buyToken: Address
  readonly receiver: Address
  readonly sellAmount: bigint
  readonly buyAmount: bigint
  /** Last block timestamp, in Unix seconds, at which the order can be settled. */
  readonly validTo: number
  readonly appData: Hash32
  readonly partiallyFillable: boolean
}

const domainOf = (chainId: EvmChainId): TypedData["domain"] => ({
  name: "Gnosis Protocol",
  version: "v2",
  chainId,
  verifyingContract: cowContracts.settlement
})

const orderFields = [
  { name: "sellToken", type: "address" },
  { name: "buyToken", type: "address" },
  { name: "receiver", type: "address" },
  { name: "sellAmount", type: "uint256" },
  { name: "buyAmount", type: "uint256" },
  { name: "validTo", type: "uint32" },
  { name: "appData", type: "bytes32" },
  { name: "feeAmount", type: "uint256" },
  { name: "kind", type: "string" },
  { name: "partiallyFillable", type: "bool" },
  { name: "sellTokenBalance", type: "string" },
  { name: "buyTokenBalance", type: "string" }
] as const

/**
 * Builds the typed data that the owner signs. The signed fee is zero, because the limit price includes network costs.
 */
export const orderTypedData = (chainId: EvmChainId, order: SellOrder): TypedData => ({
  domain: domainOf(chainId),
  types: { Order: orderFields },
  primaryType: "Order",
  message: {
    sellToken: order.sellToken,
    buyToken: order.buyToken,
    receiver: order.receiver,
    sellAmount: String(order.sellAmount),
    buyAmount: String(order.buyAmount),
    validTo: order.validTo,
    appData: order.appData,
    feeAmount: "0",
    kind: "sell",
    partiallyFillable: order.partiallyFillable,
    sellTokenBalance: "erc20",
    buyTokenBalance: "erc20"
  }
})

/** Computes the EIP-712 digest. */
export const digestOf = ({ domain, message, primaryType, types }: TypedData): Hash32 =>
  Hash32.make(hashTypedData({ domain, message, primaryType, types } as Parameters<typeof hashTypedData>[0]))

/** Builds the 56 bytes that identify an order in the order book and the settlement: digest, owner, expiry. */
export const orderUid = (digest: Hash32, owner: Address, validTo: number): HexBytes =>
  bytesFromHex(concat([digest, owner, numberToHex(validTo, { size: 4 })]))

/** Builds the data that an owner signs to cancel an order in the order book. */
export const cancellationOf = (chainId: EvmChainId, uid: HexBytes): SignData => {
  const typedData: TypedData = {
    domain: domainOf(chainId),
    types: { OrderCancellations: [{ name: "orderUids", type: "bytes[]" }] },
    primaryType: "OrderCancellations",
    message: { orderUids: [uid] }
  }
  return { type: "LIMIT_ORDER", method: "eth_signTypedData_v4", hash: digestOf(typedData), typedData }
}

/**
 * Builds the data that a Safe's owner signs so that the Safe accepts a digest (ERC-1271): the 32 bytes of the digest as
 * a Safe message.
 */
export const safeMessageOf = (chainId: EvmChainId, safe: Address, digest: Hash32): SignData => {
  const typedData: TypedData = {
    domain: { chainId, verifyingContract: safe },
    types: { SafeMessage: [{ name: "message", type: "bytes" }] },
    primaryType: "SafeMessage",
    message: { message: digest }
  }
  return { type: "LIMIT_ORDER", method: "eth_signTypedData_v4", hash: digestOf(typedData), typedData }
}
