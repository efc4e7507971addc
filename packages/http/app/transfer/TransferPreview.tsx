import type { TransferQuote } from "../../src/client/index.ts"
import { SignatureEffects, type SymbolOf } from "../SignatureEffects.tsx"
import { formatUsd, shortAmount } from "../words.ts"

interface TransferPreviewProps {
  readonly quote: TransferQuote
  readonly symbolOf: SymbolOf
}

export const TransferPreview = ({ quote, symbolOf }: TransferPreviewProps) => {
  const { amount, chainId, estimatedGasFees: gas, expiresAt, receivedAmount, toAddress, token } = quote
  const symbol = symbolOf(chainId, token)
  return (
    <div class="card">
      <h2>Quote</h2>
      <dl class="terms">
        <dt>You send</dt>
        <dd>
          {amount} {symbol}
        </dd>
        <dt>To</dt>
        <dd class="address">{toAddress}</dd>
        <dt>It receives</dt>
        <dd>
          <strong title={receivedAmount}>
            {shortAmount(receivedAmount)} {symbol}
          </strong>
        </dd>
        <dt>Gas</dt>
        <dd>
          about {shortAmount(gas.gasFeeTokenAmount)} {symbolOf(chainId, gas.payGasFeeToken)}{" "}
          <small class="muted">{formatUsd(gas.gasFeeTokenAmountUSD)}</small>
        </dd>
        <dt>Valid until</dt>
        <dd>{new Date(expiresAt).toLocaleTimeString()}</dd>
      </dl>
      <SignatureEffects quote={quote} chainId={chainId} symbolOf={symbolOf} />
    </div>
  )
}
