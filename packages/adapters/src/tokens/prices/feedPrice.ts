import { decodeFunctionResult, type Hex, parseAbi } from "viem"
import { encoderOf } from "../../chains/evm/index.ts"

/** Functions of AggregatorV3Interface (@chainlink/contracts). */
const feedAbi = parseAbi([
  "function latestRoundData() view returns (uint80 roundId, int256 answer, uint256 startedAt, uint256 updatedAt, uint80 answeredInRound)"
])
const feedData = encoderOf(feedAbi)

export const latestRoundCall = feedData("latestRoundData", [])

export interface Round {
  readonly answer: bigint
  /** Unix seconds. */
  readonly startedAt: number
  readonly updatedAt: number
}

export const roundOf = (returnData: Hex | null): Round | null => {
  if (returnData === null) return null
  const [, answer, startedAt, updatedAt] = decodeFunctionResult({
    abi: feedAbi,
    functionName: "latestRoundData",
    data: returnData
  })
  return { answer: answer, startedAt: Number(startedAt), updatedAt: Number(updatedAt) }
}

/**
 * Maximum age of a report in seconds. A feed reports when the price has changed by its threshold, and at the latest
 * after its heartbeat, which is a day for the slowest feeds. A feed without a report for longer has stopped.
 */
const MAX_SILENCE_SECONDS = 25 * 3_600
/** Seconds after a sequencer outage in which reports may be outdated. */
const SEQUENCER_GRACE_SECONDS = 3_600

/** Returns US dollars per token, scaled by 10^18, rounded down; null if the report is not usable. */
export const feedPriceRoundingDown = (round: Round | null, decimals: number, blockTimestamp: number): bigint | null => {
  if (round === null || round.answer <= 0n || round.updatedAt === 0) return null
  if (blockTimestamp - round.updatedAt > MAX_SILENCE_SECONDS) return null
  return (round.answer * 10n ** 18n) / 10n ** BigInt(decimals)
}

/**
 * Whether reports are usable on a chain with a sequencer feed: the sequencer must have been up (answer 0) for long
 * enough.
 */
export const sequencerIsUp = (round: Round | null, blockTimestamp: number): boolean =>
  round !== null &&
  round.answer === 0n &&
  round.startedAt > 0 &&
  blockTimestamp - round.startedAt > SEQUENCER_GRACE_SECONDS
