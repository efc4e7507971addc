import type { EvmChainId } from "../chains/index.ts"
import { type Address, HexBytes, NATIVE_COIN } from "../primitives/index.ts"
import { type Token, tokenKey } from "../tokens/index.ts"
import type { Account } from "../wallets/index.ts"
import { type Call, erc20Approve } from "./Call.ts"
import type { AccountState } from "./ChainReader.ts"
import { gasFeeInTokenRoundingUp, maxGasFeeWei } from "./gasFee.ts"
import type { PaymasterTerms } from "./Paymaster.ts"
import type { GasLimits, Simulation } from "./Simulation.ts"
import type { RevertReason, UserOperation } from "./UserOperation.ts"

export interface OpenRequest {
  readonly chainId: EvmChainId
  readonly account: Account
  readonly payGasFeeToken: Token
  /** Tokens whose balances the caller wants to know. */
  readonly tokens: ReadonlyArray<Address>
}

/** What is known of an account and of its gas before anything is planned. */
export interface OperationContext extends OpenRequest {
  readonly state: AccountState
  /** Null where gas is paid in the chain's coin. */
  readonly paymaster: { readonly terms: PaymasterTerms; readonly allowance: bigint } | null
}

/** Whether the account must still be deployed, or its EIP-7702 delegation made. */
export const needsDeployment = ({ account, state }: OperationContext): boolean =>
  account.eip7702 ? state.delegate !== account.implementation : !state.hasCode

/** The most that gas can take, in base units of the token that pays. */
export const maxGasFee = ({ paymaster, state }: OperationContext, limits: GasLimits): bigint => {
  const wei = maxGasFeeWei(limits, state.maxFeePerGas)
  if (paymaster === null) return wei
  const { postOpGasCharge, tokenUnitsPerCoin } = paymaster.terms
  return gasFeeInTokenRoundingUp(wei + postOpGasCharge * state.maxFeePerGas, tokenUnitsPerCoin)
}

/** What the gas of a simulation would have cost, in base units of the token that pays. */
export const expectedGasFee = ({ paymaster, state }: OperationContext, { gasUsed }: Simulation): bigint => {
  const wei = gasUsed * (state.baseFeePerGas + state.maxPriorityFeePerGas)
  return paymaster === null ? wei : gasFeeInTokenRoundingUp(wei, paymaster.terms.tokenUnitsPerCoin)
}

/**
 * An allowance that no fees use up. With a smaller one each operation brings its own, also where what is left of earlier
 * ones would do: operations that are prepared side by side all see the same rest, and only the first would find it.
 */
const UNLIMITED = 2n ** 128n

/** Lets the paymaster take its fee. A smaller allowance is cleared first, because USDT refuses to change one. */
export const allowanceCalls = ({ payGasFeeToken, paymaster }: OperationContext, fee: bigint): ReadonlyArray<Call> => {
  if (paymaster === null || paymaster.allowance >= UNLIMITED) return []
  const { allowance, terms } = paymaster
  const allow = erc20Approve(payGasFeeToken, terms.address, fee)
  return allowance === 0n ? [allow] : [erc20Approve(payGasFeeToken, terms.address, 0n), allow]
}

/**
 * For a simulation: limits left to the bundler, and no price where the account itself pays, because a generous limit
 * times the price could ask for a prefund that the final operation does not need.
 */
export const withoutLimits = (operation: UserOperation): UserOperation => ({
  ...operation,
  callGasLimit: 0n,
  verificationGasLimit: 0n,
  preVerificationGas: 0n,
  ...(operation.paymaster === null ? { maxFeePerGas: 0n, maxPriorityFeePerGas: 0n } : {})
})

/** What the EntryPoint answers to an account that can't pay for its operation. */
const insufficientPrefund: RevertReason = {
  decoded: "AA21 didn't pay prefund: the wallet's coin does not cover the operation's value and its gas",
  raw: HexBytes.make("0x"),
  utf8: ""
}

/** Adds what a simulation without a price can't see: that the coin does not suffice for the calls and the gas. */
export const withPrefund = (
  { chainId, paymaster, state }: OperationContext,
  simulation: Simulation,
  maxWei: bigint,
  calls: ReadonlyArray<Call>
): Simulation => {
  if (paymaster !== null || simulation.revert !== null) return simulation
  const balance = state.balances.get(tokenKey({ chainId, address: NATIVE_COIN })) ?? 0n
  const needed = calls.reduce((sum, call) => sum + call.value, maxWei)
  return balance >= needed ? simulation : { ...simulation, revert: insufficientPrefund, transfers: [] }
}
