import type { TaxRuns } from "@countersign/core/accounting/tax"
import type { BitcoinWatch } from "@countersign/core/bitcoin/activity"
import type { FiatOrders, ProviderRegistrations } from "@countersign/core/fiat"
import type { WorkSignals } from "@countersign/core/foundation/work"
import type { VerificationChecks, Verifications } from "@countersign/core/identity"
import type { ExecutionWorker } from "@countersign/core/operations/executions"
import type { OperatorAccounts } from "@countersign/core/operations/operator"
import type { DataSubjects } from "@countersign/core/tenancy/data-subjects"
import type { Retention } from "@countersign/core/tenancy/retention"
import type { Liquidations, LoanUpkeep } from "@countersign/core/trading/lending"
import type { PoolIndexing } from "@countersign/core/trading/pools"
import type { ActivityWatch } from "@countersign/core/wallets/chain-activity"
import { Layer } from "effect"
import * as ChainWatcher from "./ChainWatcher.ts"
import * as ExecutionRunner from "./ExecutionRunner.ts"
import * as FiatUpkeep from "./FiatUpkeep.ts"
import * as LiquidationWatcher from "./LiquidationWatcher.ts"
import * as OperatorAccountKeeper from "./OperatorAccountKeeper.ts"
import * as OperatorAccountNews from "./OperatorAccountNews.ts"
import * as PoolIndexer from "./PoolIndexer.ts"
import * as RegistrationChecker from "./RegistrationChecker.ts"
import * as RetentionPruner from "./RetentionPruner.ts"
import * as TaxExporter from "./TaxExporter.ts"
import * as VerificationChecker from "./VerificationChecker.ts"
import * as VerificationExpiry from "./VerificationExpiry.ts"

type WorkerServices =
  | WorkSignals
  | ExecutionWorker
  | Retention
  | OperatorAccounts
  | Liquidations
  | LoanUpkeep
  | PoolIndexing
  | ActivityWatch
  | BitcoinWatch
  | TaxRuns
  | DataSubjects
  | VerificationChecks
  | Verifications
  | FiatOrders
  | ProviderRegistrations

/** The background workers of a process, except webhook delivery, which needs the API's serializers. */
export const layerWorkers = (worker: string): Layer.Layer<never, never, WorkerServices> =>
  Layer.mergeAll(
    ExecutionRunner.layer(worker),
    OperatorAccountKeeper.layer,
    OperatorAccountNews.layer,
    LiquidationWatcher.layer,
    RetentionPruner.layer,
    PoolIndexer.layer,
    ChainWatcher.layer,
    TaxExporter.layer(worker),
    VerificationChecker.layer,
    VerificationExpiry.layer,
    FiatUpkeep.layer,
    RegistrationChecker.layer
  )
