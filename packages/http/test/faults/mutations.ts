/** Generates random numbers from a seed (mulberry32), so that a failure can be reproduced. */
export class Randomness {
  #state: number

  constructor(seed: number) {
    this.#state = seed
  }

  /** Returns a number of at least 0 and less than 1. */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0
    let mixedState = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state)
    mixedState = (mixedState + Math.imul(mixedState ^ (mixedState >>> 7), 61 | mixedState)) ^ mixedState
    return ((mixedState ^ (mixedState >>> 14)) >>> 0) / 2 ** 32
  }

  below(limit: number): number {
    return Math.floor(this.next() * limit)
  }

  oneOf<A>(values: ReadonlyArray<A>): A {
    return values[this.below(values.length)]!
  }
}

const nestArrays = (depth: number): unknown => Array.from({ length: depth }).reduce<unknown>((inner) => [inner], "0x1")

const invalidValues: ReadonlyArray<unknown> = [
  null,
  true,
  0,
  -1,
  0.5,
  2 ** 53,
  1e308,
  "",
  "0x",
  "0x0",
  "0xzz",
  "-0x1",
  "latest",
  "0x123",
  ...[52, 63, 64, 127, 128, 160, 255, 256, 300].flatMap((bits) => [
    `0x${(2n ** BigInt(bits) - 1n).toString(16)}`,
    `0x${(2n ** BigInt(bits)).toString(16)}`
  ]),
  `0x${"ff".repeat(100_000)}`,
  [],
  {},
  [null],
  { result: "0x1" },
  nestArrays(3_000)
]

type Container = Array<unknown> | Record<string, unknown>

const isContainer = (value: unknown): value is Container => typeof value === "object" && value !== null

/** Nests the call of a trace in itself 2,000 times. */
const nestCalls = (frame: object): unknown => {
  let innerFrame: unknown = frame
  for (let depth = 0; depth < 2_000; depth++) innerFrame = { ...frame, calls: [innerFrame] }
  return innerFrame
}

const changeText = (text: string, random: Randomness): string => {
  const index = random.below(text.length)
  return random.oneOf([
    text.slice(0, index),
    text + text,
    text.slice(0, index) + random.below(16).toString(16) + text.slice(index + 1)
  ])
}

/** Changes one value of a response: its type, size or nesting, or removes it. */
export const mutate = (value: unknown, random: Randomness): unknown => {
  if (random.next() < 0.3) return random.oneOf(invalidValues)
  if (typeof value === "string" && value.length > 0) return changeText(value, random)
  if (!isContainer(value)) return random.oneOf(invalidValues)
  if ("calls" in value && random.next() < 0.1) return nestCalls(value)
  if (Array.isArray(value) && random.next() < 0.3) {
    return random.oneOf([[], value.slice(1), value.toReversed(), Array.from({ length: 300 }, () => value[0])])
  }
  const keys = Object.keys(value)
  if (keys.length === 0) return random.oneOf(invalidValues)
  const key = random.oneOf(keys)
  const copy: Container = Array.isArray(value) ? [...value] : { ...value }
  if (random.next() < 0.15) delete copy[key as never]
  else copy[key as never] = mutate(value[key as never], random) as never
  return copy
}
