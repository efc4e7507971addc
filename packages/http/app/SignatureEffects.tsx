import type { Quote } from "../src/client/index.ts"
import { shortAddress, shortAmount, signedAmount } from "./words.ts"

export type SymbolOf = (chainId: number, address: string) => string

interface SignatureEffectsProps {
  readonly quote: Pick<Quote, "preview" | "revertReason" | "warnings">
  readonly chainId: number
  readonly symbolOf: SymbolOf
}

type Allowance = Quote["preview"]["allowances"][number]

const describeAllowance = (
  { amount, bound, spender, spenderName, symbol, token }: Allowance,
  symbolOf: (token: string) => string
) => {
  const allowanceText = `${amount === null ? "any amount of" : shortAmount(amount)} ${symbol ?? symbolOf(token)}`
  // Only a paymaster's allowance has an explanation of its limit.
  return bound === null
    ? `${spenderName ?? shortAddress(spender)} may still take ${allowanceText} from the wallet after this operation.`
    : `The paymaster keeps an allowance of ${allowanceText} for later gas fees. The paymaster can take only the gas fees of operations that you sign.`
}

/** Shows the calls that a signature authorizes, the balance changes that they cause, and the allowances that remain. */
export const SignatureEffects = ({ chainId, quote, symbolOf }: SignatureEffectsProps) => {
  const { preview, revertReason, warnings } = quote
  const symbolOfToken = (token: string) => symbolOf(chainId, token)
  return (
    <>
      {revertReason !== undefined && (
        <p class="failure" role="alert">
          The operation would fail: {revertReason.decoded}
        </p>
      )}
      {warnings.map((warning) => (
        <p key={warning} class="warning">
          {warning}
        </p>
      ))}
      {preview.calls.length > 0 && <h3>What you sign</h3>}
      <ol class="calls">
        {preview.calls.map(({ contract, summary, to }, i) => (
          // The index is the key, because calls have no unique names and their order never changes.
          <li key={i}>
            {summary}
            <small class="muted address">
              {contract} {to}
            </small>
          </li>
        ))}
      </ol>
      {preview.assetChanges.length > 0 && <h3>Balance changes</h3>}
      <ul class="rows">
        {preview.assetChanges.map(({ amount, token }) => (
          <li key={token}>
            <span>{symbolOfToken(token)}</span>
            <span class={amount.startsWith("-") ? "sent" : "received"} title={amount}>
              {signedAmount(amount)}
            </span>
          </li>
        ))}
      </ul>
      {preview.allowances.map((allowance) => (
        <p key={`${allowance.token} ${allowance.spender}`} class="muted" title={allowance.spender}>
          {describeAllowance(allowance, symbolOfToken)}
        </p>
      ))}
    </>
  )
}
