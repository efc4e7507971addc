import type { Client } from "../../src/client/index.ts"
import { Failure } from "../Failure.tsx"
import { useQuote } from "../useQuote.ts"
import { PaymentPreview } from "./PaymentPreview.tsx"
import { paymentLabels, SendForm } from "./SendForm.tsx"
import { Signing } from "./Signing.tsx"

/** A payment from a Bitcoin wallet: quote, sign in another wallet, broadcast, show the progress. */
export const SendView = ({ client, wallet }: { readonly client: Client; readonly wallet: string }) => {
  const { ask, clear, failure, isBusy, quote } = useQuote(client.transfer.quote)
  return (
    <div class="columns">
      <section class="stack" aria-label="Request">
        <SendForm wallet={wallet} isBusy={isBusy} onChange={clear} onAsk={ask} />
        <Failure of={failure} labels={paymentLabels} />
      </section>
      <section class="stack" aria-label="Quote">
        <p class="hidden" role="status">
          {quote?.bitcoin !== undefined && `A quote: the miner fee is ${quote.bitcoin.fee} BTC.`}
        </p>
        {quote !== null && (
          <>
            <PaymentPreview quote={quote} />
            {quote.revertReason === undefined && <Signing key={quote.quoteId} client={client} quote={quote} />}
          </>
        )}
      </section>
    </div>
  )
}
