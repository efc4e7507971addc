import { assetText, Explorers, type FindToken, historyBody, movedTokens } from "@countersign/adapters/wire"
import { chainOf } from "@countersign/core/chains"
import {
  History,
  MAX_HISTORY_PAGE,
  type Side,
  shownSide,
  type Transaction,
  TransactionStatus,
  transactionHashOf
} from "@countersign/core/history"
import { FiatRates, isToken, TokenCatalog } from "@countersign/core/tokens"
import { DateTime, Effect, Option } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { withServices } from "../environment/connect.ts"
import { linkBase } from "../environment/linkBase.ts"
import { chosenProject, projectFlag } from "../environment/project.ts"
import { walletArgument } from "../input/address.ts"
import { within } from "../input/readAs.ts"
import { jsonFlag, print } from "../output/print.ts"
import { tableOrHint } from "../output/table.ts"

/** The chain it is on, or the two that it goes between. */
const chainNames = ({ chainIdIn, chainIdOut }: Transaction): string | null => {
  const ids = new Set([chainIdIn, chainIdOut].filter((id) => id !== null))
  return [...ids].map((id) => chainOf(id).name).join(" > ") || null
}

/** `1.5 USDC`; null where nothing moved, or what moved is not known. */
const sideText = (side: Side | null, find: FindToken): string | null => {
  if (side === null) return null
  const { amount, asset } = side
  const unit = isToken(asset) ? (find(asset.chainId, asset.token)?.symbol ?? null) : asset.currency
  return unit === null ? null : `${assetText(amount, asset, find)} ${unit}`
}

export const history = Command.make(
  "history",
  {
    wallet: walletArgument("wallet").pipe(Argument.withDescription("Address of the wallet")),
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
          walletAddress: wallet,
          filter: Option.match(status, {
            onNone: () => ({}),
            onSome: (transactionStatus) => ({ statuses: [transactionStatus] })
          }),
          lastId: null,
          take
        })
        const find = yield* movedTokens(catalog, page.transactions)
        const base = yield* linkBase
        const rates = yield* (yield* FiatRates).perUsdE18
        const explorerOf = yield* Explorers
        const transactions = page.transactions.map((transaction) =>
          historyBody(base, transaction, find, rates, explorerOf)
        )
        yield* print(json, { nextLastId: page.nextLastId, transactions }, () =>
          tableOrHint(
            ["CREATED", "CHAIN", "TYPE", "STATUS", "SENT", "RECEIVED", "TRANSACTION"],
            page.transactions.map((transaction) => [
              DateTime.formatIso(transaction.createdAt),
              chainNames(transaction),
              transaction.type,
              transaction.status,
              sideText(shownSide(transaction, "OUT"), find),
              sideText(shownSide(transaction, "IN"), find),
              transactionHashOf(transaction)?.hash ?? transaction.failure?.message ?? null
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
