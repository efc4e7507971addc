import type { Chain, Token } from "../../src/client/index.ts"
import { sameAddress, shortAmount } from "../words.ts"

interface ChainChoiceProps {
  readonly label: string
  readonly name: string
  readonly chains: ReadonlyArray<Chain>
  readonly chosen: number
  readonly onChoose: (chainId: number) => void
}

export const ChainChoice = ({ chains, chosen, label, name, onChoose }: ChainChoiceProps) => (
  <label>
    {label}
    <select name={name} value={chosen} onChange={({ currentTarget }) => onChoose(Number(currentTarget.value))}>
      {chains.map(({ id, name }) => (
        <option key={id} value={id} selected={id === chosen}>
          {name}
        </option>
      ))}
    </select>
  </label>
)

interface TokenChoiceProps {
  readonly label: string
  readonly name: string
  readonly tokens: ReadonlyArray<Token>
  readonly chosen: string
  readonly onChoose: (address: string) => void
}

export const TokenChoice = ({ chosen, label, name, onChoose, tokens }: TokenChoiceProps) => (
  <label>
    {label}
    <select name={name} value={chosen} required onChange={({ currentTarget }) => onChoose(currentTarget.value)}>
      {tokens.map(({ address, symbol }) => (
        <option key={address} value={address} selected={address === chosen}>
          {symbol}
        </option>
      ))}
    </select>
  </label>
)

interface AmountFieldProps {
  readonly name: string
  readonly amount: string
  readonly onAmount: (amount: string) => void
  /** In whole tokens; null where it is not known. */
  readonly balance: string | null
  readonly symbol: string
}

/** An amount in whole tokens, with the balance of the wallet below it. MAX enters the whole balance. */
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

/** The token with the symbol, or the first one. */
export const tokenBySymbol = (tokens: ReadonlyArray<Token>, symbol: string): string =>
  (tokens.find((token) => token.symbol === symbol) ?? tokens[0])?.address ?? ""

/** The chosen token if the chain has it, or the one with the symbol. */
export const listedOr = (tokens: ReadonlyArray<Token>, chosen: string, symbol: string): string =>
  tokens.find(({ address }) => sameAddress(address, chosen))?.address ?? tokenBySymbol(tokens, symbol)

export const ETHEREUM = 1

/** Ethereum, or the first chain if the service does not have it. */
export const firstChainOf = (chains: ReadonlyArray<Chain>): number =>
  (chains.find(({ id }) => id === ETHEREUM) ?? chains[0])?.id ?? ETHEREUM

/**
 * How gas is paid: out of the amount if it is the whole balance of the token that pays for gas, since nothing else is left to
 * pay with.
 */
export const gasPaymentOf = (amount: string, balance: string | null, paysGas: boolean) =>
  paysGas && amount === balance ? "DEDUCT_FROM_AMOUNT" : "ADD_TO_AMOUNT"

export const DeductedGas = () => (
  <p class="muted">
    The most that gas can cost is deducted from the amount. What gas does not use stays in the wallet.
  </p>
)
