/** A UTXO, and its value minus the fee for its own input. */
export interface ValuedCoin<C> {
  readonly utxo: C
  readonly value: bigint
  /** In satoshis, above zero. */
  readonly effective: bigint
}

type Selection<C> = ReadonlyArray<ValuedCoin<C>>

const byValueDescending = <C>(utxos: Selection<C>): Array<ValuedCoin<C>> =>
  utxos.toSorted((a, b) => (a.effective === b.effective ? 0 : a.effective < b.effective ? 1 : -1))

const sumOf = <C>(utxos: Selection<C>): bigint => utxos.reduce((sum, { effective }) => sum + effective, 0n)

const TRIES_MAX = 100_000

/**
 * Returns the UTXOs that pay the target without change, with the least waste among all selections that were tried. Null
 * if no selection was found within the maximum number of tries. The algorithm is branch and bound (Erhardt, "An
 * Evaluation of Coin Selection Strategies", 2016): the search is depth-first from the largest UTXO, and includes each
 * UTXO before it excludes it. `inputWaste` is the additional cost of spending a UTXO now instead of later. It is
 * negative if spending now is cheaper.
 */
export const branchAndBound = <C>(
  utxos: Selection<C>,
  target: bigint,
  tolerance: bigint,
  inputWaste: bigint
): Selection<C> | null => {
  const sortedUtxos = byValueDescending(utxos)
  const selectedIndices: Array<number> = []
  let best: { readonly waste: bigint; readonly indices: ReadonlyArray<number> } | null = null
  let sum = 0n
  let remainingSum = sumOf(sortedUtxos)
  let position = 0
  const currentWaste = () => BigInt(selectedIndices.length) * inputWaste + (sum > target ? sum - target : 0n)
  for (let tries = 0; tries < TRIES_MAX; tries++) {
    const isHopeless =
      sum + remainingSum < target ||
      sum > target + tolerance ||
      (inputWaste > 0n && best !== null && currentWaste() > best.waste)
    const isEnough = !isHopeless && sum >= target
    if (isEnough && (best === null || currentWaste() <= best.waste))
      best = { waste: currentWaste(), indices: [...selectedIndices] }
    if (!isHopeless && !isEnough) {
      const { effective } = sortedUtxos[position]!
      remainingSum -= effective
      // If the UTXO that was just excluded has the same value, including this one only repeats combinations that were
      // already tried.
      const isRepeated =
        position > 0 &&
        selectedIndices.at(-1) !== position - 1 &&
        sortedUtxos[position - 1]!.effective === effective &&
        selectedIndices.length > 0
      if (!isRepeated) {
        selectedIndices.push(position)
        sum += effective
      }
      position += 1
      continue
    }
    const lastSelected = selectedIndices.pop()
    if (lastSelected === undefined) break
    for (position -= 1; position > lastSelected; position--) remainingSum += sortedUtxos[position]!.effective
    sum -= sortedUtxos[lastSelected]!.effective
    position = lastSelected + 1
  }
  return best === null ? null : best.indices.map((index) => sortedUtxos[index]!)
}

const prefixCoveringTarget = <C>(utxos: Selection<C>, target: bigint): Selection<C> | null => {
  let sum = 0n
  for (const [index, { effective }] of utxos.entries()) {
    sum += effective
    if (sum >= target) return utxos.slice(0, index + 1)
  }
  return null
}

/** Selects as few UTXOs as possible. */
export const largestFirst = <C>(utxos: Selection<C>, target: bigint): Selection<C> | null =>
  prefixCoveringTarget(byValueDescending(utxos), target)

/**
 * Selects UTXOs in random order. Over time this also spends small UTXOs, and it reveals little about the wallet's
 * balance.
 */
export const randomDraw = <C>(utxos: Selection<C>, target: bigint, random: () => number): Selection<C> | null => {
  const shuffledUtxos = [...utxos]
  for (let i = shuffledUtxos.length - 1; i > 0; i--) {
    const j = Math.floor(random() * (i + 1))
    const [a, b] = [shuffledUtxos[i]!, shuffledUtxos[j]!]
    shuffledUtxos[i] = b
    shuffledUtxos[j] = a
  }
  return prefixCoveringTarget(shuffledUtxos, target)
}
