import { Schema } from "effect"
import { EvmChainId } from "../../foundation/chains/index.ts"
import { Address, Hash32 } from "../../foundation/primitives/index.ts"
import { Token } from "../../foundation/tokens/index.ts"
import { type DecodedQuote, preparedFields, quoteKind } from "../../operations/quotes/index.ts"
import { LendingProviderId, LendingRequest, LendingSide } from "./LendingRequest.ts"
import { LendingType } from "./LendingType.ts"

/** A leg as quoted. Amounts are in base units. */
const QuotedLeg = Schema.Struct({
  token: Token,
  amount: Schema.BigInt,
  /**
   * Whether `MAX` was requested: the complete debt or position. The executed amount can then differ from the quoted
   * one.
   */
  isMax: Schema.Boolean
})
export type QuotedLeg = typeof QuotedLeg.Type

const Figures = Schema.Struct({
  healthFactorE18: Schema.NullOr(Schema.BigInt),
  liquidationPrice: Schema.NullOr(
    Schema.Struct({ token: Address, priceE18: Schema.BigInt, inToken: Schema.NullOr(Address) })
  ),
  supplyRateE18: Schema.NullOr(Schema.BigInt),
  borrowRateE18: Schema.NullOr(Schema.BigInt)
})

/** The content of a lending quote. */
export const LendingContent = Schema.Struct({
  ...preparedFields,
  request: Schema.toType(LendingRequest),
  type: LendingType,
  provider: Schema.Struct({ id: LendingProviderId, name: Schema.String }),
  chainId: EvmChainId,
  marketId: Schema.NullOr(Hash32),
  side: LendingSide,
  legs: Schema.Struct({
    supply: Schema.optionalKey(QuotedLeg),
    borrow: Schema.optionalKey(QuotedLeg),
    repay: Schema.optionalKey(QuotedLeg),
    withdraw: Schema.optionalKey(QuotedLeg)
  }),
  /** The receipt token of the supply or withdrawal. Null if the operation has neither. */
  receipt: Schema.NullOr(Schema.Struct({ token: Address, amount: Schema.BigInt, decimals: Schema.Number })),
  payGasFeeToken: Token,
  outcome: Schema.Struct({ before: Figures, after: Schema.NullOr(Figures) })
})
export type LendingContent = typeof LendingContent.Type

export const lendingKind = quoteKind("LENDING", LendingContent)

export type LendingQuote = DecodedQuote<LendingContent>
