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
  /** Tokens whose balances are requested. */
  readonly tokens: ReadonlyArray<Address>
}

/** The state of an account and of gas prices before an operation is planned. */
export interface OperationContext extends OpenRequest {
  readonly state: AccountState
  /** The account's deposit at the EntryPoint, in wei: unused prepayments of earlier operations. */
  readonly deposit: bigint
  /** Null if gas is paid in the native token. */
  readonly paymaster: {
    readonly terms: PaymasterTerms
    /** Its allowance of the account's gas token. */
    readonly allowance: bigint
    /** Its allowance from the refunding account; zero if there is none. */
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

/** An allowance above this counts as unlimited, and is left unchanged. */
const UNLIMITED = 2n ** 128n

/**
 * The allowance after an operation covers this many fees: later operations need no approval of their own, and their
 * fees can be charged before their calls. It is renewed at half of that, because concurrently prepared operations all
 * see the same remainder.
 */
const STANDING_FEES = 256n

/**
 * Grants the paymaster an allowance for its fees. A smaller allowance is reset first, because USDT does not allow to
 * change one.
 */
export const allowanceCalls = ({ payGasFeeToken, paymaster }: OperationContext, fee: bigint): ReadonlyArray<Call> => {
  if (paymaster === null) return []
  const { allowance, terms } = paymaster
  if (allowance >= UNLIMITED || allowance >= (STANDING_FEES / 2n) * fee) return []
  const allow = feeAllowance(payGasFeeToken, terms.address, fee)
  return allowance === 0n ? [allow] : [erc20Approve(payGasFeeToken, terms.address, 0n), allow]
}

/** The description of an allowance that is many times the fee, with its bound. */
const feeAllowance = (token: Token, paymaster: Address, fee: bigint): Call => {
  const amount = STANDING_FEES * fee
  const inTokens = (units: bigint) => `${decimalFromBaseUnits(units, token.decimals)} ${token.symbol}`
  return {
    ...erc20Approve(token, paymaster, amount),
    summary:
      `Allow ${paymaster} to take ${inTokens(amount)} for the gas of this and later operations, only for operations that the owner signs, ` +
      `and at most ${inTokens(fee)} for this operation`
  }
}

/**
 * The amount that the paymaster charges before the calls of an operation with these limits: its maximum cost. Then
 * calls that revert, or that move its tokens away, are also paid for. Zero if it is not possible: without an earlier
 * allowance, or if the paymaster could not refund the unused part. Rounded down: the contract rejects more than the
 * operation's maximum cost at its rate.
 */
export const prefundOf = ({ paymaster, state }: OperationContext, limits: GasLimits): bigint => {
  if (paymaster === null || paymaster.terms.refundsFrom === null) return 0n
  const { allowance, refundAllowance, terms } = paymaster
  const prefund = gasFeeInTokenRoundingDown(maxGasFeeWei(limits, state.maxFeePerGas), terms.tokenUnitsPerCoin)
  // In postOp the paymaster may charge the rest, so the allowance must cover twice as much.
  return allowance >= 2n * prefund && refundAllowance >= prefund ? prefund : 0n
}

/**
 * Whether the fee of an operation with these limits could be charged before its calls, if a preceding operation granted
 * the allowance.
 */
export const wantsAllowanceFirst = (context: OperationContext, limits: GasLimits): boolean =>
  prefundOf(context, limits) === 0n && prefundOf(withAllowance(context, UNLIMITED), limits) > 0n

const withAllowance = (context: OperationContext, allowance: bigint): OperationContext => ({
  ...context,
  paymaster: context.paymaster === null ? null : { ...context.paymaster, allowance }
})

/** The account after a preceding operation that granted the allowance for such a fee, and paid at most `paidFee`. */
export const afterAllowance = (context: OperationContext, fee: bigint, paidFee: bigint): OperationContext => ({
  ...withAllowance(context, STANDING_FEES * fee - paidFee),
  state: { ...context.state, hasCode: true, delegate: context.account.eip7702 ? context.account.implementation : null }
})

/**
 * For a simulation: limits are left to the bundler, without a gas price if the account itself pays, because estimated
 * limits times the price could require a prefund that the final operation does not need.
 */
export const withoutLimits = (operation: UserOperation): UserOperation => ({
  ...operation,
  callGasLimit: 0n,
  verificationGasLimit: 0n,
  preVerificationGas: 0n,
  ...(operation.paymaster === null ? { maxFeePerGas: 0n, maxPriorityFeePerGas: 0n } : {})
})
