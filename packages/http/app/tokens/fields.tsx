import type { Chain, Token } from "../../src/client/index.ts"
import { isSameAddress, shortAmount } from "../words.ts"

interface ChoiceProps<A extends string | number> {
  readonly label: string
  readonly name: string
  /** Pairs of value and label. */
  readonly options: ReadonlyArray<readonly [A, string]>
  readonly chosen: A
  readonly onChoose: (value: A) => void
}

const Choice = <A extends string | number>({ chosen, label, name, onChoose, options }: ChoiceProps<A>) => (
  <label>
    {label}
    <select
      name={name}
      value={chosen}
      required
      onChange={({ currentTarget }) => onChoose(options[currentTarget.selectedIndex]![0])}
    >
      {options.map(([value, optionLabel]) => (
        <option key={value} value={value} selected={value === chosen}>
          {optionLabel}
        </option>
      ))}
    </select>
  </label>
)

type ListChoiceProps<Name extends string, Item, A extends string | number> = Omit<ChoiceProps<A>, "options"> & {
  readonly [Key in Name]: ReadonlyArray<Item>
}

export const ChainChoice = ({ chains, ...choice }: ListChoiceProps<"chains", Chain, number>) => (
  <Choice {...choice} options={chains.map(({ id, name }) => [id, name] as const)} />
)

export const TokenChoice = ({ tokens, ...choice }: ListChoiceProps<"tokens", Token, string>) => (
  <Choice {...choice} options={tokens.map(({ address, symbol }) => [address, symbol] as const)} />
)

interface AmountFieldProps {
  readonly name: string
  readonly amount: string
  readonly onAmount: (amount: string) => void
  /** Balance as a decimal amount; null if unknown. */
  readonly balance: string | null
  readonly symbol: string
}

/** Renders an amount field with the wallet's balance below it. MAX enters the complete balance. */
export const AmountField = ({ amount, balance, name, onAmount, symbol }: AmountFieldProps) => (
  <div class="amount">
    <label>
      Amount
      <input
        name={name}
        inputmode="decimal"
        autocomplete="off"
        required
        value={amount}
        onInput={({ currentTarget }) => onAmount(currentTarget.value.trim())}
      />
    </label>
    {balance !== null && (
      <small class="between muted">
        <span title={`${balance} ${symbol}`}>Balance {shortAmount(balance)}</span>
        <button
          type="button"
          class="link"
          aria-label={`MAX: use the whole balance of ${symbol}`}
          onClick={() => onAmount(balance)}
        >
          MAX
        </button>
      </small>
    )}
  </div>
)

export const tokenBySymbol = (tokens: ReadonlyArray<Token>, symbol: string): string =>
  (tokens.find((token) => token.symbol === symbol) ?? tokens[0])?.address ?? ""

/**
 * Returns the selected token if the chain lists it, otherwise the token with this symbol, otherwise the first token.
 */
export const listedTokenOr = (tokens: ReadonlyArray<Token>, selectedAddress: string, symbol: string): string =>
  tokens.find(({ address }) => isSameAddress(address, selectedAddress))?.address ?? tokenBySymbol(tokens, symbol)

export const ETHEREUM = 1

/** Returns Ethereum, or the first chain if the service does not serve Ethereum. */
export const firstChainOf = (chains: ReadonlyArray<Chain>): number =>
  (chains.find(({ id }) => id === ETHEREUM) ?? chains[0])?.id ?? ETHEREUM

/**
 * Returns the gas payment method. If the amount is the complete balance of the gas token, gas is deducted from the
 * amount, because no balance remains to pay the gas.
 */
export const gasPaymentOf = (amount: string, balance: string | null, paysGas: boolean) =>
  paysGas && amount === balance ? "DEDUCT_FROM_AMOUNT" : "ADD_TO_AMOUNT"

export const DeductedGas = () => (
  <p class="muted">The maximum gas fee is deducted from the amount. The unused part remains in the wallet.</p>
)
