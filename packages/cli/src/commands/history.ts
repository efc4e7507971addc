import { TransactionStatus, TransactionType } from "@countersign/core/accounting/history"
import { Console, Effect, Option, Stream } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { callEndpoint } from "../environment/ask.ts"
import { projectFlag } from "../environment/project.ts"
import { walletArgument } from "../input/address.ts"
import { requireWithin } from "../input/readAs.ts"
import { historyHeader, historyLines } from "../output/historyFile.ts"
import { jsonFlag } from "../output/print.ts"
import { printResponse } from "../output/printResponse.ts"
import { card, tableOrHint } from "../output/table.ts"
import { writeAtomically } from "../output/writeAtomically.ts"

const TAKE_MAX = 100

interface Chain {
  readonly name: string
}

/** Formats the chain of a transaction, or its source and destination chains. */
const chainNames = ({ chainIn, chainOut }: { readonly chainIn: Chain | null; readonly chainOut: Chain | null }) =>
  [...new Set([chainIn, chainOut].flatMap((chain) => chain?.name ?? []))].join(" > ") || null

interface Amount {
  readonly amount: string
  readonly token: { readonly symbol: string } | null
  readonly currency: string | null
}

/** Formats an amount, such as `1.5 USDC`. Null if there is no amount, or if its token or currency is unknown. */
const amountText = (amount: Amount | null): string | null => {
  const unit = amount?.token?.symbol ?? amount?.currency ?? null
  return amount === null || unit === null ? null : `${amount.amount} ${unit}`
}

const parameters = {
  wallet: walletArgument("wallet").pipe(Argument.withDescription("Address of the wallet")),
  take: Flag.Int("take").pipe(
    Flag.withDescription("Number of transactions, 1 to 100"),
    requireWithin(1, TAKE_MAX),
    Flag.withDefault(20)
  ),
  status: Flag.Literals("status", TransactionStatus.literals).pipe(
    Flag.withDescription("Only this status"),
    Flag.optional
  ),
  type: Flag.Literals("type", TransactionType.literals).pipe(Flag.withDescription("Only this type"), Flag.optional),
  since: Flag.String("since").pipe(
    Flag.withDescription("Only transactions created at this time or later, such as 2026-10-01T00:00:00Z"),
    Flag.optional
  ),
  until: Flag.String("until").pipe(
    Flag.withDescription("Only transactions created at this time or earlier"),
    Flag.optional
  ),
  export: Flag.String("export").pipe(
    Flag.withDescription("Write all transactions to this file: CSV, or JSON lines if the name ends in .jsonl"),
    Flag.optional
  ),
  project: projectFlag,
  json: jsonFlag
}

/** Writes all pages to a file, newest first. Returns the number of transactions. */
const exportHistory = Effect.fnUntraced(function* (
  file: string,
  walletAddress: string,
  filter: { readonly status: string | undefined; readonly [field: string]: string | undefined },
  project: Option.Option<string>
) {
  const isJsonLines = file.endsWith(".jsonl")
  let count = 0
  const pages = Stream.paginate(undefined as string | undefined, (lastId) =>
    Effect.gen(function* () {
      const { nextLastId, transactions } = yield* callEndpoint(({ history }) => history.list, project, {
        params: { walletAddress },
        query: { ...filter, take: String(TAKE_MAX), ...(lastId === undefined ? {} : { lastId }) }
      })
      count += transactions.length
      if (nextLastId !== null) yield* Console.error(`${count} transactions so far`)
      return [[transactions], Option.fromNullishOr(nextLastId)] as const
    })
  )
  const lines = Stream.map(pages, (page) =>
    isJsonLines ? page.map((transaction) => `${JSON.stringify(transaction)}\n`).join("") : historyLines(page)
  )
  yield* writeAtomically("--export", file, isJsonLines ? lines : Stream.concat(Stream.make(historyHeader), lines))
  return { file, transactions: count }
})

export const history = Command.make(
  "history",
  parameters,
  ({ export: file, project, since, status, take, type, until, wallet, ...printOptions }) => {
    const filter = {
      status: Option.getOrUndefined(status),
      type: Option.getOrUndefined(type),
      createdAtOldest: Option.getOrUndefined(since),
      createdAtLatest: Option.getOrUndefined(until)
    }
    if (Option.isSome(file)) {
      return printResponse(printOptions, exportHistory(file.value, wallet, filter, project), (exportSummary) =>
        card([
          ["file", exportSummary.file],
          ["transactions", String(exportSummary.transactions)]
        ])
      )
    }
    return printResponse(
      printOptions,
      callEndpoint(({ history }) => history.list, project, {
        params: { walletAddress: wallet },
        query: { take: String(take), ...filter }
      }),
      ({ transactions }) =>
        tableOrHint(
          ["CREATED", "CHAIN", "TYPE", "STATUS", "SENT", "RECEIVED", "TRANSACTION"],
          transactions.map((transaction) => [
            transaction.createdAt,
            chainNames(transaction),
            transaction.type,
            transaction.status,
            amountText(transaction.sentAmount),
            amountText(transaction.receivedAmount),
            transaction.transactionHash?.hash ?? transaction.failure?.message ?? null
          ]),
          Object.values(filter).every((value) => value === undefined)
            ? "The wallet has no transactions. Start with `countersign swap quote`."
            : "The wallet has no matching transaction."
        )
    )
  }
).pipe(
  Command.withDescription("Show or export the transactions of a wallet"),
  Command.withExamples([
    { command: "countersign history 0x… --take 5", description: "Show the last five transactions of a wallet" },
    { command: "countersign history 0x… --status FAILED", description: "Show failed transactions with their reasons" },
    { command: "countersign history 0x… --export history.csv", description: "Write all transactions to a file" }
  ])
)
