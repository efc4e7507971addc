import { type DecimalsOf, parseUnits } from "./amounts.ts"
import { type Bytes, numberIn, sizeOf, slice, Unreadable } from "./bytes.ts"
import { NATIVE } from "./contracts.ts"
import { maxGasCost, type Operation } from "./operations.ts"
import type { Terms } from "./requestTerms.ts"
import type { Report, Trust } from "./shapes.ts"

export interface GasCheck {
  readonly operations: ReadonlyArray<Operation>
  readonly terms: Terms
  readonly trust: Trust
  readonly paymasters: ReadonlySet<Bytes>
  readonly decimalsOf: DecimalsOf
}

const WEI_PER_NATIVE_TOKEN = 10n ** 18n
const FLAG_OF_PREFUND = 4n
const ERC20_MODE = 1n
/**
 * Sum of the field sizes: mode and bundlers ‖ flags ‖ validUntil ‖ validAfter ‖ token ‖ postOpGas ‖ exchange rate ‖
 * verification gas ‖ treasury.
 */
const FIXED_BYTES = 1 + 1 + 6 + 6 + 20 + 16 + 32 + 16 + 20
const PREFUND_BYTES = 16
const SIGNATURE_BYTES = 65

/** Decodes the charge of Pimlico's SingletonPaymaster: the token, the maximum amount and the expiry. */
const chargeOf = (operation: Operation, data: Bytes) => {
  const numberAt = (start: number, size: number) => numberIn(slice(data, start, start + size))
  const hasPrefund = numberAt(1, 1) === FLAG_OF_PREFUND
  const size = FIXED_BYTES + (hasPrefund ? PREFUND_BYTES : 0) + SIGNATURE_BYTES
  if (sizeOf(data) !== size || numberAt(0, 1) >> 1n !== ERC20_MODE || (numberAt(1, 1) !== 0n && !hasPrefund)) {
    throw new Unreadable("the paymaster data can't be decoded as a gas fee in a token")
  }
  const wei = maxGasCost(operation) + numberAt(34, 16) * operation.maxFeePerGas
  return {
    token: slice(data, 14, 34),
    validUntil: numberAt(2, 6),
    // Computed as in the contract, but rounded up, so that the contract never charges more.
    maxAmount: (wei * numberAt(50, 32) + WEI_PER_NATIVE_TOKEN - 1n) / WEI_PER_NATIVE_TOKEN,
    prefund: hasPrefund ? numberAt(FIXED_BYTES, PREFUND_BYTES) : 0n
  }
}

export interface GasLimits {
  /** The maximum gas fee, in base units of the gas token. */
  readonly token: bigint
  /** The part of `token` for the last operation. `DEDUCT_FROM_AMOUNT` deducts at least this much from the amount. */
  readonly lastOperation: bigint
  readonly validUntil: ReadonlyArray<bigint>
}

interface GasFees {
  /** The maximum gas fees of the operations, in base units of the gas token. */
  readonly fees: ReadonlyArray<bigint>
  readonly validUntil: ReadonlyArray<bigint>
}

const checkTokenGas = ({ operations, paymasters, terms }: GasCheck, report: Report): GasFees => {
  const fees: Array<bigint> = []
  const validUntil: Array<bigint> = []
  for (const [i, operation] of operations.entries()) {
    const path = `userOperations[${i}].paymaster`
    const { paymaster } = operation
    if (paymaster === null || !paymasters.has(paymaster.address)) {
      report(
        "wrong_paymaster",
        path,
        `${paymaster?.address ?? "No paymaster"} pays the gas, but it is not in \`trust.paymasters\`.`
      )
      continue
    }
    const charge = chargeOf(operation, paymaster.data)
    if (charge.token !== terms.gasToken) {
      report("wrong_paymaster", path, `The paymaster charges gas in ${charge.token}, not in ${terms.gasToken}.`)
    }
    if (charge.prefund > charge.maxAmount)
      report("gas_too_high", path, "The paymaster takes more than the maximum gas cost before the calls.")
    fees.push(charge.maxAmount)
    validUntil.push(charge.validUntil)
  }
  return { fees, validUntil }
}

const checkNativeGas = ({ operations }: GasCheck, report: Report): GasFees => {
  for (const [i, { paymaster }] of operations.entries()) {
    if (paymaster !== null) {
      report(
        "wrong_paymaster",
        `userOperations[${i}].paymaster`,
        "The request pays gas with native tokens, but the operation has a paymaster."
      )
    }
  }
  return { fees: operations.map(maxGasCost), validUntil: [] }
}

/** Checks who pays the gas. Checks that the gas costs no more than the quote displays and the caller allows. */
export const checkGas = (check: GasCheck, report: Report): GasLimits => {
  const { decimalsOf, operations, terms, trust } = check
  const { fees, validUntil } = terms.gasToken === NATIVE ? checkNativeGas(check, report) : checkTokenGas(check, report)
  const token = fees.reduce((sum, fee) => sum + fee, 0n)
  const decimals = decimalsOf(terms.gasToken)
  const wei = operations.reduce((sum, operation) => sum + maxGasCost(operation), 0n)
  if (wei > parseUnits(terms.shownGas.nativeToken, 18) || token > parseUnits(terms.shownGas.token, decimals)) {
    report("gas_too_high", "estimatedGasFees", "The maximum gas cost of the operation is higher than the quote states.")
  }
  if (trust.maxGasFee !== undefined && token > parseUnits(trust.maxGasFee, decimals)) {
    report(
      "gas_too_high",
      "userOperations",
      `The maximum gas cost is higher than ${trust.maxGasFee} (\`trust.maxGasFee\`).`
    )
  }
  return { token, lastOperation: fees.at(-1) ?? 0n, validUntil }
}
