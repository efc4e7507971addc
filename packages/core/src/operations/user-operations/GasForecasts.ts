import { BoundedMap, greater } from "../../foundation/primitives/index.ts"
import type { Call } from "./Call.ts"
import { totalGasLimit } from "./gasFee.ts"
import { needsDeployment, type OperationContext } from "./operationContext.ts"
import type { GasLimits } from "./Simulation.ts"

/** Maximum number of stored operation kinds. If exceeded, the one that was stored longest ago is removed. */
const CAPACITY = 2_000

/** Call data with other amounts and nonces has slightly more or fewer zero bytes, which cost 12 gas less each. */
const CALLDATA_MARGIN = 300n

/**
 * Maximum excess of a limit over the needed gas, in percent and in gas. Unused gas is partly charged, and shown in
 * full.
 */
const EXCESS_PERCENT = 25n
const EXCESS_GAS = 50_000n

/** Whether an operation can keep these limits, given the gas that its simulation used. */
export const suffices = (limits: GasLimits, needed: GasLimits): boolean =>
  limits.callGasLimit >= needed.callGasLimit &&
  limits.verificationGasLimit >= needed.verificationGasLimit &&
  limits.preVerificationGas >= needed.preVerificationGas &&
  limits.paymasterVerificationGasLimit >= needed.paymasterVerificationGasLimit &&
  limits.paymasterPostOpGasLimit >= needed.paymasterPostOpGasLimit &&
  totalGasLimit(limits) <= (totalGasLimit(needed) * (100n + EXCESS_PERCENT)) / 100n + EXCESS_GAS

/** The maximum of each limit. */
export const greaterLimits = (a: GasLimits, b: GasLimits): GasLimits => ({
  callGasLimit: greater(a.callGasLimit, b.callGasLimit),
  verificationGasLimit: greater(a.verificationGasLimit, b.verificationGasLimit),
  preVerificationGas: greater(a.preVerificationGas, b.preVerificationGas),
  paymasterVerificationGasLimit: greater(a.paymasterVerificationGasLimit, b.paymasterVerificationGasLimit),
  paymasterPostOpGasLimit: greater(a.paymasterPostOpGasLimit, b.paymasterPostOpGasLimit)
})

interface Likeness {
  readonly calls: ReadonlyArray<Call>
  /** Whether the paymaster charges its fee before the calls. */
  readonly isPrefunded: boolean
}

/** A key that is equal for operations with about the same gas: account type, payment and called functions. */
const likenessOf = (context: OperationContext, { calls, isPrefunded }: Likeness): string =>
  [
    context.chainId,
    context.account.kind,
    needsDeployment(context),
    context.paymaster === null ? "coin" : context.payGasFeeToken.address,
    isPrefunded,
    ...calls.map(({ data, to }) => `${to}${data.slice(2, 10)}${data.length}`)
  ].join(" ")

/**
 * Caches the gas limits of earlier operations of the same kind. On a hit, one simulation of the final operation is
 * enough. On a miss, a first simulation estimates the limits, and a second one runs the operation with these limits.
 */
export class GasForecasts {
  readonly #limits = new BoundedMap<string, GasLimits>(CAPACITY)

  find(context: OperationContext, likeness: Likeness): GasLimits | null {
    return this.#limits.get(likenessOf(context, likeness)) ?? null
  }

  remember(context: OperationContext, likeness: Likeness, needed: GasLimits): void {
    const key = likenessOf(context, likeness)
    const earlier = this.#limits.get(key)
    const latest = { ...needed, preVerificationGas: needed.preVerificationGas + CALLDATA_MARGIN }
    // The gas of a kind varies slightly. With the highest value, the next operation needs no second simulation.
    const maxLimits = earlier === undefined ? latest : greaterLimits(earlier, latest)
    this.#limits.set(key, suffices(maxLimits, needed) ? maxLimits : latest)
  }
}
