import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import {
  decodeAbiParameters,
  encodeAbiParameters,
  encodeFunctionData,
  type Hex,
  parseAbi,
  parseAbiParameters,
  toFunctionSelector
} from "viem"
import { codec, encodeCall, makeCallDecoder, selectorOf } from "../../src/verify/abi.ts"
import { type Bytes, bytes, parseInteger } from "../../src/verify/bytes.ts"

/** Compares the verifier's ABI codec with viem's. */

const SHAPE = "address,uint256,(bytes,uint256)[],bytes[],bool"
const parameters = parseAbiParameters("address, uint256, (bytes data, uint256 value)[], bytes[], bool")

const Data = Schema.String.check(Schema.isPattern(/^0x(?:[0-9a-f]{2}){0,70}$/u))
const Address = Schema.String.check(Schema.isPattern(/^0x[0-9a-f]{40}$/u))
const Number256 = Schema.BigInt.check(Schema.isBetweenBigInt({ minimum: 0n, maximum: 2n ** 256n - 1n }))

const Values = Schema.Struct({
  to: Address,
  amount: Number256,
  calls: Schema.Array(Schema.Struct({ data: Data, value: Number256 })),
  parts: Schema.Array(Data),
  flag: Schema.Boolean
})
type Values = typeof Values.Type

const encodeByViem = ({ amount, calls, flag, parts, to }: Values): Hex =>
  encodeAbiParameters(parameters, [
    to as Hex,
    amount,
    calls.map(({ data, value }) => ({ data: data as Hex, value })),
    parts as ReadonlyArray<Hex>,
    flag
  ])

const listArguments = ({ amount, calls, flag, parts, to }: Values) =>
  [
    to as Bytes,
    amount,
    calls.map(({ data, value }) => [data as Bytes, value]),
    parts as ReadonlyArray<Bytes>,
    flag ? 1n : 0n
  ] as const

describe("calldata", () => {
  it.prop("is encoded and decoded as by viem", { values: Values }, ({ values }) => {
    const data = encodeByViem(values)
    assert.strictEqual(codec(SHAPE).encode(...listArguments(values)), data)
    assert.deepStrictEqual(codec(SHAPE).decode(data), listArguments(values))
    return true
  })

  it.prop(
    "is decoded as by viem, or rejected, if one byte is changed",
    {
      values: Values,
      at: Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 4_000 })),
      by: Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 255 }))
    },
    ({ at, by, values }) => {
      const data = encodeByViem(values)
      const offset = 2 + 2 * (at % ((data.length - 2) / 2))
      const changedByte = (Number.parseInt(data.slice(offset, offset + 2), 16) ^ by).toString(16).padStart(2, "0")
      const otherData: Hex = `0x${data.slice(2, offset)}${changedByte}${data.slice(offset + 2)}`
      let decodedArguments: ReadonlyArray<unknown>
      try {
        decodedArguments = codec(SHAPE).decode(otherData)
      } catch {
        return true
      }
      const [to, amount, calls, parts] = decodeAbiParameters(parameters, otherData)
      assert.deepStrictEqual(decodedArguments.slice(0, 4), [
        to.toLowerCase(),
        amount,
        calls.map(({ data: inner, value }) => [inner, value]),
        parts
      ])
      return true
    }
  )

  it("uses the same selectors as viem", () => {
    for (const signature of ["approve(address,uint256)", "executeBatch((address,uint256,bytes)[])", "refundETH()"])
      assert.strictEqual(selectorOf(signature), toFunctionSelector(signature))
    const abi = parseAbi(["function multicall(uint256 deadline, bytes[] data)"])
    const data = encodeFunctionData({ abi, args: [5n, ["0x1234", "0x"]] })
    assert.strictEqual(encodeCall("multicall(uint256,bytes[])", 5n, ["0x1234", "0x"]), data)
    assert.deepStrictEqual(makeCallDecoder({ "multicall(uint256,bytes[])": null })(data)?.args, [5n, ["0x1234", "0x"]])
  })

  it("is rejected if lists and bytes point beyond its end, or are longer than it", () => {
    const padWord = (digits: string) => digits.padStart(64, "0")
    const malformedData = [
      `${padWord("20")}${padWord("ffffffff")}`,
      padWord("ffffffff"),
      `${padWord("20")}${padWord("40")}12`,
      padWord("20"),
      ""
    ]
    for (const digits of malformedData)
      assert.throws(() => codec("bytes[]").decode(`0x${digits}`), undefined, undefined, digits)
    assert.throws(() => codec("address").decode(`0x${"1".padStart(64, "1")}`))
  })
})

describe("values of a response", () => {
  it("are parsed as numbers and bytes, or rejected", () => {
    assert.strictEqual(parseInteger("12"), 12n)
    assert.strictEqual(parseInteger(12), 12n)
    assert.strictEqual(bytes("0xAB"), "0xab")
    for (const value of ["0x1", "-1", "1e3", "", -1, 1.5, 2 ** 60, null, undefined, {}, "9".repeat(78)])
      assert.throws(() => parseInteger(value))
    for (const value of ["0x1", "12", "", 12, null, undefined, {}]) assert.throws(() => bytes(value))
  })
})
