import { type Address, NATIVE_TOKEN } from "@countersign/core/foundation/primitives"
import { type Hex, zeroAddress } from "viem"
import type { LiFiDeployment } from "../../../chains/deployments/index.ts"
import { addressFromHex } from "../../../chains/evm/index.ts"
import { fault, type RouteFault } from "../RouteFault.ts"
import { feeFault } from "./feeFault.ts"

/** A swap step of LI.FI's contract (`LibSwap.SwapData`). */
export interface Step {
  readonly callTo: Hex
  readonly approveTo: Hex
  readonly sendingAssetId: Hex
  readonly receivingAssetId: Hex
  readonly fromAmount: bigint
  readonly callData: Hex
  readonly requiresDeposit: boolean
}

/** At least one. */
export type Steps = readonly [Step, ...Array<Step>]

/** Contracts that LI.FI's contract may call: LI.FI's own contracts, and the routers that the service supports. */
export interface AllowedContracts {
  readonly exchanges: ReadonlySet<Address>
  readonly fees: ReadonlySet<Address>
}

export const allowedContractsOf = (
  { exchange, feeCollector, feeForwarder }: LiFiDeployment,
  routers: ReadonlyArray<Address>
): AllowedContracts => ({
  exchanges: new Set([exchange, ...routers]),
  fees: new Set([feeCollector, feeForwarder])
})

/** Converts LI.FI's token address, which is zero for the native token. */
export const tokenOf = (asset: Hex): Address => (asset === zeroAddress ? NATIVE_TOKEN : addressFromHex(asset))

/** Approval target in a step that sells the native token, which needs no approval. */
const NO_APPROVAL: Address = addressFromHex(zeroAddress)

const stepFault = ({ exchanges, fees }: AllowedContracts, step: Step, amountIn: bigint): RouteFault | null => {
  const [callTo, approveTo] = [addressFromHex(step.callTo), addressFromHex(step.approveTo)]
  for (const contract of [callTo, approveTo]) {
    if (!exchanges.has(contract) && !fees.has(contract) && contract !== NO_APPROVAL) {
      return fault("CONTRACT", `it calls ${contract}, which is not on the list of allowed contracts`)
    }
  }
  return fees.has(callTo) ? feeFault(step.callData, amountIn) : null
}

/** The amount that the steps take from the wallet, and the faults of the steps. */
export interface TakenInput {
  readonly tokenIn: Address
  /** Null for the native token, because the transaction's value is verified separately. */
  readonly amountIn: bigint | null
  readonly faults: ReadonlyArray<RouteFault>
}

/**
 * Sums the amounts that the steps take from the wallet. LI.FI's contract transfers each token deposit from the wallet.
 */
export const takenInputOf = (
  allowed: AllowedContracts,
  steps: Steps,
  deposits: ReadonlyArray<Step>,
  isFromNativeToken: boolean
): TakenInput => {
  const tokenIn = isFromNativeToken ? NATIVE_TOKEN : tokenOf(steps[0].sendingAssetId)
  const isSold = ({ sendingAssetId }: Step): boolean => tokenOf(sendingAssetId) === tokenIn
  const sellingSteps = (isFromNativeToken ? steps : deposits).filter(isSold)
  const amount = sellingSteps.reduce((sum, { fromAmount }) => sum + fromAmount, 0n)
  const foreignDeposit = deposits.find((step) => !isSold(step))
  const faults = [
    foreignDeposit === undefined
      ? null
      : fault("TOKEN", `it also takes ${foreignDeposit.sendingAssetId}, which is not the sold token`),
    ...steps.map((step) => stepFault(allowed, step, amount))
  ]
  return { tokenIn, amountIn: isFromNativeToken ? null : amount, faults: faults.filter((each) => each !== null) }
}

/** Narrows a list of steps to a non-empty one; null if it is empty. */
export const stepsOrNull = (steps: ReadonlyArray<Step>): Steps | null => {
  const [first, ...others] = steps
  return first === undefined ? null : [first, ...others]
}
