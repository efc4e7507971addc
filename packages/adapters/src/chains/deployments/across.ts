import { type ChainId, EvmChainId as EvmChainIdSchema, isEvmChainId } from "@countersign/core/foundation/chains"
import { Address } from "@countersign/core/foundation/primitives"
import { Schema } from "effect"
import acrossRows from "./across.json" with { type: "json" }

/** Tokens that Across transfers to the same token on another chain. */
export const bridgedAssets = ["USDC", "USDT", "DAI", "WETH"] as const
export type BridgedAsset = (typeof bridgedAssets)[number]

const token = Schema.optionalKey(Address)

const AcrossDeployment = Schema.Struct({
  chainId: EvmChainIdSchema,
  spokePool: Address,
  /** The contract that executes the calls of a fill. Anyone can take a balance that remains in it. */
  multicallHandler: Address,
  tokens: Schema.Struct({ USDC: token, USDT: token, DAI: token, WETH: token })
})
export type AcrossDeployment = typeof AcrossDeployment.Type

// Sources: @across-protocol/contracts 5.0.27, broadcast/deployed-addresses.json (SpokePools, MulticallHandlers),
// @across-protocol/constants 3.1.127 (tokens), across-protocol/frontend bdcf46ce9 (which of them have routes). Each
// quote queries the route, because Across enables and disables routes.
const rows = Schema.decodeUnknownSync(Schema.Array(AcrossDeployment))(acrossRows)

const rowByChain = new Map(rows.map((row) => [row.chainId, row]))

/** Null if Across has no SpokePool on the chain. */
export const acrossOrNull = (chainId: ChainId): AcrossDeployment | null =>
  isEvmChainId(chainId) ? (rowByChain.get(chainId) ?? null) : null
