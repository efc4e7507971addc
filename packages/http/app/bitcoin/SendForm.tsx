import { useState } from "preact/hooks"
import type { TransferRequest } from "../../src/client/index.ts"

const NATIVE_TOKEN = "0xeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee"

interface SendFormProps {
  readonly wallet: string
  readonly isBusy: boolean
  /** Called when the user changes the form, so that it no longer matches the quote. */
  readonly onChange: () => void
  readonly onAsk: (request: TransferRequest) => void
}

const requestOf = (form: HTMLFormElement, wallet: string): TransferRequest => {
  const data = new FormData(form)
  const field = (name: string) => String(data.get(name) ?? "").trim()
  const feeRate = field("feeRate")
  return {
    walletAddress: wallet,
    chainId: 0,
    token: NATIVE_TOKEN,
    amount: data.has("all") ? "MAX" : field("amount"),
    toAddress: field("toAddress"),
    gasFeePaymentMethod: "ADD_TO_AMOUNT",
    payGasFeeToken: NATIVE_TOKEN,
    ...(feeRate === "" ? { feePriority: field("feePriority") as "NORMAL" } : { feeRate: Number(feeRate) })
  }
}

/** Form labels for the service's error messages. */
export const paymentLabels: Readonly<Record<string, string>> = {
  amount: "Amount",
  toAddress: "To address",
  feePriority: "Priority",
  feeRate: "Fee rate"
}

/** Renders the form of a Bitcoin payment. */
export const SendForm = ({ isBusy, onAsk, onChange, wallet }: SendFormProps) => {
  const [isAll, setAll] = useState(false)
  return (
    <form
      class="card stack"
      onInput={onChange}
      onSubmit={(event) => {
        event.preventDefault()
        onAsk(requestOf(event.currentTarget, wallet))
      }}
    >
      <label>
        To address
        <input name="toAddress" autocomplete="off" required placeholder="bc1…" />
      </label>
      <label>
        Amount, BTC
        <input name="amount" inputmode="decimal" autocomplete="off" required={!isAll} disabled={isAll} />
      </label>
      <label class="check">
        <input type="checkbox" name="all" onInput={({ currentTarget }) => setAll(currentTarget.checked)} />
        Whole balance
      </label>
      <div class="pair">
        <label>
          Priority
          <select name="feePriority" defaultValue="NORMAL">
            <option value="SLOW">Within a day</option>
            <option value="NORMAL" selected>
              Within an hour
            </option>
            <option value="FAST">Within 20 minutes</option>
          </select>
        </label>
        <label>
          Or fee rate, sat/vB
          <input name="feeRate" inputmode="decimal" autocomplete="off" placeholder="by priority" />
        </label>
      </div>
      <button type="submit" disabled={isBusy}>
        {isBusy ? "Requesting…" : "Get a quote"}
      </button>
    </form>
  )
}
