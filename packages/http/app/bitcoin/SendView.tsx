import type { Client } from "../../src/client/index.ts"
import { Failure } from "../Failure.tsx"
import { QuoteColumns } from "../QuoteColumns.tsx"
import { useQuote } from "../useQuote.ts"
import { PaymentPreview } from "./PaymentPreview.tsx"
import { paymentLabels, SendForm } from "./SendForm.tsx"
import { Signing } from "./Signing.tsx"

/** A payment from a Bitcoin wallet: quote, sign in an external wallet, broadcast, show the progress. */
export const SendView = ({ client, wallet }: { readonly client: Client; readonly wallet: string }) => {
  const { ask, clear, failure, isBusy, quote } = useQuote(client.transfer.quote)
  const request = (
    <>
      <SendForm wallet={wallet} isBusy={isBusy} onChange={clear} onAsk={ask} />
      <Failure of={failure} labels={paymentLabels} />
    </>
  )
  if (quote === null) return <QuoteColumns request={request} summary={null} />
  return (
    <QuoteColumns
      request={request}
      summary={quote.bitcoin === undefined ? null : `A quote: the miner fee is ${quote.bitcoin.fee} BTC.`}
    >
      <PaymentPreview quote={quote} />
      {quote.revertReason === undefined && <Signing key={quote.quoteId} client={client} quote={quote} />}
    </QuoteColumns>
  )
}
