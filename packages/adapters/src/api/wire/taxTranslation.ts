import {
  amountText,
  costsE6,
  moneyText,
  type ScheduleView,
  type TaxBalance,
  type TaxExport,
  type TaxRun,
  unvaluedRows
} from "@countersign/core/accounting/tax"
import { DateTime, Redacted } from "effect"

const isoOrNull = (at: DateTime.Utc | null) => (at === null ? null : DateTime.formatIso(at))

/** Serializes an export for lists and events. */
export const taxRunBody = (run: TaxRun) => ({
  id: run.id,
  scheduleId: run.scheduleId,
  walletAddress: run.walletAddress,
  month: run.month,
  timezone: run.timezone,
  status: run.status,
  attempts: run.attempts,
  nextAttemptAt: isoOrNull(run.nextAttemptAt),
  lastError: run.lastError,
  createdAt: DateTime.formatIso(run.createdAt),
  endedAt: isoOrNull(run.endedAt)
})

export const taxScheduleBody = ({ lastRun, schedule }: ScheduleView) => ({
  id: schedule.id,
  walletAddress: schedule.walletAddress,
  email: Redacted.value(schedule.email),
  individual: schedule.individual,
  emailCustomization: schedule.emailCustomization,
  recurrencePreset: schedule.recurrencePreset,
  timezone: schedule.timezone,
  createdAt: DateTime.formatIso(schedule.createdAt),
  nextExportAt: DateTime.formatIso(schedule.nextEndAt),
  lastExport: lastRun === null ? null : taxRunBody(lastRun)
})

const balanceBody = (balance: TaxBalance) => {
  const { asset, gainsE6 } = balance
  const costs = costsE6(balance)
  return {
    chainId: asset.chainId,
    tokenAddress: asset.address,
    symbol: asset.symbol,
    opening: amountText(balance.opening, asset),
    received: amountText(balance.received, asset),
    sent: amountText(balance.sent, asset),
    fees: amountText(balance.fees, asset),
    gas: amountText(balance.gas, asset),
    closing: amountText(balance.closing, asset),
    costUsd: moneyText(costs.usd),
    gainUsd: moneyText(gainsE6.usd),
    costBrl: moneyText(costs.brl),
    gainBrl: moneyText(gainsE6.brl)
  }
}

export const taxExportBody = ({ dataSet, files, isComplete, isMailed }: TaxExport) => ({
  walletAddress: dataSet.walletAddress,
  month: dataSet.period.month,
  timezone: dataSet.period.timezone,
  from: DateTime.formatIso(dataSet.period.from),
  to: DateTime.formatIso(dataSet.period.to),
  complete: isComplete,
  movements: dataSet.rows.length,
  withoutValue: unvaluedRows(dataSet).length,
  balances: dataSet.balances.map(balanceBody),
  files: files.map(({ content, contentType, layout, name }) => ({ format: layout, name, contentType, content })),
  mailed: isMailed
})
