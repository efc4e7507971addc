import type { ChainId } from "@countersign/core/foundation/chains"
import { DateTime, Effect } from "effect"
import { CommandRefused } from "../environment/errors.ts"
import { isConfigured } from "../environment/isConfigured.ts"
import { type SymbolOf, symbolsOn } from "../input/token.ts"
import { print } from "./print.ts"
import { type CardRow, card } from "./table.ts"

/** Fields that all quotes of the API share. */
interface PreparedBody {
  readonly quoteId: string
  readonly revertReason?: {
    readonly decoded: string
    readonly failedAt?: { readonly address: string; readonly name: string | null }
  }
  readonly warnings: ReadonlyArray<string>
  /** ISO 8601, or Unix seconds. */
  readonly expiresAt: string | number
  readonly signData: ReadonlyArray<{ readonly type: string; readonly method: string; readonly hash: string }>
  readonly preview: {
    readonly calls: ReadonlyArray<{ readonly summary: string }>
    readonly allowances: ReadonlyArray<{
      readonly token: string
      readonly symbol: string | null
      readonly spender: string
      readonly spenderName: string | null
      readonly amount: string | null
      readonly bound: string | null
    }>
  }
}

const failureText = ({ decoded, failedAt }: NonNullable<PreparedBody["revertReason"]>): string =>
  failedAt === undefined ? decoded : `${decoded} (in ${failedAt.name ?? "the contract"} ${failedAt.address})`

type Allowance = PreparedBody["preview"]["allowances"][number]

const allowanceText = ({ amount, symbol, token }: Allowance): string => {
  if (amount === null) return `any amount of ${symbol ?? token}`
  return symbol === null ? `${amount} base units of ${token}` : `${amount} ${symbol}`
}

const instantText = (at: string | number): string =>
  typeof at === "string" ? at : DateTime.formatIso(DateTime.makeUnsafe(at * 1_000))

/** Returns rows that share a name. Only the first row displays it. */
export const rowsUnder = (name: string, lines: ReadonlyArray<string>) =>
  lines.map((line, i) => [i === 0 ? name : "", line] as const)

interface Gas {
  readonly estimatedGasFees: {
    readonly payGasFeeToken: string
    readonly gasFeeTokenAmount: string
    readonly maxGasFeeToken: string
  }
}

export const gasRow = ({ estimatedGasFees }: Gas, symbolOf: SymbolOf) => {
  const { gasFeeTokenAmount, maxGasFeeToken, payGasFeeToken } = estimatedGasFees
  return ["gas", `about ${gasFeeTokenAmount} ${symbolOf(payGasFeeToken)}, at most ${maxGasFeeToken}`] as const
}

interface PaymentBody {
  readonly amount: string
  readonly toAddress: string
  readonly bitcoin?: {
    readonly fee: string
    readonly feeRate: number
    readonly change: string
    readonly virtualSize: number
    readonly inputs: ReadonlyArray<unknown>
    readonly outputs: ReadonlyArray<{ readonly address: string; readonly amount: string; readonly role: string }>
  }
}

/** Returns the rows about the inputs and outputs of a Bitcoin payment. */
export const paymentRows = ({ amount, bitcoin, toAddress }: PaymentBody): ReadonlyArray<CardRow> => {
  if (bitcoin === undefined) return [["you send", `${amount} BTC to ${toAddress}`]]
  const { change, fee, feeRate, inputs, outputs, virtualSize } = bitcoin
  const paidOutputs = outputs.filter(({ role }) => role !== "CHANGE")
  return [
    ...rowsUnder(
      "you send",
      paidOutputs.map(
        (output) => `${output.amount} BTC to ${output.address}${output.role === "RECEIVER" ? "" : " as a fee"}`
      )
    ),
    ["miner fee", `${fee} BTC: at least ${feeRate} sat/vB for ${virtualSize} vB`],
    ["inputs", `${inputs.length}, with ${change} BTC of change`]
  ]
}

