/** Quotes with their operations, and the executions of accepted ones. */
export const executions = {
  tables: {
    quotes: {
      project_id: "text not null",
      id: "text not null",
      wallet_address: "text not null",
      kind: "text not null",
      /** The whole quote, immutable. */
      record: "text not null",
      created_at: "integer not null",
      expires_at: "integer not null",
      accepted_at: "integer",
      "primary key": "(project_id, id)"
    },
    /** The user operations of quotes. */
    quote_operations: {
      project_id: "text not null",
      hash: "text not null",
      quote_id: "text not null",
      "primary key": "(project_id, hash)",
      "foreign key (project_id, quote_id)": "references quotes (project_id, id) on delete cascade"
    },
    executions: {
      id: "text primary key",
      project_id: "text not null",
      quote_id: "text not null",
      /** The name of its current stage. */
      stage: "text not null",
      /** The whole execution. */
      record: "text not null",
      /** Incremented by each move. */
      version: "integer not null",
      accepted_at: "integer not null",
      /**
       * The wallet and the chain of its reservation, and the block with its operations, 2^53 - 1 while there is none.
       * Null without a reservation.
       */
      wallet_address: "text",
      chain_id: "integer",
      reserved_until: "integer",
      /** Millionths of a US dollar of gas that may stay unpaid, while it is in no block; null if none may. */
      unpaid_usd_e6: "integer",
      /** The owner whose first use of a gas token it is, while that is pending. */
      first_use_of: "text",
      /** Null once it has ended. */
      due_at: "integer",
      claimed_by: "text",
      claimed_until: "integer",
      ended_at: "integer",
      "foreign key (project_id, quote_id)": "references quotes (project_id, id)"
    }
  },
  indices: [
    "create index quotes_unsigned on quotes (expires_at, id) where accepted_at is null",
    "create index quote_operations_quote on quote_operations (project_id, quote_id)",
    // A reverted transaction of the operator contains operations, and not their projects.
    "create index quote_operations_hash on quote_operations (hash)",
    "create unique index executions_quote on executions (project_id, quote_id)",
    // Completed executions are in none of these indexes: their size depends on the pending work only.
    "create index executions_due on executions (due_at, id) where due_at is not null",
    "create index executions_oldest on executions (accepted_at, id, stage) where due_at is not null",
    "create index executions_stage on executions (stage, due_at) where due_at is not null",
    `create index executions_reserved on executions (wallet_address, chain_id, reserved_until)
    where reserved_until is not null`
  ]
} as const
