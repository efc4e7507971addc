/**
 * Returns the minimum number of letters to insert, remove, replace, or swap with a neighbour to change one word into
 * the other (Damerau-Levenshtein distance).
 */
export const editDistance = (a: string, b: string): number => {
  const rows = Array.from({ length: a.length + 1 }, (_, i) => [i, ...Array<number>(b.length).fill(0)])
  for (let j = 0; j <= b.length; j++) rows[0]![j] = j
  for (let i = 1; i <= a.length; i++) {
    for (let j = 1; j <= b.length; j++) {
      const substitution = rows[i - 1]![j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1)
      const isSwapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]
      rows[i]![j] = Math.min(
        rows[i - 1]![j]! + 1,
        rows[i]![j - 1]! + 1,
        substitution,
        isSwapped ? rows[i - 2]![j - 2]! + 1 : Number.POSITIVE_INFINITY
      )
    }
  }
  return rows[a.length]![b.length]!
}

/** Maximum length of a compared word. Longer words are unlikely to be typing errors. */
const WORD_LENGTH_MAX = 40

/**
 * Returns the known word that was probably meant. At most a third of its letters differ, or one letter of a word with
 * one or two letters. Null if no known word is that similar, or if the word is too long.
 */
export const suggestWord = (word: string, knownWords: ReadonlyArray<string>): string | null => {
  if (word.length > WORD_LENGTH_MAX) return null
  const lowerCaseWord = word.toLowerCase()
  let nearest: string | null = null
  let minDistance = Math.floor(Math.max(word.length, 3) / 3) + 1
  for (const candidate of knownWords) {
    const difference = editDistance(lowerCaseWord, candidate.toLowerCase())
    if (difference < minDistance) {
      nearest = candidate
      minDistance = difference
    }
  }
  return nearest
}
