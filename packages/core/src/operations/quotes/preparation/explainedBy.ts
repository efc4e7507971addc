import type { RevertReason } from "../../user-operations/index.ts"

const ENDED = "The simulation ended with:"

/** A revert with sentences in front of it that say why, and of one that has some already with more of them. */
export const explainedBy = (revert: RevertReason, sentences: ReadonlyArray<string>): RevertReason => {
  if (sentences.length === 0) return revert
  const { decoded } = revert
  return { ...revert, decoded: [...sentences, decoded.includes(ENDED) ? decoded : `${ENDED} ${decoded}`].join(" ") }
}
