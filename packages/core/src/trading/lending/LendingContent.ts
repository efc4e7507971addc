import { Schema } from "effect"
import { EvmChainId } from "../../foundation/chains/index.ts"
import { Address, Hash32 } from "../../foundation/primitives/index.ts"
import { Token } from "../../foundation/tokens/index.ts"
import { preparedFields, type Quoted, quoteKind } from "../../operations/quotes/index.ts"
import { LendingProviderId, LendingRequest, LendingSide } from "./LendingRequest.ts"
import { LendingType } from "./LendingType.ts"

/** As quoted, in base units. */
const QuotedLeg = Schema.Struct({
  token: Token,
  amount: Schema.BigInt,
  /** Whether all that there is was asked for: what is there when it is executed can differ. */
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

/** All of a lending operation that was computed for its quote. */
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
  /** Of the leg that supplies or withdraws; null where there is none. */
  receipt: Schema.NullOr(Schema.Struct({ token: Address, amount: Schema.BigInt, decimals: Schema.Number })),
  payGasFeeToken: Token,
  outcome: Schema.Struct({ before: Figures, after: Schema.NullOr(Figures) })
})
export type LendingContent = typeof LendingContent.Type

export const lendingKind = quoteKind("LENDING", LendingContent)

export type LendingQuote = Quoted<LendingContent>
