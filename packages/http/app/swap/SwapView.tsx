import type { Client } from "../../src/client/index.ts"
import { Execution } from "../Execution.tsx"
import { Failure } from "../Failure.tsx"
import { QuoteColumns } from "../QuoteColumns.tsx"
import { useWalletTokens } from "../tokens/useWalletTokens.ts"
import { useQuote } from "../useQuote.ts"
import { QuotePreview } from "./QuotePreview.tsx"
import { quoteOf, type SwapQuoteInput } from "./quoteOf.ts"
import { SwapForm, swapLabels } from "./SwapForm.tsx"

/** Guides through a swap or a limit order: quote, preview, signature, execution and progress. */
export const SwapView = ({ client, wallet }: { readonly client: Client; readonly wallet: string }) => {
  const { balanceOf, catalog, refresh } = useWalletTokens(client, wallet)
  const { ask, clear, failure, isBusy, quote } = useQuote((input: SwapQuoteInput) => quoteOf(client, input))
  const request = (
    <>
      <Failure of={catalog.failure} />
      <SwapForm
        wallet={wallet}
        catalog={catalog}
        balanceOf={balanceOf}
        isBusy={isBusy}
        onChange={clear}
        onAsk={(request, minOf) => ask({ request, minOf })}
      />
      <Failure of={failure} labels={swapLabels} />
    </>
  )
  if (quote === null) return <QuoteColumns request={request} summary={null} />
  return (
    <QuoteColumns
      request={request}
      summary={`Quote: ${quote.amountOut} ${catalog.symbolOf(quote.chainOut, quote.tokenOut)}.`}
    >
      <QuotePreview quote={quote} symbolOf={catalog.symbolOf} />
      {quote.revertReason === undefined && (
        <Execution key={quote.quoteId} client={client} quote={quote} onEnd={refresh} />
      )}
    </QuoteColumns>
  )
}
