import { HexBytes } from "../primitives/index.ts"
import { explainedBy } from "../quotes/index.ts"
import type { RevertReason } from "../user-operations/index.ts"

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
