import { LendingProviderId, LendingSide, LendingType } from "@countersign/core/trading/lending"
import { Schema } from "effect"
import { flag, hex, instant, link, number, text, textOrNull } from "./fields.ts"
import { PreviewBody } from "./prepared.ts"
import { AuthorizationBody, ChainBody, MetadataBody, RevertReasonBody, signDataField, TokenBody } from "./resources.ts"
import { chainIdText } from "./scalars.ts"
import { userOperationsField } from "./signedOperation.ts"

const amountFields = {
  value: text("In whole tokens"),
  usd: textOrNull("In US dollars; null if no price is known")
}

const AmountBody = Schema.Struct(amountFields).annotate({
  identifier: "LendingAmount",
  description: "An amount and its value when it was quoted"
})

const legToken = { tokenAddress: hex("The token"), chainId: number("Id of the chain"), amount: AmountBody }

const LegTokenBody = Schema.Struct(legToken).annotate({ identifier: "LendingToken", description: "A token of a leg" })

const PricedLegTokenBody = Schema.Struct({
  ...legToken,
  price: textOrNull("Price of one whole token in US dollars; null if no price is known")
}).annotate({ identifier: "LendingPricedToken", description: "The supplied token" })

const ReceiptBody = Schema.Struct(legToken).annotate({
  identifier: "LendingReceipt",
  description:
    "The claim on the supplied tokens: Aave's aToken; at Morpho Blue the contract, with the amount of collateral, or the shares of a lender (with six more decimals than the token)"
})

const legOrNull = <S extends Schema.Top>(leg: S) =>
  Schema.NullOr(leg).annotate({ description: "Null if the request has no such leg" })

const ProviderBody = Schema.Struct({
  name: text("Name of the protocol"),
  logo: link("Logo of the protocol, served by this service"),
  id: LendingProviderId.annotate({ description: "Id of the provider, as in requests" })
}).annotate({ identifier: "LendingProvider", description: "The lending provider" })

const feeOf = <A extends Schema.Top>(amount: A) => ({
  type: Schema.Literal("GAS").annotate({ description: "`GAS`: the network's fee" }),
  amount,
  tokenAddress: hex("Token that pays"),
  nativeAmount: text("Maximum gas fee, in native tokens"),
  recipient: textOrNull("Receiver of the fee: the paymaster; null if the wallet pays in the native token"),
  percent: number("Percentage of the amount; 0 for gas")
})

const LendingFeeBody = Schema.Struct(feeOf(AmountBody)).annotate({
  identifier: "LendingFee",
  description: "A maximum fee in addition to the legs"
})

/** The gas fee of the operation that cancels a limit order. */
export const CancellationFeeBody = Schema.Struct(
  feeOf(
    Schema.Struct({
      ...amountFields,
      brl: textOrNull("In Brazilian reais; null if no price or exchange rate is known")
    }).annotate({ identifier: "CancellationAmount", description: "An amount and its value when it was quoted" })
  )
).annotate({ identifier: "CancellationFee", description: "Maximum cost of the cancelling operation" })

const beforeAndAfterFields = (description: string) => ({
  before: textOrNull(`${description}, before the operation; null if there is no value`),
  after: textOrNull(
    `${description}, after the operation; null if there is no value, or if the operation can't be executed`
  )
})

export const LendingQuoteResponse = Schema.Struct({
  type: LendingType.annotate({ description: "Kind of the operation, and of its transaction" }),
  quoteId: hex("Id of the quote, used to execute it"),
  userOperationHash: hex("Hash of the operation (ERC-4337 `userOpHash`), used to get it"),
  revertReason: Schema.optionalKey(RevertReasonBody),
  authorization: Schema.optionalKey(AuthorizationBody),
  walletAddress: hex("Wallet that makes the operation"),
  supply: legOrNull(
    Schema.Struct({
      tokenIn: PricedLegTokenBody,
      tokenOut: ReceiptBody
    })
  ),
  borrow: legOrNull(Schema.Struct({ token: LegTokenBody })),
  repay: legOrNull(Schema.Struct({ token: LegTokenBody })),
  withdraw: legOrNull(
    Schema.Struct({
      tokenIn: ReceiptBody,
      tokenOut: LegTokenBody
    })
  ),
  provider: ProviderBody,
  marketId: textOrNull("Morpho Blue's id of the market; null if the provider has one market"),
  side: LendingSide.annotate({ description: "The side of the market for the supply or the withdrawal" }),
  fees: Schema.Array(LendingFeeBody).annotate({ description: "Fees in addition to the legs" }),
  healthFactor: Schema.Struct(
    beforeAndAfterFields("Health factor of the position, as the protocol computes it: below 1 it can be liquidated")
  ).annotate({ description: "Computed by a simulation on the latest state" }),
  liquidationPrice: Schema.Struct({
    tokenAddress: textOrNull("The collateral; null without debt, or if the liquidation depends on other prices too"),
    inTokenAddress: textOrNull("The token of the price; null if the price is in US dollars"),
    ...beforeAndAfterFields(
      "Price of one whole collateral token at which the position can be liquidated, if all other values stay the same"
    )
  }).annotate({ description: "Liquidation price of the collateral" }),
  rates: Schema.Struct({
    supplyAprPercent: Schema.Struct(beforeAndAfterFields("Percent per year, without compounding")).annotate({
      description: "Interest rate that the token of `supply` or `withdraw` earns"
    }),
    borrowAprPercent: Schema.Struct(beforeAndAfterFields("Percent per year, without compounding")).annotate({
      description: "Interest rate that the token of `borrow` or `repay` costs"
    })
  }).annotate({ description: "Rates of the market before and after the operation" }),
  signData: signDataField,
  userOperations: userOperationsField,
  warnings: Schema.Array(Schema.String).annotate({
    description: "Warnings to read before signing, such as a low health factor"
  }),
  estimatedSettlementTime: instant("Estimated time of completion if it is executed now"),
  expiresAt: instant("When the quote expires"),
  preview: PreviewBody,
  metadata: MetadataBody
}).annotate({
  identifier: "LendingQuote",
  description: "A prepared lending operation, to be signed and executed before it expires"
})

