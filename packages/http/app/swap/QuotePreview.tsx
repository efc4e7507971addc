import type { SwapQuote } from "../../src/client/index.ts"
import { SignatureEffects, type SymbolOf } from "../SignatureEffects.tsx"
import { formatDateTime, formatUsd, shortAmount, title } from "../words.ts"

interface QuotePreviewProps {
  readonly quote: SwapQuote
  readonly symbolOf: SymbolOf
}

const Terms = ({ quote, symbolOf }: QuotePreviewProps) => {
  const { estimatedGasFees: gas, limitOrder } = quote
  const [symbolIn, symbolOut] = [symbolOf(quote.chainIn, quote.tokenIn), symbolOf(quote.chainOut, quote.tokenOut)]
  return (
    <dl class="terms">
      <dt>You give</dt>
      <dd>
        {quote.amountIn} {symbolIn} <small class="muted">{formatUsd(quote.amountInUSD)}</small>
      </dd>
      <dt>You get about</dt>
      <dd>
        <strong title={quote.amountOut}>
          {shortAmount(quote.amountOut)} {symbolOut}
        </strong>{" "}
        <small class="muted">{formatUsd(quote.amountOutUSD)}</small>
      </dd>
      <dt>At least</dt>
      <dd title={quote.minAmountOut}>
        {shortAmount(quote.minAmountOut)} {symbolOut}
      </dd>
      {quote.inverseRate !== null && (
        <>
          <dt>Price</dt>
          <dd>
            {shortAmount(quote.inverseRate)} {symbolIn} for 1 {symbolOut}
          </dd>
        </>
      )}
      {quote.priceImpactPercent !== null && limitOrder === undefined && (
        <>
          <dt>Price impact</dt>
          <dd>{shortAmount(quote.priceImpactPercent)} %</dd>
        </>
      )}
      <dt>Gas</dt>
      <dd>
        about {shortAmount(gas.gasFeeTokenAmount)} {symbolOf(quote.chainIn, gas.payGasFeeToken)}{" "}
        <small class="muted">{formatUsd(gas.gasFeeTokenAmountUSD)}</small>
      </dd>
      {quote.route.length > 0 && (
        <>
          <dt>Route</dt>
          <dd>
            {quote.route.map(({ hops, sharePercent }) => (
              <div key={hops.map(({ poolId }) => poolId).join()}>
                {shortAmount(sharePercent)} % {hops.map(({ venue }) => title(venue)).join(", ")}
              </div>
            ))}
          </dd>
        </>
      )}
      {limitOrder !== undefined && (
        <>
          <dt>Order expires</dt>
          <dd>{formatDateTime(limitOrder.expiresAt)}</dd>
        </>
      )}
      <dt>{limitOrder === undefined ? "Valid until" : "Sign before"}</dt>
      <dd>{new Date(quote.expiresAt * 1_000).toLocaleTimeString()}</dd>
    </dl>
  )
}

/** Shows the terms of a quote, and what a signature authorizes. */
export const QuotePreview = (props: QuotePreviewProps) => {
  const { quote, symbolOf } = props
  return (
    <div class="card">
      <h2>{quote.type === "LIMIT_ORDER" ? "Limit order" : "Quote"}</h2>
      <Terms {...props} />
      <SignatureEffects quote={quote} chainId={quote.chainIn} symbolOf={symbolOf} />
    </div>
  )
}
