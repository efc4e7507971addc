import { NftNumberText } from "@countersign/core/trading/liquidity"
import { Schema } from "effect"
import { flag, hex, instantOrNull, link, number, text, textOrNull } from "./fields.ts"
import { providerFields } from "./pools.ts"
import { ChainBody } from "./resources.ts"
import { chainIdText } from "./scalars.ts"

export const PositionPath = {
  chainId: chainIdText("Chain of the position"),
  tokenId: NftNumberText.annotate({ description: "Number of the position's NFT" }).pipe(
    Schema.decodeTo(Schema.BigIntFromString)
  )
}

const PositionTokenBody = Schema.Struct({
  name: text("Full name"),
  symbol: text("Short name, such as USDC"),
  decimals: number("Digits after the point"),
  address: hex("Its contract"),
  logo: link("Its logo, served by this service"),
  amount: text("What the liquidity would give of it now, in whole tokens, without fees"),
  unclaimedFees: text("What collecting would pay of it now"),
  earnedFees: textOrNull("Fees since the position was made, collected ones included; null where the nodes don't say")
}).annotate({ identifier: "LiquidityPositionToken", description: "A token of a position" })

export const LiquidityPositionBody = Schema.Struct({
  provider: Schema.Struct(providerFields("The NFT in a block explorer")).annotate({
    description: "Whose position it is"
  }),
  chain: ChainBody,
  tokenId: text("Number of the NFT"),
  nftAddress: hex("Contract of the NFT"),
  owner: hex("Who owns the NFT"),
  pool: Schema.Struct({
    id: text("Id of the pool, for GET /api/v1/liquidity/pools/{id}"),
    address: hex("Its contract"),
    fee: number("What a swap pays, in percent")
  }).annotate({ description: "The pool that the position is in" }),
  range: Schema.Struct({
    minPrice: text("Whole token1 for one whole token0 at its lower end"),
    maxPrice: text("The same at its upper end"),
    tickLower: number("Tick of the lower end"),
    tickUpper: number("Tick of the upper end")
  }).annotate({ description: "The prices between which it earns" }),
  inRange: flag("Whether it earns at the pool's price"),
  currentPrice: text("Whole token1 for one whole token0 in the pool, at this moment"),
  currentTick: number("Tick of that price"),
  liquidity: text("Its liquidity, as the pool counts it"),
  tokens: Schema.Array(PositionTokenBody).annotate({ description: "token0 and token1 of the pool" }),
  valueUSD: textOrNull("What the liquidity is worth in US dollars, without fees; null where a price is not known"),
  unclaimedFeesUSD: textOrNull("What the unclaimed fees are worth"),
  earnedFeesUSD: textOrNull("What all fees since it was made are worth at the prices of now"),
  createdAt: instantOrNull("When it was made; null where the nodes don't say"),
  apr: textOrNull("Percent a year that it has earned so far: earned fees / value / age"),
  estimatedApr: textOrNull(
    "Percent a year by the fees of the last seven days and its share of the liquidity in range; 0 out of its range"
  ),
  blockNumber: number("Block at which all of this was read")
}).annotate({ identifier: "LiquidityPosition", description: "A position of Uniswap V3" })

export const PositionResponse = Schema.Struct({ position: LiquidityPositionBody }).annotate({
  identifier: "LiquidityPositionResponse",
  description: "A position, and what it earns"
})
