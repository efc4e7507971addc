import { DateTime } from "effect"
import type { MovementValue, Transaction } from "../../../accounting/history/index.ts"
import type { EvmChainId } from "../../../foundation/chains/index.ts"
import type { ProjectId } from "../../../tenancy/projects/index.ts"
import type { Liquidation } from "../LendingMarket.ts"
import type { LendingProviderId } from "../LendingRequest.ts"
import { lendingDetails } from "../lendingDetails.ts"

interface RecordedLiquidationFields {
  readonly id: string
  readonly projectId: ProjectId
  readonly chainId: EvmChainId
  readonly provider: LendingProviderId
  readonly liquidation: Liquidation
  /** The value of the seized collateral. */
  readonly value: MovementValue
  readonly at: DateTime.Utc
}

/** Builds the history transaction of a liquidation. The repaid debt is not a movement of the wallet. */
export const liquidationTransaction = ({
  at,
  chainId,
  id,
  liquidation,
  projectId,
  provider,
  value
}: RecordedLiquidationFields): Transaction => ({
  id,
  projectId,
  walletAddress: liquidation.account,
  type: "LENDING_LIQUIDATION",
  chainIdIn: chainId,
  chainIdOut: chainId,
  status: "COMPLETED",
  substatus: "INCLUDED",
  userOperationHash: null,
  expected: [],
  movements: [
    {
      direction: "OUT",
      role: "PRINCIPAL",
      account: liquidation.account,
      asset: { chainId, token: liquidation.collateralToken },
      amount: liquidation.collateralAmount,
      ...value,
      counterparty: liquidation.liquidator,
      leg: 0
    }
  ],
  legs: [
    {
      chainId,
      hash: liquidation.transactionHash,
      block: { number: liquidation.blockNumber, hash: liquidation.blockHash },
      state: "INCLUDED",
      stage: 0
    }
  ],
  fees: [],
  subject: null,
  details: lendingDetails.of({
    provider,
    marketId: liquidation.marketId,
    healthFactorBefore: null,
    healthFactorAfter: null,
    repaid: { token: liquidation.debtToken, amount: liquidation.debtAmount },
    cancelled: liquidation.cancelledDebts
  }),
  failure: null,
  metadata: {},
  createdAt: at,
  updatedAt: at,
  executedAt: DateTime.makeUnsafe(liquidation.blockTimestamp * 1000)
})

/**
 * Returns the transaction after a reorg removed its block: no collateral was seized. If another block includes the
 * liquidation, it is detected again.
 */
export const reorgedTransaction = (transaction: Transaction, at: DateTime.Utc): Transaction => ({
  ...transaction,
  status: "FAILED",
  substatus: "REORGED",
  movements: [],
  failure: { code: "REORGED", message: "A reorg removed the block of the liquidation." },
  updatedAt: at
})
