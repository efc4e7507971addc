import { assert, describe, it } from "@effect/vitest"
import { BitcoinAddress, Hash32, HexBytes } from "../../foundation/primitives/index.ts"
import type { BitcoinTransaction } from "../chain/index.ts"
import { addressMovementsOf, amountOf } from "./paymentParts.ts"

const OWN = HexBytes.make("0x0014aa")
const OTHER = HexBytes.make("0x0014bb")
const THIRD = HexBytes.make("0x0014cc")
const DATA = HexBytes.make("0x6a0161")
const addressTextByScript = new Map([
  [OWN, "1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN2"],
  [OTHER, "3J98t1WpEZ73CNmQviecrnyiWrnqRhWNLy"],
  [THIRD, "bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4"]
])
const addressOf = (script: HexBytes) => {
  const name = addressTextByScript.get(script)
  return name === undefined ? null : BitcoinAddress.make(name)
}

type ScriptValues = ReadonlyArray<readonly [script: HexBytes, value: bigint]>

const movementsIn = (inputs: ScriptValues, outputs: ScriptValues, isCoinbase = false) => {
  const outputsOf = (side: ScriptValues) =>
    side.map(([script, value], vout) => ({ script, value, txid: Hash32.make(`0x${"11".repeat(32)}`), vout }))
  const sum = (side: ScriptValues) => side.reduce((all, [, value]) => all + value, 0n)
  const transaction = {
    txid: Hash32.make(`0x${"22".repeat(32)}`),
    inputs: outputsOf(inputs),
    outputs: outputsOf(outputs),
    fee: isCoinbase ? 0n : sum(inputs) - sum(outputs),
    isCoinbase,
    block: null
  } as unknown as BitcoinTransaction
  return addressMovementsOf(transaction, { address: addressOf(OWN)!, script: OWN, addressOf, usdOf: String })
}

/** Returns direction, role, amount and counterparty of each movement. */
const shapesOf = (parts: ReturnType<typeof movementsIn>) =>
  parts?.movements.map(({ amount, counterparty, direction, role }) => [direction, role, amount, counterparty])

describe("The movements of an address in a transaction", () => {
  it("are a deposit from the payer", () => {
    const parts = movementsIn(
      [[OTHER, 100n]],
      [
        [OWN, 60n],
        [OTHER, 30n]
      ]
    )
    assert.strictEqual(parts?.type, "CRYPTO_DEPOSIT")
    assert.deepStrictEqual(shapesOf(parts), [["IN", "PRINCIPAL", 60n, addressTextByScript.get(OTHER)!]])
    assert.strictEqual(parts?.movements.at(0)?.usd, "60")
  })

  it("are a deposit without a payer if there are several payers, or for a coinbase transaction", () => {
    assert.deepStrictEqual(
      shapesOf(
        movementsIn(
          [
            [OTHER, 50n],
            [THIRD, 50n]
          ],
          [[OWN, 90n]]
        )
      ),
      [["IN", "PRINCIPAL", 90n, null]]
    )
    assert.deepStrictEqual(shapesOf(movementsIn([], [[OWN, 90n]], true)), [["IN", "PRINCIPAL", 90n, null]])
  })

  it("are one movement if several outputs pay the address", () => {
    assert.deepStrictEqual(
      shapesOf(
        movementsIn(
          [[OTHER, 100n]],
          [
            [OWN, 20n],
            [OWN, 30n]
          ]
        )
      ),
      [["IN", "PRINCIPAL", 50n, addressTextByScript.get(OTHER)!]]
    )
  })

  it("are a withdrawal to each receiver, with the fee and without the change", () => {
    const parts = movementsIn(
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
    assert.deepStrictEqual(shapesOf(parts), [
      ["OUT", "PRINCIPAL", 45n, addressTextByScript.get(OTHER)!],
      ["OUT", "PRINCIPAL", 10n, addressTextByScript.get(THIRD)!],
      ["OUT", "GAS", 4n, null]
    ])
    assert.strictEqual(amountOf(parts), 55n)
  })

  it("are only the fee if all outputs return to the address", () => {
    assert.deepStrictEqual(shapesOf(movementsIn([[OWN, 100n]], [[OWN, 97n]])), [["OUT", "GAS", 3n, null]])
  })

  it("are only the net amount if other addresses also spent inputs, in either direction", () => {
    assert.deepStrictEqual(
      shapesOf(
        movementsIn(
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
      shapesOf(
        movementsIn(
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
    assert.isNull(movementsIn([[OTHER, 10n]], [[THIRD, 9n]]))
    assert.isNull(
      movementsIn(
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
      const inputs: ScriptValues = Array.from({ length: 1 + random(4) }, () => [
        scripts[random(3)]!,
        BigInt(100 + random(50))
      ])
      const total = inputs.reduce((sum, [, value]) => sum + value, 0n)
      const outputs: ScriptValues = Array.from({ length: 1 + random(4) }, () => [
        scripts[random(4)]!,
        total / 5n + BigInt(random(3))
      ])
      const parts = movementsIn(inputs, outputs)
      const ownAmount = (side: ScriptValues) =>
        side.reduce((sum, [script, value]) => (script === OWN ? sum + value : sum), 0n)
      const netAmount = (parts?.movements ?? []).reduce(
        (sum, { amount, direction }) => (direction === "IN" ? sum + amount : sum - amount),
        0n
      )
      assert.strictEqual(netAmount, ownAmount(outputs) - ownAmount(inputs))
      assert.isTrue((parts?.movements ?? []).every(({ amount }) => amount >= 0n))
    }
  })
})
