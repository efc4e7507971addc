import { Schema } from "effect"
import { EvmChainIdNumber } from "../../foundation/chains/index.ts"
import { GasFeePaymentMethod } from "../../foundation/fees/index.ts"
import { AddressText, DecimalString, described, Hash32Text, metadataField } from "../../foundation/primitives/index.ts"

export const LendingProviderId = Schema.Literals(["LENDING_PROVIDER_A", "LENDING_PROVIDER_B"]).annotate({
  description: "`LENDING_PROVIDER_A` is Aave V3, `LENDING_PROVIDER_B` is Morpho Blue"
})
export type LendingProviderId = typeof LendingProviderId.Type

/** Which side of a market a token is supplied to, where a market has two. */
export const LendingSide = Schema.Literals(["COLLATERAL", "LOAN"])
export type LendingSide = typeof LendingSide.Type

const asset = {
  chainId: EvmChainIdNumber,
  tokenAddress: AddressText.pipe(
    described("Token of the leg. The native token is wrapped or unwrapped in the operation")
  ),
  marketId: Schema.optionalKey(
    Hash32Text.pipe(described("Morpho Blue's id of the market, where the tokens alone leave several to choose from"))
  )
}

const side = {
  side: Schema.optionalKey(
    LendingSide.annotate({
      description:
        "Of a Morpho Blue market: `COLLATERAL` secures a loan and earns nothing, `LOAN` is lent to others and earns. Left out: " +
        "`COLLATERAL` where a market takes the token as such, else `LOAN`"
    })
  )
}

const amount = DecimalString.pipe(described("Amount in whole tokens"))

const amountOrMax = Schema.Union([DecimalString, Schema.Literal("MAX")]).annotate({
  description: "Amount in whole tokens, or `MAX` for everything there is: no dust stays"
})

/** The fields of a request, as the core has them. */
export const lendingFields = {
  walletAddress: AddressText.pipe(described("Registered wallet that makes the operation")),
  provider: LendingProviderId,
  supply: Schema.optionalKey(
    Schema.Struct({ ...asset, ...side, amount }).annotate({
      identifier: "LendingSupplyLeg",
      description: "What to supply. With `borrow` it is the collateral"
    })
  ),
  borrow: Schema.optionalKey(
    Schema.Struct({ ...asset, amount }).annotate({ identifier: "LendingBorrowLeg", description: "What to borrow" })
  ),
  repay: Schema.optionalKey(
    Schema.Struct({ ...asset, amount: amountOrMax }).annotate({
      identifier: "LendingRepayLeg",
      description: "What to repay"
    })
  ),
  withdraw: Schema.optionalKey(
    Schema.Struct({ ...asset, ...side, amount: amountOrMax }).annotate({
      identifier: "LendingWithdrawLeg",
      description: "What to withdraw. With `repay` it is the collateral"
    })
  ),
  gas: Schema.Struct({
    paymentMethod: GasFeePaymentMethod,
    tokenAddress: AddressText.pipe(described("Token of the chain that pays for gas"))
  }).annotate({ identifier: "LendingGas", description: "How gas is paid" }),
  acceptLowHealthFactor: Schema.optionalKey(
    Schema.Boolean.annotate({
      description: "Whether a health factor below the service's limit is accepted. Without it the answer is 400"
    })
  ),
  metadata: metadataField
}

export const LendingRequest = Schema.Struct(lendingFields).pipe(Schema.brand("LendingRequest"))
export type LendingRequest = typeof LendingRequest.Type
