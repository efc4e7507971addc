import { assert, describe, it } from "@effect/vitest"
import { Effect, Result, Schema } from "effect"
import { fieldProblems } from "../errors/index.ts"
import {
  AddressChecksum,
  AddressText,
  BitcoinAddressCheck,
  Hash32Text,
  HexBytesText,
  WalletAddressText
} from "./addressText.ts"
import { aBitcoinAddress } from "./ids.fixture.ts"

/** An example from EIP-55. */
const CHECKSUMMED = "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed"
const LOWER = CHECKSUMMED.toLowerCase()
const UPPER = `0x${CHECKSUMMED.slice(2).toUpperCase()}`
const WRONG = CHECKSUMMED.replace("aA", "Aa")

const withChecksum = Effect.provideService(AddressChecksum, (mixedCase: string) => mixedCase === CHECKSUMMED)

const readAddress = (text: unknown) => Schema.decodeUnknownEffect(AddressText)(text)
const readWallet = (text: unknown) => Schema.decodeUnknownEffect(WalletAddressText)(text)

describe("AddressText", () => {
  it.effect(
    "accepts a single case without a checksum and mixed case with a valid checksum, and decodes to lower case",
    () =>
      Effect.gen(function* () {
        for (const text of [LOWER, UPPER, CHECKSUMMED])
          assert.strictEqual(yield* withChecksum(readAddress(text)), LOWER, text)
      })
  )

  it.effect("rejects an invalid checksum, and explains the correction", () =>
    Effect.gen(function* () {
      const error = yield* Effect.flip(withChecksum(readAddress(WRONG)))
      assert.include(error.message, "EIP-55")
      assert.include(error.message, "lower case")
    })
  )

  it.effect("rejects mixed case if checksums can't be verified, and accepts a single case", () =>
    Effect.gen(function* () {
      assert.include((yield* Effect.flip(readAddress(CHECKSUMMED))).message, "EIP-55")
      assert.strictEqual(yield* readAddress(LOWER), LOWER)
      assert.strictEqual(yield* readAddress(UPPER), LOWER)
    })
  )

  it.effect("rejects text that is not an address before it verifies a checksum", () =>
    Effect.gen(function* () {
      const withoutChecksum = Effect.provideService(AddressChecksum, () => assert.fail("asked"))
      for (const text of [
        "",
        "0x",
        LOWER.slice(2),
        `${LOWER}0`,
        LOWER.slice(0, -1),
        `${LOWER}\n`,
        ` ${LOWER}`,
        7,
        null
      ]) {
        const error = yield* Effect.flip(withoutChecksum(readAddress(text)))
        assert.notInclude(error.message, "EIP-55")
      }
      assert.include((yield* Effect.flip(readAddress("0xzz"))).message, "40 hexadecimal digits")
    })
  )

  it.effect("encodes the address unchanged", () =>
    Effect.gen(function* () {
      assert.strictEqual(yield* Schema.encodeEffect(AddressText)(yield* readAddress(LOWER)), LOWER)
    })
  )
})

describe("WalletAddressText", () => {
  const withBitcoinCheck = Effect.provideService(BitcoinAddressCheck, (text: string) =>
    text.endsWith("b") ? Result.fail({ code: "wrong_checksum", reason: "A character is wrong." }) : Result.succeed(text)
  )

  it.effect("accepts a Bitcoin address without changing its case", () =>
    Effect.gen(function* () {
      for (const text of [
        aBitcoinAddress(),
        "1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa",
        "3J98t1WpEZ73CNmQviecrnyiWrnqRhWNLy",
        "bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq"
      ]) {
        assert.strictEqual(yield* withBitcoinCheck(readWallet(text)), text)
      }
    })
  )

  it.effect("rejects a Bitcoin address that fails the check, and every Bitcoin address without a check", () =>
    Effect.gen(function* () {
      const failedCheck = yield* Effect.flip(withBitcoinCheck(readWallet("1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNb")))
      const [problem] = fieldProblems(failedCheck.issue).problems
      assert.deepStrictEqual(problem, { path: "", code: "wrong_checksum", message: "A character is wrong." })
      assert.include((yield* Effect.flip(readWallet(aBitcoinAddress()))).message, "can't be checked")
    })
  )

  it.effect("decodes an EVM address as AddressText does", () =>
    Effect.gen(function* () {
      assert.strictEqual(yield* withChecksum(readWallet(CHECKSUMMED)), LOWER)
      assert.include((yield* Effect.flip(withChecksum(readWallet(WRONG)))).message, "EIP-55")
    })
  )

  it.effect("rejects everything else, including addresses of Bitcoin's test network", () =>
    Effect.gen(function* () {
      for (const text of ["", "tb1qw508d6qejxtdg4y5r3zarvary0c5xw7kxpjzsx", "1A1zP1", "bc1q0", LOWER.slice(2)]) {
        assert.include((yield* Effect.flip(readWallet(text))).message, "or a Bitcoin address")
      }
    })
  )
})

describe("Hexadecimal text", () => {
  it.effect("is decoded to lower case from any case", () =>
    Effect.gen(function* () {
      const hash = `0x${"Ab".repeat(32)}`
      assert.strictEqual(yield* Schema.decodeUnknownEffect(Hash32Text)(hash), hash.toLowerCase())
      assert.strictEqual(yield* Schema.decodeUnknownEffect(HexBytesText)("0xABcd"), "0xabcd")
      assert.strictEqual(yield* Schema.decodeUnknownEffect(HexBytesText)("0x"), "0x")
      yield* Effect.flip(Schema.decodeUnknownEffect(HexBytesText)("0xabc"))
      yield* Effect.flip(Schema.decodeUnknownEffect(Hash32Text)(`${hash}00`))
    })
  )
})
