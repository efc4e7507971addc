import {
  type ChainUnpaidGas,
  DECAY_MS,
  UnpaidGasLedger,
  type UnpaidGasReport,
  UnpaidGasStore
} from "@countersign/core/operations/unpaid-gas"
import { DateTime, Effect } from "effect"
import { type Finding, failing, ok, waiting } from "../Finding.ts"
import type { CheckResult } from "../Observed.ts"
import { dollars, isoText } from "../words.ts"

export interface UnpaidGasState {
  readonly totals: ReadonlyArray<ChainUnpaidGas>
  readonly reports: ReadonlyArray<UnpaidGasReport>
}

/** Reads the unpaid gas, and the wallets, owners and projects that are blocked because of it. */
export const observeUnpaidGas = Effect.fnUntraced(function* (now: DateTime.Utc) {
  const store = yield* UnpaidGasStore
  const ledger = yield* UnpaidGasLedger
  const state: UnpaidGasState = {
    totals: yield* store.readTotals(DateTime.subtract(now, { milliseconds: DECAY_MS })),
    reports: yield* ledger.report(null)
  }
  return state
})

/** Returns each blocked wallet, owner and project once, and the operator if the limit of all projects is reached. */
const blockedScopes = (reports: ReadonlyArray<UnpaidGasReport>) => {
  const stops = reports.flatMap((report) => {
    if (report.admission._tag === "Allowed" || report.admission.state !== "STOPPED") return []
    const { retryAfterSeconds, scope } = report.admission
    const { owner, projectId, walletAddress } = report
    const name = { wallet: walletAddress, owner, project: projectId, operator: "all projects" }[scope]
    return [{ scope, name, retryAfterSeconds, lastAt: report.lastAt }]
  })
  return [...new Map(stops.map((stop) => [`${stop.scope} ${stop.name}`, stop])).values()]
}

const totalText = (totals: ReadonlyArray<ChainUnpaidGas>): string => {
  const operationCount = totals.reduce((sum, total) => sum + total.count, 0)
  const usdE6 = totals.reduce((sum, total) => sum + total.usdE6, 0n)
  return operationCount === 0
    ? "no gas was left unpaid in the last two days"
    : `${dollars(usdE6)} of ${operationCount === 1 ? "1 operation" : `${operationCount} operations`} in the last two days`
}

export const diagnoseUnpaidGas = (
  unpaidGas: CheckResult<UnpaidGasState>,
  now: DateTime.Utc
): ReadonlyArray<Finding> => {
  if (unpaidGas._tag === "Unseen") {
    return [waiting("unpaid gas", `unknown: ${unpaidGas.reason}`, { waitsFor: "the database" })]
  }
  const { reports, totals } = unpaidGas.value
  const findings = blockedScopes(reports).map(({ lastAt, name, retryAfterSeconds, scope }) => {
    const isBudget = scope === "project" || scope === "operator"
    const forgiveFlags = scope === "operator" ? "--project, for those it lists" : `--${scope} ${name}`
    // The budget of a project, or of the operator, applies to all wallets. Once it is exhausted, operations whose gas
    // could remain unpaid are rejected.
    return (isBudget ? failing : waiting)(
      `unpaid gas of ${scope} ${name}`,
      isBudget
        ? "has used up its budget: operations whose gas could remain unpaid are rejected"
        : "has exceeded its budget: its operations that pay gas with tokens are rejected",
      {
        waitsFor: "enough of its unpaid gas to expire",
        since: isoText(lastAt),
        byItself: `Its operations are accepted again after ${isoText(DateTime.add(now, { seconds: retryAfterSeconds }))}.`,
        whatToDo: `See \`countersign operator unpaid-gas\`. To accept them now: countersign operator forgive ${forgiveFlags}`
      }
    )
  })
  return [ok("unpaid gas", totalText(totals)), ...findings]
}
