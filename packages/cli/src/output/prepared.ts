import { type Quote, signDataOf } from "@countersign/core/quotes"
import type { RevertReason } from "@countersign/core/user-operations"
import { DateTime, Effect } from "effect"
import { Refused } from "../environment/errors.ts"

interface PreparedBody {
  readonly warnings: ReadonlyArray<string>
  readonly preview: {
    readonly calls: ReadonlyArray<{ readonly summary: string }>
    readonly allowances: ReadonlyArray<{
      readonly token: string
      readonly symbol: string | null
      readonly spender: string
      readonly spenderName: string | null
      readonly amount: string | null
    }>
  }
}

const failure = ({ decoded, failedAt }: RevertReason): string =>
  failedAt === undefined ? decoded : `${decoded} (in ${failedAt.name ?? "the contract"} ${failedAt.address})`

type Allowance = PreparedBody["preview"]["allowances"][number]

const allowed = ({ amount, symbol, token }: Allowance): string => {
  if (amount === null) return `any amount of ${symbol ?? token}`
  return symbol === null ? `${amount} base units of ${token}` : `${amount} ${symbol}`
}

/** Lines under one name, which the first of them has. */
export const rowsUnder = (name: string, lines: ReadonlyArray<string>) =>
  lines.map((line, i) => [i === 0 ? name : "", line] as const)

/** The lines of a card that tell what a quote would do, until when, what is to be signed for it, and how. */
export const preparedRows = (quote: Quote, { preview: { allowances, calls }, warnings }: PreparedBody) =>
  [
    ["can execute", quote.revertReason === null ? "yes" : `no: ${failure(quote.revertReason)}`],
    ...rowsUnder("warning", warnings),
    ["valid until", DateTime.formatIso(quote.expiresAt)],
    ...rowsUnder(
      "calls",
      calls.map(({ summary }) => summary)
    ),
    ...rowsUnder(
      "stays allowed",
      allowances.map(
        (allowance) => `${allowed(allowance)} to ${allowance.spenderName ?? "the contract"} ${allowance.spender}`
      )
    ),
    ...signDataOf(quote).map(
      (signDatum, i) =>
        [i === 0 ? "to sign" : "", `${signDatum.type} by ${signDatum.method}: ${signDatum.hash}`] as const
    ),
    ["next", `countersign sign ${quote.id}`]
  ] as const

/** Fails where none of the quotes can be executed as things stand, so that a script does not go on to sign one. */
export const requireExecutable = (quotes: ReadonlyArray<Quote>): Effect.Effect<void, Refused> => {
  const [first] = quotes
  if (first === undefined || quotes.some(({ revertReason }) => revertReason === null)) return Effect.void
  return Effect.fail(new Refused({ reason: `The quote can't be executed: ${first.revertReason!.decoded}` }))
}
