import type { ChainLosses, GasCost } from "../losses/index.ts"
import type { FundedAccount } from "./GasFunds.ts"
import { operationsPaidBy } from "./operationsPaid.ts"

/** The number of days whose spending predicts how long a balance lasts. */
export const SPENDING_DAYS = 7

/** A balance, and how long it lasts. */
export interface Balance extends FundedAccount {
  /** Wei that the account has paid in the last `SPENDING_DAYS` days and nobody pays back to it. */
  readonly spentWei: bigint
  /** Whole days that the balance lasts at that rate; null where nothing was spent, or the balance is unknown. */
  readonly daysLeft: number | null
  /** How many operations it pays for at the current gas price; null where gas costs nothing, or the balance is unknown. */
  readonly operationsLeft: bigint | null
}

/** Whole days that a balance lasts; null where nothing was spent. */
export const daysLeft = (wei: bigint, spentWei: bigint): number | null =>
  spentWei <= 0n ? null : Number((wei * BigInt(SPENDING_DAYS)) / spentWei)

/**
 * A paymaster's deposit pays the gas of each operation that it sponsors; its treasury is paid in tokens. An operator account gets the gas of
 * each bundle back from the EntryPoint, so that it spends the gas of reverted bundles only: `reverted` has it by chain, and each operator
 * account of a chain counts all of it.
 */
export const balancesOf = (
  accounts: ReadonlyArray<FundedAccount>,
  costs: ReadonlyArray<GasCost>,
  reverted: ReadonlyArray<Pick<ChainLosses, "chainId" | "wei">>
): ReadonlyArray<Balance> =>
  accounts.map((account) => {
    const { address, chainId, funds, kind } = account
    const spent =
      kind === "OPERATOR"
        ? reverted.find((losses) => losses.chainId === chainId)
        : costs.find((cost) => cost.chainId === chainId && cost.payer === address)
    const spentWei = spent?.wei ?? 0n
    return {
      ...account,
      spentWei,
      daysLeft: funds === null ? null : daysLeft(funds.wei, spentWei),
      operationsLeft: funds === null ? null : operationsPaidBy(funds.wei, funds.maxFeePerGas)
    }
  })
