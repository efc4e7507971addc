import { useState } from "preact/hooks"
import type { Client } from "../../src/client/index.ts"
import { Execution } from "../Execution.tsx"
import { Failure } from "../Failure.tsx"
import { useBalances } from "../tokens/useBalances.ts"
import { useCatalog } from "../tokens/useCatalog.ts"
import { useQuote } from "../useQuote.ts"
import { TransferForm, transferLabels } from "./TransferForm.tsx"
import { TransferPreview } from "./TransferPreview.tsx"

/** A transfer of a smart wallet: quote, preview, sign, execute, show the progress. */
export const TransferView = ({ client, wallet }: { readonly client: Client; readonly wallet: string }) => {
  const catalog = useCatalog(client)
  const [ended, setEnded] = useState(0)
  const balanceOf = useBalances(client, wallet, ended)
  const { ask, clear, failure, isBusy, quote } = useQuote(client.transfer.quote)
  return (
    <div class="columns">
      <section class="stack" aria-label="Request">
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
      </section>
      <section class="stack" aria-label="Quote">
        <p class="hidden" role="status">
          {quote !== null && `Quote: ${quote.receivedAmount} ${catalog.symbolOf(quote.chainId, quote.token)} arrive.`}
        </p>
        {quote !== null && (
          <>
            <TransferPreview quote={quote} symbolOf={catalog.symbolOf} />
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
