import { TransactionStatus } from "@countersign/core/history"
import { Option } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { ask } from "../environment/ask.ts"
import { projectFlag } from "../environment/project.ts"
import { walletArgument } from "../input/address.ts"
import { within } from "../input/readAs.ts"
import { printAnswer } from "../output/answer.ts"
import { jsonFlag } from "../output/print.ts"
import { tableOrHint } from "../output/table.ts"

const TAKE_MAX = 100

interface Chain {
  readonly name: string
}

/** The chain it is on, or the two that it goes between. */
const chainNames = ({ chainIn, chainOut }: { readonly chainIn: Chain | null; readonly chainOut: Chain | null }) =>
  [...new Set([chainIn, chainOut].flatMap((chain) => chain?.name ?? []))].join(" > ") || null

interface Amount {
  readonly amount: string
  readonly token: { readonly symbol: string } | null
  readonly currency: string | null
}

/** `1.5 USDC`; null where nothing moved, or what moved is not known. */
const sideText = (side: Amount | null): string | null => {
  const unit = side?.token?.symbol ?? side?.currency ?? null
  return side === null || unit === null ? null : `${side.amount} ${unit}`
}

export const history = Command.make(
  "history",
  {
    wallet: walletArgument("wallet").pipe(Argument.withDescription("Address of the wallet")),
    take: Flag.Int("take").pipe(Flag.withDescription("How many, 1 to 100"), within(1, TAKE_MAX), Flag.withDefault(20)),
    status: Flag.Literals("status", TransactionStatus.literals).pipe(
      Flag.withDescription("Only this status"),
      Flag.optional
    ),
    project: projectFlag,
    json: jsonFlag
  },
  ({ project, status, take, wallet, ...shown }) =>
    printAnswer(
      shown,
      ask(({ walletHistory }) => walletHistory, project, {
        params: { walletAddress: wallet },
        query: { take, status: Option.getOrUndefined(status) }
      }),
      ({ transactions }) =>
        tableOrHint(
          ["CREATED", "CHAIN", "TYPE", "STATUS", "SENT", "RECEIVED", "TRANSACTION"],
          transactions.map((transaction) => [
            transaction.createdAt,
            chainNames(transaction),
            transaction.type,
            transaction.status,
            sideText(transaction.sentAmount),
            sideText(transaction.receivedAmount),
            transaction.transactionHash.hash ?? transaction.failure?.message ?? null
          ]),
          Option.isNone(status)
            ? "The wallet has done nothing yet. `countersign swap quote` is a way to begin."
            : `The wallet has no transaction that is ${status.value}.`
        )
    )
).pipe(
  Command.withExamples([
    { command: "countersign history 0x… --take 5", description: "The last five transactions of a wallet" },
    { command: "countersign history 0x… --status FAILED", description: "Those that failed, with the reason" }
  ])
)
