import { BoundedMap, greater } from "../../foundation/primitives/index.ts"
import type { Call } from "./Call.ts"
import { totalGasLimit } from "./gasFee.ts"
import { needsDeployment, type OperationContext } from "./operationContext.ts"
import type { GasLimits } from "./Simulation.ts"

/** As many kinds of operations as one service sees in a while; the longest unused are forgotten. */
const CAPACITY = 2_000

/** Call data of other amounts and nonces has some zero bytes more or less: 12 gas each. */
const CALLDATA_MARGIN = 300n

/** By how much a limit may exceed the needed gas, in percent and in gas: unused gas is charged in part, and shown in full. */
const EXCESS_PERCENT = 25n
const EXCESS_GAS = 50_000n

/** Whether an operation with these limits can be taken as it is, where a run of it tells what it needs. */
export const suffices = (limits: GasLimits, needed: GasLimits): boolean =>
  limits.callGasLimit >= needed.callGasLimit &&
  limits.verificationGasLimit >= needed.verificationGasLimit &&
  limits.preVerificationGas >= needed.preVerificationGas &&
  limits.paymasterVerificationGasLimit >= needed.paymasterVerificationGasLimit &&
  limits.paymasterPostOpGasLimit >= needed.paymasterPostOpGasLimit &&
  totalGasLimit(limits) <= (totalGasLimit(needed) * (100n + EXCESS_PERCENT)) / 100n + EXCESS_GAS

/** The greater of each limit. */
export const greaterLimits = (a: GasLimits, b: GasLimits): GasLimits => ({
  callGasLimit: greater(a.callGasLimit, b.callGasLimit),
  verificationGasLimit: greater(a.verificationGasLimit, b.verificationGasLimit),
  preVerificationGas: greater(a.preVerificationGas, b.preVerificationGas),
  paymasterVerificationGasLimit: greater(a.paymasterVerificationGasLimit, b.paymasterVerificationGasLimit),
  paymasterPostOpGasLimit: greater(a.paymasterPostOpGasLimit, b.paymasterPostOpGasLimit)
})

interface Likeness {
  readonly calls: ReadonlyArray<Call>
  /** Whether the paymaster takes its fee before the calls. */
  readonly isPrefunded: boolean
}

/** The key of operations that take about the same gas: account, payment and called functions. */
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
 * Limits that operations of the same kind needed before. With them the first simulation can be that of the very operation
 * that is signed; without them it has to find the limits first, and a second one runs the operation that has them.
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
    // Operations of a kind differ a little in gas: the highest figure spares the next one a second run.
    const most = earlier === undefined ? latest : greaterLimits(earlier, latest)
    this.#limits.set(key, suffices(most, needed) ? most : latest)
  }
}
