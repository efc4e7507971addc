import type { LateOperation } from "../../src/client/index.ts"
import { Table } from "../Table.tsx"
import { ageOf } from "./age.ts"

/** Lists operations that have waited for longer than normal. */
export const LateOperations = ({ late }: { readonly late: ReadonlyArray<LateOperation> }) => (
  <Table
    title="Stuck operations"
    head={["Transaction", "Stage", "Late for", "Waits for", "What to do"]}
    empty="No operation is late."
    rows={late.map(({ lateSince, stage, transactionId, waitsFor, walletAddress, whatToDo }) => ({
      id: transactionId,
      cells: [
        <>
          <code>{transactionId}</code>
          <small class="muted">{walletAddress}</small>
        </>,
        stage,
        lateSince === null ? "–" : ageOf(lateSince),
        waitsFor,
        whatToDo
      ]
    }))}
  />
)
