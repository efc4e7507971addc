import { type Cell, csvLines, numberCell, textCell } from "@countersign/core/foundation/primitives"

interface TransactionAmount {
  readonly amount: string
  readonly token: { readonly symbol: string } | null
  readonly currency: string | null
  readonly amountIn: { readonly usd: string | null }
}

interface Chain {
  readonly name: string
}

interface ListedTransaction {
  readonly id: string
  readonly createdAt: string
  readonly executedAt: string | null
  readonly type: string
  readonly status: string
  readonly chainIn: Chain | null
  readonly chainOut: Chain | null
  readonly sentAmount: TransactionAmount | null
  readonly sentTo: string | null
  readonly receivedAmount: TransactionAmount | null
  readonly receivedFromAddress: string | null
  readonly transactionHash: { readonly hash: string } | null
  readonly userOperationHash: string | null
  readonly failure: { readonly message: string } | null
  readonly metadata: Readonly<Record<string, string>>
}

const amountCells = (amount: TransactionAmount | null): ReadonlyArray<Cell> => [
  numberCell(amount?.amount ?? null),
  textCell(amount?.token?.symbol ?? amount?.currency ?? null),
  numberCell(amount?.amountIn.usd ?? null)
]

const columns: Readonly<Record<string, (transaction: ListedTransaction) => ReadonlyArray<Cell>>> = {
  Id: ({ id }) => [textCell(id)],
  Created: ({ createdAt }) => [textCell(createdAt)],
  Executed: ({ executedAt }) => [textCell(executedAt)],
  Type: ({ type }) => [textCell(type)],
  Status: ({ status }) => [textCell(status)],
  "From Chain": ({ chainIn }) => [textCell(chainIn?.name ?? null)],
  "To Chain": ({ chainOut }) => [textCell(chainOut?.name ?? null)],
  "Sent,Sent Currency,Sent USD": ({ sentAmount }) => amountCells(sentAmount),
  "Sent To": ({ sentTo }) => [textCell(sentTo)],
  "Received,Received Currency,Received USD": ({ receivedAmount }) => amountCells(receivedAmount),
  "Received From": ({ receivedFromAddress }) => [textCell(receivedFromAddress)],
  "Transaction Hash": ({ transactionHash }) => [textCell(transactionHash?.hash ?? null)],
  "User Operation Hash": ({ userOperationHash }) => [textCell(userOperationHash)],
  Failure: ({ failure }) => [textCell(failure?.message ?? null)],
  Metadata: ({ metadata }) => [textCell(Object.keys(metadata).length === 0 ? null : JSON.stringify(metadata))]
}

/** Header line of the transaction CSV file. */
export const historyHeader = csvLines([Object.keys(columns).flatMap((names) => names.split(",").map(textCell))])

export const historyLines = (transactions: ReadonlyArray<ListedTransaction>): string =>
  csvLines(transactions.map((transaction) => Object.values(columns).flatMap((cells) => cells(transaction))))