interface SwapPaymentBody {
  readonly fee: string
  readonly feeRate: number
  readonly change: string
  readonly virtualSize: number
  readonly inputs: ReadonlyArray<unknown>
  readonly outputs: ReadonlyArray<{
    readonly address: string | null
    readonly amount: string
    readonly role: string
    readonly memo: string | null
  }>
}

/** Returns the rows about the Bitcoin payment of a swap, and its memo. */
export const swapPaymentRows = (bitcoin: SwapPaymentBody | undefined): ReadonlyArray<CardRow> => {
  if (bitcoin === undefined) return []
  const { change, fee, feeRate, inputs, outputs, virtualSize } = bitcoin
  return [
    ...rowsUnder(
      "you pay",
      outputs.flatMap(({ address, amount, memo, role }) => {
        if (role === "CHANGE") return []
        return [
          address === null
            ? `with the memo ${memo}`
            : `${amount} BTC to ${address}${role === "VAULT" ? "" : " as a fee"}`
        ]
      })
    ),
    ["miner fee", `${fee} BTC: at least ${feeRate} sat/vB for ${virtualSize} vB`],
    ["inputs", `${inputs.length}, with ${change} BTC of change`]
  ]
}

/** Returns the rows about a quote's effects, its expiry, and the elements to sign. */
const preparedRows = (
  { expiresAt, preview, quoteId, revertReason, signData, warnings }: PreparedBody,
  onSandbox: boolean
) =>
  [
    ["can execute", revertReason === undefined ? "yes" : `no: ${failureText(revertReason)}`],
    ...rowsUnder("warning", warnings),
    ["valid until", instantText(expiresAt)],
    ...rowsUnder(
      "calls",
      preview.calls.map(({ summary }) => summary)
    ),
    ...rowsUnder(
      "remaining allowance",
      preview.allowances.flatMap((allowance) => [
        `${allowanceText(allowance)} to ${allowance.spenderName ?? "the contract"} ${allowance.spender}`,
        ...(allowance.bound === null ? [] : [allowance.bound.replace("`maxGasFeeToken`", "gas at most")])
      ])
    ),
    ...rowsUnder(
      "to sign",
      signData.map(({ hash, method, type }) => `${type} by ${method}: ${hash}`)
    ),
    // There is no next step for a quote that would revert.
    ["next", revertReason === undefined ? nextStep(quoteId, signData, onSandbox) : null]
  ] as const

/** Returns the next command. The sandbox can sign for its owners; other owners sign with their own wallets. */
const nextStep = (quoteId: string, signData: PreparedBody["signData"], onSandbox: boolean): string => {
  if (onSandbox) return `countersign sign ${quoteId}`
  const signatureFlags = signData.map(({ hash }) =>
    signData.length === 1 ? "--signature 0x…" : `--signatures ${hash}=0x…`
  )
  return `let the wallet's owner sign, then countersign execute ${[quoteId, ...signatureFlags].join(" ")}`
}

/**
 * Prints the API response as JSON, or one card per quote. Fails if all quotes would revert now, so that a script does
 * not continue with signing.
 */
export const printPrepared = Effect.fnUntraced(function* <Body extends PreparedBody>(
  { chain, json }: { readonly chain: ChainId; readonly json: boolean },
  response: unknown,
  quotes: ReadonlyArray<Body>,
  rowsOf: (body: Body, symbolOf: SymbolOf) => ReadonlyArray<CardRow>
) {
  const symbolOf = yield* symbolsOn(chain)
  const isOnSandbox = !(yield* isConfigured)
  yield* print(json, response, () =>
    quotes
      .map((quote) => card([["quote", quote.quoteId], ...rowsOf(quote, symbolOf), ...preparedRows(quote, isOnSandbox)]))
      .join("\n\n")
  )
  const [firstQuote] = quotes
  if (firstQuote?.revertReason !== undefined && quotes.every(({ revertReason }) => revertReason !== undefined))
    return yield* new CommandRefused({ reason: `The quote can't be executed: ${firstQuote.revertReason.decoded}` })
})
