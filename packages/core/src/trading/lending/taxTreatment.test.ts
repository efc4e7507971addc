import { assert, describe, it } from "@effect/vitest"
import type { Movement } from "../../accounting/history/index.ts"
import { aMovement } from "../../accounting/history/Transaction.fixture.ts"
import { withInterest } from "../../accounting/tax/interest.ts"
import type { TaxTreatment } from "../../accounting/tax-treatment/index.ts"
import { anAddress } from "../../foundation/primitives/ids.fixture.ts"
import { NATIVE_TOKEN, ZERO_ADDRESS } from "../../foundation/primitives/index.ts"
import { LendingType } from "./LendingType.ts"
import { type LendingDetails, lendingDetails } from "./lendingDetails.ts"
import { lendingTreatment, liquidationTreatment } from "./taxTreatment.ts"

const [collateral, debt] = [anAddress(), anAddress()]

const details: LendingDetails = {
  provider: "LENDING_PROVIDER_B",
  marketId: "0x01",
  healthFactorBefore: null,
  healthFactorAfter: "2.5",
  repaid: null
}

const applyTreatment = (
  treatment: TaxTreatment,
  movements: ReadonlyArray<Movement>,
  changes: Partial<LendingDetails> = {}
) =>
  treatment({
    transaction: { id: "one", type: "LENDING_SUPPLY", details: lendingDetails.of({ ...details, ...changes }) },
    movements,
    isOwn: () => false
  })

const movementOf = (direction: Movement["direction"], token = collateral, role: Movement["role"] = "PRINCIPAL") =>
  aMovement({ direction, role, asset: { chainId: 1, token }, amount: 5n })

describe("A lending operation", () => {
  it.each(LendingType.literals)("%s neither disposes of anything nor acquires it", (type) => {
    const entries = applyTreatment(lendingTreatment(type), [
      movementOf("OUT"),
      movementOf("IN", debt),
      movementOf("OUT", debt, "GAS")
    ])
    const kinds = entries.flatMap(({ legs }) => legs.map(({ kind }) => kind))
    assert.includeMembers(["COLLATERAL", "DEBT", "FEE"], kinds)
    assert.strictEqual(kinds.at(-1), "FEE")
    assert.isTrue(entries[0]!.legs.slice(0, 2).every(({ holding }) => holding !== null))
  })

  it("identifies supplies and debts by keys that differ by market and token", () => {
    const holdingsOf = (changes: Partial<LendingDetails>) =>
      applyTreatment(
        lendingTreatment("LENDING_SUPPLY_BORROW"),
        [movementOf("OUT"), movementOf("IN", debt)],
        changes
      ).flatMap(({ legs }) => legs.map(({ holding }) => holding))
    assert.deepStrictEqual(holdingsOf({}), [
      `COLLATERAL 1 LENDING_PROVIDER_B 0x01 ${collateral}`,
      `DEBT 1 LENDING_PROVIDER_B 0x01 ${debt}`
    ])
    assert.notDeepEqual(holdingsOf({ marketId: "0x02" }), holdingsOf({}))
    const treatedMovements = applyTreatment(lendingTreatment("LENDING_REPAY_WITHDRAW"), [
      movementOf("IN"),
      movementOf("OUT", debt)
    ])
    assert.deepStrictEqual(
      treatedMovements.flatMap(({ legs }) => legs.map(({ holding }) => holding)),
      holdingsOf({})
    )
  })

  it("has the same key for the native token and the wrapped token", () => {
    const holdingOf = (token: typeof collateral) =>
      applyTreatment(lendingTreatment("LENDING_SUPPLY"), [movementOf("OUT", token)], { wrapped: collateral })[0]
        ?.legs[0]?.holding
    assert.strictEqual(holdingOf(NATIVE_TOKEN), `COLLATERAL 1 LENDING_PROVIDER_B 0x01 ${collateral}`)
    assert.strictEqual(holdingOf(collateral), holdingOf(NATIVE_TOKEN))
  })

  it("treats wrapped tokens that the market does not receive as an exchange, without fees", () => {
    const nativeMovement = (direction: Movement["direction"], amount: bigint, counterparty: string) =>
      aMovement({ direction, asset: { chainId: 1, token: NATIVE_TOKEN }, amount, counterparty })
    const wrapMovement = aMovement({
      direction: "IN",
      asset: { chainId: 1, token: debt },
      amount: 1n,
      counterparty: ZERO_ADDRESS
    })
    const entries = applyTreatment(
      lendingTreatment("LENDING_REPAY_WITHDRAW"),
      [
        nativeMovement("OUT", 4n, anAddress()),
        movementOf("IN"),
        nativeMovement("OUT", 1n, debt),
        wrapMovement,
        movementOf("OUT", debt, "GAS")
      ],
      { wrapped: debt }
    )
    assert.deepStrictEqual(
      entries.map(({ legs }) => legs.map(({ amount, kind }) => `${kind} ${amount}`)),
      [
        ["DEBT 4", "COLLATERAL 5", "FEE 5"],
        ["DISPOSAL 1", "ACQUISITION 1"]
      ]
    )
  })

  it("loses collateral in a liquidation, which counts as a disposal", () => {
    const repaidAmount = { token: debt, amount: 850n }
    const [entry] = applyTreatment(liquidationTreatment, [movementOf("OUT")], { repaid: repaidAmount })
    assert.deepStrictEqual(
      entry?.legs.map(({ holding, kind }) => [kind, holding]),
      [["DISPOSAL", `COLLATERAL 1 LENDING_PROVIDER_B 0x01 ${collateral}`]]
    )
    assert.deepStrictEqual(entry?.dischargedDebt, {
      holding: `DEBT 1 LENDING_PROVIDER_B 0x01 ${debt}`,
      amount: 850n
    })
  })

  it("has interest only on its own loan after a liquidation that cancelled the rest of an earlier debt", () => {
    const borrowed = (amount: bigint) => ({ ...movementOf("IN", debt), amount })
    const entries = [
      ...applyTreatment(lendingTreatment("LENDING_BORROW"), [borrowed(1_000n)]),
      ...applyTreatment(liquidationTreatment, [movementOf("OUT")], {
        repaid: { token: debt, amount: 780n },
        cancelled: [{ token: debt, amount: 240n }]
      }),
      ...applyTreatment(lendingTreatment("LENDING_BORROW"), [borrowed(1_000n)]),
      ...applyTreatment(lendingTreatment("LENDING_REPAY"), [{ ...movementOf("OUT", debt), amount: 1_060n }])
    ]
    assert.deepStrictEqual(
      withInterest(entries).flatMap(({ legs }) => legs.map(({ amount, kind }) => `${kind} ${amount}`)),
      ["DEBT 1000", "DISPOSAL 5", "DEBT 1000", "DEBT 1000", "FEE 60"]
    )
  })
})
