import { useState } from "preact/hooks"
import type { IdentitySession } from "../../src/client/index.ts"
import { Failure } from "../Failure.tsx"
import { Table } from "../Table.tsx"
import { useLoad } from "../useLoad.ts"
import { formatDateTime, title } from "../words.ts"
import { Review } from "./Review.tsx"
import { linkTo } from "./route.ts"
import type { ViewProps } from "./ViewProps.ts"

const statuses = ["IN_REVIEW", "VERIFYING", "PENDING", "COMPLETED", "FAILED", "EXPIRED"] as const
type Status = IdentitySession["status"]

const List = ({ client }: Pick<ViewProps, "client">) => {
  const [status, setStatus] = useState<Status>("IN_REVIEW")
  const { failure, value } = useLoad(status, (signal) => client.admin.sessions({ status, take: 200 }, { signal }))
  return (
    <div class="stack" aria-busy={value === undefined && failure === undefined}>
      <label class="short">
        Status
        <select name="status" value={status} onChange={({ currentTarget }) => setStatus(currentTarget.value as Status)}>
          {statuses.map((each) => (
            <option key={each} value={each}>
              {title(each)}
            </option>
          ))}
        </select>
      </label>
      <Failure of={failure} />
      {value !== undefined && (
        <Table
          title="Verification sessions"
          head={["Session", "Kind", "Country", "Updated", "Reason"]}
          empty="There are no sessions with this status."
          rows={value.map(({ country, kind, reason, sessionId, updatedAt }) => ({
            id: sessionId,
            cells: [
              <a key="session" href={linkTo("reviews", sessionId)}>
                {sessionId}
              </a>,
              title(kind),
              title(country),
              formatDateTime(updatedAt),
              reason ?? "–"
            ]
          }))}
        />
      )}
    </div>
  )
}

/** Lists the verification sessions, or shows one session for review. */
export const ReviewsView = ({ client, id }: ViewProps) =>
  id === null ? <List client={client} /> : <Review client={client} sessionId={id} />
