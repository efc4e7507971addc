import { DateTime } from "effect"
import type { ChainLosses, RecentCosts } from "../losses/index.ts"
import type { FundedAccount } from "./GasFunds.ts"
import { operationsPaidBy } from "./operationsPaid.ts"

/** The number of days whose spending predicts how long a balance lasts. */
export const SPENDING_DAYS = 7
const DAY_MS = 86_400_000

/** A balance, and how long it lasts. */
export interface Balance extends FundedAccount {
  /** Wei that the account has paid in the last `SPENDING_DAYS` days and nobody pays back to it. */
  readonly spentWei: bigint
  /** Whole days that the balance lasts at the rate of these days, or of those since the first spending; null where nothing was spent, or the balance is unknown. */
  readonly daysLeft: number | null
  /** How many operations it pays for at the current gas price; null where gas costs nothing, or the balance is unknown. */
  readonly operationsLeft: bigint | null
}

/** Whole days that a balance lasts if this much was spent in so many days; null where nothing was spent. */
export const daysLeft = (wei: bigint, spentWei: bigint, days = SPENDING_DAYS): number | null =>
  spentWei <= 0n ? null : Number((wei * BigInt(days)) / spentWei)

/** The days of the costs of a paymaster: fewer than `SPENDING_DAYS` if its first operation is more recent. */
const spendingDays = ({ firstDay }: RecentCosts, now: DateTime.Utc): number =>
  Math.min(SPENDING_DAYS, Math.floor((DateTime.toEpochMillis(now) - DateTime.toEpochMillis(firstDay)) / DAY_MS) + 1)

/**
 * A paymaster's deposit pays the gas of each operation that it sponsors; its treasury is paid in tokens. An operator account gets the gas of
 * each bundle back from the EntryPoint, so that it spends the gas of reverted bundles only: `reverted` has it by chain, and each operator
 * account of a chain counts all of it.
 */
export const balancesOf = (
  accounts: ReadonlyArray<FundedAccount>,
  costs: ReadonlyArray<RecentCosts>,
  reverted: ReadonlyArray<Pick<ChainLosses, "chainId" | "wei">>,
  now: DateTime.Utc
): ReadonlyArray<Balance> =>
  accounts.map((account) => {
    const { address, chainId, funds, kind } = account
    const paid =
      kind === "PAYMASTER" ? costs.find((cost) => cost.chainId === chainId && cost.payer === address) : undefined
    const lost = kind === "OPERATOR" ? reverted.find((losses) => losses.chainId === chainId) : undefined
    const spentWei = (paid ?? lost)?.wei ?? 0n
    const days = paid === undefined ? SPENDING_DAYS : spendingDays(paid, now)
    return {
      ...account,
      spentWei,
      daysLeft: funds === null ? null : daysLeft(funds.wei, spentWei, days),
      operationsLeft: funds === null ? null : operationsPaidBy(funds.wei, funds.maxFeePerGas)
    }
  })
