import { useState } from "preact/hooks"
import type { ApiKey, Client, CreateApiKeyRequest } from "../../src/client/index.ts"
import { Failure } from "../Failure.tsx"
import { keyId } from "../session.ts"
import { Table } from "../Table.tsx"
import { useLoad } from "../useLoad.ts"
import { formatDateTime } from "../words.ts"
import { Confirmation } from "./Confirmation.tsx"
import type { ViewProps } from "./ViewProps.ts"

type Scope = CreateApiKeyRequest["scopes"][number]

const scopes = ["read", "quote", "execute", "fiat", "kyc", "admin"] as const satisfies ReadonlyArray<Scope>
const SECONDS_OF_DAY = 86_400

const stateOf = ({ expiresAt, revokedAt }: ApiKey): string => {
  if (revokedAt !== null) return `Revoked ${formatDateTime(revokedAt)}`
  return expiresAt === null ? "No expiry" : `Valid until ${formatDateTime(expiresAt)}`
}

interface CreateFormProps {
  readonly client: Client
  readonly onCreated: (text: string | null) => void
}

const CreateForm = ({ client, onCreated }: CreateFormProps) => {
  const [failure, setFailure] = useState<unknown>()
  const [isBusy, setBusy] = useState(false)
  const submit = async (event: SubmitEvent & { readonly currentTarget: HTMLFormElement }) => {
    event.preventDefault()
    const form = event.currentTarget
    const data = new FormData(form)
    const checkedScopes = data.getAll("scope") as Array<Scope>
    const days = String(data.get("days"))
    setFailure(checkedScopes.length === 0 ? new Error("Choose at least one scope.") : undefined)
    if (checkedScopes.length === 0) return
    setBusy(true)
    const expiry = days === "" ? {} : { expiresInSeconds: Math.round(Number(days) * SECONDS_OF_DAY) }
    await client.admin
      .createKey({ name: String(data.get("name")), scopes: checkedScopes, ...expiry })
      .then(({ apiKey }) => {
        form.reset()
        onCreated(apiKey)
      }, setFailure)
    setBusy(false)
  }
  return (
    <form class="card stack" onSubmit={submit}>
      <h2>Create a key</h2>
      <div class="filters">
        <label>
          Name
          <input name="name" required maxLength={100} autocomplete="off" />
        </label>
        <label>
          Days until it expires
          <input name="days" type="number" min="1" max="3650" placeholder="Same as this key" />
        </label>
      </div>
      <fieldset class="scopes">
        <legend>Scopes</legend>
        {scopes.map((scope) => (
          <label key={scope} class="check">
            <input name="scope" type="checkbox" value={scope} />
            {scope}
          </label>
        ))}
      </fieldset>
      <Failure of={failure} />
      <div class="buttons">
        <button type="submit" disabled={isBusy}>
          Create
        </button>
      </div>
    </form>
  )
}

/** Lists the API keys of the project. */
export const KeysView = ({ client }: ViewProps) => {
  const [changeCount, setChangeCount] = useState(0)
  const [newKeyText, setNewKeyText] = useState<string | null>(null)
  const [keyToRevoke, setKeyToRevoke] = useState<ApiKey | null>(null)
  const { failure, value } = useLoad(`keys ${changeCount}`, (signal) => client.admin.keys({ signal }))
  const noteChange = () => setChangeCount((count) => count + 1)
  const onCreated = (text: string | null) => {
    setNewKeyText(text)
    noteChange()
  }
  return (
    <div class="stack" aria-busy={value === undefined && failure === undefined}>
      <Failure of={failure} />
      {newKeyText !== null && (
        <section class="card" role="status">
          <h2>The new key</h2>
          <p>
            <code>{newKeyText}</code>
          </p>
          <p class="muted">The key is shown only once. Store it before you leave this page.</p>
        </section>
      )}
      {value !== undefined && (
        <Table
          title="Keys"
          head={["Key", "Scopes", "Last use", "State", "Action"]}
          empty="The project has no key."
          rows={value.map((key) => ({
            id: key.id,
            cells: [
              <>
                {key.name}
                <small class="muted">
                  {key.id}
                  {key.id === keyId.value && ", this key"}
                </small>
              </>,
              key.scopes.join(", "),
              formatDateTime(key.lastUsedAt),
              stateOf(key),
              key.revokedAt === null ? (
                <button key="revoke" type="button" class="plain" onClick={() => setKeyToRevoke(key)}>
                  Revoke
                </button>
              ) : (
                "–"
              )
            ]
          }))}
        />
      )}
      <CreateForm client={client} onCreated={onCreated} />
      {keyToRevoke !== null && (
        <Confirmation
          title={`Revoke the key "${keyToRevoke.name}"`}
          action="Revoke permanently"
          onConfirm={async () => {
            await client.admin.revokeKey(keyToRevoke.id)
            noteChange()
          }}
          onClose={() => setKeyToRevoke(null)}
        >
          Requests with this key fail from now on. This can't be undone.
          {keyToRevoke.id === keyId.value && " This page uses this key: it stops working."}
        </Confirmation>
      )}
    </div>
  )
}
