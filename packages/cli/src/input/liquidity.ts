import type { ChainId } from "@countersign/core/foundation/chains"
import { WithdrawLiquidityRequest } from "@countersign/core/trading/liquidity"
import { Flag } from "effect/cli"
import { projectFlag } from "../environment/project.ts"
import { jsonFlag } from "../output/print.ts"
import { walletFlag } from "./address.ts"
import { chainFlag } from "./chain.ts"
import { gasFlags } from "./gas.ts"
import { boundsOf, readAs, requireWithin } from "./readAs.ts"

const { percentage, slippage, tokenId } = WithdrawLiquidityRequest.schema.fields
const bounds = { slippage: boundsOf(slippage), percentage: boundsOf(percentage) }

/** Flags that all liquidity operations share. */
export const operationFlags = {
  wallet: walletFlag("wallet").pipe(Flag.withDescription("Address of the registered wallet, which owns the position")),
  slippage: Flag.Finite("slippage").pipe(
    Flag.withDescription(
      `Slippage in percent, by which prices may change until the execution, ${bounds.slippage.minimum} to ${bounds.slippage.maximum}`
    ),
    requireWithin(bounds.slippage.minimum, bounds.slippage.maximum),
    Flag.withDefault(0.5)
  ),
  acceptImpact: Flag.Boolean("accept-price-impact").pipe(
    Flag.withDescription("Quote the operation even if the price impact exceeds the operator's limit"),
    Flag.withDefault(false)
  ),
  chain: chainFlag,
  project: projectFlag,
  json: jsonFlag
}

/** Builds the request fields from `operationFlags`. */
export const commonFields = (input: {
  readonly wallet: string
  readonly chain: ChainId
  readonly slippage: number
  readonly acceptImpact: boolean
}) => ({
  walletAddress: input.wallet,
  chainId: input.chain,
  slippage: input.slippage,
  acceptPriceImpact: input.acceptImpact
})

export const positionFlag = Flag.String("position").pipe(
  Flag.withDescription("Token id of the position's NFT"),
  readAs(tokenId)
)

export const recipientFlag = (description: string) =>
  walletFlag("recipient").pipe(Flag.withDescription(`${description}; by default the wallet`), Flag.optional)

export const priceFlags = {
  min: Flag.Finite("min").pipe(
    Flag.withDescription("Lower price of the range: amount of the second token per unit of the first token"),
    requireWithin(0, Number.MAX_VALUE)
  ),
  max: Flag.Finite("max").pipe(
    Flag.withDescription("Upper price of the range, as --min"),
    requireWithin(0, Number.MAX_VALUE)
  )
}

export const depositFlags = {
  amount: Flag.String("amount").pipe(Flag.withDescription("Amount to deposit, in token units, such as 1.5")),
  token: Flag.String("token").pipe(Flag.withDescription("Token to deposit: symbol, address or native")),
  ...gasFlags("the deposited token")
}

export const gasTokenFlag = Flag.String("gas-token").pipe(
  Flag.withDescription("Token that pays the gas, from the wallet's balance: symbol, address or native"),
  Flag.withDefault("native")
)

export const percentageFlag = Flag.Finite("percent").pipe(
  Flag.withDescription("Percentage of the liquidity to withdraw"),
  requireWithin(bounds.percentage.minimum, bounds.percentage.maximum),
  Flag.withDefault(100)
)

/** Flag names by request field, for error messages. */
export const liquidityFlags = {
  walletAddress: "--wallet",
  toAddress: "--recipient",
  chainId: "--chain",
  tokenIn: "--token",
  amountIn: "--amount",
  token0: "--pool",
  token1: "--pool",
  poolFeePercent: "--fee",
  minPrice: "--min",
  maxPrice: "--max",
  "newPosition.minPrice": "--min",
  "newPosition.maxPrice": "--max",
  gasFeePaymentMethod: "--deduct",
  payGasFeeToken: "--gas-token",
  slippage: "--slippage",
  tokenId: "--position",
  tokenOut: "--to",
  percentage: "--percent",
  acceptPriceImpact: "--accept-price-impact"
}
