import type { ComponentChildren } from "preact"
import type { Client, HistoryListQuery } from "../../src/client/index.ts"
import { useLoad } from "../useLoad.ts"
import { title } from "../words.ts"
import { statuses, types } from "./statuses.ts"

/** Converts a day in the local time zone to the date-time of its start or end. */
const startOf = (day: string): string => new Date(`${day}T00:00:00`).toISOString()
const endOf = (day: string): string => new Date(`${day}T23:59:59.999`).toISOString()

/** Reads the filter from the form. Omits empty fields. The service validates the others. */
const filterOf = (form: HTMLFormElement): HistoryListQuery => {
  const data = new FormData(form)
  const readField = <A,>(name: string, read: (text: string) => A): A | undefined => {
    const text = String(data.get(name)).trim()
    return text === "" ? undefined : read(text)
  }
  const fields = {
    type: readField("type", (type) => [type]),
    status: readField("status", (status) => [status]),
    chains: readField("chain", (chain) => [Number(chain)]),
    createdAtOldest: readField("from", startOf),
    createdAtLatest: readField("to", endOf),
    metadataKey: readField("metadataKey", String),
    metadataValue: readField("metadataValue", String),
    includeUnlisted: data.has("includeUnlisted") ? true : undefined
  }
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as HistoryListQuery
}

interface ChoiceProps {
  readonly label: string
  readonly name: string
  readonly any: string
  readonly children: ComponentChildren
}

const Choice = ({ any, children, label, name }: ChoiceProps) => (
  <label>
    {label}
    <select name={name}>
      <option value="">{any}</option>
      {children}
    </select>
  </label>
)

const option = (id: string) => (
  <option key={id} value={id}>
    {title(id)}
  </option>
)

interface FiltersProps {
  readonly client: Client
  readonly onChange: (filter: HistoryListQuery) => void
}

/** Renders the filter. Every change sends a request immediately; a text field sends one when the user leaves it. */
export const Filters = ({ client, onChange }: FiltersProps) => {
  const chains = useLoad("chains", (signal) => client.catalog.chains({ signal })).value ?? []
  return (
    <form
      class="card filters"
      aria-label="Filters"
      onChange={({ currentTarget }) => onChange(filterOf(currentTarget))}
      onReset={() => onChange({})}
      onSubmit={(event) => {
        event.preventDefault()
        onChange(filterOf(event.currentTarget))
      }}
    >
      <Choice label="Type" name="type" any="Any type">
        {types.map(option)}
      </Choice>
      <Choice label="Status" name="status" any="Any status">
        {statuses.map(option)}
      </Choice>
      <Choice label="Chain" name="chain" any="Any chain">
        {chains.map(({ id, name }) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </Choice>
      <label>
        From
        <input type="date" name="from" />
      </label>
      <label>
        To
        <input type="date" name="to" />
      </label>
      <label>
        Metadata key
        <input name="metadataKey" autocomplete="off" />
      </label>
      <label>
        Its value
        <input name="metadataValue" autocomplete="off" />
      </label>
      <div class="buttons">
        <label class="check">
          <input type="checkbox" name="includeUnlisted" /> Unlisted tokens too
        </label>
        <button type="submit">Apply</button>
        <button type="reset" class="plain">
          Clear
        </button>
      </div>
    </form>
  )
}
