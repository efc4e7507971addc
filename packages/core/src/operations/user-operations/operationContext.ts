import type { EvmChainId } from "../../foundation/chains/index.ts"
import { type Address, decimalFromBaseUnits } from "../../foundation/primitives/index.ts"
import type { Token } from "../../foundation/tokens/index.ts"
import type { Account } from "../../wallets/registry/index.ts"
import { approveCall, type Call } from "./Call.ts"
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

/** The state of an account, and the gas prices, before the operation is planned. */
export interface OperationContext extends OpenRequest {
  readonly state: AccountState
  /** The account's deposit at the EntryPoint in wei, from prepaid gas that earlier operations did not use. */
  readonly deposit: bigint
  /** Null if gas is paid in the native token. */
  readonly paymaster: {
    readonly terms: PaymasterTerms
    /** The allowance of the paymaster for the account's gas token. */
    readonly allowance: bigint
    /** The allowance that the refunding account has granted the paymaster. Zero if there is no such account. */
    readonly refundAllowance: bigint
  } | null
}

/** Returns whether the operation must deploy the account, or delegate it with EIP-7702. */
export const needsDeployment = ({ account, state }: OperationContext): boolean =>
  account.eip7702 ? state.delegate !== account.implementation : !state.hasCode

/** Returns the maximum gas fee, in base units of the gas token. */
export const maxGasFee = ({ paymaster, state }: OperationContext, limits: GasLimits): bigint => {
  const wei = maxGasFeeWei(limits, state.maxFeePerGas)
  if (paymaster === null) return wei
  const { postOpGasCharge, tokenUnitsPerNativeToken } = paymaster.terms
  return gasFeeInTokenRoundingUp(wei + postOpGasCharge * state.maxFeePerGas, tokenUnitsPerNativeToken)
}

/** Returns the gas cost of a simulation, in base units of the gas token. */
export const expectedGasFee = ({ paymaster, state }: OperationContext, { gasUsed, tokenPaid }: Simulation): bigint => {
  const wei = gasUsed * (state.baseFeePerGas + state.maxPriorityFeePerGas)
  if (paymaster === null) return wei
  return tokenPaid ?? gasFeeInTokenRoundingUp(wei, paymaster.terms.tokenUnitsPerNativeToken)
}

/** An allowance of at least this amount is treated as unlimited, and is not renewed. */
const UNLIMITED = 2n ** 128n

/**
 * Number of fees that a granted allowance covers. Later operations need no approval, and the paymaster can charge their
 * fees before the calls. The allowance is renewed when less than half of it remains, because operations that are
 * prepared concurrently all see the same allowance.
 */
const FEES_PER_ALLOWANCE = 256n

/**
 * Returns the calls that grant the paymaster an allowance for its fees. An existing, smaller allowance is first set to
 * zero, because USDT does not allow a change between nonzero allowances. Empty if the existing allowance is sufficient,
 * or if gas is paid in the native token.
 */
export const allowanceCalls = ({ payGasFeeToken, paymaster }: OperationContext, fee: bigint): ReadonlyArray<Call> => {
  if (paymaster === null) return []
  const { allowance, terms } = paymaster
  if (allowance >= UNLIMITED || allowance >= (FEES_PER_ALLOWANCE / 2n) * fee) return []
  const allowanceCall = feeAllowance(payGasFeeToken, terms.address, fee)
  return allowance === 0n ? [allowanceCall] : [approveCall(payGasFeeToken, terms.address, 0n), allowanceCall]
}

/** Builds the approval for a multiple of the fee. Its summary contains the maximum fee of this operation. */
const feeAllowance = (token: Token, paymaster: Address, fee: bigint): Call => {
  const amount = FEES_PER_ALLOWANCE * fee
  const tokenText = (units: bigint) => `${decimalFromBaseUnits(units, token.decimals)} ${token.symbol}`
  return {
    ...approveCall(token, paymaster, amount),
    summary:
      `Allow ${paymaster} to take ${tokenText(amount)} for the gas of this and later operations, only for operations that the owner signs, ` +
      `and at most ${tokenText(fee)} for this operation`
  }
}

/**
 * Returns the amount that the paymaster charges before the calls of an operation with these limits: the operation's
 * maximum cost. The gas is then paid even if the calls revert, or move the tokens out of the account. Zero if that is
 * not possible, because the account has not granted an allowance, or because the paymaster could not refund the unused
 * part. Rounded down, because the contract rejects more than the maximum cost at its rate.
 */
export const prefundOf = ({ paymaster, state }: OperationContext, limits: GasLimits): bigint => {
  if (paymaster === null || paymaster.terms.refundsFrom === null) return 0n
  const { allowance, refundAllowance, terms } = paymaster
  const prefund = gasFeeInTokenRoundingDown(maxGasFeeWei(limits, state.maxFeePerGas), terms.tokenUnitsPerNativeToken)
  // The paymaster may charge more in `postOp`, so the allowance must cover twice the amount.
  return allowance >= 2n * prefund && refundAllowance >= prefund ? prefund : 0n
}

/**
 * Returns whether the fee of an operation with these limits can't be charged before its calls now, but could be if a
 * preceding operation granted the allowance.
 */
export const needsAllowanceFirst = (context: OperationContext, limits: GasLimits): boolean =>
  prefundOf(context, limits) === 0n && prefundOf(withAllowance(context, UNLIMITED), limits) > 0n

const withAllowance = (context: OperationContext, allowance: bigint): OperationContext => ({
  ...context,
  paymaster: context.paymaster === null ? null : { ...context.paymaster, allowance }
})

/**
 * Returns the account's context after a preceding operation that grants the allowance for this fee and costs at most
 * `paidFee`.
 */
export const afterAllowance = (context: OperationContext, fee: bigint, paidFee: bigint): OperationContext => ({
  ...withAllowance(context, FEES_PER_ALLOWANCE * fee - paidFee),
  state: { ...context.state, hasCode: true, delegate: context.account.eip7702 ? context.account.implementation : null }
})

/**
 * Returns the operation for an estimation, in which the bundler determines the gas limits. If the account pays the gas,
 * the gas price is zero. With the real price, the large limits of the estimation could require a higher prefund than
 * the final operation.
 */
export const withoutLimits = (operation: UserOperation): UserOperation => ({
  ...operation,
  callGasLimit: 0n,
  verificationGasLimit: 0n,
  preVerificationGas: 0n,
  ...(operation.paymaster === null ? { maxFeePerGas: 0n, maxPriorityFeePerGas: 0n } : {})
})
