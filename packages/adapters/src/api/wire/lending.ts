import { LendingProviderId, LendingSide, LendingType } from "@countersign/core/trading/lending"
import { Schema } from "effect"
import { flag, hex, instant, link, number, text, textOrNull } from "./fields.ts"
import { PreviewBody } from "./preparedBody.ts"
import { AuthorizationBody, ChainBody, MetadataBody, RevertReasonBody, signDataField, TokenBody } from "./resources.ts"
import { chainIdText } from "./scalars.ts"
import { userOperationsField } from "./signedOperation.ts"

const amountFields = {
  value: text("Decimal token amount"),
  usd: textOrNull("In US dollars; null if no price is known")
}

const AmountBody = Schema.Struct(amountFields).annotate({
  identifier: "LendingAmount",
  description: "An amount and its value when it was quoted"
})

const legTokenFields = { tokenAddress: hex("The token"), chainId: number("Id of the chain"), amount: AmountBody }

const LegTokenBody = Schema.Struct(legTokenFields).annotate({
  identifier: "LendingToken",
  description: "Token and amount of one leg"
})

const PricedLegTokenBody = Schema.Struct({
  ...legTokenFields,
  price: textOrNull("Price of one token in US dollars; null if no price is known")
}).annotate({ identifier: "LendingPricedToken", description: "Token, amount and price of the supply" })

const ReceiptBody = Schema.Struct(legTokenFields).annotate({
  identifier: "LendingReceipt",
  description:
    "The claim on the supplied tokens. For Aave V3 the aToken. For Morpho Blue the contract's address, with the amount of collateral or with the lender's shares (with six more decimals than the token)"
})

const legOrNull = <S extends Schema.Top>(leg: S) =>
  Schema.NullOr(leg).annotate({ description: "Null if the request has no such leg" })

const ProviderBody = Schema.Struct({
  name: text("Name of the protocol"),
  logo: link("Logo of the protocol, served by this service"),
  id: LendingProviderId.annotate({ description: "Provider id. Requests use the same value" })
}).annotate({ identifier: "LendingProvider", description: "The lending provider" })

const feeFields = <A extends Schema.Top>(amount: A) => ({
  type: Schema.Literal("GAS").annotate({ description: "`GAS`: the network's fee" }),
  amount,
  tokenAddress: hex("Token in which the fee is paid"),
  nativeAmount: text("Maximum gas fee, in native tokens"),
  recipient: textOrNull(
    "Address that receives the fee: the paymaster; null if the wallet pays gas in the native token"
  ),
  percent: number("Percentage of the amount; 0 for gas")
})

const LendingFeeBody = Schema.Struct(feeFields(AmountBody)).annotate({
  identifier: "LendingFee",
  description: "Maximum of a fee that the wallet pays in addition to the amounts of the legs"
})

/** Gas fee of the operation that cancels a limit order. */
export const CancellationFeeBody = Schema.Struct(
  feeFields(
    Schema.Struct({
      ...amountFields,
      brl: textOrNull("In Brazilian reais; null if no price or exchange rate is known")
    }).annotate({ identifier: "CancellationAmount", description: "An amount and its value when it was quoted" })
  )
).annotate({ identifier: "CancellationFee", description: "Maximum gas fee of the operation that cancels the order" })

const beforeAndAfterFields = (description: string) => ({
  before: textOrNull(`${description}, before the operation; null if there is no value`),
  after: textOrNull(
    `${description}, after the operation; null if there is no value, or if the operation can't be executed`
  )
})

