import type { Hash32 } from "../../foundation/primitives/index.ts"

/** Base units of both tokens. */
export interface Amounts {
  readonly amount0: bigint
  readonly amount1: bigint
}

/**
 * An event of a pool. `hour` counts full hours since 1970. SWAP contains the pool's balance changes, one positive and
 * one negative. FLASH contains the fees of a flash loan. Other events have no amounts.
 */
export interface PoolEvent {
  readonly kind: "SWAP" | "FLASH" | "CREATED" | "OTHER"
  readonly transactionHash: Hash32
  readonly hour: number
  readonly amounts: Amounts
}

/** A pool's activity in one hour. Amounts are in base units. */
export interface PoolHour {
  readonly hour: number
  /** Number of transactions with an event of the pool. */
  readonly transactions: number
  /** The swap volume in each token, in both swap directions, including fees. */
  readonly volume0: bigint
  readonly volume1: bigint
  /** The fees of swaps and flash loans. */
  readonly fees0: bigint
  readonly fees1: bigint
}

const PIPS = 1_000_000n

const magnitude = (amount: bigint): bigint => (amount < 0n ? -amount : amount)

/**
 * Returns the fee on an input to the pool. Rounded up, as in the pool. For each crossed tick, the pool may charge one
 * base unit more.
 */
const feeRoundingUp = (amount: bigint, feePips: number): bigint =>
  amount <= 0n ? 0n : (amount * BigInt(feePips) + PIPS - 1n) / PIPS

const withEvent = (hour: PoolHour, { amounts: { amount0, amount1 }, kind }: PoolEvent, feePips: number): PoolHour => {
  switch (kind) {
    case "SWAP":
      return {
        ...hour,
        volume0: hour.volume0 + magnitude(amount0),
        volume1: hour.volume1 + magnitude(amount1),
        fees0: hour.fees0 + feeRoundingUp(amount0, feePips),
        fees1: hour.fees1 + feeRoundingUp(amount1, feePips)
      }
    case "FLASH":
      return { ...hour, fees0: hour.fees0 + amount0, fees1: hour.fees1 + amount1 }
    default:
      return hour
  }
}

const emptyHour = (hour: number): PoolHour => ({
  hour,
  transactions: 0,
  volume0: 0n,
  volume1: 0n,
  fees0: 0n,
  fees1: 0n
})

/**
 * Returns the totals of each hour that has events. A transaction is counted in one hour, because all its events are in
 * one block.
 */
export const hoursOf = (events: ReadonlyArray<PoolEvent>, feePips: number): ReadonlyArray<PoolHour> =>
  [...Map.groupBy(events, ({ hour }) => hour)].map(([hour, hourEvents]) => ({
    ...hourEvents.reduce((sum, event) => withEvent(sum, event, feePips), emptyHour(hour)),
    transactions: new Set(hourEvents.map(({ transactionHash }) => transactionHash)).size
  }))

/** Adds the counts of two entries. The result has the hour of the first one. */
export const addHours = (a: PoolHour, b: PoolHour): PoolHour => ({
  hour: a.hour,
  transactions: a.transactions + b.transactions,
  volume0: a.volume0 + b.volume0,
  volume1: a.volume1 + b.volume1,
  fees0: a.fees0 + b.fees0,
  fees1: a.fees1 + b.fees1
})
