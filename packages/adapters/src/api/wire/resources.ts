import { Schema } from "effect"
import { hex, hexOrNull, instant, link, number, text, textOrNull } from "./fields.ts"
import { userOperationsField } from "./signedOperation.ts"

export const ChainBody = Schema.Struct({
  id: number("EIP-155 chain id; 0 is Bitcoin"),
  name: text("Name of the chain"),
  logo: link("Logo of the chain, served by this service")
}).annotate({ identifier: "Chain", description: "A supported chain" })

export const TokenBody = Schema.Struct({
  name: text("Full name"),
  symbol: text("Symbol, such as USDC"),
  decimals: number("Number of decimals: the maximum number of decimal places in an amount"),
  address: hex("Contract of the token; 0xeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee for the native token"),
  logoURL: link("Logo of the token, served by this service"),
  chainId: number("Id of the token's chain")
}).annotate({ identifier: "Token", description: "A supported token" })

export const MetadataBody = Schema.Record(Schema.String, Schema.String).annotate({
  identifier: "Metadata",
  description: "The key/value pairs of the request"
})

export const RevertReasonBody = Schema.Struct({
  decoded: text("The decoded reason, such as the text of `Error(string)`, a custom error or an AAxx code"),
  raw: hex("The revert data, in hexadecimal"),
  utf8: text("The printable characters of the revert data"),
  failedAt: Schema.optionalKey(
    Schema.Struct({
      address: hex("Address of the contract"),
      name: textOrNull("Name of the contract, or symbol of the token; null if unknown")
    }).annotate({ description: "The contract that reverted first. Absent if the simulation does not return it" })
  )
}).annotate({
  identifier: "RevertReason",
  description: "Reason why the operation would revert now. Absent if it would succeed"
})

export const AuthorizationBody = Schema.Struct({
  chainId: number("Chain on which the authorization is valid"),
  address: hex("Contract to which the owner's address delegates"),
  nonce: number("Nonce of the authorization: the owner's transaction count"),
  hash: hex("Hash that the owner signs: keccak256(0x05 ‖ rlp([chainId, address, nonce]))")
}).annotate({
  identifier: "Authorization",
  description: "An EIP-7702 authorization. Present if the wallet's address has no delegation yet"
})

export const TypedDataBody = Schema.Struct({
  domain: Schema.Struct({
    name: Schema.optionalKey(text("Name of the signing domain")),
    version: Schema.optionalKey(text("Version of the signing domain")),
    chainId: number("Id of the chain"),
    verifyingContract: hex("Contract that checks the signature")
  }).annotate({ description: "EIP-712 domain" }),
  types: Schema.Record(
    Schema.String,
    Schema.Array(
      Schema.Struct({ name: text("Name of the field"), type: text("Solidity type of the field") }).annotate({
        description: "A field of the type"
      })
    ).annotate({ description: "Fields of a type, in order" })
  ).annotate({ description: "Every type of the message by its name" }),
  primaryType: text("Name of the message's type"),
  message: Schema.Record(Schema.String, Schema.Unknown).annotate({
    description: "The message. Its integers are decimal strings, which `eth_signTypedData_v4` accepts"
  })
}).annotate({ identifier: "TypedData", description: "EIP-712 typed data" })

const hash = hex(
  "The hash to sign. It is also the key of this element's signature in the request that executes the quote"
)

const operationHashDescription = "ERC-4337 `userOpHash` of the operation. For a Safe it differs from the signed hash"

