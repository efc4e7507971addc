import type { Migration } from "./Migration.ts"

/** The block that an operation is in, until that is deep enough to stay. */
export const finality: Migration = {
  name: "0003_finality",
  statements: ({ text, integer }) => [
    `alter table user_operations add column included_block ${integer}`,
    `alter table user_operations add column included_hash ${text}`,
    // What an operator looks at is what is in no block.
    "drop index user_operations_unsettled",
    `create index user_operations_unsettled on user_operations (submitted_at, hash)
      where due_at is not null and included_block is null`
  ]
}
