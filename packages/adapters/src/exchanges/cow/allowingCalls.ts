import type { EvmChainId } from "@countersign/core/foundation/chains"
import { type HexBytes, isNativeToken, MAX_UINT256, minBigInt } from "@countersign/core/foundation/primitives"
import type { Token } from "@countersign/core/foundation/tokens"
import { approveCall, type Call } from "@countersign/core/operations/user-operations"
import { cowContracts } from "../../chains/deployments/index.ts"
import { encoderOf, wrapCall } from "../../chains/evm/index.ts"
import { settlementAbi } from "./settlementAbi.ts"

const settlementData = encoderOf(settlementAbi)

/** The current allowance of the relayer, and the amounts that open orders need. */
export interface AllowanceState {
  readonly chainId: EvmChainId
  readonly isDeployed: boolean
  readonly allowance: bigint
  readonly openOrdersAmount: bigint
  /** Maximum sold amount, before the gas fee is deducted. Determines whether an approval is needed. */
  readonly maxAmount: bigint
}

/** The token and the amount that an order sells. */
export interface SoldAmount {
  /** The requested token, which may be the native token. */
  readonly tokenIn: Token
  /** The token that the settlement sells: the wrapped native token if the request sells the native token. */
  readonly soldToken: Token
  readonly amount: bigint
}

/** Whether the relayer's allowance is too low for all open orders and this one, or the wallet is not deployed. */
export const needsAllowance = ({
  allowance,
  isDeployed,
  maxAmount,
  openOrdersAmount
}: Omit<AllowanceState, "chainId">): boolean =>
  allowance < minBigInt(MAX_UINT256, openOrdersAmount + maxAmount) || !isDeployed

/**
 * Sets the relayer's allowance to the amount that all open orders and this one need. Resets a nonzero allowance first,
 * because some tokens require this. Empty if `needsAllowance` returns false.
 */
const allowanceCalls = (allowanceState: AllowanceState, { amount, soldToken }: SoldAmount): ReadonlyArray<Call> => {
  if (!needsAllowance(allowanceState)) return []
  const { allowance, openOrdersAmount } = allowanceState
  const neededAllowance = minBigInt(MAX_UINT256, openOrdersAmount + amount)
  const approval = approveCall(soldToken, cowContracts.vaultRelayer, neededAllowance)
  return allowance === 0n ? [approval] : [approveCall(soldToken, cowContracts.vaultRelayer, 0n), approval]
}

/**
 * Builds the calls that the wallet must execute before its order can be filled: wrap the native token, approve the
 * relayer, and sign the order on-chain if the settlement can't verify a signature. Empty if none is needed.
 */
export const allowingCalls = (
  allowanceState: AllowanceState,
  soldAmount: SoldAmount,
  presignedUid: HexBytes | null
): ReadonlyArray<Call> => [
  ...(isNativeToken(soldAmount.tokenIn.address)
    ? [wrapCall(soldAmount.tokenIn, soldAmount.soldToken, soldAmount.amount)]
    : []),
  ...allowanceCalls(allowanceState, soldAmount),
  ...(presignedUid === null
    ? []
    : [
        {
          to: cowContracts.settlement,
          value: 0n,
          data: settlementData("setPreSignature", [presignedUid, true]),
          summary: "Sign the limit order"
        }
      ])
]