/** The fields of an element depend on its signing method, so `method` is the discriminator. */
export const SignDataBody = Schema.Union(
  [
    Schema.Struct({
      type: Schema.Literal("USER_OPERATION").annotate({ description: "Type of the signed data: a user operation" }),
      method: Schema.Literal("personal_sign").annotate({
        description:
          "Sign the 32 bytes of `hash` as a message (EIP-191): viem's `signMessage({ message: { raw: hash } })`"
      }),
      hash,
      userOperationHash: hex(operationHashDescription)
    }).annotate({ identifier: "SignMessage", description: "An element that is signed as a message" }),
    Schema.Struct({
      type: Schema.Literals(["USER_OPERATION", "LIMIT_ORDER"]).annotate({
        description: "Type of the signed data: a user operation or a limit order"
      }),
      method: Schema.Literal("eth_signTypedData_v4").annotate({
        description: "Sign `typedData` (EIP-712): viem's `signTypedData(typedData)`"
      }),
      hash,
      userOperationHash: hexOrNull(`${operationHashDescription}. Null for a limit order`),
      typedData: TypedDataBody
    }).annotate({ identifier: "SignTypedData", description: "An element that is signed as typed data" }),
    Schema.Struct({
      type: Schema.Literal("AUTHORIZATION").annotate({
        description: "Type of the signed data: an EIP-7702 authorization"
      }),
      method: Schema.Literal("eip7702_authorization").annotate({
        description: "Sign `hash` itself, or the tuple with viem's `signAuthorization(authorization)`"
      }),
      hash,
      authorization: AuthorizationBody
    }).annotate({ identifier: "SignAuthorization", description: "An EIP-7702 authorization to sign" }),
    Schema.Struct({
      type: Schema.Literal("BITCOIN_TRANSACTION").annotate({
        description: "Type of the signed data: a Bitcoin transaction"
      }),
      method: Schema.Literal("sign_psbt").annotate({
        description:
          "Sign the PSBT (BIP-174). Submit the signed PSBT, or the complete signed transaction, as the signature"
      }),
      hash,
      psbt: hex("The PSBT in hexadecimal"),
      psbtBase64: text("The PSBT in base64")
    }).annotate({ identifier: "SignPsbt", description: "A Bitcoin transaction to sign" })
  ],
  { mode: "oneOf" }
).annotate({
  identifier: "SignData",
  description:
    "One element that the wallet's owner signs. `method` is the signing method, and `type` the type of the data"
})
export type SignDataBody = typeof SignDataBody.Type

export const signDataField = Schema.Array(SignDataBody).annotate({
  description:
    "The elements that the owner signs, in order. POST /api/v1/crypto/execute takes each signature under the `hash` of its element"
})

export const FeeBody = Schema.Struct({
  type: Schema.Literals(["SERVICE", "EXTRA", "GAS", "PROVIDER", "NETWORK"]).annotate({
    description:
      "`SERVICE`: transactionFeePercent, to the project's treasury. `EXTRA`: extraFee. `GAS`: the network fee. " +
      "`PROVIDER`: the fee of a bridge or an aggregator. `NETWORK`: the Bitcoin miner fee"
  }),
  token: hexOrNull("Token in which the fee is charged; null if the fee is charged in a currency"),
  currency: textOrNull("Currency in which the fee is charged (ISO 4217); null if the fee is charged in a token"),
  amount: text(
    "Decimal amount of the token or of the currency. `GAS` of a quote or of a pending transaction is the maximum gas fee, equal to " +
      "`maxGasFeeToken`. `GAS` of an ended transaction is the actual fee. Other fees are as quoted, and 0 " +
      "if the transaction failed"
  ),
  maxAmount: textOrNull("Maximum of `GAS`, in token units; null for other fees"),
  toAddress: textOrNull("Address that receives the fee; null if there is no such address"),
  percentage: textOrNull("Percentage of the amount before any fee; null if the fee is not a percentage")
}).annotate({ identifier: "Fee", description: "A fee and its receiver" })

export const feesField = Schema.Array(FeeBody).annotate({ description: "All fees" })

/** The fields that prepared operations have in common. */
export const preparedFields = {
  userOperationHash: hex("Hash of the user operation (ERC-4337 `userOpHash`)"),
  quoteId: hex("Quote id. POST /api/v1/crypto/execute takes it"),
  revertReason: Schema.optionalKey(RevertReasonBody),
  authorization: Schema.optionalKey(AuthorizationBody),
  fees: feesField,
  signData: signDataField,
  userOperations: userOperationsField,
  warnings: Schema.Array(Schema.String).annotate({
    description:
      "Warnings to read before signing: for example that a pool's price is far from the price that " +
      "the service uses for values and gas, or that a token charges a transfer fee, with the amount that the receiver gets. Empty if " +
      "there are none"
  }),
  estimatedExecutionTime: instant("Estimated time of completion if the quote is executed now")
}
