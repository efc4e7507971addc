import type { TransferQuote } from "../../src/client/index.ts"
import { formatUsd, title } from "../words.ts"

/** Shows the outputs of a Bitcoin transaction. */
export const PaymentPreview = ({ quote }: { readonly quote: TransferQuote }) => {
  const { bitcoin, estimatedGasFees, expiresAt, revertReason, warnings } = quote
  return (
    <div class="card">
      <h2>Quote</h2>
      {bitcoin !== undefined && (
        <>
          <ul class="rows">
            {bitcoin.outputs.map(({ address, amount, role }, index) => (
              // The index is the key, because an address may get several outputs and their order never changes.
              <li key={index}>
                <span>
                  {role === "CHANGE" ? "Change" : title(role)}
                  <small class="muted address">{address}</small>
                </span>
                <span class={role === "CHANGE" ? "muted" : "sent"}>{amount} BTC</span>
              </li>
            ))}
          </ul>
          <dl class="terms">
            <dt>Miner fee</dt>
            <dd>
              {bitcoin.fee} BTC <small class="muted">{formatUsd(estimatedGasFees.gasFeeTokenAmountUSD)}</small>
            </dd>
            <dt>Fee rate</dt>
            <dd>{bitcoin.feeRate} sat/vB</dd>
            <dt>Valid until</dt>
            <dd>{new Date(expiresAt).toLocaleTimeString()}</dd>
          </dl>
        </>
      )}
      {revertReason !== undefined && (
        <p class="failure" role="alert">
          {revertReason.decoded}
        </p>
      )}
      {warnings.map((warning) => (
        <p key={warning} class="warning">
          {warning}
        </p>
      ))}
    </div>
  )
}
