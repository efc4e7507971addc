/** A function whose run time is measured. `run` may be asynchronous. */
export interface BenchmarkCandidate {
  readonly name: string
  readonly run: () => unknown
}

const ROUNDS = Number(process.env.ROUNDS ?? 15)
const ROUND_MS = 25

/** Returns the time of one run. Doubles the batch size until the cost of reading the clock is negligible. */
const microsecondsOf = async ({ run }: BenchmarkCandidate): Promise<number> => {
  let runs = 0
  let elapsed = 0
  for (let batch = 1; elapsed < ROUND_MS; batch *= 2) {
    const startMs = performance.now()
    for (let i = 0; i < batch; i++) {
      const result = run()
      if (result instanceof Promise) await result
    }
    elapsed += performance.now() - startMs
    runs += batch
  }
  return (elapsed * 1_000) / runs
}

const median = (values: ReadonlyArray<number>): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN

const formatNumber = (value: number): string => (value >= 100 ? value.toFixed(0) : value.toPrecision(3))

/**
 * Measures all contestants in turn, in several rounds, so that load on the machine affects all of them. Prints
 * microseconds (the median of the rounds), and the speed relative to the first contestant (the median of the ratios per
 * round).
 */
export const compare = async (title: string, contestants: ReadonlyArray<BenchmarkCandidate>): Promise<void> => {
  const times = contestants.map((): Array<number> => [])
  for (let round = -1; round < ROUNDS; round++) {
    for (const [i, contestant] of contestants.entries()) {
      const time = await microsecondsOf(contestant)
      // The first round is a warm-up, and is not counted.
      if (round >= 0) times[i]!.push(time)
    }
  }
  console.log(title)
  for (const [i, { name }] of contestants.entries()) {
    const ratio = median(times[i]!.map((time, round) => times[0]![round]! / time))
    console.log(
      `  ${name.padEnd(34)} ${formatNumber(median(times[i]!)).padStart(9)} µs  ${formatNumber(ratio).padStart(7)} ×`
    )
  }
}
