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
  /** Tokens whose balances the caller wants to know. */
  readonly tokens: ReadonlyArray<Address>
}

/** The state of an account and of gas prices before an operation is planned. */
export interface OperationContext extends OpenRequest {
  readonly state: AccountState
  /** Coin of the account at the EntryPoint, in wei: what earlier operations paid in advance and did not use. */
  readonly deposit: bigint
  /** Null where gas is paid in the chain's coin. */
  readonly paymaster: {
    readonly terms: PaymasterTerms
    /** Its allowance of the account's gas token. */
    readonly allowance: bigint
    /** Its allowance of the account that it refunds from; zero where there is none. */
    readonly refundAllowance: bigint
  } | null
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

/** The cost of the gas of a simulation, in base units of the token that pays. */
export const expectedGasFee = ({ paymaster, state }: OperationContext, { gasUsed, tokenPaid }: Simulation): bigint => {
  const wei = gasUsed * (state.baseFeePerGas + state.maxPriorityFeePerGas)
  if (paymaster === null) return wei
  return tokenPaid ?? gasFeeInTokenRoundingUp(wei, paymaster.terms.tokenUnitsPerCoin)
}

/** An allowance of more than this is not meant to be used up, and is left as the owner made it. */
const UNLIMITED = 2n ** 128n

/**
 * The allowance that an operation leaves behind covers the fees of so many like it: they need none of their own, and
 * their fees can be taken before their calls. It is renewed at half of that, because operations that are prepared side by
 * side all see the same rest.
 */
const STANDING_FEES = 256n

/** Lets the paymaster take its fees. A smaller allowance is cleared first, because USDT refuses to change one. */
export const allowanceCalls = ({ payGasFeeToken, paymaster }: OperationContext, fee: bigint): ReadonlyArray<Call> => {
  if (paymaster === null) return []
  const { allowance, terms } = paymaster
  if (allowance >= UNLIMITED || allowance >= (STANDING_FEES / 2n) * fee) return []
  const allow = feeAllowance(payGasFeeToken, terms.address, fee)
  return allowance === 0n ? [allow] : [erc20Approve(payGasFeeToken, terms.address, 0n), allow]
}

/** Says what bounds an allowance that is many times the fee. */
const feeAllowance = (token: Token, paymaster: Address, fee: bigint): Call => {
  const amount = STANDING_FEES * fee
  const inTokens = (units: bigint) => `${decimalFromBaseUnits(units, token.decimals)} ${token.symbol}`
  return {
    ...erc20Approve(token, paymaster, amount),
    summary:
      `Allow ${paymaster} to take ${inTokens(amount)} for the gas of this and later operations: only as the owner signs them, ` +
      `and at most ${inTokens(fee)} for this one`
  }
}

/**
 * The paymaster's charge before the calls of an operation with these limits: all that it can cost. Then calls that
 * revert, or that take away its tokens, are paid for too. Zero where it can't: without an allowance from before, or
 * where it could not give back what is not needed.
 * Rounded down: the contract refuses more than the operation's greatest cost at its rate.
 */
export const prefundOf = ({ paymaster, state }: OperationContext, limits: GasLimits): bigint => {
  if (paymaster === null || paymaster.terms.refundsFrom === null) return 0n
  const { allowance, refundAllowance, terms } = paymaster
  const prefund = gasFeeInTokenRoundingDown(maxGasFeeWei(limits, state.maxFeePerGas), terms.tokenUnitsPerCoin)
  // In postOp the paymaster may take the rest, so the allowance must cover twice as much.
  return allowance >= 2n * prefund && refundAllowance >= prefund ? prefund : 0n
}

/**
 * Whether the fee of an operation with these limits could be taken before its calls, if an operation before it gave the
 * allowance.
 */
export const wantsAllowanceFirst = (context: OperationContext, limits: GasLimits): boolean =>
  prefundOf(context, limits) === 0n && prefundOf(withAllowance(context, UNLIMITED), limits) > 0n

const withAllowance = (context: OperationContext, allowance: bigint): OperationContext => ({
  ...context,
  paymaster: context.paymaster === null ? null : { ...context.paymaster, allowance }
})

/** The account after an operation of its own that gave the allowance for such a fee, and paid no more than `paidFee`. */
export const afterAllowance = (context: OperationContext, fee: bigint, paidFee: bigint): OperationContext => ({
  ...withAllowance(context, STANDING_FEES * fee - paidFee),
  state: { ...context.state, hasCode: true, delegate: context.account.eip7702 ? context.account.implementation : null }
})

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
