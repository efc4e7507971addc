import { assert, describe, it } from "@effect/vitest"
import { BitcoinAddress, Hash32, HexBytes } from "../../foundation/primitives/index.ts"
import type { BitcoinTransaction } from "../chain/index.ts"
import { amountOf, partOf } from "./paymentParts.ts"

const OWN = HexBytes.make("0x0014aa")
const OTHER = HexBytes.make("0x0014bb")
const THIRD = HexBytes.make("0x0014cc")
const DATA = HexBytes.make("0x6a0161")
const names = new Map([
  [OWN, "1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN2"],
  [OTHER, "3J98t1WpEZ73CNmQviecrnyiWrnqRhWNLy"],
  [THIRD, "bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4"]
])
const addressOf = (script: HexBytes) => {
  const name = names.get(script)
  return name === undefined ? null : BitcoinAddress.make(name)
}

type Side = ReadonlyArray<readonly [script: HexBytes, value: bigint]>

const part = (inputs: Side, outputs: Side, isCoinbase = false) => {
  const partsOf = (side: Side) =>
    side.map(([script, value], vout) => ({ script, value, txid: Hash32.make(`0x${"11".repeat(32)}`), vout }))
  const sum = (side: Side) => side.reduce((all, [, value]) => all + value, 0n)
  const transaction = {
    txid: Hash32.make(`0x${"22".repeat(32)}`),
    inputs: partsOf(inputs),
    outputs: partsOf(outputs),
    fee: isCoinbase ? 0n : sum(inputs) - sum(outputs),
    isCoinbase,
    block: null
  } as unknown as BitcoinTransaction
  return partOf(transaction, { address: addressOf(OWN)!, script: OWN, addressOf, usd: String })
}

/** Returns direction, role, amount and counterparty of each movement. */
const shapes = (parts: ReturnType<typeof part>) =>
  parts?.movements.map(({ amount, counterparty, direction, role }) => [direction, role, amount, counterparty])

describe("The movements of an address in a transaction", () => {
  it("are a deposit from the payer", () => {
    const parts = part(
      [[OTHER, 100n]],
      [
        [OWN, 60n],
        [OTHER, 30n]
      ]
    )
    assert.strictEqual(parts?.type, "CRYPTO_DEPOSIT")
    assert.deepStrictEqual(shapes(parts), [["IN", "PRINCIPAL", 60n, names.get(OTHER)!]])
    assert.strictEqual(parts?.movements.at(0)?.usd, "60")
  })

  it("are a deposit without a payer if there are several payers, or for a coinbase transaction", () => {
    assert.deepStrictEqual(
      shapes(
        part(
          [
            [OTHER, 50n],
            [THIRD, 50n]
          ],
          [[OWN, 90n]]
        )
      ),
      [["IN", "PRINCIPAL", 90n, null]]
    )
    assert.deepStrictEqual(shapes(part([], [[OWN, 90n]], true)), [["IN", "PRINCIPAL", 90n, null]])
  })

  it("are one movement if several outputs pay the address", () => {
    assert.deepStrictEqual(
      shapes(
        part(
          [[OTHER, 100n]],
          [
            [OWN, 20n],
            [OWN, 30n]
          ]
        )
      ),
      [["IN", "PRINCIPAL", 50n, names.get(OTHER)!]]
    )
  })

  it("are a withdrawal to each receiver, with the fee and without the change", () => {
    const parts = part(
      [
        [OWN, 70n],
        [OWN, 30n]
      ],
      [
        [OTHER, 40n],
        [THIRD, 10n],
        [OTHER, 5n],
        [OWN, 41n],
        [DATA, 0n]
      ]
    )!
    assert.strictEqual(parts.type, "CRYPTO_WITHDRAW")
    assert.deepStrictEqual(shapes(parts), [
      ["OUT", "PRINCIPAL", 45n, names.get(OTHER)!],
      ["OUT", "PRINCIPAL", 10n, names.get(THIRD)!],
      ["OUT", "GAS", 4n, null]
    ])
    assert.strictEqual(amountOf(parts), 55n)
  })

  it("are only the fee if all outputs return to the address", () => {
    assert.deepStrictEqual(shapes(part([[OWN, 100n]], [[OWN, 97n]])), [["OUT", "GAS", 3n, null]])
  })

  it("are only the net amount if other addresses also spent inputs, in either direction", () => {
    assert.deepStrictEqual(
      shapes(
        part(
          [
            [OWN, 50n],
            [OTHER, 60n]
          ],
          [
            [OWN, 20n],
            [THIRD, 80n]
          ]
        )
      ),
      [["OUT", "PRINCIPAL", 30n, null]]
    )
    assert.deepStrictEqual(
      shapes(
        part(
          [
            [OWN, 10n],
            [OTHER, 60n]
          ],
          [[OWN, 55n]]
        )
      ),
      [["IN", "PRINCIPAL", 45n, null]]
    )
  })

  it("are null if the address is not involved, or if its balance does not change", () => {
    assert.isNull(part([[OTHER, 10n]], [[THIRD, 9n]]))
    assert.isNull(
      part(
        [
          [OWN, 10n],
          [OTHER, 10n]
        ],
        [
          [OWN, 10n],
          [THIRD, 9n]
        ]
      )
    )
  })

  it("add up to the change of the balance", () => {
    let state = 7
    const random = (max: number) => {
      state = (state * 48_271) % 2_147_483_647
      return state % max
    }
    const scripts = [OWN, OTHER, THIRD, DATA]
    for (let run = 0; run < 2_000; run++) {
      const inputs: Side = Array.from({ length: 1 + random(4) }, () => [scripts[random(3)]!, BigInt(100 + random(50))])
      const total = inputs.reduce((sum, [, value]) => sum + value, 0n)
      const outputs: Side = Array.from({ length: 1 + random(4) }, () => [
        scripts[random(4)]!,
        total / 5n + BigInt(random(3))
      ])
      const parts = part(inputs, outputs)
      const ownAmount = (side: Side) => side.reduce((sum, [script, value]) => (script === OWN ? sum + value : sum), 0n)
      const netAmount = (parts?.movements ?? []).reduce(
        (sum, { amount, direction }) => (direction === "IN" ? sum + amount : sum - amount),
        0n
      )
      assert.strictEqual(netAmount, ownAmount(outputs) - ownAmount(inputs))
      assert.isTrue((parts?.movements ?? []).every(({ amount }) => amount >= 0n))
    }
  })
})
