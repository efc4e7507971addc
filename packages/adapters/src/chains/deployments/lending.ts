import { type EvmChainId, EvmChainId as EvmChainIdSchema } from "@countersign/core/foundation/chains"
import { Address, Hash32 } from "@countersign/core/foundation/primitives"
import { Schema } from "effect"
import lendingRows from "./lending.json" with { type: "json" }

/** Aave V3's main market of a chain. */
const AaveV3Deployment = Schema.Struct({ poolAddressesProvider: Address, pool: Address, oracle: Address })
export type AaveV3Deployment = typeof AaveV3Deployment.Type

/** Parameters of a Morpho Blue market. The market id is the keccak256 hash of these five words. */
const MorphoMarketParams = Schema.Struct({
  loanToken: Address,
  collateralToken: Address,
  oracle: Address,
  irm: Address,
  /** Loan-to-value ratio above which a position can be liquidated, scaled by 10^18. */
  lltv: Schema.BigIntFromString
})
export type MorphoMarketParams = typeof MorphoMarketParams.Type

const MorphoBlueDeployment = Schema.Struct({
  morpho: Address,
  adaptiveCurveIrm: Address,
  /** The markets that the service offers. Anyone can create other markets, with any token and any oracle. */
  markets: Schema.Array(
    Schema.Struct({
      id: Hash32,
      /** Null if only the id is published. The service then reads the parameters from the contract. */
      params: Schema.NullOr(MorphoMarketParams)
    })
  )
})
export type MorphoBlueDeployment = typeof MorphoBlueDeployment.Type

const LendingDeployment = Schema.Struct({
  chainId: EvmChainIdSchema,
  aaveV3: AaveV3Deployment,
  /** Null if Morpho Blue is not deployed on the chain. */
  morphoBlue: Schema.NullOr(MorphoBlueDeployment)
})
export type LendingDeployment = typeof LendingDeployment.Type

// Sources: @aave-dao/aave-address-book 4.68.1 and @bgd-labs/aave-address-book 4.44.22 (Aave), @morpho-org/blue-sdk
// 6.4.0 and DefiLlama-Adapters (Morpho's contracts), defisaver-positions-sdk b9742d3 and karpatkey/defi-kit 45d4929
// (Morpho's markets; their ids were recomputed from the parameters).
const rows = Schema.decodeUnknownSync(Schema.Array(LendingDeployment))(lendingRows)

const rowByChain = new Map(rows.map((row) => [row.chainId, row]))

export const lendingOf = (chainId: EvmChainId): LendingDeployment => rowByChain.get(chainId)!
