import { DateTime } from "effect"
import type { ChainUnpaidGas, RecentCosts } from "../unpaid-gas/index.ts"
import type { FundedAccount } from "./GasFunds.ts"
import { affordableOperations } from "./operationsPaid.ts"

/** Number of recent days whose spending is used to forecast how long a balance lasts. */
export const SPENDING_DAYS = 7
const DAY_MS = 86_400_000

/** A balance, with a forecast of how long it lasts. */
export interface Balance extends FundedAccount {
  /**
   * The account's costs in the last `SPENDING_DAYS` days, in wei. For a paymaster, the gas of its operations. For an
   * operator account, the gas of its chain's reverted bundles, because the EntryPoint reimburses the others.
   */
  readonly spentWei: bigint
  /**
   * Number of full days that the balance lasts at the average spending of these days, or of the days since the first
   * cost. Null if there are no costs, or if the balance is unknown.
   */
  readonly daysLeft: number | null
  /**
   * Number of operations that the balance pays for at the current gas price. Null if gas costs nothing, or if the
   * balance is unknown.
   */
  readonly operationsLeft: bigint | null
}

/**
 * Returns the number of full days that a balance lasts if `spentWei` was spent in `days` days. Null if nothing was
 * spent.
 */
export const daysLeft = (wei: bigint, spentWei: bigint, days = SPENDING_DAYS): number | null =>
  spentWei <= 0n ? null : Number((wei * BigInt(days)) / spentWei)

/**
 * Returns the number of days that a paymaster's costs cover: below `SPENDING_DAYS` if its first cost is more recent.
 */
const spendingDays = ({ firstDay }: RecentCosts, now: DateTime.Utc): number =>
  Math.min(SPENDING_DAYS, Math.floor((DateTime.toEpochMillis(now) - DateTime.toEpochMillis(firstDay)) / DAY_MS) + 1)

/**
 * Returns the balances with forecasts. A paymaster's deposit pays the gas of sponsored operations, and its treasury
 * receives the tokens. The EntryPoint reimburses an operator account for each bundle that does not revert. `revertedGas`
 * contains the gas of reverted bundles per chain, not per operator account. The `spentWei` of each operator account
 * therefore includes the reverted gas of the complete chain.
 */
export const balancesOf = (
  accounts: ReadonlyArray<FundedAccount>,
  costs: ReadonlyArray<RecentCosts>,
  revertedGas: ReadonlyArray<Pick<ChainUnpaidGas, "chainId" | "wei">>,
  now: DateTime.Utc
): ReadonlyArray<Balance> =>
  accounts.map((account) => {
    const { address, chainId, funds, kind } = account
    const paymasterCosts =
      kind === "PAYMASTER" ? costs.find((cost) => cost.chainId === chainId && cost.payer === address) : undefined
    const revertedCosts = kind === "OPERATOR" ? revertedGas.find((chainGas) => chainGas.chainId === chainId) : undefined
    const spentWei = (paymasterCosts ?? revertedCosts)?.wei ?? 0n
    const days = paymasterCosts === undefined ? SPENDING_DAYS : spendingDays(paymasterCosts, now)
    return {
      ...account,
      spentWei,
      daysLeft: funds === null ? null : daysLeft(funds.wei, spentWei, days),
      operationsLeft: funds === null ? null : affordableOperations(funds.wei, funds.maxFeePerGas)
    }
  })
