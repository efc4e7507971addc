import { address, addressWord, type Bytes, bytes, concat, keccak, parseInteger, textBytes, word } from "./bytes.ts"

/** EIP-712 typed data in the format of `eth_signTypedData_v4`, without nested structs. */
export interface TypedData {
  readonly domain: {
    readonly name?: string
    readonly version?: string
    readonly chainId: number
    readonly verifyingContract: Bytes
  }
  readonly types: Readonly<Record<string, ReadonlyArray<{ readonly name: string; readonly type: string }>>>
  readonly primaryType: string
  readonly message: Readonly<Record<string, unknown>>
}

type Fields = TypedData["types"][string]

/** Builds the typed data of one struct from the type and the value of each field. Numbers become decimal strings. */
export const typedDataOf = (
  domain: TypedData["domain"],
  primaryType: string,
  fields: Readonly<Record<string, readonly [type: string, value: bigint | number | Bytes]>>
): TypedData => {
  const entries = Object.entries(fields)
  return {
    domain,
    types: { [primaryType]: entries.map(([name, [type]]) => ({ name, type })) },
    primaryType,
    message: Object.fromEntries(entries.map(([name, [, value]]) => [name, String(value)]))
  }
}

const domainTypes: Readonly<Record<string, string>> = {
  name: "string",
  version: "string",
  chainId: "uint256",
  verifyingContract: "address"
}

const encodeField = (type: string, value: unknown): Bytes => {
  if (type === "string") return keccak(textBytes(String(value)))
  if (type === "bytes") return keccak(bytes(value))
  if (type === "address") return addressWord(address(value))
  if (type === "bool") return word(value === true ? 1n : 0n)
  return type === "bytes32" ? bytes(value) : word(parseInteger(value))
}

const hashStruct = (name: string, fields: Fields, values: Readonly<Record<string, unknown>>): Bytes => {
  const typeText = `${name}(${fields.map((field) => `${field.type} ${field.name}`).join(",")})`
  return keccak(
    concat(keccak(textBytes(typeText)), ...fields.map((field) => encodeField(field.type, values[field.name])))
  )
}

/** Computes the EIP-712 digest that a wallet signs. */
export const typedDataHash = ({ domain, message, primaryType, types }: TypedData): Bytes => {
  const domainFields = Object.entries(domainTypes).flatMap(([name, type]) => (name in domain ? [{ name, type }] : []))
  return keccak(
    concat(
      "0x1901",
      hashStruct("EIP712Domain", domainFields, domain),
      hashStruct(primaryType, types[primaryType]!, message)
    )
  )
}
