import type { EvmChainId } from "@countersign/core/foundation/chains"
import { type HexBytes, isNativeCoin } from "@countersign/core/foundation/primitives"
import type { Token } from "@countersign/core/foundation/tokens"
import { type Call, erc20Approve } from "@countersign/core/operations/user-operations"
import { cowContracts } from "../../chains/deployments/index.ts"
import { encoderOf, wrapCall } from "../../chains/evm/index.ts"
import { settlementAbi } from "./settlementAbi.ts"

const settlementData = encoderOf(settlementAbi)

/** The existing allowance and reservations. */
export interface Allowed {
  readonly chainId: EvmChainId
  readonly isDeployed: boolean
  readonly allowance: bigint
  readonly promised: bigint
  /** The maximum sold amount, before gas is deducted. Decides whether an approval is needed. */
  readonly maxAmount: bigint
}

/** The sold token of an order. */
export interface Sold {
  /** The requested token, possibly the native token. */
  readonly tokenIn: Token
  /** The token that the settlement sells; for the native token, its wrapped form. */
  readonly sold: Token
  readonly amount: bigint
}

/** Whether the relayer's allowance is too low for all open orders and this one, or the wallet is not deployed. */
export const needsAllowance = ({ allowance, isDeployed, maxAmount, promised }: Omit<Allowed, "chainId">): boolean =>
  allowance < promised + maxAmount || !isDeployed

/** Sets the relayer's allowance to the amount of all open orders. Some tokens only change it from zero. */
const allowanceCalls = (allowed: Allowed, { amount, sold }: Sold): ReadonlyArray<Call> => {
  if (!needsAllowance(allowed)) return []
  const { allowance, promised } = allowed
  const needed = promised + amount
  const give = erc20Approve(sold, cowContracts.vaultRelayer, needed)
  return allowance === 0n ? [give] : [erc20Approve(sold, cowContracts.vaultRelayer, 0n), give]
}

/**
 * The wallet's calls before its order can be filled: wrapping the native token, approving the relayer, and signing the
 * order on-chain if the settlement can't verify a signature. Empty if no call is needed.
 */
export const allowingCalls = (allowed: Allowed, sold: Sold, presigned: HexBytes | null): ReadonlyArray<Call> => [
  ...(isNativeCoin(sold.tokenIn.address) ? [wrapCall(sold.tokenIn, sold.sold, sold.amount)] : []),
  ...allowanceCalls(allowed, sold),
  ...(presigned === null
    ? []
    : [
        {
          to: cowContracts.settlement,
          value: 0n,
          data: settlementData("setPreSignature", [presigned, true]),
          summary: "Sign the limit order"
        }
      ])
]
