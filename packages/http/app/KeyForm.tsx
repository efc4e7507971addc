import { useState } from "preact/hooks"
import { Failure } from "./Failure.tsx"
import { sandboxKey } from "./service.ts"
import { logIn } from "./session.ts"

interface KeyFormProps {
  readonly heading: string
  /** Text that explains the purpose of the page. */
  readonly about: string
  readonly action: string
}

/** Renders a form for the API key. */
export const KeyForm = ({ about, action, heading }: KeyFormProps) => {
  const [failure, setFailure] = useState<unknown>()
  const [isBusy, setBusy] = useState(false)
  const submit = async (event: SubmitEvent & { readonly currentTarget: HTMLFormElement }) => {
    event.preventDefault()
    const key = String(new FormData(event.currentTarget).get("apiKey")).trim()
    setBusy(true)
    setFailure(undefined)
    await logIn(key).catch(setFailure)
    setBusy(false)
  }
  return (
    <main class="narrow">
      <h1 tabIndex={-1}>{heading}</h1>
      <p class="muted">{about} The key stays in this tab and is sent to this service alone.</p>
      <form class="card stack" onSubmit={submit}>
        <label>
          API key
          <input
            name="apiKey"
            type="password"
            autocomplete="off"
            spellcheck={false}
            required
            defaultValue={sandboxKey ?? ""}
            placeholder="cs_live_…"
          />
        </label>
        {sandboxKey !== null && <p class="muted">This is a sandbox: its key is filled in.</p>}
        <button type="submit" disabled={isBusy}>
          {isBusy ? "Asking…" : action}
        </button>
        <Failure of={failure} />
      </form>
    </main>
  )
}
