import { useState } from "preact/hooks"
import type { TransferRequest } from "../../src/client/index.ts"
import {
  AmountField,
  ChainChoice,
  DeductedGas,
  firstChainOf,
  gasPaymentOf,
  listedTokenOr,
  TokenChoice
} from "../tokens/fields.tsx"
import type { BalanceOf } from "../tokens/useBalances.ts"
import type { Catalog } from "../tokens/useCatalog.ts"
import { isSameAddress } from "../words.ts"

interface TransferFormProps {
  readonly wallet: string
  readonly catalog: Catalog
  readonly balanceOf: BalanceOf
  readonly isBusy: boolean
  /** Called when the user changes the form, so that it no longer matches the quote. */
  readonly onChange: () => void
  readonly onAsk: (request: TransferRequest) => void
}

/** Form labels for the service's error messages. */
export const transferLabels: Readonly<Record<string, string>> = {
  amount: "Amount",
  chainId: "Chain",
  token: "Token",
  toAddress: "To address",
  payGasFeeToken: "Gas is paid in"
}

export const TransferForm = ({ balanceOf, catalog, isBusy, onAsk, onChange, wallet }: TransferFormProps) => {
  const [fields, setFields] = useState({ chain: 0, token: "", gasToken: "", amount: "", toAddress: "" })
  const change = (changes: Partial<typeof fields>) => {
    setFields((before) => ({ ...before, ...changes }))
    onChange()
  }
  const chainId = fields.chain || firstChainOf(catalog.chains)
  const tokens = catalog.tokensOf(chainId)
  const token = listedTokenOr(tokens, fields.token, "USDC")
  const gasToken = listedTokenOr(tokens, fields.gasToken, "USDC")
  const balance = balanceOf(chainId, token)
  const gasFeePaymentMethod = gasPaymentOf(fields.amount, balance, isSameAddress(token, gasToken))
  return (
    <form
      class="card stack"
      onSubmit={(event) => {
        event.preventDefault()
        onAsk({
          walletAddress: wallet,
          chainId: chainId as 1,
          token,
          amount: fields.amount,
          toAddress: fields.toAddress,
          payGasFeeToken: gasToken,
          gasFeePaymentMethod
        })
      }}
    >
      <ChainChoice
        label="Chain"
        name="chain"
        chains={catalog.chains}
        chosen={chainId}
        onChoose={(chain) => change({ chain })}
      />
      <label>
        To address
        <input
          name="toAddress"
          autocomplete="off"
          spellcheck={false}
          required
          placeholder="0x…"
          value={fields.toAddress}
          onInput={({ currentTarget }) => change({ toAddress: currentTarget.value.trim() })}
        />
      </label>
      <div class="pair">
        <AmountField
          name="amount"
          amount={fields.amount}
          onAmount={(amount) => change({ amount })}
          balance={balance}
          symbol={catalog.symbolOf(chainId, token)}
        />
        <TokenChoice
          label="Token"
          name="token"
          tokens={tokens}
          chosen={token}
          onChoose={(token) => change({ token })}
        />
      </div>
      <TokenChoice
        label="Gas is paid in"
        name="gasToken"
        tokens={tokens}
        chosen={gasToken}
        onChoose={(gasToken) => change({ gasToken })}
      />
      {gasFeePaymentMethod === "DEDUCT_FROM_AMOUNT" && <DeductedGas />}
      <button type="submit" disabled={isBusy || tokens.length === 0}>
        {isBusy ? "Requesting…" : "Get a quote"}
      </button>
    </form>
  )
}
