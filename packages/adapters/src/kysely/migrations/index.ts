import { firstOperation } from "./0001_first_operation.ts"
import { webhooks } from "./0002_webhooks.ts"
import { finality } from "./0003_finality.ts"
import { metering } from "./0004_metering.ts"
import { backlog } from "./0005_backlog.ts"
import { retention } from "./0006_retention.ts"
import { answerScope } from "./0007_answer_scope.ts"
import { executions } from "./0008_executions.ts"
import { operatorTransactions } from "./0009_operator_transactions.ts"
import { answersWithoutSecrets } from "./0010_answers_without_secrets.ts"
import { losses } from "./0011_losses.ts"
import { reservations } from "./0012_reservations.ts"
import { operationsOfAnyProject } from "./0013_operations_of_any_project.ts"
import { projectNames } from "./0014_project_names.ts"
import { loans } from "./0015_loans.ts"
import { poolIndex } from "./0016_pool_index.ts"
import { closedLoans } from "./0017_closed_loans.ts"
import type { Migration } from "./Migration.ts"

export { type ColumnTypes, columnTypes, type Migration } from "./Migration.ts"

/** In code and not read from a folder, so that they are there however the service is packed. */
export const migrations: ReadonlyArray<Migration> = [
  firstOperation,
  webhooks,
  finality,
  metering,
  backlog,
  retention,
  answerScope,
  executions,
  operatorTransactions,
  answersWithoutSecrets,
  losses,
  reservations,
  operationsOfAnyProject,
  projectNames,
  loans,
  poolIndex,
  closedLoans
]
