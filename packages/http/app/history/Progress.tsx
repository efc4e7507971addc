import { useEffect } from "preact/hooks"
import type { Client } from "../../src/client/index.ts"
import { Failure } from "../Failure.tsx"
import { linkTo } from "../route.ts"
import { Operation } from "./Operation.tsx"
import { isOver } from "./stages.ts"
import { useTransaction } from "./useTransaction.ts"

interface ProgressProps {
  readonly client: Client
  readonly id: string
  readonly wallet: string
  readonly onEnd?: () => void
}

/** Shows the progress of an accepted operation until it has ended. */
export const Progress = ({ client, id, onEnd, wallet }: ProgressProps) => {
  const { failure, transaction } = useTransaction(client, id)
  const hasEnded = transaction !== undefined && isOver(transaction)
  useEffect(() => {
    if (hasEnded) onEnd?.()
  }, [hasEnded])
  return (
    <div class="card">
      <h2>Execution</h2>
      <Failure of={failure} />
      {transaction !== undefined && <Operation transaction={transaction} />}
      <p>
        <a href={linkTo(wallet, "history")}>See it in history</a>
      </p>
    </div>
  )
}
