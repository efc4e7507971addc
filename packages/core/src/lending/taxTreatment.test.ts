import { assert, describe, it } from "@effect/vitest"
import type { Movement } from "../history/index.ts"
import { aMovement } from "../history/Transaction.fixture.ts"
import { anAddress } from "../primitives/ids.fixture.ts"
import type { TaxTreatment } from "../tax-treatment/index.ts"
import { LendingType } from "./LendingType.ts"
import { type LendingDetails, lendingDetails } from "./lendingDetails.ts"
import { lendingTreatment, liquidationTreatment } from "./taxTreatment.ts"

const [collateral, debt] = [anAddress(), anAddress()]

const details: LendingDetails = {
  provider: "LENDING_PROVIDER_B",
  marketId: "0x01",
  healthFactorBefore: null,
  healthFactorAfter: "2.5",
  wrapped: null,
  repaid: null
}

const treated = (treatment: TaxTreatment, movements: ReadonlyArray<Movement>, changes: Partial<LendingDetails> = {}) =>
  treatment({
    transaction: { id: "one", type: "LENDING_SUPPLY", details: lendingDetails.of({ ...details, ...changes }) },
    movements,
    isOwn: () => false
  })

const moved = (direction: Movement["direction"], token = collateral, role: Movement["role"] = "PRINCIPAL") =>
  aMovement({ direction, role, asset: { chainId: 1, token }, amount: 5n })

describe("a lending operation", () => {
  it.each(LendingType.literals)("%s neither disposes of anything nor acquires it", (type) => {
    const entries = treated(lendingTreatment(type), [moved("OUT"), moved("IN", debt), moved("OUT", debt, "GAS")])
    const kinds = entries.flatMap(({ legs }) => legs.map(({ kind }) => kind))
    assert.includeMembers(["COLLATERAL", "DEBT", "FEE"], kinds)
    assert.strictEqual(kinds.at(-1), "FEE")
    assert.isTrue(entries[0]!.legs.slice(0, 2).every(({ holding }) => holding !== null))
  })

  it("knows what was supplied to a market, and what is owed to it, by keys that differ by market", () => {
    const holdingsOf = (changes: Partial<LendingDetails>) =>
      treated(lendingTreatment("LENDING_SUPPLY_BORROW"), [moved("OUT"), moved("IN", debt)], changes).flatMap(
        ({ legs }) => legs.map(({ holding }) => holding)
      )
    assert.deepStrictEqual(holdingsOf({}), ["COLLATERAL 1 LENDING_PROVIDER_B 0x01", "DEBT 1 LENDING_PROVIDER_B 0x01"])
    assert.notDeepEqual(holdingsOf({ marketId: "0x02" }), holdingsOf({}))
    const back = treated(lendingTreatment("LENDING_REPAY_WITHDRAW"), [moved("IN"), moved("OUT", debt)])
    assert.deepStrictEqual(
      back.flatMap(({ legs }) => legs.map(({ holding }) => holding)),
      holdingsOf({})
    )
  })

  it("is disposed of by a liquidation, which repays debt", () => {
    const repaid = { token: debt, amount: 850n }
    const [entry] = treated(liquidationTreatment, [moved("OUT")], { repaid })
    assert.deepStrictEqual(
      entry?.legs.map(({ holding, kind }) => [kind, holding]),
      [["DISPOSAL", "COLLATERAL 1 LENDING_PROVIDER_B 0x01"]]
    )
    assert.deepStrictEqual(entry?.dischargedDebt, {
      holding: "DEBT 1 LENDING_PROVIDER_B 0x01",
      asset: { chainId: 1, token: debt },
      amount: 850n
    })
  })
})
