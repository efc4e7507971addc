import type { Client } from "../../src/client/index.ts"
import { Failure } from "../Failure.tsx"
import { linkTo } from "../route.ts"
import { Operation } from "./Operation.tsx"
import { useTransaction } from "./useTransaction.ts"

/** An accepted operation, until it is over. */
export const Followed = ({
  client,
  id,
  wallet
}: {
  readonly client: Client
  readonly id: string
  readonly wallet: string
}) => {
  const { failure, transaction } = useTransaction(client, id)
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
