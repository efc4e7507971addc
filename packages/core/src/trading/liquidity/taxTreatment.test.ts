import { assert, describe, it } from "@effect/vitest"
import type { Movement } from "../../accounting/history/index.ts"
import { aMovement } from "../../accounting/history/Transaction.fixture.ts"
import type { TaxTreatment } from "../../accounting/tax-treatment/index.ts"
import { anAddress } from "../../foundation/primitives/ids.fixture.ts"
import type { Address } from "../../foundation/primitives/index.ts"
import { type PositionDetails, positionDetails } from "./positionDetails.ts"
import { depositTreatment, withdrawalTreatment } from "./taxTreatment.ts"

const [usdc, weth] = [anAddress(), anAddress()]
const details: PositionDetails = { manager: anAddress(), tokenId: "9", positionId: "7" }

const applyTreatment = (
  treatment: TaxTreatment,
  movements: ReadonlyArray<Movement>,
  changes: Partial<PositionDetails> = {}
) =>
  treatment({
    transaction: { id: "one", type: "LIQUIDITY_ADD", details: positionDetails.of({ ...details, ...changes }) },
    movements,
    isOwn: () => false
  })

const movementOf = (direction: Movement["direction"], token: Address, amount: bigint) =>
  aMovement({ direction, asset: { chainId: 1, token }, amount })

const legTexts = (entries: ReturnType<typeof applyTreatment>) =>
  entries.flatMap(({ legs }) =>
    legs.map(({ amount, kind, movement: { direction } }) => `${kind} ${direction} ${amount}`)
  )

describe("A position", () => {
  it("counts deposits without the unused amounts, and before withdrawals", () => {
    const entries = applyTreatment(depositTreatment, [
      movementOf("IN", weth, 30n),
      movementOf("OUT", usdc, 100n),
      movementOf("OUT", usdc, 100n),
      movementOf("OUT", weth, 28n)
    ])
    assert.deepStrictEqual(legTexts(entries), [
      "PASS_THROUGH IN 28",
      "PASS_THROUGH OUT 28",
      "LIQUIDITY OUT 100",
      "LIQUIDITY OUT 100",
      "LIQUIDITY IN 2"
    ])
    assert.isUndefined(entries[0]?.withdrawnShare)
  })

  it("treats the withdrawn share as a withdrawal, and the fees as income", () => {
    const withdrawnDetails = { shareE18: 5n * 10n ** 17n, earnedE18: 10n ** 16n }
    const entries = applyTreatment(withdrawalTreatment, [movementOf("IN", usdc, 1_050n)], {
      withdrawn: withdrawnDetails
    })
    assert.deepStrictEqual(legTexts(entries), ["LIQUIDITY IN 1040", "INCOME IN 10"])
    assert.deepStrictEqual(entries[0]?.withdrawnShare, { numerator: 5n * 10n ** 17n, denominator: 10n ** 18n })
  })

  it("keeps its key for its lifetime, even if a rebalance mints a new NFT", () => {
    const holdings = [{ tokenId: "7" }, { tokenId: "9" }].map(
      (changes) => applyTreatment(depositTreatment, [movementOf("OUT", usdc, 1n)], changes)[0]?.legs[0]?.holding
    )
    assert.strictEqual(holdings[0], holdings[1])
    assert.include(holdings[0]!, " 7")
  })
})
