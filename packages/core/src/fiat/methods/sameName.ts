const wordsOf = (name: string): string =>
  name
    .normalize("NFKD")
    .replaceAll(/\p{M}/gu, "")
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== "")
    .toSorted()
    .join(" ")

/** Returns whether a bank treats two names as equal: case, accents, punctuation and word order are ignored. */
export const isSameName = (one: string, other: string): boolean => wordsOf(one) === wordsOf(other)
