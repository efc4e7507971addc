import { ExtraFee } from "@countersign/core/foundation/fees"
import { Schema } from "effect"
import { flag, hex, instant, number, text, textOrNull } from "./fields.ts"
import { GasEstimateBody, PreviewBody } from "./preparedBody.ts"
import { MetadataBody, preparedFields, TokenBody } from "./resources.ts"

const provider = Schema.Literal("LIQUIDITY_PROVIDER_V3").annotate({
  description: "The exchange of the position: Uniswap V3"
})

const RangeBody = Schema.Struct({
  minPrice: textOrNull("Lower price of the range, in `token1` per `token0`"),
  maxPrice: textOrNull("Upper price of the range, in `token1` per `token0`")
}).annotate({
  description: "The range of the position, rounded outward to ticks, so that it contains the requested range"
})

const AmountsBody = Schema.Struct({
  amount0: text("Amount of `token0`, in token units"),
  amount1: text("Amount of `token1`, in token units")
})

/** The fields for the amounts and the range of a position. */
const placementFields = {
  token0: hex(
    "Base token of the prices. The tokens are in the order of the request; for an existing position, in the order of the pool"
  ),
  token1: hex("Quote token of the prices"),
  amount0: text("Amount of `token0` that the pool takes, in token units"),
  amount1: text("Amount of `token1` that the pool takes, in token units"),
  liquidity: text("Added liquidity, in the pool's units"),
  leftovers: AmountsBody.annotate({
    description: "Amounts left over after the swaps because of rounding. The same operation returns them to the wallet"
  }),
  tickLower: number("Lower tick of the position, for the pool's own token order"),
  tickUpper: number("Upper tick of the position, for the pool's own token order"),
  range: RangeBody,
  pool: hex("Address of the pool"),
  poolFeePercent: text("Fee tier of the pool in percent"),
  priceImpactPercent: text("Largest price impact among the swaps of the operation, in percent, excluding fees")
}

const operationTypes = {
  CREATE: "LIQUIDITY_CREATE",
  ADD: "LIQUIDITY_ADD",
  WITHDRAW: "LIQUIDITY_WITHDRAW",
  REBALANCE: "LIQUIDITY_REBALANCE"
} as const

const typeField = <Type extends string>(type: Type) =>
  Schema.Literal(type).annotate({ description: "Type of the quote and of its transaction" })

const depositFields = {
  ...preparedFields,
  metadata: MetadataBody,
  tokenIn: TokenBody,
  amountIn: text("Requested amount to deposit, in units of `tokenIn`"),
  tokenInAmountForToken0: text("Amount of `tokenIn` that becomes `token0`, in token units, after fees"),
  tokenInAmountForToken1: text("Amount of `tokenIn` that becomes `token1`, in token units, after fees"),
  walletAddress: text("Wallet that provides the liquidity"),
  toAddress: text("Address that owns the position"),
  expiresAt: instant("When the quote expires"),
  amounts: text("`amount0` and `amount1`, separated by a comma"),
  estimatedGasFees: GasEstimateBody,
  chain: number("Id of the chain"),
  liquidityProvider: provider,
  nftAddress: hex("Contract of the position's NFT"),
  tokenId: textOrNull(
    "Token id of the position's NFT; null for a new position, because the transaction assigns the id"
  ),
  estimatedApr: textOrNull("APR in percent, from the fees of the last seven days; null if these fees are unknown"),
  poolCreated: flag("Whether the operation creates or initializes the pool"),
  slippage: number("Slippage tolerance: percentage by which prices may change before the execution"),
  ...placementFields,
  preview: PreviewBody
}

export const LiquidityOperationBody = Schema.Struct({
  type: typeField(operationTypes.CREATE),
  ...depositFields
}).annotate({ identifier: "LiquidityCreation", description: "A prepared operation that creates a position" })

