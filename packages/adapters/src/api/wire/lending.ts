import { LendingProviderId, LendingSide, LendingType } from "@countersign/core/trading/lending"
import { Schema } from "effect"
import { flag, hex, instant, link, number, text, textOrNull } from "./fields.ts"
import { PreviewBody } from "./prepared.ts"
import { AuthorizationBody, ChainBody, MetadataBody, RevertReasonBody, signDataField, TokenBody } from "./resources.ts"
import { chainIdText } from "./scalars.ts"
import { userOperationsField } from "./signedOperation.ts"

const amountFields = {
  value: text("In whole tokens"),
  usd: textOrNull("In US dollars; null where the token has no known price")
}

const AmountBody = Schema.Struct(amountFields).annotate({
  identifier: "LendingAmount",
  description: "An amount and its value when it was quoted"
})

const legToken = { tokenAddress: hex("The token"), chainId: number("Id of the chain"), amount: AmountBody }

const LegTokenBody = Schema.Struct(legToken).annotate({ identifier: "LendingToken", description: "A token of a leg" })

const PricedLegTokenBody = Schema.Struct({
  ...legToken,
  price: textOrNull("US dollars for one whole token; null where there is no known price")
}).annotate({ identifier: "LendingPricedToken", description: "The token that is supplied" })

const ReceiptBody = Schema.Struct(legToken).annotate({
  identifier: "LendingReceipt",
  description:
    "The claim on what is supplied: Aave's aToken; at Morpho Blue the contract, with the amount of collateral, or the shares of a lender (with six digits more than the token)"
})

const legOrNull = <S extends Schema.Top>(leg: S) =>
  Schema.NullOr(leg).annotate({ description: "Null where the request has no such leg" })

const ProviderBody = Schema.Struct({
  name: text("Name of the protocol"),
  logo: link("Its logo, served by this service"),
  id: LendingProviderId.annotate({ description: "Id of the provider, as in requests" })
}).annotate({ identifier: "LendingProvider", description: "Where tokens are lent" })

const feeOf = <A extends Schema.Top>(amount: A) => ({
  type: Schema.Literal("GAS").annotate({ description: "`GAS`: the network's fee" }),
  amount,
  tokenAddress: hex("Token that pays"),
  nativeAmount: text("The most that gas can cost, in whole native tokens of the chain"),
  recipient: textOrNull("Receiver of the fee: the paymaster; null where the wallet pays in the native token"),
  percent: number("Percentage of the amount; 0 of gas")
})

const LendingFeeBody = Schema.Struct(feeOf(AmountBody)).annotate({
  identifier: "LendingFee",
  description: "A maximum fee in addition to the legs"
})

/** The same fee, of the operation that cancels a limit order. */
export const CancellationFeeBody = Schema.Struct(
  feeOf(
    Schema.Struct({
      ...amountFields,
      brl: textOrNull("In Brazilian reais; null where there is no known price or exchange rate")
    }).annotate({ identifier: "CancellationAmount", description: "An amount and its value when it was quoted" })
  )
).annotate({ identifier: "CancellationFee", description: "The most that the operation that cancels costs" })

const beforeAndAfter = (description: string) => ({
  before: textOrNull(`${description}, before the operation; null where there is none`),
  after: textOrNull(
    `${description}, after the operation; null where there is none, and where the operation can't be executed`
  )
})

