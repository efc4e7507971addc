import { useState } from "preact/hooks"
import type { Client, Signable, SwapQuote, SwapRequest } from "../../src/client/index.ts"
import { Failure } from "../Failure.tsx"
import { Execution } from "./Execution.tsx"
import { QuotePreview } from "./QuotePreview.tsx"
import { SwapForm } from "./SwapForm.tsx"
import { useTokens } from "./useTokens.ts"

/** Quote, look, sign, execute, see it end. */
export const SwapView = ({ client, wallet }: { readonly client: Client; readonly wallet: string }) => {
  const catalog = useTokens(client)
  const [quote, setQuote] = useState<Signable<SwapQuote> | null>(null)
  const [failure, setFailure] = useState<unknown>()
  const [isBusy, setBusy] = useState(false)
  const ask = async (request: SwapRequest) => {
    setBusy(true)
    setFailure(undefined)
    setQuote(null)
    await client.swap.quote(request).then(setQuote, setFailure)
    setBusy(false)
  }
  return (
    <div class="columns">
      <section class="stack" aria-label="Request">
        <Failure of={catalog.failure} />
        <SwapForm wallet={wallet} catalog={catalog} isBusy={isBusy} onChange={() => setQuote(null)} onAsk={ask} />
        <Failure of={failure} />
      </section>
      <section class="stack" aria-label="Quote">
        <p class="hidden" role="status">
          {quote !== null && `A quote: ${quote.amountOut} ${catalog.symbolOf(quote.tokenOut)}.`}
        </p>
        {quote !== null && (
          <>
            <QuotePreview quote={quote} symbolOf={catalog.symbolOf} />
            {quote.revertReason === undefined && <Execution key={quote.quoteId} client={client} quote={quote} />}
          </>
        )}
      </section>
    </div>
  )
}
