import { ExtraFee } from "@countersign/core/foundation/fees"
import { Schema } from "effect"
import { flag, hex, instant, number, text, textOrNull } from "./fields.ts"
import { GasEstimateBody, PreviewBody } from "./prepared.ts"
import { MetadataBody, preparedFields, TokenBody } from "./resources.ts"

const provider = Schema.Literal("LIQUIDITY_PROVIDER_V3").annotate({ description: "Where the position is: Uniswap V3" })

const RangeBody = Schema.Struct({
  minPrice: textOrNull("Price at the lower end, in whole tokens of `token1` for one whole `token0`"),
  maxPrice: textOrNull("Price at the upper end")
}).annotate({ description: "The range of the position, to its ticks: the asked range lies inside" })

const AmountsBody = Schema.Struct({
  amount0: text("In whole tokens of `token0`"),
  amount1: text("In whole tokens of `token1`")
})

/** The amounts of the position, and its range. */
const placementFields = {
  token0: hex("Token whose price is given, in the order of the request; for an existing position the pool's token0"),
  token1: hex("Token that the price is given in"),
  amount0: text("What the pool takes, in whole tokens of `token0`"),
  amount1: text("What the pool takes, in whole tokens of `token1`"),
  liquidity: text("Liquidity that is added, as the pool counts it"),
  leftovers: AmountsBody.annotate({
    description: "What the swaps leave unused, by rounding. It goes back to the wallet in the same operation"
  }),
  tickLower: number("Lower tick of the position, in the pool's own order of its tokens"),
  tickUpper: number("Upper tick of the position"),
  range: RangeBody,
  pool: hex("Address of the pool"),
  poolFeePercent: text("Its fee tier in percent"),
  priceImpactPercent: text("Price impact in percent, without fees: the largest among the swaps of the operation")
}

const operationTypes = {
  CREATE: "LIQUIDITY_CREATE",
  ADD: "LIQUIDITY_ADD",
  WITHDRAW: "LIQUIDITY_WITHDRAW",
  REBALANCE: "LIQUIDITY_REBALANCE"
} as const

const kind = <Type extends string>(type: Type) =>
  Schema.Literal(type).annotate({ description: "Kind of the quote, and of the transaction that it becomes" })

const depositFields = {
  ...preparedFields,
  metadata: MetadataBody,
  tokenIn: TokenBody,
  amountIn: text("Amount that is put in, in whole tokens of `tokenIn`, as asked for"),
  tokenInAmountForToken0: text("What of it becomes `token0`, in whole tokens of `tokenIn`, after fees"),
  tokenInAmountForToken1: text("What of it becomes `token1`"),
  walletAddress: text("Wallet that provides the liquidity"),
  toAddress: text("Address that owns the position"),
  expiresAt: instant("When the quote expires"),
  amounts: text("`amount0` and `amount1`, with a comma between them"),
  estimatedGasFees: GasEstimateBody,
  chain: number("Id of the chain"),
  liquidityProvider: provider,
  nftAddress: hex("Contract of the position's NFT"),
  tokenId: textOrNull("Number of the position's NFT; null for a new one, whose number its transaction tells"),
  estimatedApr: textOrNull(
    "Yearly return in percent, by the fees of the last seven days; null where they are not known"
  ),
  poolCreated: flag("Whether the operation makes the pool, because there is none with this fee"),
  slippage: number("Percent by which prices may move before it is executed"),
  ...placementFields,
  preview: PreviewBody
}

export const LiquidityOperationBody = Schema.Struct({
  type: kind(operationTypes.CREATE),
  ...depositFields
}).annotate({ identifier: "LiquidityCreation", description: "A prepared new position" })

export const LiquidityAdditionBody = Schema.Struct({
  type: kind(operationTypes.ADD),
  ...depositFields
}).annotate({ identifier: "LiquidityAddition", description: "A prepared addition to a position" })

const echoFields = {
  ...preparedFields,
  liquidityProvider: provider,
  walletAddress: text("Wallet that owns the position"),
  chainId: number("Id of the chain"),
  tokenId: text("Number of the position's NFT"),
  transactionFeePercent: number("Percent that goes to the project's treasury"),
  slippage: number("Percent by which prices may move before it is executed"),
  extraFee: Schema.NullOr(ExtraFee).annotate({
    description: "The extra fee of the request, which goes to an address of its choice; null for none"
  }),
  metadata: MetadataBody,
  nftAddress: hex("Contract of the position's NFT"),
  expiresAt: instant("When the quote expires"),
  payGasFeeToken: hex("Token that pays for gas"),
  estimatedGasFees: GasEstimateBody,
  preview: PreviewBody
}

export const LiquidityWithdrawalBody = Schema.Struct({
  type: kind(operationTypes.WITHDRAW),
  ...echoFields,
  toAddress: text("Address that receives `tokenOut`"),
  tokenOut: hex("Token that is received"),
  percentage: number("Percent of the liquidity that is taken out"),
  amountOut: text("What `toAddress` gets at the quoted block, in whole tokens of `tokenOut`, after all fees"),
  minAmountOut: text("Least that it gets: with less the operation reverts"),
  token0: hex("The pool's token0"),
  token1: hex("The pool's token1"),
  removed: AmountsBody.annotate({ description: "What the pool gives for the liquidity" }),
  collected: AmountsBody.annotate({
    description: "The same with the fees that the position has earned: all that is swapped"
  }),
  liquidity: text("Liquidity that is taken out, as the pool counts it"),
  burned: flag("Whether the NFT is burned, because nothing is left in it"),
  priceImpactPercent: placementFields.priceImpactPercent
}).annotate({ identifier: "LiquidityWithdrawal", description: "A prepared withdrawal from a position" })

export const LiquidityRebalanceBody = Schema.Struct({
  type: kind(operationTypes.REBALANCE),
  ...echoFields,
  toAddress: text("Address that receives the NFT of the new position"),
  newPosition: Schema.Struct({
    minPrice: number("Lower end of the asked range"),
    maxPrice: number("Upper end of the asked range")
  }).annotate({ description: "The range that was asked for" }),
  amountOut: Schema.Null.annotate({ description: "Nothing comes out of a rebalance" }),
  minAmountOut: Schema.Null.annotate({ description: "Nothing comes out of a rebalance" }),
  removed: AmountsBody.annotate({ description: "What the old position gives for its liquidity" }),
  collected: AmountsBody.annotate({ description: "The same with the fees that it has earned" }),
  amounts: text("`amount0` and `amount1`, with a comma between them"),
  ...placementFields
}).annotate({ identifier: "LiquidityRebalance", description: "A prepared move of a position to another range" })

const answer = <S extends Schema.Top>(operation: S, identifier: string, description: string) =>
  Schema.Struct({ operation }).annotate({ identifier, description })

export const LiquidityCreateResponse = answer(
  LiquidityOperationBody,
  "LiquidityCreateQuote",
  "The prepared new position"
)
export const LiquidityAddResponse = answer(LiquidityAdditionBody, "LiquidityAddQuote", "The prepared addition")
export const LiquidityWithdrawResponse = answer(
  LiquidityWithdrawalBody,
  "LiquidityWithdrawQuote",
  "The prepared withdrawal"
)
export const LiquidityRebalanceResponse = answer(
  LiquidityRebalanceBody,
  "LiquidityRebalanceQuote",
  "The prepared rebalance"
)
