import type { Transaction } from "../../src/client/index.ts"
import { formatDateTime, shortAmount, title } from "../words.ts"
import { statusStyles } from "./statuses.ts"

type Amount = Transaction["sentAmount"]

export const Status = ({ status }: Pick<Transaction, "status">) => (
  <span class={`badge ${statusStyles[status]}`}>{title(status)}</span>
)

/** Formats an amount, such as "1.5 WETH". Empty if there is no amount. */
const amountText = (sign: string, amount: Amount): string =>
  amount === null ? "" : `${sign}${shortAmount(amount.amount)} ${amount.token?.symbol ?? amount.currency ?? ""}`

interface TransactionRowProps {
  readonly transaction: Transaction
  readonly onOpen: () => void
}

/** Renders a row of the history. It opens the transaction's details. */
export const TransactionRow = ({ onOpen, transaction }: TransactionRowProps) => {
  const { chain, createdAt, receivedAmount, sentAmount, status, type } = transaction
  return (
    <li>
      <button type="button" class="row" onClick={onOpen} aria-haspopup="dialog">
        <span>
          <strong>{title(type)}</strong>
          <small class="muted">
            <span class="unbroken">{formatDateTime(createdAt)}</span>{" "}
            {chain !== null && <span class="unbroken">{chain.name}</span>}
          </small>
        </span>
        <span class="right">
          <span class="sent">{amountText("−", sentAmount)}</span>
          <span class="received">{amountText("+", receivedAmount)}</span>
        </span>
        <Status status={status} />
      </button>
    </li>
  )
}
