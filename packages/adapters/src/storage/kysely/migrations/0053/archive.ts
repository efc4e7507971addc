import { type ColumnTypes, type Dialect, statementsOf } from "../Migration.ts"

/** Tables of ended executions with their quotes, which are moved out of the tables that requests use. */
export const archive = {
  tables: {
    /** On Postgres, partitioned by the month of `ended_at`. */
    archived_executions: {
      project_id: "text not null",
      id: "text not null",
      quote_id: "text not null",
      ended_at: "integer not null",
      /** The complete execution. */
      execution: "text not null",
      /** The complete quote. */
      quote: "text not null",
      "primary key": "(project_id, id, ended_at)"
    },
    /**
     * Index of archived executions, by the id of the quote and by the hashes of its operations. It keeps the entries of
     * a detached month.
     */
    archived_keys: {
      project_id: "text not null",
      lookup_key: "text not null",
      execution_id: "text not null",
      ended_at: "integer not null",
      "primary key": "(project_id, lookup_key)"
    }
  },
  indices: [
    // For on-chain transactions, which contain operations but not their projects.
    "create index archived_keys_any on archived_keys (lookup_key)",
    "create index executions_ended on executions (ended_at, id) where ended_at is not null"
  ]
} as const

export const archiveTables = (types: ColumnTypes, dialect: Dialect): ReadonlyArray<string> => {
  const statements = statementsOf(archive, types)
  return dialect === "sqlite"
    ? [...statements, "create index archived_executions_ended on archived_executions (ended_at)"]
    : statements.map((statement) =>
        statement.startsWith("create table archived_executions ")
          ? `${statement} partition by range (ended_at)`
          : statement
      )
}
