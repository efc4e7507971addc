import { useEffect, useState } from "preact/hooks"
import type { Client, HistoryListQuery, Transaction } from "../../src/client/index.ts"
import { Failure } from "../Failure.tsx"
import { Filters } from "./Filters.tsx"
import { OperationDialog } from "./OperationDialog.tsx"
import { TransactionRow } from "./TransactionRow.tsx"

const PAGE = 20

interface Pages {
  readonly transactions: ReadonlyArray<Transaction>
  readonly hasMore: boolean
}

/** Reads one more page from a lazily fetched list. */
const pageOf = async (list: AsyncIterator<Transaction>): Promise<Pages> => {
  const transactions: Array<Transaction> = []
  while (transactions.length < PAGE) {
    const next = await list.next()
    if (next.done) return { transactions, hasMore: false }
    transactions.push(next.value)
  }
  return { transactions, hasMore: true }
}

/** Loads the transactions that match a filter, page by page. */
const usePages = (client: Client, wallet: string, filter: HistoryListQuery) => {
  const [pages, setPages] = useState<Pages | undefined>()
  const [failure, setFailure] = useState<unknown>()
  const [isLoading, setLoading] = useState(true)
  const [loadMore, setLoadMore] = useState<() => void>()
  useEffect(() => {
    const abortController = new AbortController()
    const items = client.history.list(wallet, { ...filter, take: PAGE }, { signal: abortController.signal })
    const list = items[Symbol.asyncIterator]()
    const load = async () => {
      setLoading(true)
      try {
        const page = await pageOf(list)
        if (!abortController.signal.aborted)
          setPages((before) => ({ ...page, transactions: [...(before?.transactions ?? []), ...page.transactions] }))
      } catch (error) {
        if (!abortController.signal.aborted) setFailure(error)
      }
      if (!abortController.signal.aborted) setLoading(false)
    }
    setPages(undefined)
    setFailure(undefined)
    setLoadMore(() => load)
    load()
    return () => abortController.abort()
  }, [client, wallet, filter])
  return { pages, failure, isLoading, more: loadMore }
}

/** Shows the history of a wallet, newest first. */
export const HistoryView = ({ client, wallet }: { readonly client: Client; readonly wallet: string }) => {
  const [filter, setFilter] = useState<HistoryListQuery>({})
  const [openTransaction, setOpenTransaction] = useState<Transaction | null>(null)
  const { failure, isLoading, more, pages } = usePages(client, wallet, filter)
  return (
    <div class="stack">
      <Filters client={client} onChange={setFilter} />
      <Failure of={failure} />
      <p class="muted" role="status">
        {pages === undefined
          ? failure === undefined && "Reading history…"
          : pages.transactions.length === 0
            ? "No transactions match."
            : `${pages.transactions.length}${pages.hasMore ? " shown, and there are more" : " in total"}, newest first.`}
      </p>
      <ul class="rows card">
        {pages?.transactions.map((transaction) => (
          <TransactionRow
            key={transaction.id}
            transaction={transaction}
            onOpen={() => setOpenTransaction(transaction)}
          />
        ))}
      </ul>
      {pages?.hasMore && (
        <button type="button" onClick={more} disabled={isLoading}>
          {isLoading ? "Reading…" : "Show more"}
        </button>
      )}
      {openTransaction !== null && (
        <OperationDialog client={client} transaction={openTransaction} onClose={() => setOpenTransaction(null)} />
      )}
    </div>
  )
}
