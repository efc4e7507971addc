import { Failure } from "../Failure.tsx"
import { Table } from "../Table.tsx"
import { useLoad } from "../useLoad.ts"
import { formatDateTime, title } from "../words.ts"
import { LateOperations } from "./Late.tsx"
import { Stages } from "./Stages.tsx"
import type { ViewProps } from "./ViewProps.ts"

/** Shows the project's pending, stuck and failed work. */
export const WorkView = ({ client }: ViewProps) => {
  const { failure, value } = useLoad("work", (signal) => client.admin.work({ signal }))
  return (
    <div class="stack" aria-busy={value === undefined && failure === undefined}>
      <Failure of={failure} />
      {value !== undefined && (
        <>
          <Stages title="Pending work" stages={value.stages} reviews={value.reviews} />
          <LateOperations late={value.late} />
          <Table
            title="Failed operations"
            head={["Transaction", "Type", "Reason", "What to do", "Failed"]}
            empty="No operation has failed."
            rows={value.failed.map(({ code, failedAt, reason, transactionId, type, walletAddress, whatToDo }) => ({
              id: transactionId,
              cells: [
                <>
                  <code>{transactionId}</code>
                  <small class="muted">{walletAddress}</small>
                </>,
                title(type),
                <>
                  <span class="badge bad">{code}</span> {reason}
                </>,
                whatToDo,
                formatDateTime(failedAt)
              ]
            }))}
          />
        </>
      )}
    </div>
  )
}
