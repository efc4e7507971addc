import { Context } from "effect"

/**
 * The name under which the engine may keep the statement's plan. Only texts that never vary have one, so that a
 * connection's store of plans stays small.
 */
export const StatementName = Context.Reference<string | undefined>("@countersign/adapters/kysely/StatementName", {
  defaultValue: () => undefined
})
