import type { Client } from "../../src/client/index.ts"
import { Failure } from "../Failure.tsx"
import { QuoteColumns } from "../QuoteColumns.tsx"
import { useQuote } from "../useQuote.ts"
import { PaymentPreview } from "./PaymentPreview.tsx"
import { paymentLabels, SendForm } from "./SendForm.tsx"
import { Signing } from "./Signing.tsx"

/** Guides through a payment from a Bitcoin wallet: quote, signature in an external wallet, broadcast and progress. */
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
      summary={quote.bitcoin === undefined ? null : `Quote: the miner fee is ${quote.bitcoin.fee} BTC.`}
    >
      <PaymentPreview quote={quote} />
      {quote.revertReason === undefined && <Signing key={quote.quoteId} client={client} quote={quote} />}
    </QuoteColumns>
  )
}
