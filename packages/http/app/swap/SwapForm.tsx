import { useState } from "preact/hooks"
import type { SwapRequest } from "../../src/client/index.ts"
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
import { LimitFields, WEEK_SECONDS } from "./LimitFields.tsx"
import { minAmountOutFor, type PriceUnit } from "./limitPrice.ts"

interface SwapFormProps {
  readonly wallet: string
  readonly catalog: Catalog
  readonly balanceOf: BalanceOf
  readonly isBusy: boolean
  /** Called when the user changes the form, so that it no longer matches the quote. */
  readonly onChange: () => void
  /** `minOf` returns the minimum output for an amount of `tokenIn` at the price of a limit order. */
  readonly onAsk: (request: SwapRequest, minOf: (amountIn: string) => string | null) => void
}

/** Initial values. Zero and the empty string mean that nothing is selected. */
const initialFields = {
  chainIn: 0,
  chainOut: 0,
  tokenIn: "",
  tokenOut: "",
  gasToken: "",
  amountIn: "100",
  slippage: "",
  isLimit: false,
  price: "",
  unit: "inPerOut" as PriceUnit,
  expiration: WEEK_SECONDS,
  isPartial: true
}

/** Form labels for the service's error messages. */
export const swapLabels: Readonly<Record<string, string>> = {
  amountIn: "Amount",
  tokenIn: "From",
  tokenOut: "To",
  chainIdIn: "From chain",
  chainIdOut: "To chain",
  payGasFeeToken: "Gas is paid in",
  slippage: "Slippage",
  minAmountOut: "Price",
  expiration: "Expires"
}

/** Renders the form of a swap on one chain or between two chains, at the market price or as a limit order. */
export const SwapForm = ({ balanceOf, catalog, isBusy, onAsk, onChange, wallet }: SwapFormProps) => {
  const [fields, setFields] = useState(initialFields)
  const change = (changes: Partial<typeof initialFields>) => {
    setFields((before) => ({ ...before, ...changes }))
    onChange()
  }
  const chainIn = fields.chainIn || firstChainOf(catalog.chains)
  const chainOut = fields.chainOut || chainIn
  const [tokensIn, tokensOut] = [catalog.tokensOf(chainIn), catalog.tokensOf(chainOut)]
  const tokenIn = listedTokenOr(tokensIn, fields.tokenIn, "USDC")
  const tokenOut = listedTokenOr(tokensOut, fields.tokenOut, "WETH")
  const gasToken = listedTokenOr(tokensIn, fields.gasToken, "USDC")
  const balance = balanceOf(chainIn, tokenIn)
  // Limit orders need the same chain for input and output, because an order book serves only one chain.
  const isLimit = fields.isLimit && chainIn === chainOut
  const decimalsOut = tokensOut.find(({ address }) => address === tokenOut)?.decimals ?? 18
  const minAmountOutOf = (amountIn: string) => minAmountOutFor(amountIn, fields.price, fields.unit, decimalsOut)
  const minAmountOut = minAmountOutOf(fields.amountIn)
  const gasFeePaymentMethod = gasPaymentOf(fields.amountIn, balance, isSameAddress(tokenIn, gasToken))
  const requestQuote = () =>
    onAsk(
      {
        walletAddress: wallet,
        toAddress: wallet,
        chainIdIn: chainIn as SwapRequest["chainIdIn"],
        chainIdOut: chainOut as SwapRequest["chainIdOut"],
        tokenIn,
        tokenOut,
        amountIn: fields.amountIn,
        payGasFeeToken: gasToken,
        gasFeePaymentMethod,
        ...(isLimit
          ? { minAmountOut: minAmountOut ?? "0", expiration: fields.expiration, partialFillable: fields.isPartial }
          : fields.slippage === ""
            ? {}
            : { slippage: Number(fields.slippage) })
      },
      minAmountOutOf
    )
  return (
    <form
      class="card stack"
      onSubmit={(event) => {
        event.preventDefault()
        requestQuote()
      }}
    >
      <div class="pair">
        <ChainChoice
          label="From chain"
          name="chainIn"
          chains={catalog.chains}
          chosen={chainIn}
          onChoose={(id) => change({ chainIn: id, chainOut: chainOut === chainIn ? id : chainOut })}
        />
        <ChainChoice
          label="To chain"
          name="chainOut"
          chains={catalog.chains}
          chosen={chainOut}
          onChoose={(chainOut) => change({ chainIn, chainOut })}
        />
      </div>
      <div class="pair">
        <AmountField
          name="amountIn"
          amount={fields.amountIn}
          onAmount={(amountIn) => change({ amountIn })}
          balance={balance}
          symbol={catalog.symbolOf(chainIn, tokenIn)}
        />
        <TokenChoice
          label="From"
          name="tokenIn"
          tokens={tokensIn}
          chosen={tokenIn}
          onChoose={(tokenIn) => change({ tokenIn })}
        />
      </div>
      <TokenChoice
        label="To"
        name="tokenOut"
        tokens={tokensOut}
        chosen={tokenOut}
        onChoose={(tokenOut) => change({ tokenOut })}
      />
      {chainIn === chainOut && (
        <label class="check">
          <input
            type="checkbox"
            name="isLimit"
            checked={isLimit}
            onInput={({ currentTarget }) => change({ isLimit: currentTarget.checked })}
          />
          Limit order: swap at my price or better, when the market reaches it
        </label>
      )}
      {isLimit && (
        <LimitFields
          fields={fields}
          minAmountOut={minAmountOut}
          symbolIn={catalog.symbolOf(chainIn, tokenIn)}
          symbolOut={catalog.symbolOf(chainOut, tokenOut)}
          onChange={change}
        />
      )}
      <div class="pair">
        <TokenChoice
          label="Gas is paid in"
          name="gasToken"
          tokens={tokensIn}
          chosen={gasToken}
          onChoose={(gasToken) => change({ gasToken })}
        />
        {!isLimit && (
          <label>
            Slippage, %
            <input
              name="slippage"
              inputmode="decimal"
              autocomplete="off"
              placeholder="0.5"
              value={fields.slippage}
              onInput={({ currentTarget }) => change({ slippage: currentTarget.value.trim() })}
            />
          </label>
        )}
      </div>
      {gasFeePaymentMethod === "DEDUCT_FROM_AMOUNT" && <DeductedGas />}
      <button type="submit" disabled={isBusy || tokensIn.length === 0 || (isLimit && minAmountOut === null)}>
        {isBusy ? "Requesting…" : "Get a quote"}
      </button>
    </form>
  )
}
