import { TransactionStatus } from "@countersign/core/accounting/history"
import { HexBytes, withDefault, withDescription } from "@countersign/core/foundation/primitives"
import { Schema, SchemaTransformation } from "effect"
import { hex, instant, text } from "./fields.ts"
import { HistoryTransactionBody } from "./history.ts"
import { Hash32Text, HexBytesText } from "./scalars.ts"

/** A quote id. A hexadecimal id may be in upper or lower case. */
export const QuoteIdText = Schema.String.check(Schema.isMinLength(1), Schema.isMaxLength(256)).pipe(
  Schema.decodeTo(
    Schema.String,
    SchemaTransformation.transform({
      decode: (id): string => (/^0x[0-9a-fA-F]*$/u.test(id) ? id.toLowerCase() : id),
      encode: (id) => id
    })
  )
)

const BYTES_MESSAGE = "Expected bytes in hexadecimal: an even number of digits, with or without 0x before them"

/** Hexadecimal bytes as wallets return them: Bitcoin wallets omit `0x`. */
export const SignedBytesText = Schema.String.check(
  Schema.isPattern(/^(?:0x)?(?:[a-fA-F0-9]{2})*$/u, { message: BYTES_MESSAGE })
).pipe(
  Schema.decodeTo(
    HexBytes,
    SchemaTransformation.transform({
      decode: (bytes): string => (bytes.startsWith("0x") ? bytes : `0x${bytes}`).toLowerCase(),
      encode: (bytes) => bytes
    })
  )
)

const executedFields = {
  transactionId: text("Id of the transaction in the wallet's history (UUID)"),
  estimatedExecutionTime: instant("Estimated time of completion")
}

export const ExecutedBody = Schema.Struct({
  quoteId: text("Id of the quote"),
  ...executedFields,
  status: TransactionStatus.annotate({ description: "The current status of the transaction" })
}).annotate({ identifier: "Execution", description: "The accepted quote" })

const Bytes32Text = Schema.String.check(
  Schema.isPattern(/^0x[a-fA-F0-9]{64}$/u, { message: "Expected 0x and 64 hexadecimal digits" })
)

const parityBitOrNull = (value: unknown, zeroValue: number): 0 | 1 | null => {
  const bit = /^(?:number|bigint|string)$/u.test(typeof value) && value !== "" ? Number(value) - zeroValue : null
  return bit === 0 || bit === 1 ? bit : null
}

/** Returns the y parity of a signature; null if neither field contains a valid value. */
const parityOrNull = ({ v, yParity }: { readonly yParity?: unknown; readonly v?: unknown }) =>
  yParity === undefined ? parityBitOrNull(v, 27) : parityBitOrNull(yParity, 0)

/**
 * The result of viem's `signAuthorization`. `chainId`, `address` and `nonce` are ignored, because the quote contains
 * them.
 */
const SignedAuthorization = Schema.Struct({
  r: Bytes32Text.annotate({ description: "`r` of the ECDSA signature" }),
  s: Bytes32Text.annotate({ description: "`s` of the ECDSA signature" }),
  // viem's types allow only one of the two fields, and `v` is a bigint. `parityBitOrNull` reads both fields.
  yParity: Schema.optionalKey(Schema.Unknown).pipe(
    Schema.annotateKey({ description: "Parity of the ECDSA signature: 0 or 1. If omitted, `v` is used" })
  ),
  v: Schema.optionalKey(Schema.Unknown).pipe(Schema.annotateKey({ description: "27 or 28, instead of `yParity`" })),
  chainId: Schema.optionalKey(Schema.Finite.annotate({ description: "Ignored. The quote contains this value" })),
  address: Schema.optionalKey(Schema.String.annotate({ description: "Ignored. The quote contains this value" })),
  nonce: Schema.optionalKey(Schema.Finite.annotate({ description: "Ignored. The quote contains this value" }))
})
  .annotate({ identifier: "SignedAuthorization", description: "A signed EIP-7702 authorization, as viem returns it" })
  .check(
    Schema.makeFilter(
      (authorization) =>
        parityOrNull(authorization) !== null || { path: ["yParity"], issue: "Expected 0 or 1, or `v` of 27 or 28" }
    )
  )

const SIGNATURE_MESSAGE = "Expected bytes in hexadecimal, or an authorization as viem's `signAuthorization` returns it"

/** Accepts bytes, or an authorization that viem signed, which it converts to 65 bytes. */
const bytesOrAuthorization = (bytes: Schema.Codec<HexBytes, string>) =>
  Schema.Union([bytes, SignedAuthorization])
    .annotate({ message: SIGNATURE_MESSAGE })
    .pipe(
      Schema.decodeTo(
        HexBytes,
        SchemaTransformation.transform<string, HexBytes | typeof SignedAuthorization.Type>({
          decode: (value): string =>
            typeof value === "string"
              ? value
              : `0x${value.r.slice(2)}${value.s.slice(2)}${parityOrNull(value) === 0 ? "1b" : "1c"}`.toLowerCase(),
          encode: (bytes) => HexBytes.make(bytes)
        })
      )
    )

/** The body of POST /api/v1/crypto/execute. */
export const ExecuteBody = Schema.Struct({
  quoteId: QuoteIdText.pipe(withDescription("`quoteId` of the quote")),
  signatures: withDefault(
    Schema.Record(Hash32Text, bytesOrAuthorization(SignedBytesText)),
    {},
    "The owner's signature for every element of `signData`, under its `hash`: 65 bytes, the result of viem's " +
      "`signAuthorization` for an `AUTHORIZATION`, or the complete signed Bitcoin transaction or PSBT. Empty if there is " +
      "nothing to sign"
  )
}).annotate({ identifier: "ExecuteRequest", description: "A quote and its owner's signatures" })

/** The body of POST /api/v1/crypto/execute-user-op. */
export const ExecuteUserOperationBody = Schema.Struct({
  userOperationHash: Hash32Text.pipe(withDescription("`userOperationHash` of the quote")),
  signature: HexBytesText.pipe(
    withDescription("The owner's 65-byte signature of the element of `signData` whose `hash` is `userOperationHash`")
  ),
  authorization: Schema.optionalKey(
    bytesOrAuthorization(HexBytesText).pipe(
      withDescription(
        "The owner's signature of the EIP-7702 authorization: 65 bytes, or the result of viem's `signAuthorization`. Required if " +
          "`signData` contains an `AUTHORIZATION`"
      )
    )
  ),
  signatures: Schema.optionalKey(
    Schema.Record(Hash32Text, bytesOrAuthorization(HexBytesText)).annotate({
      description:
        "The owner's 65-byte signatures of the other elements of `signData`, each under the hash of its element"
    })
  )
}).annotate({ identifier: "ExecuteUserOperationRequest", description: "The owner's signatures" })

export const ExecutedUserOperationBody = Schema.Struct({
  userOperationHash: hex("Hash of the operation"),
  ...executedFields
}).annotate({ identifier: "UserOperationExecution", description: "The accepted operation" })

export const TransactionResponse = Schema.Struct({ transaction: HistoryTransactionBody }).annotate({
  identifier: "TransactionAnswer",
  description: "The transaction"
})