export const LendingQuoteResponse = Schema.Struct({
  type: LendingType.annotate({ description: "Kind of the operation, and of the transaction that it becomes" }),
  quoteId: hex("Id of the quote, by which it is executed"),
  userOperationHash: hex("Hash of the operation, by which it is looked up (ERC-4337 `userOpHash`)"),
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
  marketId: textOrNull("Morpho Blue's id of the market; null where the provider has one market for everything"),
  side: LendingSide.annotate({ description: "The side of the market that is supplied or withdrawn from" }),
  fees: Schema.Array(LendingFeeBody).annotate({ description: "Fees in addition to the legs" }),
  healthFactor: Schema.Struct(
    beforeAndAfter("Health factor of the position, as the protocol computes it: below 1 it can be liquidated")
  ).annotate({ description: "Found by running the operation on the latest state" }),
  liquidationPrice: Schema.Struct({
    tokenAddress: textOrNull("The collateral; null without debt, and where its price alone does not decide"),
    inTokenAddress: textOrNull("The token that the price is in; null where it is in US dollars"),
    ...beforeAndAfter(
      "Price of one whole collateral token at which the position can be liquidated, all else being equal"
    )
  }).annotate({ description: "At which price of the collateral the position can be liquidated" }),
  rates: Schema.Struct({
    supplyAprPercent: Schema.Struct(beforeAndAfter("Percent per year, without compounding")).annotate({
      description: "What the token of `supply` or `withdraw` earns"
    }),
    borrowAprPercent: Schema.Struct(beforeAndAfter("Percent per year, without compounding")).annotate({
      description: "What the token of `borrow` or `repay` costs"
    })
  }).annotate({ description: "Rates of the market, which the operation itself changes" }),
  signData: signDataField,
  userOperations: userOperationsField,
  warnings: Schema.Array(Schema.String).annotate({
    description: "What to know before signing, in sentences: such as a low health factor"
  }),
  estimatedSettlementTime: instant("When the operation should be done if it is executed now"),
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
  marketId: textOrNull("Morpho Blue's id of the market; null of Aave V3, which has one market for everything"),
  loanToken: TokenBody,
  collateralToken: Schema.NullOr(TokenBody).annotate({
    description: "The token that secures loans; null if this token does not"
  }),
  ltvPercent: text("How much of the collateral's value can be borrowed"),
  liquidationThresholdPercent: text("From which debt, of the collateral's value, a position can be liquidated"),
  supplyAprPercent: text("What lenders earn, in percent per year without compounding"),
  borrowAprPercent: text("What borrowers pay, in percent per year without compounding"),
  supplied: text("Lent by everybody, in whole tokens"),
  borrowed: text("Borrowed by everybody, in whole tokens"),
  available: text("What can be borrowed or withdrawn at once, in whole tokens"),
  supplyCap: textOrNull("The most that may be supplied, in whole tokens; null for no limit"),
  borrowCap: textOrNull("The most that may be borrowed, in whole tokens; null for no limit"),
  canSupply: flag("Whether it takes supplies now: not frozen, not paused"),
  canBorrow: flag("Whether it lends now")
}).annotate({ identifier: "LendingMarket", description: "A market of a lending protocol" })

const UnreadPlaceBody = Schema.Struct({
  chain: ChainBody,
  provider: ProviderBody,
  reason: text("Why it could not be read")
}).annotate({ identifier: "UnreadPlace", description: "A lending protocol that could not be read on a chain just now" })

const unread = Schema.Array(UnreadPlaceBody).annotate({
  description: "Where something may be that is not listed here; empty where all could be read"
})

export const LendingMarketsResponse = Schema.Struct({
  markets: Schema.Array(LendingMarketBody).annotate({ description: "By chain and provider" }),
  unread
}).annotate({ identifier: "LendingMarkets", description: "Markets in which listed tokens are lent" })

export const LendingPositionBody = Schema.Struct({
  positionType: Schema.Literals(["supply", "borrow"]).annotate({ description: "Supplied, or owed" }),
  protocolGroupName: text("Name of the protocol"),
  token: Schema.Struct({
    address: hex("The token"),
    name: text("Full name"),
    symbol: text("Short name"),
    decimals: number("Digits after the point"),
    amount: text("In whole tokens, interest included")
  }).annotate({ description: "The supplied or borrowed amount" }),
  contractName: text("Name of the market"),
  contractSymbol: text("Short name of the market"),
  valueUsd: textOrNull("In US dollars; null where the token has no known price"),
  chain: ChainBody,
  provider: ProviderBody,
  marketId: textOrNull("Morpho Blue's id of the market; null of Aave V3"),
  isCollateral: flag("Whether it secures loans"),
  healthFactor: textOrNull(
    "Of the position that it is part of; null without debt, and where the market's oracle does not answer"
  )
}).annotate({ identifier: "LendingPosition", description: "A wallet's supplied or borrowed amount in a market" })

export const LendingPositionsResponse = Schema.Struct({
  positions: Schema.Array(LendingPositionBody).annotate({ description: "By chain and provider" }),
  unread
}).annotate({ identifier: "LendingPositions", description: "A wallet's loans and collateral" })
