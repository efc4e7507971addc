import { useEffect, useRef } from "preact/hooks"
import type { Client, Transaction } from "../../src/client/index.ts"
import { Failure } from "../Failure.tsx"
import { title } from "../words.ts"
import { Operation } from "./Operation.tsx"
import { useTransaction } from "./useTransaction.ts"

interface OperationDialogProps {
  readonly client: Client
  readonly transaction: Transaction
  readonly onClose: () => void
}

/**
 * Shows the details of a transaction in a dialog. The browser keeps the focus inside the dialog, and Escape closes the
 * dialog.
 */
export const OperationDialog = ({ client, onClose, transaction: initialTransaction }: OperationDialogProps) => {
  const dialog = useRef<HTMLDialogElement>(null)
  const { failure, transaction = initialTransaction } = useTransaction(
    client,
    initialTransaction.id,
    initialTransaction
  )
  useEffect(() => dialog.current?.showModal(), [])
  return (
    <dialog ref={dialog} onClose={onClose} aria-labelledby="operation">
      <div class="between">
        <h2 id="operation">{title(transaction.type)}</h2>
        <button type="button" class="plain" onClick={() => dialog.current?.close()}>
          Close
        </button>
      </div>
      <Failure of={failure} />
      <Operation transaction={transaction} />
    </dialog>
  )
}
