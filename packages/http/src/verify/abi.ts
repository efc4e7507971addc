import {
  address,
  addressWord,
  type Bytes,
  concat,
  keccak,
  numberIn,
  sizeOf,
  slice,
  textBytes,
  Unreadable,
  word
} from "./bytes.ts"

/**
 * A Solidity type. An elementary type is its name, a struct the list of its member types, and an array contains its
 * element type.
 */
type AbiType = string | ReadonlyArray<AbiType> | { readonly list: AbiType }

/**
 * A decoded value. Numbers and booleans are bigints; addresses and bytes are hexadecimal; structs and arrays are
 * arrays.
 */
export type AbiValue = bigint | Bytes | ReadonlyArray<AbiValue>

/** Parses the parameter types of a function signature. */
const parseTypes = (text: string): ReadonlyArray<AbiType> => {
  const types: Array<AbiType> = []
  let position = 0
  while (position < text.length) {
    let end = position
    for (let depth = 0; end < text.length && (depth > 0 || text[end] !== ","); end++) {
      if (text[end] === "(") depth++
      if (text[end] === ")") depth--
    }
    types.push(parseType(text.slice(position, end)))
    position = end + 1
  }
  return types
}

const parseType = (text: string): AbiType => {
  if (text.endsWith("[]")) return { list: parseType(text.slice(0, -2)) }
  return text.startsWith("(") ? parseTypes(text.slice(1, -1)) : text
}

const isList = (type: AbiType): type is { readonly list: AbiType } => typeof type === "object" && "list" in type

/** Strings are decoded as bytes. */
const isBytes = (type: string): boolean => type === "bytes" || type === "string"

const isDynamic = (type: AbiType): boolean =>
  typeof type === "string" ? isBytes(type) : isList(type) || type.some(isDynamic)

const headSize = (type: AbiType): number =>
  typeof type === "string" || isDynamic(type)
    ? 32
    : (type as ReadonlyArray<AbiType>).reduce((sum, one) => sum + headSize(one), 0)

const padToWords = (data: Bytes): Bytes => `0x${data.slice(2)}${"0".repeat((64 - ((data.length - 2) % 64)) % 64)}`

const encodeOne = (type: AbiType, value: AbiValue): Bytes => {
  if (isList(type)) {
    const items = value as ReadonlyArray<AbiValue>
    return concat(
      word(BigInt(items.length)),
      encodeAll(
        items.map(() => type.list),
        items
      )
    )
  }
  if (typeof type !== "string") return encodeAll(type, value as ReadonlyArray<AbiValue>)
  if (isBytes(type)) return concat(word(BigInt(sizeOf(value as Bytes))), padToWords(value as Bytes))
  return typeof value === "bigint" ? word(value) : type === "address" ? addressWord(value as Bytes) : (value as Bytes)
}

const encodeAll = (types: ReadonlyArray<AbiType>, values: ReadonlyArray<AbiValue>): Bytes => {
  let tailAt = types.reduce((sum, type) => sum + headSize(type), 0)
  const heads: Array<Bytes> = []
  const tails: Array<Bytes> = []
  for (const [i, type] of types.entries()) {
    const encodedValue = encodeOne(type, values[i]!)
    if (isDynamic(type)) {
      heads.push(word(BigInt(tailAt)))
      tails.push(encodedValue)
      tailAt += sizeOf(encodedValue)
    } else heads.push(encodedValue)
  }
  return concat(...heads, ...tails)
}

/**
 * Returns the number of bits that a value may use. A signed type may use all bits of the word, because of negative
 * numbers.
 */
const bitsOf = (type: string): bigint => (type === "bool" ? 1n : type.startsWith("uint") ? BigInt(type.slice(4)) : 256n)

const offsetAt = (data: Bytes, at: number): number => {
  const offset = numberIn(slice(data, at, at + 32))
  if (offset > BigInt(sizeOf(data))) throw new Unreadable("an offset points beyond the end of the data")
  return Number(offset)
}

const decodeOne = (type: AbiType, data: Bytes, at: number): AbiValue => {
  if (isList(type)) {
    const length = offsetAt(data, at)
    if (length > sizeOf(data) / 32) throw new Unreadable("a list is longer than the data")
    return decodeAll(
      Array.from({ length }, () => type.list),
      slice(data, at + 32)
    )
  }
  if (typeof type !== "string") return decodeAll(type, slice(data, at))
  if (isBytes(type)) return slice(data, at + 32, at + 32 + offsetAt(data, at))
  const value = slice(data, at, at + 32)
  if (type === "address") return address(slice(value, 12))
  const number = numberIn(value)
  // Some contracts read raw words. They would interpret a number that exceeds its type differently.
  if (number >> bitsOf(type) !== 0n) throw new Unreadable(`a ${type} value is out of range`)
  return number
}

const decodeAll = (types: ReadonlyArray<AbiType>, data: Bytes): ReadonlyArray<AbiValue> => {
  let offset = 0
  return types.map((type) => {
    const value = decodeOne(type, data, isDynamic(type) ? offsetAt(data, offset) : offset)
    offset += headSize(type)
    return value
  })
}

/** Decodes data, and rejects encodings that are not canonical, because a contract may decode these differently. */
const decodeStrictly = (types: ReadonlyArray<AbiType>, data: Bytes): ReadonlyArray<AbiValue> => {
  const values = decodeAll(types, data)
  if (encodeAll(types, values) !== data) throw new Unreadable("the data has unused bytes")
  return values
}

/** Builds an encoder and a strict decoder for a list of types, such as `address,uint256`. */
export const codec = (typeList: string) => {
  const types = parseTypes(typeList)
  return {
    encode: (...values: ReadonlyArray<AbiValue>): Bytes => encodeAll(types, values),
    decode: (data: Bytes) => decodeStrictly(types, data)
  }
}

/** A decoded call to a known function. */
export interface FunctionCall<A> {
  readonly definition: A
  readonly args: ReadonlyArray<AbiValue>
}

export const selectorOf = (signature: string): Bytes => slice(keccak(textBytes(signature)), 0, 4)

const parametersOf = (signature: string): string => signature.slice(signature.indexOf("(") + 1, -1)

/** Encodes the calldata of a function call. */
export const encodeCall = (signature: string, ...args: ReadonlyArray<AbiValue>): Bytes =>
  concat(selectorOf(signature), codec(parametersOf(signature)).encode(...args))

/** Builds a decoder for calls to known functions. It returns null for other calls. */
export const makeCallDecoder = <A>(bySignature: Readonly<Record<string, A>>) => {
  const functionsBySelector = new Map(
    Object.entries(bySignature).map(([signature, definition]) => {
      return [selectorOf(signature), { known: definition, decode: codec(parametersOf(signature)).decode }] as const
    })
  )
  return (data: Bytes): FunctionCall<A> | null => {
    const matchingFunction = sizeOf(data) < 4 ? undefined : functionsBySelector.get(slice(data, 0, 4))
    return matchingFunction === undefined
      ? null
      : { definition: matchingFunction.known, args: matchingFunction.decode(slice(data, 4)) }
  }
}

/** Returns the tokens of an encoded Uniswap V3 path: a token, followed by a fee and a token for each pool. */
export const pathTokens = (path: Bytes): ReadonlyArray<Bytes> => {
  const size = sizeOf(path)
  if (size < 43 || (size - 20) % 23 !== 0) throw new Unreadable("the path of a swap is malformed")
  return Array.from({ length: (size + 3) / 23 }, (_, i) => slice(path, i * 23, i * 23 + 20))
}
