const wordsOf = (name: string): string =>
  name
    .normalize("NFKD")
    .replaceAll(/\p{M}/gu, "")
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== "")
    .toSorted()
    .join(" ")

/** Whether two names are equal to a bank, which ignores case, accents, punctuation and word order. */
export const isSameName = (one: string, other: string): boolean => wordsOf(one) === wordsOf(other)
