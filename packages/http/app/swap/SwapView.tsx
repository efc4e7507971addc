import { useState } from "preact/hooks"
import type { Client } from "../../src/client/index.ts"
import { Execution } from "../Execution.tsx"
import { Failure } from "../Failure.tsx"
import { useBalances } from "../tokens/useBalances.ts"
import { useCatalog } from "../tokens/useCatalog.ts"
import { useQuote } from "../useQuote.ts"
import { QuotePreview } from "./QuotePreview.tsx"
import { quoteOf, type SwapQuestion } from "./quoteOf.ts"
import { SwapForm, swapLabels } from "./SwapForm.tsx"

/** A swap or a limit order: quote, preview, sign, execute, show the progress. */
export const SwapView = ({ client, wallet }: { readonly client: Client; readonly wallet: string }) => {
  const catalog = useCatalog(client)
  const [ended, setEnded] = useState(0)
  const balanceOf = useBalances(client, wallet, ended)
  const { ask, clear, failure, isBusy, quote } = useQuote((question: SwapQuestion) => quoteOf(client, question))
  return (
    <div class="columns">
      <section class="stack" aria-label="Request">
        <Failure of={catalog.failure} />
        <SwapForm
          wallet={wallet}
          catalog={catalog}
          balanceOf={balanceOf}
          isBusy={isBusy}
          onChange={clear}
          onAsk={(request, leastOf) => ask({ request, leastOf })}
        />
        <Failure of={failure} labels={swapLabels} />
      </section>
      <section class="stack" aria-label="Quote">
        <p class="hidden" role="status">
          {quote !== null && `Quote: ${quote.amountOut} ${catalog.symbolOf(quote.chainOut, quote.tokenOut)}.`}
        </p>
        {quote !== null && (
          <>
            <QuotePreview quote={quote} symbolOf={catalog.symbolOf} />
            {quote.revertReason === undefined && (
              <Execution
                key={quote.quoteId}
                client={client}
                quote={quote}
                onEnd={() => setEnded((before) => before + 1)}
              />
            )}
          </>
        )}
      </section>
    </div>
  )
}