export const LendingQuoteResponse = Schema.Struct({
  type: LendingType.annotate({ description: "Type of the operation and of its transaction" }),
  quoteId: hex("Quote id. POST /api/v1/crypto/execute takes it"),
  userOperationHash: hex("Hash of the user operation (ERC-4337 `userOpHash`)"),
  revertReason: Schema.optionalKey(RevertReasonBody),
  authorization: Schema.optionalKey(AuthorizationBody),
  walletAddress: hex("Wallet that executes the operation"),
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
  marketId: textOrNull("Morpho Blue's id of the market; null for Aave V3"),
  side: LendingSide.annotate({ description: "Side of the market that the supply or withdrawal belongs to" }),
  fees: Schema.Array(LendingFeeBody).annotate({
    description: "Fees that the wallet pays in addition to the amounts of the legs"
  }),
  healthFactor: Schema.Struct(
    beforeAndAfterFields("Health factor as the protocol computes it: the position can be liquidated if it is below 1")
  ).annotate({ description: "Health factor, from a simulation on the latest block" }),
  liquidationPrice: Schema.Struct({
    tokenAddress: textOrNull(
      "The collateral token; null if the position has no debt, or if the liquidation also depends on other prices"
    ),
    inTokenAddress: textOrNull("Token in which the price is expressed; null if the price is in US dollars"),
    ...beforeAndAfterFields(
      "Price of one collateral token at which the position can be liquidated, if all other values stay the same"
    )
  }).annotate({ description: "Liquidation price of the collateral" }),
  rates: Schema.Struct({
    supplyAprPercent: Schema.Struct(beforeAndAfterFields("Annual rate in percent, without compounding")).annotate({
      description: "Interest rate of supplies, for the token of `supply` or `withdraw`"
    }),
    borrowAprPercent: Schema.Struct(beforeAndAfterFields("Annual rate in percent, without compounding")).annotate({
      description: "Interest rate of loans, for the token of `borrow` or `repay`"
    })
  }).annotate({ description: "Rates of the market before and after the operation" }),
  signData: signDataField,
  userOperations: userOperationsField,
  warnings: Schema.Array(Schema.String).annotate({
    description: "Warnings to read before signing, such as a low health factor"
  }),
  estimatedSettlementTime: instant("Estimated time of completion if the quote is executed now"),
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
  marketId: textOrNull("Id of the market in Morpho Blue; null for Aave V3, where `loanToken` identifies the reserve"),
  loanToken: TokenBody,
  collateralToken: Schema.NullOr(TokenBody).annotate({
    description: "Collateral token of the market; null if an Aave V3 reserve can't be used as collateral"
  }),
  ltvPercent: text("Maximum loan-to-value ratio of a loan"),
  liquidationThresholdPercent: text("Loan-to-value ratio above which a position can be liquidated"),
  supplyAprPercent: text("Annual interest rate that lenders earn, in percent, without compounding"),
  borrowAprPercent: text("Annual interest rate that borrowers pay, in percent, without compounding"),
  supplied: text("Total supplied by all lenders, in token units"),
  borrowed: text("Total debt of all borrowers, in token units"),
  available: text("Amount that can be borrowed or withdrawn immediately, in token units"),
  supplyCap: textOrNull("Supply cap, in token units; null for no limit"),
  borrowCap: textOrNull("Borrow cap, in token units; null for no limit"),
  canSupply: flag("Whether the market accepts supplies now, which means that it is neither frozen nor paused"),
  canBorrow: flag("Whether the market allows new loans now")
}).annotate({ identifier: "LendingMarket", description: "A market of a lending protocol" })

const UnreadProtocolBody = Schema.Struct({
  chain: ChainBody,
  provider: ProviderBody,
  reason: text("Reason why the protocol could not be read")
}).annotate({ identifier: "UnreadPlace", description: "A lending protocol that could not be read on a chain" })

const unreadField = Schema.Array(UnreadProtocolBody).annotate({
  description: "Protocols that could not be read, so the list may lack their entries; empty if all could be read"
})

export const LendingMarketsResponse = Schema.Struct({
  markets: Schema.Array(LendingMarketBody).annotate({ description: "Markets, sorted by chain and provider" }),
  unread: unreadField
}).annotate({ identifier: "LendingMarkets", description: "Lending markets of listed tokens" })

export const LendingPositionBody = Schema.Struct({
  positionType: Schema.Literals(["supply", "borrow"]).annotate({
    description: "`supply`: a supplied amount. `borrow`: a debt"
  }),
  protocolGroupName: text("Name of the protocol"),
  token: Schema.Struct({
    address: hex("The token"),
    name: text("Full name"),
    symbol: text("Symbol"),
    decimals: number("Decimals"),
    amount: text("Decimal token amount, including interest")
  }).annotate({ description: "Token and amount that were supplied or borrowed" }),
  contractName: text("Name of the market"),
  contractSymbol: text("Symbol of the market"),
  valueUsd: textOrNull("In US dollars; null if no price is known"),
  chain: ChainBody,
  provider: ProviderBody,
  marketId: textOrNull("Morpho Blue's id of the market; null for Aave V3"),
  isCollateral: flag("Whether the supplied amount is collateral for loans"),
  healthFactor: textOrNull(
    "Health factor of the wallet in this market; null if the wallet has no debt, or if the market's oracle does not respond"
  )
}).annotate({ identifier: "LendingPosition", description: "A wallet's supplied or borrowed amount in a market" })

export const LendingPositionsResponse = Schema.Struct({
  positions: Schema.Array(LendingPositionBody).annotate({ description: "Positions, sorted by chain and provider" }),
  unread: unreadField
}).annotate({ identifier: "LendingPositions", description: "A wallet's supplied amounts and debts" })
