import { Schema } from "effect"
import { EvmChainIdNumber } from "../../foundation/chains/index.ts"
import { GasFeePaymentMethod } from "../../foundation/fees/index.ts"
import {
  AddressText,
  DecimalString,
  Hash32Text,
  metadataField,
  withDescription
} from "../../foundation/primitives/index.ts"

export const LendingProviderId = Schema.Literals(["LENDING_PROVIDER_A", "LENDING_PROVIDER_B"]).annotate({
  description: "`LENDING_PROVIDER_A` is Aave V3, `LENDING_PROVIDER_B` is Morpho Blue"
})
export type LendingProviderId = typeof LendingProviderId.Type

/** The side of the market to which a token is supplied. Only for markets with two sides. */
export const LendingSide = Schema.Literals(["COLLATERAL", "LOAN"])
export type LendingSide = typeof LendingSide.Type

const asset = {
  chainId: EvmChainIdNumber,
  tokenAddress: AddressText.pipe(
    withDescription("Token of the leg. The native token is wrapped or unwrapped in the operation")
  ),
  marketId: Schema.optionalKey(
    Hash32Text.pipe(withDescription("Morpho Blue market id. Required if several markets match the tokens"))
  )
}

const side = {
  side: Schema.optionalKey(
    LendingSide.annotate({
      description:
        "Side of a Morpho Blue market: `COLLATERAL` secures a loan and earns nothing, `LOAN` is lent to others and earns interest. Default: " +
        "`COLLATERAL` if a market accepts the token as collateral, otherwise `LOAN`"
    })
  )
}

const amount = DecimalString.pipe(withDescription("Amount in token units"))

const amountOrMax = Schema.Union([DecimalString, Schema.Literal("MAX")]).annotate({
  description:
    "Amount in token units. `MAX` repays the complete debt or withdraws the complete position, so that no dust remains"
})

/** The decoded fields of a request. */
export const lendingFields = {
  walletAddress: AddressText.pipe(withDescription("Registered wallet that executes the operation")),
  provider: LendingProviderId,
  supply: Schema.optionalKey(
    Schema.Struct({ ...asset, ...side, amount }).annotate({
      identifier: "LendingSupplyLeg",
      description: "Token and amount to supply. In a request with `borrow`, the token is the loan's collateral"
    })
  ),
  borrow: Schema.optionalKey(
    Schema.Struct({ ...asset, amount }).annotate({
      identifier: "LendingBorrowLeg",
      description: "Token and amount to borrow"
    })
  ),
  repay: Schema.optionalKey(
    Schema.Struct({ ...asset, amount: amountOrMax }).annotate({
      identifier: "LendingRepayLeg",
      description: "Token and amount to repay"
    })
  ),
  withdraw: Schema.optionalKey(
    Schema.Struct({ ...asset, ...side, amount: amountOrMax }).annotate({
      identifier: "LendingWithdrawLeg",
      description: "Token and amount to withdraw. In a request with `repay`, the token is the loan's collateral"
    })
  ),
  gas: Schema.Struct({
    paymentMethod: GasFeePaymentMethod,
    tokenAddress: AddressText.pipe(withDescription("Token that pays the gas fee"))
  }).annotate({ identifier: "LendingGas", description: "Token and method that pay the gas fee" }),
  acceptLowHealthFactor: Schema.optionalKey(
    Schema.Boolean.annotate({
      description:
        "Whether to accept a health factor below the service's minimum. If false, such a request is rejected with 400"
    })
  ),
  metadata: metadataField
}

export const LendingRequest = Schema.Struct(lendingFields).pipe(Schema.brand("LendingRequest"))
export type LendingRequest = typeof LendingRequest.Type
