import type { Address } from "@countersign/core/foundation/primitives"
import { encoderOf, type ReadCall } from "../../chains/evm/index.ts"
import { factoryAbi } from "./abi.ts"
import type { CallResult } from "./multicall.ts"

const factoryData = encoderOf(factoryAbi)

/**
 * Candidates for the fees of Uniswap V3 factories and forks, in millionths. The factory returns which of them it
 * supports.
 */
export const KNOWN_FEES_PIPS: ReadonlyArray<number> = [100, 200, 300, 400, 500, 2_500, 3_000, 10_000]

/** How long fee tiers are cached. A factory's owner rarely adds a fee, and can't remove one. */
export const TIERS_MS = 6 * 3_600_000

export const feeTierCalls = (factory: Address): ReadonlyArray<ReadCall> =>
  KNOWN_FEES_PIPS.map((feePips) => ({
    target: factory,
    callData: factoryData("feeAmountTickSpacing", [feePips])
  }))

/** Returns the supported fees: those whose tick spacing is not zero. */
export const feeTiersFrom = (results: ReadonlyArray<CallResult>): ReadonlyArray<number> =>
  KNOWN_FEES_PIPS.filter((_, i) => results[i] != null && BigInt(results[i]) !== 0n)
