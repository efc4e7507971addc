import { amountText, type FindToken, movedTokens, shownFeeBody } from "@countersign/adapters/wire"
import {
  History,
  isToken,
  MAX_HISTORY_PAGE,
  nftNumberOf,
  type Side,
  shownFees,
  shownSide,
  type Transaction,
  TransactionStatus,
  transactionHashOf
} from "@countersign/core/history"
import { TokenCatalog } from "@countersign/core/tokens"
import { DateTime, Effect, Option } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { withServices } from "../environment/connect.ts"
import { chosenProject, projectFlag } from "../environment/project.ts"
import { walletArgument } from "../input/address.ts"
import { within } from "../input/readAs.ts"
import { jsonFlag, print } from "../output/print.ts"
import { tableOrHint } from "../output/table.ts"

const amountJson = (side: Side | null) => (side === null ? null : { ...side.asset, amount: side.amount, usd: side.usd })

const transactionJson = (transaction: Transaction, find: FindToken) => {
  const { details, expected, fees: _, ...fields } = transaction
  const sentSide = shownSide(transaction, "OUT")
  const receivedSide = shownSide(transaction, "IN")
  return {
    ...fields,
    transactionHash: transactionHashOf(transaction)?.hash ?? null,
    sent: amountJson(sentSide),
    sentTo: sentSide?.counterparty ?? null,
    received: amountJson(receivedSide),
    receivedBy: receivedSide?.account ?? null,
    receivedFrom: receivedSide?.counterparty ?? null,
    swapProvider: details.swapProvider ?? null,
    fees: shownFees(transaction).map((fee) => shownFeeBody(fee, find)),
    nftNumber: nftNumberOf(transaction)
  }
}

/** `1.5 USDC`; null where nothing moved, or what moved is not known. */
const sideText = (side: Side | null, find: FindToken): string | null => {
  if (side === null || !isToken(side.asset)) return null
  const token = find(side.asset.chainId, side.asset.token)
  return token === null ? null : `${amountText(side.amount, token)} ${token.symbol}`
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
        const transactions = page.transactions.map((transaction) => transactionJson(transaction, find))
        yield* print(json, { transactions, nextLastId: page.nextLastId }, () =>
          tableOrHint(
            ["CREATED", "TYPE", "STATUS", "SENT", "RECEIVED", "TRANSACTION"],
            page.transactions.map((transaction) => [
              DateTime.formatIso(transaction.createdAt),
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
