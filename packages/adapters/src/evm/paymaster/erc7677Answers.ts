import { Address, HexBytes } from "@countersign/core/primitives"
import { Schema, SchemaTransformation } from "effect"

const lowerCase = { decode: (text: string): string => text.toLowerCase(), encode: (text: string): string => text }
const AnyCaseAddress = Schema.String.pipe(Schema.decodeTo(Address, SchemaTransformation.transform(lowerCase)))
const AnyCaseBytes = Schema.String.pipe(Schema.decodeTo(HexBytes, SchemaTransformation.transform(lowerCase)))
const Quantity = Schema.String.check(Schema.isPattern(/^0x[0-9a-f]+$/iu))

/** Answer of `pm_getPaymasterStubData` for EntryPoint 0.7 and later (ERC-7677). */
export const decodeStubData = Schema.decodeUnknownSync(
  Schema.Struct({
    paymaster: AnyCaseAddress,
    paymasterData: AnyCaseBytes,
    paymasterVerificationGasLimit: Schema.optional(Quantity),
    paymasterPostOpGasLimit: Schema.optional(Quantity)
  })
)

/** Answer of `pm_getPaymasterData` for EntryPoint 0.7 and later (ERC-7677). */
export const decodePaymasterData = Schema.decodeUnknownSync(
  Schema.Struct({ paymaster: AnyCaseAddress, paymasterData: AnyCaseBytes })
)

/** Answer of `pimlico_getTokenQuotes`. `exchangeRate`: base units of the token for 10^18 wei. */
export const decodeTokenQuotes = Schema.decodeUnknownSync(
  Schema.Struct({
    quotes: Schema.Array(Schema.Struct({ token: Schema.String, postOpGas: Quantity, exchangeRate: Quantity }))
  })
)
