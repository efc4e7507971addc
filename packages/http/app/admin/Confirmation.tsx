import type { ComponentChildren } from "preact"
import { useEffect, useRef, useState } from "preact/hooks"
import { Failure } from "../Failure.tsx"

interface ConfirmationProps {
  readonly title: string
  /** Text that states the consequences of the action, and whether it is irreversible. */
  readonly children: ComponentChildren
  readonly action: string
  /** Whether the reviewer must enter a reason. */
  readonly asksForReason?: boolean
  readonly onConfirm: (reason: string) => Promise<unknown>
  readonly onClose: () => void
}

/** Asks for confirmation in a dialog. The browser keeps the focus inside the dialog, and Escape closes the dialog. */
export const Confirmation = (props: ConfirmationProps) => {
  const { action, asksForReason = false, children, onClose, onConfirm, title } = props
  const dialog = useRef<HTMLDialogElement>(null)
  const [failure, setFailure] = useState<unknown>()
  const [isBusy, setBusy] = useState(false)
  useEffect(() => dialog.current?.showModal(), [])
  const confirm = async (event: SubmitEvent & { readonly currentTarget: HTMLFormElement }) => {
    event.preventDefault()
    setBusy(true)
    setFailure(undefined)
    const reason = String(new FormData(event.currentTarget).get("reason") ?? "")
    await onConfirm(reason).then(() => dialog.current?.close(), setFailure)
    setBusy(false)
  }
  return (
    <dialog ref={dialog} onClose={onClose} aria-labelledby="confirmation">
      <form class="stack" onSubmit={confirm}>
        <h2 id="confirmation">{title}</h2>
        <p>{children}</p>
        {asksForReason && (
          <label>
            Reason, which the client sees
            <textarea name="reason" required maxLength={500} rows={3} />
          </label>
        )}
        <Failure of={failure} />
        <div class="buttons">
          <button type="submit" disabled={isBusy}>
            {action}
          </button>
          <button type="button" class="plain" onClick={() => dialog.current?.close()}>
            Cancel
          </button>
        </div>
      </form>
    </dialog>
  )
}
