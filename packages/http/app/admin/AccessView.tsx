import { useState } from "preact/hooks"
import { Failure } from "../Failure.tsx"
import { Table } from "../Table.tsx"
import { useLoad } from "../useLoad.ts"
import { formatDateTime, title } from "../words.ts"
import type { ViewProps } from "./ViewProps.ts"

/** Shows the log of accesses to personal data. */
export const AccessView = ({ client }: ViewProps) => {
  const [identityId, setIdentityId] = useState("")
  const { failure, value } = useLoad(identityId, (signal) =>
    client.admin.accesses({ take: 200, ...(identityId === "" ? {} : { identityId }) }, { signal })
  )
  return (
    <div class="stack" aria-busy={value === undefined && failure === undefined}>
      <label class="short">
        Person or business
        <input
          type="search"
          name="identityId"
          placeholder="ind_… or biz_…"
          onChange={({ currentTarget }) => setIdentityId(currentTarget.value.trim())}
        />
      </label>
      <Failure of={failure} />
      {value !== undefined && (
        <Table
          title="Accesses to personal data"
          head={["Identity", "Access", "By", "Times", "Last"]}
          empty="No API key has read personal data."
          rows={value.map(({ action, day, identityId, lastAt, reader, times }) => ({
            id: `${identityId} ${action} ${reader} ${day}`,
            cells: [identityId, title(action), reader, times, formatDateTime(lastAt)]
          }))}
        />
      )}
    </div>
  )
}
