import type { AccountKind } from "./accounts.ts"
import { type DecimalsOf, parseUnits } from "./amounts.ts"
import { address, type Bytes } from "./bytes.ts"
import { NATIVE } from "./contracts.ts"
import type { Ledger } from "./ledger.ts"
import type { Operation } from "./operations.ts"
import type { Terms } from "./requestTerms.ts"
import type { AnyQuote, Report } from "./shapes.ts"

/** Checks the displayed fields that follow from the operations, the calls and the request. */

export interface ShownCheck {
  readonly quote: AnyQuote
  readonly operations: ReadonlyArray<Operation>
  readonly kind: AccountKind
  readonly terms: Terms
  readonly ledger: Ledger
  readonly paymasters: ReadonlySet<Bytes>
  readonly collectors: ReadonlyArray<Bytes>
  readonly decimalsOf: DecimalsOf
}

const checkOperations = ({ kind, operations, quote }: ShownCheck, report: Report): void => {
  if (quote.quoteId.toLowerCase() !== kind.hash(operations.at(-1)!))
    report("wrong_hash", "quoteId", "The quote's id is not the hash of the operation to sign.")
  for (const [i, shownOperation] of quote.userOperations.entries()) {
    const path = `userOperations[${i}]`
    if (shownOperation.entryPointVersion !== kind.entryPointVersion)
      report(
        "wrong_entry_point",
        `${path}.entryPointVersion`,
        `The EntryPoint version of the account is ${kind.entryPointVersion}.`
      )
    const { paymasterData, paymasterPostOpGasLimit, paymasterVerificationGasLimit } = shownOperation
    const isAnyShown = [paymasterData, paymasterPostOpGasLimit, paymasterVerificationGasLimit].some(
      (each) => each !== null
    )
    if (shownOperation.paymaster === null && isAnyShown)
      report("wrong_paymaster", path, "The operation has paymaster fields, but no paymaster.")
  }
}

interface FeeRow {
  readonly type: string
  readonly token: Bytes
  readonly amount: bigint
  readonly to: Bytes | null
}

const feeRows = ({ decimalsOf, quote }: ShownCheck): ReadonlyArray<FeeRow> =>
  quote.fees.map((fee) => {
    const shownAmount =
      "nativeAmount" in fee
        ? { token: fee.tokenAddress, amount: fee.amount.value, to: fee.recipient }
        : { token: fee.token, amount: fee.maxAmount ?? fee.amount, to: fee.toAddress }
    const token = address(shownAmount.token)
    return {
      type: fee.type,
      token,
      amount: parseUnits(shownAmount.amount, decimalsOf(token)),
      to: shownAmount.to === null ? null : address(shownAmount.to)
    }
  })

const sumOf = (rows: ReadonlyArray<{ readonly token: Bytes; readonly amount: bigint }>): ReadonlyMap<Bytes, bigint> => {
  const sums = new Map<Bytes, bigint>()
  for (const { amount, token } of rows) if (amount > 0n) sums.set(token, (sums.get(token) ?? 0n) + amount)
  return sums
}

const areSame = (a: ReadonlyMap<Bytes, bigint>, b: ReadonlyMap<Bytes, bigint>): boolean =>
  a.size === b.size && [...a].every(([token, amount]) => b.get(token) === amount)

const checkGasRow = (row: FeeRow, { decimalsOf, operations, terms }: ShownCheck, report: Report): void => {
  const path = "fees"
  const payee = operations.at(-1)!.paymaster?.address ?? null
  if (row.token !== terms.gasToken)
    report("wrong_echo", path, `The quote displays a gas fee in ${row.token}, not in ${terms.gasToken}.`)
  else if (row.amount !== parseUnits(terms.shownGas.token, decimalsOf(row.token)))
    report("wrong_echo", path, "The displayed gas fee is not the maximum gas cost.")
  if (row.to !== payee)
    report(
      "wrong_echo",
      path,
      `The quote displays ${row.to} as the receiver of the gas fee, but the receiver is ${payee}.`
    )
}

