import { type ChainId, EvmChainId as EvmChainIdSchema, isEvmChainId } from "@countersign/core/foundation/chains"
import { Address } from "@countersign/core/foundation/primitives"
import { Schema } from "effect"
import acrossRows from "./across.json" with { type: "json" }

/** Tokens that Across takes on one chain and gives as themselves on another. */
export const bridgedAssets = ["USDC", "USDT", "DAI", "WETH"] as const
export type BridgedAsset = (typeof bridgedAssets)[number]

const token = Schema.optionalKey(Address)

const AcrossDeployment = Schema.Struct({
  chainId: EvmChainIdSchema,
  spokePool: Address,
  /** Makes the calls that a fill brings along. Whatever stays in it anybody may take. */
  multicallHandler: Address,
  tokens: Schema.Struct({ USDC: token, USDT: token, DAI: token, WETH: token })
})
export type AcrossDeployment = typeof AcrossDeployment.Type

// Sources: @across-protocol/contracts 5.0.27, broadcast/deployed-addresses.json (SpokePools, MulticallHandlers), @across-protocol/constants
// 3.1.127 (tokens), across-protocol/frontend bdcf46ce9 (which of them have routes). Each pair of chains is asked about when
// it is quoted: Across turns routes on and off.
const rows = Schema.decodeUnknownSync(Schema.Array(AcrossDeployment))(acrossRows)

const rowByChain = new Map(rows.map((row) => [row.chainId, row]))

/** Null where Across has no SpokePool. */
export const acrossOrNull = (chainId: ChainId): AcrossDeployment | null =>
  isEvmChainId(chainId) ? (rowByChain.get(chainId) ?? null) : null
