import { Schema } from "effect"

/** The parts of each answer that the demo reads: an outside client does not have our schemas. */

export const Factories = Schema.Struct({
  factories: Schema.Array(Schema.Struct({ name: Schema.String, factory: Schema.String }))
})

export const Registered = Schema.Struct({
  wallet: Schema.Struct({
    walletAddress: Schema.String,
    externallyOwnedAccount: Schema.String,
    salt: Schema.Finite,
    deployed: Schema.Array(Schema.Struct({ chain: Schema.Struct({ name: Schema.String }), deployed: Schema.Boolean })),
    registeredAt: Schema.String
  })
})

const TypedData = Schema.Struct({
  domain: Schema.Record(Schema.String, Schema.Unknown),
  primaryType: Schema.String,
  message: Schema.Record(Schema.String, Schema.Unknown)
})
export type TypedData = typeof TypedData.Type

const SignDatum = Schema.Struct({
  type: Schema.String,
  method: Schema.Literals(["personal_sign", "eth_signTypedData_v4", "eip7702_authorization"]),
  hash: Schema.String,
  typedData: Schema.optionalKey(TypedData)
})
export type SignDatum = typeof SignDatum.Type

/** What every answer has in common that prepares an operation. */
const preparedFields = {
  quoteId: Schema.String,
  revertReason: Schema.optionalKey(Schema.Struct({ decoded: Schema.String })),
  signData: Schema.Array(SignDatum),
  preview: Schema.Struct({ calls: Schema.Array(Schema.Struct({ summary: Schema.String })) })
}

export const Prepared = Schema.Struct(preparedFields)
export type Prepared = typeof Prepared.Type

export const Quotes = Schema.Struct({
  quotes: Schema.NonEmptyArray(
    Schema.Struct({
      ...preparedFields,
      estimatedGasFees: Schema.Struct({ gasFeeTokenAmount: Schema.String, maxGasFeeToken: Schema.String }),
      amountIn: Schema.String,
      amountOut: Schema.String,
      minAmountOut: Schema.String,
      swapProvider: Schema.String,
      expiresAt: Schema.Finite
    })
  )
})

export const Transfer = Schema.Struct({ transfer: Prepared })

export const NewPosition = Schema.Struct({
  operation: Schema.Struct({
    ...preparedFields,
    amount0: Schema.String,
    amount1: Schema.String,
    range: Schema.Struct({ minPrice: Schema.NullOr(Schema.String), maxPrice: Schema.NullOr(Schema.String) })
  })
})

export const Withdrawal = Schema.Struct({
  operation: Schema.Struct({ ...preparedFields, amountOut: Schema.String, minAmountOut: Schema.String })
})

export const Position = Schema.Struct({
  position: Schema.Struct({
    inRange: Schema.Boolean,
    currentTick: Schema.Finite,
    range: Schema.Struct({ tickLower: Schema.Finite, tickUpper: Schema.Finite })
  })
})

export const Loan = Schema.Struct({
  ...preparedFields,
  healthFactor: Schema.Struct({ before: Schema.NullOr(Schema.String), after: Schema.NullOr(Schema.String) })
})

export const Execution = Schema.Struct({
  transactionId: Schema.String,
  estimatedExecutionTime: Schema.String
})

const Amount = Schema.NullOr(
  Schema.Struct({ amount: Schema.String, token: Schema.NullOr(Schema.Struct({ symbol: Schema.String })) })
)

export const Transaction = Schema.Struct({
  id: Schema.String,
  type: Schema.String,
  status: Schema.String,
  createdAt: Schema.String,
  sentAmount: Amount,
  receivedAmount: Amount,
  transactionHash: Schema.Struct({ hash: Schema.NullOr(Schema.String) }),
  liquidity: Schema.NullOr(Schema.Struct({ tokenId: Schema.NullOr(Schema.String) })),
  failure: Schema.NullOr(Schema.Struct({ message: Schema.String }))
})
export type Transaction = typeof Transaction.Type

export const TransactionAnswer = Schema.Struct({ transaction: Transaction })

export const Refusal = Schema.Struct({ id: Schema.String, message: Schema.String })
