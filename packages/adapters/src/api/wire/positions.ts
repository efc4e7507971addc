import { NftNumberText } from "@countersign/core/trading/liquidity"
import { Schema } from "effect"
import { flag, hex, instantOrNull, link, number, text, textOrNull } from "./fields.ts"
import { providerFields } from "./pools.ts"
import { ChainBody } from "./resources.ts"
import { chainIdText } from "./scalars.ts"

export const PositionPath = {
  chainId: chainIdText("Chain of the position"),
  tokenId: NftNumberText.annotate({ description: "Token id of the position's NFT" }).pipe(
    Schema.decodeTo(Schema.BigIntFromString)
  )
}

const PositionTokenBody = Schema.Struct({
  name: text("Full name"),
  symbol: text("Short name, such as USDC"),
  decimals: number("Decimals"),
  address: hex("Contract of the token"),
  logo: link("Logo of the token, served by this service"),
  amount: text("Amount that a withdrawal of the liquidity would return now, in whole tokens, without fees"),
  unclaimedFees: text("Amount of fees that a collection would pay now"),
  earnedFees: textOrNull(
    "Fees since the creation of the position, also collected fees; null if the nodes don't return them"
  )
}).annotate({ identifier: "LiquidityPositionToken", description: "A token of a position" })

export const LiquidityPositionBody = Schema.Struct({
  provider: Schema.Struct(providerFields("The NFT in a block explorer")).annotate({
    description: "The wallet of the position"
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
    minPrice: text("Lower price: whole tokens of token1 for one whole token0"),
    maxPrice: text("Upper price: whole tokens of token1 for one whole token0"),
    tickLower: number("Tick of the lower price"),
    tickUpper: number("Tick of the upper price")
  }).annotate({ description: "The price range in which the position earns fees" }),
  inRange: flag("Whether the pool's price is in the range"),
  currentPrice: text("Current price of the pool: whole tokens of token1 for one whole token0"),
  currentTick: number("Tick of the current price"),
  liquidity: text("Liquidity of the position, in the pool's units"),
  tokens: Schema.Array(PositionTokenBody).annotate({ description: "token0 and token1 of the pool" }),
  valueUSD: textOrNull("Value of the liquidity in US dollars, without fees; null if a price is unknown"),
  unclaimedFeesUSD: textOrNull("Value of the unclaimed fees in US dollars"),
  earnedFeesUSD: textOrNull("Value of all fees since the creation, at current prices"),
  createdAt: instantOrNull("When it was created; null if the nodes don't return it"),
  apr: textOrNull("APR since the creation in percent: earned fees / value / age in years"),
  estimatedApr: textOrNull(
    "APR in percent, from the fees of the last seven days and its share of the liquidity in range; 0 out of range"
  ),
  blockNumber: number("Block of all figures")
}).annotate({ identifier: "LiquidityPosition", description: "A position of Uniswap V3" })

export const PositionResponse = Schema.Struct({ position: LiquidityPositionBody }).annotate({
  identifier: "LiquidityPositionResponse",
  description: "A position and its earnings"
})
