import type { EvmChainId } from "../../foundation/chains/index.ts"
import { type Address, decimalFromBaseUnits } from "../../foundation/primitives/index.ts"
import type { Token } from "../../foundation/tokens/index.ts"
import type { Account } from "../../wallets/registry/index.ts"
import { type Call, erc20Approve } from "./Call.ts"
import type { AccountState } from "./ChainReader.ts"
import { gasFeeInTokenRoundingDown, gasFeeInTokenRoundingUp, maxGasFeeWei } from "./gasFee.ts"
import type { PaymasterTerms } from "./Paymaster.ts"
import type { GasLimits, Simulation } from "./Simulation.ts"
import type { UserOperation } from "./UserOperation.ts"

export interface OpenRequest {
  readonly chainId: EvmChainId
  readonly account: Account
  readonly payGasFeeToken: Token
  /** The tokens whose balances are requested. */
  readonly tokens: ReadonlyArray<Address>
}

/** The state of an account and of gas prices before the operation is planned. */
export interface OperationContext extends OpenRequest {
  readonly state: AccountState
  /** The account's deposit at the EntryPoint in wei, from unused prepayments of earlier operations. */
  readonly deposit: bigint
  /** Null if gas is paid in the native token. */
  readonly paymaster: {
    readonly terms: PaymasterTerms
    /** The paymaster's allowance of the account's gas token. */
    readonly allowance: bigint
    /** The paymaster's allowance from the refunding account; zero if there is no such account. */
    readonly refundAllowance: bigint
  } | null
}

/** Whether the account must still be deployed, or delegated by EIP-7702. */
export const needsDeployment = ({ account, state }: OperationContext): boolean =>
  account.eip7702 ? state.delegate !== account.implementation : !state.hasCode

/** The maximum gas fee, in base units of the gas token. */
export const maxGasFee = ({ paymaster, state }: OperationContext, limits: GasLimits): bigint => {
  const wei = maxGasFeeWei(limits, state.maxFeePerGas)
  if (paymaster === null) return wei
  const { postOpGasCharge, tokenUnitsPerCoin } = paymaster.terms
  return gasFeeInTokenRoundingUp(wei + postOpGasCharge * state.maxFeePerGas, tokenUnitsPerCoin)
}

/** The gas cost of a simulation, in base units of the gas token. */
export const expectedGasFee = ({ paymaster, state }: OperationContext, { gasUsed, tokenPaid }: Simulation): bigint => {
  const wei = gasUsed * (state.baseFeePerGas + state.maxPriorityFeePerGas)
  if (paymaster === null) return wei
  return tokenPaid ?? gasFeeInTokenRoundingUp(wei, paymaster.terms.tokenUnitsPerCoin)
}

/** An allowance above this is treated as unlimited, and is not renewed. */
const UNLIMITED = 2n ** 128n

/**
 * The number of fees that an allowance covers. Later operations need no approval, and the paymaster can charge their
 * fees before the calls. The allowance is renewed when half of it is left, because operations that are prepared
 * concurrently all see the same allowance.
 */
const STANDING_FEES = 256n

/**
 * Grants the paymaster an allowance for its fees. A smaller allowance is set to zero first, because USDT does not allow
 * a change between nonzero allowances.
 */
export const allowanceCalls = ({ payGasFeeToken, paymaster }: OperationContext, fee: bigint): ReadonlyArray<Call> => {
  if (paymaster === null) return []
  const { allowance, terms } = paymaster
  if (allowance >= UNLIMITED || allowance >= (STANDING_FEES / 2n) * fee) return []
  const allow = feeAllowance(payGasFeeToken, terms.address, fee)
  return allowance === 0n ? [allow] : [erc20Approve(payGasFeeToken, terms.address, 0n), allow]
}

/** The description of an allowance that is a multiple of the fee, with its maximum. */
const feeAllowance = (token: Token, paymaster: Address, fee: bigint): Call => {
  const amount = STANDING_FEES * fee
  const tokenText = (units: bigint) => `${decimalFromBaseUnits(units, token.decimals)} ${token.symbol}`
  return {
    ...erc20Approve(token, paymaster, amount),
    summary:
      `Allow ${paymaster} to take ${tokenText(amount)} for the gas of this and later operations, only for operations that the owner signs, ` +
      `and at most ${tokenText(fee)} for this operation`
  }
}

/**
 * The amount that the paymaster charges before the calls of an operation with these limits, which is its maximum cost.
 * So the gas is paid even if the calls revert or move the tokens away. Zero if it is not possible: without an earlier
 * allowance, or if the paymaster could not refund the unused part. Rounded down, because the contract rejects more than
 * the operation's maximum cost at its rate.
 */
export const prefundOf = ({ paymaster, state }: OperationContext, limits: GasLimits): bigint => {
  if (paymaster === null || paymaster.terms.refundsFrom === null) return 0n
  const { allowance, refundAllowance, terms } = paymaster
  const prefund = gasFeeInTokenRoundingDown(maxGasFeeWei(limits, state.maxFeePerGas), terms.tokenUnitsPerCoin)
  // In `postOp` the paymaster may charge the rest, so the allowance must cover twice the amount.
  return allowance >= 2n * prefund && refundAllowance >= prefund ? prefund : 0n
}

/**
 * Whether the fee of an operation with these limits could be charged before its calls after a preceding operation
 * granted the allowance.
 */
export const wantsAllowanceFirst = (context: OperationContext, limits: GasLimits): boolean =>
  prefundOf(context, limits) === 0n && prefundOf(withAllowance(context, UNLIMITED), limits) > 0n

const withAllowance = (context: OperationContext, allowance: bigint): OperationContext => ({
  ...context,
  paymaster: context.paymaster === null ? null : { ...context.paymaster, allowance }
})

/** The account after a preceding operation, which granted the allowance for this fee and paid at most `paidFee`. */
export const afterAllowance = (context: OperationContext, fee: bigint, paidFee: bigint): OperationContext => ({
  ...withAllowance(context, STANDING_FEES * fee - paidFee),
  state: { ...context.state, hasCode: true, delegate: context.account.eip7702 ? context.account.implementation : null }
})

/**
 * The operation for an estimation: the bundler determines the gas limits. If the account pays the gas, the gas price is
 * zero, because the estimated limits could otherwise require a higher prefund than the final operation.
 */
export const withoutLimits = (operation: UserOperation): UserOperation => ({
  ...operation,
  callGasLimit: 0n,
  verificationGasLimit: 0n,
  preVerificationGas: 0n,
  ...(operation.paymaster === null ? { maxFeePerGas: 0n, maxPriorityFeePerGas: 0n } : {})
})
