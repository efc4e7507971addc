/** Tables of quotes with their operations, and of the executions of accepted quotes. */
export const executions = {
  tables: {
    quotes: {
      project_id: "text not null",
      id: "text not null",
      wallet_address: "text not null",
      kind: "text not null",
      /** The complete quote, which is immutable. */
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
      /** Name of the current stage. */
      stage: "text not null",
      /** The complete execution. */
      record: "text not null",
      /** Incremented when the execution moves to another stage. */
      version: "integer not null",
      accepted_at: "integer not null",
      /**
       * The wallet and the chain of the reservation, and the block that contains the operations (2^53 - 1 while there
       * is none). Null if there is no reservation.
       */
      wallet_address: "text",
      chain_id: "integer",
      reserved_until: "integer",
      /** Gas that may stay unpaid until the execution is included, in millionths of a US dollar; null if none may. */
      unpaid_usd_e6: "integer",
      /** The owner, if this is the owner's first use of a gas token and it is pending. */
      first_use_of: "text",
      /** Null once the execution has ended. */
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
    // For reverted transactions of the operator, which contain operations but not their projects.
    "create index quote_operations_hash on quote_operations (hash)",
    "create unique index executions_quote on executions (project_id, quote_id)",
    // The first three indexes exclude ended executions, so their size depends only on the pending work. The fourth also
    // contains ended executions with an included operation, because balances at earlier blocks still contain the spent
    // amounts.
    "create index executions_due on executions (due_at, id) where due_at is not null",
    "create index executions_oldest on executions (accepted_at, id, stage) where due_at is not null",
    "create index executions_stage on executions (stage, due_at) where due_at is not null",
    `create index executions_reserved on executions (wallet_address, chain_id, reserved_until)
    where reserved_until is not null`
  ]
} as const