export const LendingMarketsQuery = {
  chainId: Schema.optionalKey(chainIdText("Only markets of this chain")),
  provider: Schema.optionalKey(LendingProviderId)
}

const LendingMarketBody = Schema.Struct({
  provider: ProviderBody,
  chain: ChainBody,
  marketId: textOrNull("Morpho Blue's id of the market; null for Aave V3, which has one market"),
  loanToken: TokenBody,
  collateralToken: Schema.NullOr(TokenBody).annotate({
    description: "Collateral token of the market; null if an Aave V3 reserve can't be used as collateral"
  }),
  ltvPercent: text("Maximum loan-to-value ratio of a loan"),
  liquidationThresholdPercent: text("Loan-to-value ratio from which a position can be liquidated"),
  supplyAprPercent: text("Rate that lenders earn, in percent per year without compounding"),
  borrowAprPercent: text("Rate that borrowers pay, in percent per year without compounding"),
  supplied: text("Total supplied by all lenders, in whole tokens"),
  borrowed: text("Total debt of all borrowers, in whole tokens"),
  available: text("Amount that can be borrowed or withdrawn immediately, in whole tokens"),
  supplyCap: textOrNull("Supply cap, in whole tokens; null for no limit"),
  borrowCap: textOrNull("Borrow cap, in whole tokens; null for no limit"),
  canSupply: flag("Whether the market accepts supplies now: it is not frozen and not paused"),
  canBorrow: flag("Whether the market lends now")
}).annotate({ identifier: "LendingMarket", description: "A market of a lending protocol" })

const UnreadPlaceBody = Schema.Struct({
  chain: ChainBody,
  provider: ProviderBody,
  reason: text("Reason why it could not be read")
}).annotate({ identifier: "UnreadPlace", description: "A lending protocol that could not be read on a chain" })

const unreadField = Schema.Array(UnreadPlaceBody).annotate({
  description: "Protocols that could not be read, so the list may lack their entries; empty if all could be read"
})

export const LendingMarketsResponse = Schema.Struct({
  markets: Schema.Array(LendingMarketBody).annotate({ description: "Markets, sorted by chain and provider" }),
  unread: unreadField
}).annotate({ identifier: "LendingMarkets", description: "Lending markets of listed tokens" })

export const LendingPositionBody = Schema.Struct({
  positionType: Schema.Literals(["supply", "borrow"]).annotate({ description: "Supplied, or owed" }),
  protocolGroupName: text("Name of the protocol"),
  token: Schema.Struct({
    address: hex("The token"),
    name: text("Full name"),
    symbol: text("Short name"),
    decimals: number("Decimals"),
    amount: text("In whole tokens, interest included")
  }).annotate({ description: "The supplied or borrowed amount" }),
  contractName: text("Name of the market"),
  contractSymbol: text("Short name of the market"),
  valueUsd: textOrNull("In US dollars; null if no price is known"),
  chain: ChainBody,
  provider: ProviderBody,
  marketId: textOrNull("Morpho Blue's id of the market; null for Aave V3"),
  isCollateral: flag("Whether it secures loans"),
  healthFactor: textOrNull(
    "Health factor of its position; null without debt, or if the market's oracle does not respond"
  )
}).annotate({ identifier: "LendingPosition", description: "A wallet's supplied or borrowed amount in a market" })

export const LendingPositionsResponse = Schema.Struct({
  positions: Schema.Array(LendingPositionBody).annotate({ description: "Positions, sorted by chain and provider" }),
  unread: unreadField
}).annotate({ identifier: "LendingPositions", description: "A wallet's loans and collateral" })
