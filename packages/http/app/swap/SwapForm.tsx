import type { SwapRequest } from "../../src/client/index.ts"
import type { Catalog } from "./useTokens.ts"

interface SwapFormProps {
  readonly wallet: string
  readonly catalog: Catalog
  readonly isBusy: boolean
  /** What was quoted is no more what the form says. */
  readonly onChange: () => void
  readonly onAsk: (request: SwapRequest) => void
}

const requestOf = (form: HTMLFormElement, wallet: string): SwapRequest => {
  const data = new FormData(form)
  const field = (name: string) => String(data.get(name)).trim()
  const chainId = Number(field("chain")) as SwapRequest["chainIdIn"]
  const slippage = field("slippage")
  return {
    walletAddress: wallet,
    toAddress: wallet,
    chainIdIn: chainId,
    chainIdOut: chainId,
    tokenIn: field("tokenIn"),
    tokenOut: field("tokenOut"),
    amountIn: field("amountIn"),
    payGasFeeToken: field("gasToken"),
    gasFeePaymentMethod: "ADD_TO_AMOUNT",
    ...(slippage === "" ? {} : { slippage: Number(slippage) })
  }
}

interface TokenChoiceProps {
  readonly label: string
  readonly name: string
  readonly catalog: Catalog
  /** The symbol that is chosen at first, where it is there. */
  readonly first: string
}

const TokenChoice = ({ catalog: { chainId, tokens }, first, label, name }: TokenChoiceProps) => (
  <label>
    {label}
    <select key={`${chainId} ${tokens.length}`} name={name} required>
      {tokens.map(({ address, symbol }) => (
        <option key={address} value={address} selected={symbol === first}>
          {symbol}
        </option>
      ))}
    </select>
  </label>
)

export const SwapForm = ({ catalog, isBusy, onAsk, onChange, wallet }: SwapFormProps) => (
  <form
    class="card stack"
    onChange={onChange}
    onSubmit={(event) => {
      event.preventDefault()
      onAsk(requestOf(event.currentTarget, wallet))
    }}
  >
    <label>
      Chain
      <select
        name="chain"
        value={catalog.chainId}
        onChange={({ currentTarget }) => catalog.choose(Number(currentTarget.value))}
      >
        {catalog.chains.map(({ id, name }) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </select>
    </label>
    <div class="pair">
      <label>
        Amount
        <input name="amountIn" inputmode="decimal" autocomplete="off" required defaultValue="100" />
      </label>
      <TokenChoice label="From" name="tokenIn" catalog={catalog} first="USDC" />
    </div>
    <TokenChoice label="To" name="tokenOut" catalog={catalog} first="WETH" />
    <div class="pair">
      <TokenChoice label="Gas is paid in" name="gasToken" catalog={catalog} first="USDC" />
      <label>
        Slippage, %
        <input name="slippage" inputmode="decimal" autocomplete="off" placeholder="the service's" />
      </label>
    </div>
    <button type="submit" disabled={isBusy || catalog.tokens.length === 0}>
      {isBusy ? "Asking…" : "Get a quote"}
    </button>
  </form>
)
