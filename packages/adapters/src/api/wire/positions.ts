import { NftTokenIdText } from "@countersign/core/trading/liquidity"
import { Schema } from "effect"
import { flag, hex, instantOrNull, link, number, text, textOrNull } from "./fields.ts"
import { providerFields } from "./pools.ts"
import { ChainBody } from "./resources.ts"
import { chainIdText } from "./scalars.ts"

export const PositionPath = {
  chainId: chainIdText("Id of the position's chain"),
  tokenId: NftTokenIdText.annotate({ description: "Token id of the position's NFT" }).pipe(
    Schema.decodeTo(Schema.BigIntFromString)
  )
}

const PositionTokenBody = Schema.Struct({
  name: text("Full name"),
  symbol: text("Symbol, such as USDC"),
  decimals: number("Decimals"),
  address: hex("Contract of the token"),
  logo: link("Logo of the token, served by this service"),
  amount: text("Amount that a withdrawal of all liquidity would return now, excluding fees, in token units"),
  unclaimedFees: text("Fees that `collect` would pay now, in token units"),
  earnedFees: textOrNull(
    "All fees since the position was created, including collected fees; null if no node returns the position's events"
  )
}).annotate({ identifier: "LiquidityPositionToken", description: "A token of a position" })

export const LiquidityPositionBody = Schema.Struct({
  provider: Schema.Struct(providerFields("The NFT in a block explorer")).annotate({
    description: "The provider of the position"
  }),
  chain: ChainBody,
  tokenId: text("Token id of the NFT"),
  nftAddress: hex("Contract of the NFT"),
  owner: hex("Owner of the NFT"),
  pool: Schema.Struct({
    id: text("Id of the pool, for GET /api/v1/liquidity/pools/{id}"),
    address: hex("Contract of the pool"),
    fee: number("Fee of a swap, in percent")
  }).annotate({ description: "The pool of the position" }),
  range: Schema.Struct({
    minPrice: text("Lower price, in token1 per token0"),
    maxPrice: text("Upper price, in token1 per token0"),
    tickLower: number("Tick of the lower price"),
    tickUpper: number("Tick of the upper price")
  }).annotate({ description: "The price range in which the position earns fees" }),
  inRange: flag("Whether the pool's price is in the range"),
  currentPrice: text("Current price of the pool, in token1 per token0"),
  currentTick: number("Tick of the current price"),
  liquidity: text("Liquidity of the position, in the pool's units"),
  tokens: Schema.Array(PositionTokenBody).annotate({ description: "token0 and token1 of the pool" }),
  valueUSD: textOrNull("Value of the liquidity in US dollars, excluding fees; null if a price is unknown"),
  unclaimedFeesUSD: textOrNull("Value of the unclaimed fees in US dollars"),
  earnedFeesUSD: textOrNull("Value of all fees since the position was created, at current prices, in US dollars"),
  createdAt: instantOrNull("When the position was created; null if no node returns the position's events"),
  apr: textOrNull("APR since the position was created, in percent: earned fees / value / age in years"),
  estimatedApr: textOrNull(
    "APR in percent, from the pool's fees of the last seven days and the position's share of the in-range liquidity; 0 if the position is out of range"
  ),
  blockNumber: number("Number of the block at which all figures were read")
}).annotate({ identifier: "LiquidityPosition", description: "A Uniswap V3 position" })

export const PositionResponse = Schema.Struct({ position: LiquidityPositionBody }).annotate({
  identifier: "LiquidityPositionResponse",
  description: "A position and its earnings"
})
