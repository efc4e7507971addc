import { Schema } from "effect"

/** Responses carry every field; what has no value is null. */
export const Text = Schema.NullOr(Schema.String)

export const ChainBody = Schema.Struct({
  id: Schema.Finite,
  name: Schema.String,
  logo: Schema.String
}).annotate({ identifier: "Chain" })

export const TokenBody = Schema.Struct({
  name: Schema.String,
  symbol: Schema.String,
  decimals: Schema.Finite,
  address: Schema.String,
  logoURL: Schema.String,
  chainId: Schema.Finite
}).annotate({ identifier: "Token" })

export const MetadataBody = Schema.Record(Schema.String, Schema.String).annotate({ identifier: "Metadata" })

export const RevertReasonBody = Schema.Struct({
  decoded: Schema.String,
  raw: Schema.String,
  utf8: Schema.String
}).annotate({ identifier: "RevertReason" })

export const AuthorizationBody = Schema.Struct({
  chainId: Schema.Finite,
  address: Schema.String,
  nonce: Schema.Finite,
  hash: Schema.String
}).annotate({ identifier: "Authorization" })

export const TypedDataBody = Schema.Struct({
  domain: Schema.Struct({
    name: Schema.optionalKey(Schema.String),
    version: Schema.optionalKey(Schema.String),
    chainId: Schema.Finite,
    verifyingContract: Schema.String
  }),
  types: Schema.Record(Schema.String, Schema.Array(Schema.Struct({ name: Schema.String, type: Schema.String }))),
  primaryType: Schema.String,
  message: Schema.Record(Schema.String, Schema.Unknown)
}).annotate({ identifier: "TypedData" })

export const SignDataBody = Schema.Struct({
  type: Schema.Literals(["USER_OPERATION", "LIMIT_ORDER", "AUTHORIZATION"]),
  method: Schema.Literals(["personal_sign", "eth_signTypedData_v4", "eip7702_authorization"]),
  hash: Schema.String,
  typedData: Schema.optionalKey(TypedDataBody),
  authorization: Schema.optionalKey(AuthorizationBody)
}).annotate({ identifier: "SignData" })

export const FeeBody = Schema.Struct({
  type: Schema.String,
  token: Schema.String,
  amount: Schema.String.annotate({
    description:
      "In whole tokens. GAS of a quote, and of a transaction that is under way: the most that it can take; of one that has ended: what it took. Other fees of a transaction that failed were not taken, and are 0."
  }),
  maxAmount: Text.annotate({
    description: "The most that GAS could take, in whole tokens; null of other fees, which are taken as quoted."
  }),
  toAddress: Text,
  percentage: Text
}).annotate({ identifier: "Fee" })