const checkFees = (check: ShownCheck, report: Report): void => {
  const { collectors, terms } = check
  const rows = feeRows(check)
  const gasRows = rows.filter(({ type }) => type === "GAS")
  const extraRows = rows.filter(({ type }) => type === "EXTRA")
  // The bridge fee is not checked here: the relayer deducts it, and another check covers the minimum amount that
  // arrives.
  const isBridgeFee = ({ to, type }: FeeRow) => type === "PROVIDER" && to === null && terms.chainIdOut !== undefined
  const serviceRows = rows.filter((row) => row.type !== "GAS" && row.type !== "EXTRA" && !isBridgeFee(row))
  if (gasRows.length !== 1) report("wrong_echo", "fees", "The quote does not display exactly one gas fee.")
  for (const row of gasRows) checkGasRow(row, check, report)
  const partners = new Set([
    ...terms.elements.flatMap(({ extraFee }) => (extraFee === null ? [] : [extraFee.to])),
    ...(terms.liquidity?.shares.extra ? [terms.liquidity.shares.extra.to] : [])
  ])
  for (const { to } of extraRows)
    if (to === null || !partners.has(to))
      report("wrong_echo", "fees", `The quote displays a fee for ${to}, which was not requested.`)
  for (const { to } of serviceRows)
    if (to === null || !collectors.includes(to)) report("wrong_echo", "fees", `${to} is not in \`trust.collectors\`.`)
  // Fees on the output of a position are unknown before execution.
  if (terms.liquidity?.taking != null) return
  const dueFees = {
    service: terms.elements.map(({ serviceFee, tokenIn }) => ({
      token: tokenIn,
      amount: collectors.length > 0 ? serviceFee : 0n
    })),
    extra: terms.elements.map(({ extraFee, tokenIn }) => ({ token: tokenIn, amount: extraFee?.amount ?? 0n }))
  }
  if (!areSame(sumOf(serviceRows), sumOf(dueFees.service)) || !areSame(sumOf(extraRows), sumOf(dueFees.extra)))
    report("wrong_echo", "fees", "The displayed fees differ from the requested fees.")
}

/**
 * Checks that the preview displays each remaining allowance with its amount, and no other allowance. For a paymaster,
 * the displayed amount may be lower, and an earlier allowance may be displayed.
 */
const checkAllowances = ({ decimalsOf, ledger, paymasters, quote }: ShownCheck, report: Report): void => {
  const shownAllowances = new Map<string, bigint>()
  for (const { amount, spender, token } of quote.preview.allowances)
    shownAllowances.set(`${address(token)} ${address(spender)}`, parseUnits(amount, decimalsOf(address(token))))
  const isPaymasterAllowance = (key: string) => paymasters.has(key.split(" ")[1] as Bytes)
  for (const [key, amount] of shownAllowances) {
    const remainingAllowance = ledger.allowances.get(key)
    const isEarlierAllowance = remainingAllowance === undefined && isPaymasterAllowance(key)
    if (!isEarlierAllowance && amount > (remainingAllowance ?? 0n))
      report(
        "wrong_preview",
        "preview.allowances",
        "The preview displays an allowance that does not remain after the calls."
      )
  }
  for (const [key, amount] of ledger.allowances) {
    const shownAmount = shownAllowances.get(key)
    // A paymaster collects a part of its allowance after the calls.
    const mayBeLower = shownAmount !== undefined && isPaymasterAllowance(key)
    if (!mayBeLower && amount > (shownAmount ?? 0n))
      report(
        "wrong_preview",
        "preview.allowances",
        "The preview omits an allowance that remains after the calls, or displays a lower amount."
      )
  }
}

const checkGasFields = ({ quote, terms }: ShownCheck, report: Report): void => {
  if (!("estimatedGasFees" in quote)) return
  const { payGasFeeToken } = quote.estimatedGasFees
  if (address(payGasFeeToken ?? NATIVE) !== terms.gasToken)
    report(
      "wrong_echo",
      "estimatedGasFees.payGasFeeToken",
      `The quote displays the gas token ${payGasFeeToken}; ${terms.gasToken} was requested.`
    )
}

export const checkShown = (check: ShownCheck, report: Report): void => {
  checkOperations(check, report)
  checkFees(check, report)
  checkGasFields(check, report)
  checkAllowances(check, report)
}
