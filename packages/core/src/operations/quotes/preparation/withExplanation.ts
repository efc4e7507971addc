import type { RevertReason } from "../../user-operations/index.ts"

const ENDED = "The simulation ended with:"

/** Returns the revert reason with these explanations before its text and before earlier explanations. */
export const withExplanation = (revert: RevertReason, sentences: ReadonlyArray<string>): RevertReason => {
  if (sentences.length === 0) return revert
  const { decoded } = revert
  return { ...revert, decoded: [...sentences, decoded.includes(ENDED) ? decoded : `${ENDED} ${decoded}`].join(" ") }
}
