import { type ChainId, EvmChainId as EvmChainIdSchema, isEvmChainId } from "@countersign/core/foundation/chains"
import { Address } from "@countersign/core/foundation/primitives"
import { Schema } from "effect"
import acrossRows from "./across.json" with { type: "json" }

/** Assets for which Across transfers a token to the same token on another chain. */
export const bridgedAssets = ["USDC", "USDT", "DAI", "WETH"] as const
export type BridgedAsset = (typeof bridgedAssets)[number]

const token = Schema.optionalKey(Address)

const AcrossDeployment = Schema.Struct({
  chainId: EvmChainIdSchema,
  spokePool: Address,
  /** Contract that executes the calls of a fill. Anyone can take a balance that remains in it. */
  multicallHandler: Address,
  tokens: Schema.Struct({ USDC: token, USDT: token, DAI: token, WETH: token })
})
export type AcrossDeployment = typeof AcrossDeployment.Type

// Sources: @across-protocol/contracts 5.0.27, broadcast/deployed-addresses.json (SpokePools, MulticallHandlers),
// @across-protocol/constants 3.1.127 (tokens), across-protocol/frontend bdcf46ce9 (routes). Across enables and disables
// routes, so each quote queries its route.
const rows = Schema.decodeUnknownSync(Schema.Array(AcrossDeployment))(acrossRows)

const rowByChain = new Map(rows.map((row) => [row.chainId, row]))

/** Returns Across's deployment on a chain; null if it has no SpokePool there. */
export const acrossOrNull = (chainId: ChainId): AcrossDeployment | null =>
  isEvmChainId(chainId) ? (rowByChain.get(chainId) ?? null) : null
