import type { EvmChainId } from "@countersign/core/foundation/chains"
import { Address } from "@countersign/core/foundation/primitives"

/**
 * CoW Protocol's contracts, which have the same addresses on every supported chain (cowprotocol/contracts,
 * networks.json; deployments in npm's @cowprotocol/contracts 1.8.0).
 */
export const cowContracts = {
  settlement: Address.make("0x9008d19f58aabd9ed0d60971565aa8510560ab41"),
  vaultRelayer: Address.make("0xc92e8bdf79f0507f65a392b0ab4667716bfe0110"),
  authenticator: Address.make("0x2c4c28ddbdac9c5e7055b4c863b72ea0149d8afe")
} as const

/**
 * Path of each chain's order book in the API (cowprotocol/services, crates/orderbook/openapi.yml). OP Mainnet has the
 * contracts but no order book. X Layer has neither.
 */
export const orderBookPaths: Readonly<Partial<Record<EvmChainId, string>>> = {
  1: "mainnet",
  56: "bnb",
  100: "xdai",
  137: "polygon",
  8453: "base",
  42161: "arbitrum_one",
  43114: "avalanche"
}
