import type { EvmChainId } from "@countersign/core/foundation/chains"
import { type HexBytes, isNativeCoin } from "@countersign/core/foundation/primitives"
import type { Token } from "@countersign/core/foundation/tokens"
import { type Call, erc20Approve } from "@countersign/core/operations/user-operations"
import { cowContracts } from "../../chains/deployments/index.ts"
import { encoderOf, wrapCall } from "../../chains/evm/index.ts"
import { settlementAbi } from "./settlementAbi.ts"

const settlementData = encoderOf(settlementAbi)

/** What there is of allowances and promises already. */
export interface Allowed {
  readonly chainId: EvmChainId
  readonly isDeployed: boolean
  readonly allowance: bigint
  readonly promised: bigint
  /** The most that the order sells, before gas is taken out of it: by it is decided whether an allowance is missing. */
  readonly most: bigint
}

/** What an order sells. */
export interface Sold {
  /** As asked for: maybe the coin. */
  readonly tokenIn: Token
  /** As the settlement takes it. */
  readonly sold: Token
  readonly amount: bigint
}

/** Whether the relayer may take less than all open orders of the wallet and this one can, or there is no wallet yet to ask. */
export const needsAllowance = ({ allowance, isDeployed, most, promised }: Omit<Allowed, "chainId">): boolean =>
  allowance < promised + most || !isDeployed

/** The relayer takes what all open orders of the wallet can take, and no more. Some tokens change an allowance from zero alone. */
const allowanceCalls = (allowed: Allowed, { amount, sold }: Sold): ReadonlyArray<Call> => {
  if (!needsAllowance(allowed)) return []
  const { allowance, promised } = allowed
  const needed = promised + amount
  const give = erc20Approve(sold, cowContracts.vaultRelayer, needed)
  return allowance === 0n ? [give] : [erc20Approve(sold, cowContracts.vaultRelayer, 0n), give]
}

/**
 * The wallet's calls before its order can be filled: coin is wrapped, the relayer allowed to take what is sold, and the order
 * signed on chain where no signature is taken for it. None where all that is done already.
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
