import type { SwapQuote } from "../../src/client/index.ts"
import { shortAmount, signed, title, usd } from "../words.ts"

interface QuotePreviewProps {
  readonly quote: SwapQuote
  readonly symbolOf: (address: string) => string
}

const Terms = ({ quote, symbolOf }: QuotePreviewProps) => {
  const { estimatedGasFees: gas } = quote
  const [give, get] = [symbolOf(quote.tokenIn), symbolOf(quote.tokenOut)]
  return (
    <dl class="terms">
      <dt>You give</dt>
      <dd>
        {quote.amountIn} {give} <small class="muted">{usd(quote.amountInUSD)}</small>
      </dd>
      <dt>You get about</dt>
      <dd>
        <strong title={quote.amountOut}>
          {shortAmount(quote.amountOut)} {get}
        </strong>{" "}
        <small class="muted">{usd(quote.amountOutUSD)}</small>
      </dd>
      <dt>At least</dt>
      <dd title={quote.minAmountOut}>
        {shortAmount(quote.minAmountOut)} {get}
      </dd>
      {quote.inverseRate !== null && (
        <>
          <dt>Price</dt>
          <dd>
            {shortAmount(quote.inverseRate)} {give} for 1 {get}
          </dd>
        </>
      )}
      {quote.priceImpactPercent !== null && (
        <>
          <dt>Price impact</dt>
          <dd>{shortAmount(quote.priceImpactPercent)} %</dd>
        </>
      )}
      <dt>Gas</dt>
      <dd>
        about {shortAmount(gas.gasFeeTokenAmount)} {symbolOf(gas.payGasFeeToken)}{" "}
        <small class="muted">{usd(gas.gasFeeTokenAmountUSD)}</small>
      </dd>
      <dt>Route</dt>
      <dd>
        {quote.route.map(({ hops, sharePercent }) => (
          <div key={hops.map(({ poolId }) => poolId).join()}>
            {shortAmount(sharePercent)} % {hops.map(({ venue }) => title(venue)).join(", ")}
          </div>
        ))}
      </dd>
      <dt>Valid until</dt>
      <dd>{new Date(quote.expiresAt * 1_000).toLocaleTimeString()}</dd>
    </dl>
  )
}

const Changes = ({ quote: { preview }, symbolOf }: QuotePreviewProps) => (
  <>
    <h3>What signing allows</h3>
    <ol class="calls">
      {preview.calls.map(({ contract, summary, to }, i) => (
        // Calls have no names of their own, and stay in their order.
        <li key={i}>
          {summary}
          <small class="muted address">
            {contract} {to}
          </small>
        </li>
      ))}
    </ol>
    <ul class="rows">
      {preview.assetChanges.map(({ amount, token }) => (
        <li key={token}>
          <span>{symbolOf(token)}</span>
          <span class={amount.startsWith("-") ? "sent" : "received"} title={amount}>
            {signed(amount)}
          </span>
        </li>
      ))}
      {preview.allowances.map(({ amount, spender, spenderName, symbol, token }) => (
        <li key={`${token} ${spender}`}>
          <span>
            {spenderName ?? spender} may take
            <small class="muted">allowance that stays</small>
          </span>
          <span>
            {amount === null ? "any amount of" : shortAmount(amount)} {symbol ?? symbolOf(token)}
          </span>
        </li>
      ))}
    </ul>
  </>
)

/** What a quote offers, and what its signature lets happen. */
export const QuotePreview = (props: QuotePreviewProps) => {
  const { revertReason, warnings } = props.quote
  return (
    <div class="card">
      <h2>Quote</h2>
      <Terms {...props} />
      {revertReason !== undefined && (
        <p class="failure" role="alert">
          It would fail: {revertReason.decoded}
        </p>
      )}
      {warnings.map((warning) => (
        <p key={warning} class="warning">
          {warning}
        </p>
      ))}
      <Changes {...props} />
    </div>
  )
}
