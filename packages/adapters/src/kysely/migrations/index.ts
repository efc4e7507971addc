import { chains } from "./0001/chains.ts"
import { executions } from "./0001/executions.ts"
import { history } from "./0001/history.ts"
import { operator } from "./0001/operator.ts"
import { projects } from "./0001/projects.ts"
import { wallets } from "./0001/wallets.ts"
import { webhooks } from "./0001/webhooks.ts"
import type { Migration } from "./Migration.ts"

export { type ColumnTypes, columnTypes, type Migration } from "./Migration.ts"

/** In code and not read from a folder, so that they are there however the service is packed. */
export const migrations: ReadonlyArray<Migration> = [
  {
    name: "0001_first_version",
    statements: (types) =>
      [projects, wallets, executions, history, webhooks, operator, chains].flatMap((tables) => tables(types))
  }
]
