import { useState } from "preact/hooks"
import type { Client, TransferQuote, TransferRequest } from "../../src/client/index.ts"
import { Failure } from "../Failure.tsx"
import { PaymentPreview } from "./PaymentPreview.tsx"
import { SendForm } from "./SendForm.tsx"
import { Signing } from "./Signing.tsx"

/** A payment from a Bitcoin wallet: quote, sign in another wallet, broadcast, show the progress. */
export const SendView = ({ client, wallet }: { readonly client: Client; readonly wallet: string }) => {
  const [quote, setQuote] = useState<TransferQuote | null>(null)
  const [failure, setFailure] = useState<unknown>()
  const [isBusy, setBusy] = useState(false)
  const ask = async (request: TransferRequest) => {
    setBusy(true)
    setFailure(undefined)
    setQuote(null)
    await client.transfer.quote(request).then(setQuote, setFailure)
    setBusy(false)
  }
  return (
    <div class="columns">
      <section class="stack" aria-label="Request">
        <SendForm wallet={wallet} isBusy={isBusy} onChange={() => setQuote(null)} onAsk={ask} />
        <Failure of={failure} />
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
