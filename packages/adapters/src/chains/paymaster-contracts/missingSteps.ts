import type { Address } from "@countersign/core/foundation/primitives"
import { concatHex, type Hex, maxUint256 } from "viem"
import { encoderOf, entryPointAbi, erc20Abi } from "../evm/index.ts"
import type { PaymasterPlan, PaymasterState } from "./PaymasterPlan.ts"
import { entryPointOf, type PaymasterDeployment, paymasterAbi } from "./paymasterContract.ts"

const paymasterData = encoderOf(paymasterAbi)
const erc20Data = encoderOf(erc20Abi)
const entryPointData = encoderOf(entryPointAbi)

/** A setup transaction of a paymaster that is still missing. */
export interface PaymasterStep {
  /** Description for the operator. */
  readonly description: string
  readonly sender: "owner" | "treasury"
  readonly to: Address
  readonly data: Hex
}

const deployment = ({ factory, initCode, salt }: PaymasterDeployment, { address }: PaymasterPlan): PaymasterStep => ({
  description: `deploy the contract at ${address}`,
  sender: "owner",
  to: factory,
  data: concatHex([salt, initCode])
})

const addSigner = ({ address, signer }: PaymasterPlan): PaymasterStep => ({
  description: `add the signer ${signer}`,
  sender: "owner",
  to: address,
  data: paymasterData("addSigner", [signer])
})

/** Builds the transaction that lists the operators whose bundles a paymaster accepts. */
export const listOperators = (paymaster: Address, operators: ReadonlyArray<Address>): PaymasterStep => ({
  description: `list the operators ${operators.join(", ")}`,
  sender: "owner",
  to: paymaster,
  data: paymasterData("updateBundlerAllowlist", [operators, true])
})

/** Builds the approval that allows a paymaster to refund unused charges of a token. */
const approve = (token: Address, spender: Address, description: string): PaymasterStep => ({
  description,
  sender: "treasury",
  to: token,
  data: erc20Data("approve", [spender, maxUint256])
})

/** Returns the remaining steps of a paymaster's plan, in order; empty if the setup is complete. */
export const missingSteps = (
  plan: PaymasterPlan,
  state: PaymasterState,
  paymasterDeployment: PaymasterDeployment
): ReadonlyArray<PaymasterStep> => [
  ...(state.hasCode ? [] : [deployment(paymasterDeployment, plan)]),
  ...(state.signerIsListed ? [] : [addSigner(plan)]),
  ...(state.unlistedOperators.length === 0 ? [] : [listOperators(plan.address, state.unlistedOperators)]),
  ...state.unapprovedTokens.map(({ address, symbol }) =>
    approve(address, plan.address, `approve ${symbol} for refunds by the treasury ${plan.treasury}`)
  )
]

/** Builds the transaction that increases a paymaster's deposit at its EntryPoint. `value` is in wei. */
export const depositTransaction = ({ address, version }: PaymasterPlan, value: bigint) => ({
  to: entryPointOf[version],
  data: entryPointData("depositTo", [address]),
  value
})
