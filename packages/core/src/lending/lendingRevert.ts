import { decimalFromBaseUnits, HexBytes, lesser } from "../primitives/index.ts"
import { explainedBy } from "../quotes/index.ts"
import type { RevertReason } from "../user-operations/index.ts"
import type { LendingLeg } from "./LendingMarket.ts"

const NO_BYTES = HexBytes.make("0x")

/** A revert in words of the market's state; or what a wallet will lack before the quote ends, where nothing reverts yet. */
export const explainedRevert = (
  revert: RevertReason | null,
  obstacles: ReadonlyArray<string>,
  shortfall: string | null
): RevertReason | null => {
  if (revert === null) return shortfall === null ? null : { raw: NO_BYTES, decoded: shortfall, utf8: "" }
  return explainedBy(revert, obstacles)
}

/** What repaying takes: no more than the debt. */
export const repaidOf = ({ amount }: LendingLeg, debt: bigint): bigint =>
  amount === "MAX" ? debt : lesser(amount, debt)

/** What is missing to repay a whole debt when the quote ends; null where nothing is, and where no whole debt is repaid. */
export const shortfallOf = (leg: LendingLeg | undefined, debt: bigint, balance: bigint): string | null => {
  if (leg === undefined || repaidOf(leg, debt) < debt || balance >= debt) return null
  const text = (units: bigint) => `${decimalFromBaseUnits(units, leg.token.decimals)} ${leg.token.symbol}`
  return `${text(debt - balance)} are missing: the debt can be ${text(debt)} when the quote ends, and the wallet has ${text(balance)}.`
}
