/** A coin with its value less the fee of its own input. */
export interface ValuedCoin<C> {
  readonly coin: C
  readonly value: bigint
  /** In satoshis, above zero. */
  readonly effective: bigint
}

type Selection<C> = ReadonlyArray<ValuedCoin<C>>

const byValueDescending = <C>(coins: Selection<C>): Array<ValuedCoin<C>> =>
  coins.toSorted((a, b) => (a.effective === b.effective ? 0 : a.effective < b.effective ? 1 : -1))

const sumOf = <C>(coins: Selection<C>): bigint => coins.reduce((sum, { effective }) => sum + effective, 0n)

const TRIES_MAX = 100_000

/**
 * Coins that pay the target without change, with the least waste of all such selections found. Branch and bound
 * (Erhardt, "An Evaluation of Coin Selection Strategies", 2016): depth first from the largest coin on, including each
 * coin before excluding it. Null if none is found within the number of tries. `inputWaste`: the additional cost of
 * spending a coin now instead of later, negative if it is cheaper.
 */
export const branchAndBound = <C>(
  coins: Selection<C>,
  target: bigint,
  tolerance: bigint,
  inputWaste: bigint
): Selection<C> | null => {
  const sorted = byValueDescending(coins)
  const selectedIndices: Array<number> = []
  let best: { readonly waste: bigint; readonly indices: ReadonlyArray<number> } | null = null
  let sum = 0n
  let rest = sumOf(sorted)
  let at = 0
  const waste = () => BigInt(selectedIndices.length) * inputWaste + (sum > target ? sum - target : 0n)
  for (let tries = 0; tries < TRIES_MAX; tries++) {
    const isHopeless =
      sum + rest < target || sum > target + tolerance || (inputWaste > 0n && best !== null && waste() > best.waste)
    const isEnough = !isHopeless && sum >= target
    if (isEnough && (best === null || waste() <= best.waste)) best = { waste: waste(), indices: [...selectedIndices] }
    if (!isHopeless && !isEnough) {
      const { effective } = sorted[at]!
      rest -= effective
      // A coin equal to the one that was just excluded leads to combinations already tried.
      const isRepeated =
        at > 0 &&
        selectedIndices.at(-1) !== at - 1 &&
        sorted[at - 1]!.effective === effective &&
        selectedIndices.length > 0
      if (!isRepeated) {
        selectedIndices.push(at)
        sum += effective
      }
      at += 1
      continue
    }
    const last = selectedIndices.pop()
    if (last === undefined) break
    for (at -= 1; at > last; at--) rest += sorted[at]!.effective
    sum -= sorted[last]!.effective
    at = last + 1
  }
  return best === null ? null : best.indices.map((index) => sorted[index]!)
}

const untilEnough = <C>(coins: Selection<C>, target: bigint): Selection<C> | null => {
  let sum = 0n
  for (const [index, { effective }] of coins.entries()) {
    sum += effective
    if (sum >= target) return coins.slice(0, index + 1)
  }
  return null
}

/** Selects as few coins as possible. */
export const largestFirst = <C>(coins: Selection<C>, target: bigint): Selection<C> | null =>
  untilEnough(byValueDescending(coins), target)

/** Coins in random order: small ones are spent over time, and payments reveal little of the wallet's balance. */
export const randomDraw = <C>(coins: Selection<C>, target: bigint, random: () => number): Selection<C> | null => {
  const shuffled = [...coins]
  for (let i = shuffled.length - 1; i > 0; i--) {
    const j = Math.floor(random() * (i + 1))
    const [a, b] = [shuffled[i]!, shuffled[j]!]
    shuffled[i] = b
    shuffled[j] = a
  }
  return untilEnough(shuffled, target)
}
