import { BoundedMap, maxBigInt } from "../../foundation/primitives/index.ts"
import type { Call } from "./Call.ts"
import { totalGasLimit } from "./gasFee.ts"
import { needsDeployment, type OperationContext } from "./operationContext.ts"
import type { GasLimits } from "./Simulation.ts"

/** Maximum number of stored operation types. If it is exceeded, the oldest entry is removed. */
const CAPACITY = 2_000

/** Calldata with other amounts and nonces may have a few more or fewer zero bytes, each of which costs 12 gas less. */
const CALLDATA_MARGIN = 300n

/**
 * Maximum excess of the sum of the limits over the needed gas, in percent plus gas. Part of the unused gas is charged,
 * and the quote shows all of it.
 */
const EXCESS_PERCENT = 25n
const EXCESS_GAS = 50_000n

/** Returns whether these limits are sufficient for the gas that a simulation used, and not excessive. */
export const isSufficient = (limits: GasLimits, neededLimits: GasLimits): boolean =>
  limits.callGasLimit >= neededLimits.callGasLimit &&
  limits.verificationGasLimit >= neededLimits.verificationGasLimit &&
  limits.preVerificationGas >= neededLimits.preVerificationGas &&
  limits.paymasterVerificationGasLimit >= neededLimits.paymasterVerificationGasLimit &&
  limits.paymasterPostOpGasLimit >= neededLimits.paymasterPostOpGasLimit &&
  totalGasLimit(limits) <= (totalGasLimit(neededLimits) * (100n + EXCESS_PERCENT)) / 100n + EXCESS_GAS

/** Returns the maximum of each limit. */
export const greaterLimits = (a: GasLimits, b: GasLimits): GasLimits => ({
  callGasLimit: maxBigInt(a.callGasLimit, b.callGasLimit),
  verificationGasLimit: maxBigInt(a.verificationGasLimit, b.verificationGasLimit),
  preVerificationGas: maxBigInt(a.preVerificationGas, b.preVerificationGas),
  paymasterVerificationGasLimit: maxBigInt(a.paymasterVerificationGasLimit, b.paymasterVerificationGasLimit),
  paymasterPostOpGasLimit: maxBigInt(a.paymasterPostOpGasLimit, b.paymasterPostOpGasLimit)
})

interface GasProfile {
  readonly calls: ReadonlyArray<Call>
  /** Whether the paymaster charges its fee before the calls. */
  readonly isPrefunded: boolean
}

/**
 * Returns a key that is equal for operations with about the same gas: the same chain, account type, need for
 * deployment, payment method, and called functions.
 */
const gasProfileKey = (context: OperationContext, { calls, isPrefunded }: GasProfile): string =>
  [
    context.chainId,
    context.account.kind,
    needsDeployment(context),
    context.paymaster === null ? "coin" : context.payGasFeeToken.address,
    isPrefunded,
    ...calls.map(({ data, to }) => `${to}${data.slice(2, 10)}${data.length}`)
  ].join(" ")

/**
 * Caches the gas limits of earlier operations of the same type. On a hit, one simulation of the final operation is
 * usually sufficient. On a miss, a first simulation estimates the limits, and a second one runs the operation with
 * these limits.
 */
export class GasForecasts {
  readonly #limits = new BoundedMap<string, GasLimits>(CAPACITY)

  find(context: OperationContext, profile: GasProfile): GasLimits | null {
    return this.#limits.get(gasProfileKey(context, profile)) ?? null
  }

  remember(context: OperationContext, profile: GasProfile, neededLimits: GasLimits): void {
    const key = gasProfileKey(context, profile)
    const earlierLimits = this.#limits.get(key)
    const latestLimits = { ...neededLimits, preVerificationGas: neededLimits.preVerificationGas + CALLDATA_MARGIN }
    // The gas of similar operations varies slightly. With the highest value, the next operation needs no second
    // simulation.
    const maxLimits = earlierLimits === undefined ? latestLimits : greaterLimits(earlierLimits, latestLimits)
    this.#limits.set(key, isSufficient(maxLimits, neededLimits) ? maxLimits : latestLimits)
  }
}
