import { History, MAX_HISTORY_PAGE, TransactionStatus } from "@countersign/core/history"
import { Address, decimalFromBaseUnits } from "@countersign/core/primitives"
import { TokenCatalog } from "@countersign/core/tokens"
import { DateTime, Effect, Option } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { withServices } from "../environment/connect.ts"
import { chosenProject, projectFlag } from "../environment/project.ts"
import { addressArgument } from "../input/address.ts"
import { within } from "../input/readAs.ts"
import { jsonFlag, print } from "../output/print.ts"
import { tableOrHint } from "../output/table.ts"

export const history = Command.make(
  "history",
  {
    wallet: addressArgument("wallet").pipe(Argument.withDescription("Address of the wallet")),
    take: Flag.Int("take").pipe(
      Flag.withDescription("How many, 1 to 100"),
      within(1, MAX_HISTORY_PAGE),
      Flag.withDefault(20)
    ),
    status: Flag.Literals("status", TransactionStatus.literals).pipe(
      Flag.withDescription("Only this status"),
      Flag.optional
    ),
    project: projectFlag,
    json: jsonFlag
  },
  ({ json, project, status, take, wallet }) =>
    withServices(
      Effect.gen(function* () {
        const { id } = yield* chosenProject(project)
        const catalog = yield* TokenCatalog
        const page = yield* (yield* History).list(id, {
          walletAddress: Address.make(wallet),
          filter: Option.match(status, { onNone: () => ({}), onSome: (one) => ({ statuses: [one] }) }),
          lastId: null,
          take
        })
        const sides = page.transactions
          .flatMap(({ received, sent }) => [sent, received])
          .filter((side) => side !== null)
        const known = yield* Effect.forEach(sides, ({ chainId, token }) => catalog.find(chainId, token))
        const tokens = new Map(
          known.filter(Option.isSome).map(({ value }) => [`${value.chainId}:${value.address}`, value])
        )
        const shown = (side: (typeof sides)[number] | null) => {
          if (side === null) return null
          const token = tokens.get(`${side.chainId}:${side.token}`)
          return token === undefined ? null : `${decimalFromBaseUnits(side.amount, token.decimals)} ${token.symbol}`
        }
        yield* print(json, page, () =>
          tableOrHint(
            ["CREATED", "TYPE", "STATUS", "SENT", "RECEIVED", "TRANSACTION"],
            page.transactions.map((transaction) => [
              DateTime.formatIso(transaction.createdAt),
              transaction.type,
              transaction.status,
              shown(transaction.sent),
              shown(transaction.received),
              transaction.transactionHash ?? transaction.failure?.message ?? null
            ]),
            Option.isNone(status)
              ? "The wallet has done nothing yet. `countersign swap quote` is a way to begin."
              : `The wallet has no transaction that is ${status.value}.`
          )
        )
      })
    )
).pipe(
  Command.withExamples([
    { command: "countersign history 0x… --take 5", description: "The last five transactions of a wallet" },
    { command: "countersign history 0x… --status FAILED", description: "Those that failed, with the reason" }
  ])
)
