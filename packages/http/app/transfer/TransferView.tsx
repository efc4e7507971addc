import type { Client } from "../../src/client/index.ts"
import { Execution } from "../Execution.tsx"
import { Failure } from "../Failure.tsx"
import { QuoteColumns } from "../QuoteColumns.tsx"
import { useWalletTokens } from "../tokens/useWalletTokens.ts"
import { useQuote } from "../useQuote.ts"
import { TransferForm, transferLabels } from "./TransferForm.tsx"
import { TransferPreview } from "./TransferPreview.tsx"

/** Guides through a transfer from a smart wallet: quote, preview, signature, execution and progress. */
export const TransferView = ({ client, wallet }: { readonly client: Client; readonly wallet: string }) => {
  const { balanceOf, catalog, refresh } = useWalletTokens(client, wallet)
  const { ask, clear, failure, isBusy, quote } = useQuote(client.transfer.quote)
  const request = (
    <>
      <Failure of={catalog.failure} />
      <TransferForm
        wallet={wallet}
        catalog={catalog}
        balanceOf={balanceOf}
        isBusy={isBusy}
        onChange={clear}
        onAsk={ask}
      />
      <Failure of={failure} labels={transferLabels} />
    </>
  )
  if (quote === null) return <QuoteColumns request={request} summary={null} />
  return (
    <QuoteColumns
      request={request}
      summary={`Quote: the receiver gets ${quote.receivedAmount} ${catalog.symbolOf(quote.chainId, quote.token)}.`}
    >
      <TransferPreview quote={quote} symbolOf={catalog.symbolOf} />
      {quote.revertReason === undefined && (
        <Execution key={quote.quoteId} client={client} quote={quote} onEnd={refresh} />
      )}
    </QuoteColumns>
  )
}
