/** The fewest letters to add, take away or change. */
const distance = (a: string, b: string): number => {
  let row = Array.from({ length: b.length + 1 }, (_, i) => i)
  for (const [i, letter] of [...a].entries()) {
    const next = [i + 1]
    for (const [j, other] of [...b].entries()) {
      next.push(Math.min(next[j]! + 1, row[j + 1]! + 1, row[j]! + (letter === other ? 0 : 1)))
    }
    row = next
  }
  return row.at(-1)!
}

/** The name that was probably meant; null where none is close. */
export const closestName = (name: string, names: Iterable<string>): string | null => {
  let best: string | null = null
  let least = Math.max(2, Math.floor(name.length / 4)) + 1
  for (const candidate of names) {
    const steps = distance(name.toLowerCase(), candidate.toLowerCase())
    if (steps < least) {
      best = candidate
      least = steps
    }
  }
  return best
}