export const LiquidityAdditionBody = Schema.Struct({
  type: typeField(operationTypes.ADD),
  ...depositFields
}).annotate({ identifier: "LiquidityAddition", description: "A prepared addition to a position" })

const echoFields = {
  ...preparedFields,
  liquidityProvider: provider,
  walletAddress: text("Wallet that owns the position"),
  chainId: number("Id of the chain"),
  tokenId: text("Token id of the position's NFT"),
  transactionFeePercent: number("Percentage that the project's treasury receives"),
  slippage: number("Slippage tolerance: percentage by which prices may change before the execution"),
  extraFee: Schema.NullOr(ExtraFee).annotate({
    description: "The extra fee of the request; null if there is none"
  }),
  metadata: MetadataBody,
  nftAddress: hex("Contract of the position's NFT"),
  expiresAt: instant("When the quote expires"),
  payGasFeeToken: hex("Token that pays for gas"),
  estimatedGasFees: GasEstimateBody,
  preview: PreviewBody
}

export const LiquidityWithdrawalBody = Schema.Struct({
  type: typeField(operationTypes.WITHDRAW),
  ...echoFields,
  toAddress: text("Address that receives `tokenOut`"),
  tokenOut: hex("Token that is received"),
  percentage: number("Percentage of the liquidity that is withdrawn"),
  amountOut: text("Amount of `tokenOut` that `toAddress` gets at the quoted block, in token units, after all fees"),
  minAmountOut: text("Minimum amount that `toAddress` gets. The operation reverts if it would get less"),
  token0: hex("The pool's token0"),
  token1: hex("The pool's token1"),
  removed: AmountsBody.annotate({ description: "Amounts that the pool returns for the liquidity" }),
  collected: AmountsBody.annotate({
    description: "Amounts that the withdrawal collects and swaps: `removed` plus the fees that the position has earned"
  }),
  liquidity: text("Withdrawn liquidity, in the pool's units"),
  burned: flag("Whether the NFT is burned, because the position is empty"),
  priceImpactPercent: placementFields.priceImpactPercent
}).annotate({ identifier: "LiquidityWithdrawal", description: "A prepared withdrawal from a position" })

export const LiquidityRebalanceBody = Schema.Struct({
  type: typeField(operationTypes.REBALANCE),
  ...echoFields,
  toAddress: text("Address that receives the NFT of the new position"),
  newPosition: Schema.Struct({
    minPrice: number("Lower end of the requested range"),
    maxPrice: number("Upper end of the requested range")
  }).annotate({ description: "The requested range" }),
  amountOut: Schema.Null.annotate({ description: "Null: a rebalance has no output token" }),
  minAmountOut: Schema.Null.annotate({ description: "Null: a rebalance has no output token" }),
  removed: AmountsBody.annotate({ description: "Amounts that the old position returns for its liquidity" }),
  collected: AmountsBody.annotate({ description: "`removed` plus the unclaimed fees of the old position" }),
  amounts: text("`amount0` and `amount1`, separated by a comma"),
  ...placementFields
}).annotate({
  identifier: "LiquidityRebalance",
  description: "A prepared rebalance, which moves a position to another range"
})

const operationResponse = <S extends Schema.Top>(operation: S, identifier: string, description: string) =>
  Schema.Struct({ operation }).annotate({ identifier, description })

export const LiquidityCreateResponse = operationResponse(
  LiquidityOperationBody,
  "LiquidityCreateQuote",
  "The prepared operation that creates the position"
)
export const LiquidityAddResponse = operationResponse(
  LiquidityAdditionBody,
  "LiquidityAddQuote",
  "The prepared addition"
)
export const LiquidityWithdrawResponse = operationResponse(
  LiquidityWithdrawalBody,
  "LiquidityWithdrawQuote",
  "The prepared withdrawal"
)
export const LiquidityRebalanceResponse = operationResponse(
  LiquidityRebalanceBody,
  "LiquidityRebalanceQuote",
  "The prepared rebalance"
)
