import type { Migration } from "./Migration.ts"

/** A transaction of the operator's that reverted names operations, and not whose they are. */
export const operationsOfAnyProject: Migration = {
  name: "0013_operations_of_any_project",
  statements: () => ["create index quote_operations_hash on quote_operations (hash)"]
}
