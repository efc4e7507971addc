import { historyStoreContract } from "@countersign/core/contracts/accounting/history/HistoryStore"
import { transferClaimsContract } from "@countersign/core/contracts/accounting/history/TransferClaims"
import { pastPriceStoreContract } from "@countersign/core/contracts/accounting/market-data/PastPriceStore"
import { taxRunStoreContract } from "@countersign/core/contracts/accounting/tax/TaxRunStore"
import { taxScheduleStoreContract } from "@countersign/core/contracts/accounting/tax/TaxScheduleStore"
import { bitcoinActivityStoreContract } from "@countersign/core/contracts/bitcoin/activity/BitcoinActivityStore"
import { fiatOrderStoreContract } from "@countersign/core/contracts/fiat/orders/FiatOrderStore"
import { providerCustomersContract } from "@countersign/core/contracts/fiat/provider/ProviderCustomers"
import { providerRegistrationStoreContract } from "@countersign/core/contracts/fiat/registrations/ProviderRegistrationStore"
import { unitOfWorkContract } from "@countersign/core/contracts/foundation/primitives/UnitOfWork"
import { personalAccessesContract } from "@countersign/core/contracts/identity/personal/PersonalAccesses"
import { verificationSessionStoreContract } from "@countersign/core/contracts/identity/sessions/VerificationSessionStore"
import { verifiedIndividualsContract } from "@countersign/core/contracts/identity/VerifiedIndividuals"
import { executionStoreContract } from "@countersign/core/contracts/operations/executions/ExecutionStore"
import { reservationsContract } from "@countersign/core/contracts/operations/executions/reservation/reservations"
import { operatorTransactionStoreContract } from "@countersign/core/contracts/operations/operator/OperatorTransactionStore"
import { quoteStoreContract } from "@countersign/core/contracts/operations/quotes/QuoteStore"
import { unpaidGasStoreContract } from "@countersign/core/contracts/operations/unpaid-gas/UnpaidGasStore"
import { idempotencyStoreContract } from "@countersign/core/contracts/tenancy/idempotency/IdempotencyStore"
import { computeUnitMeterContract } from "@countersign/core/contracts/tenancy/metering/ComputeUnitMeter"
import { computeUnitStoreContract } from "@countersign/core/contracts/tenancy/metering/ComputeUnitStore"
import { rateLimitStoreContract } from "@countersign/core/contracts/tenancy/metering/RateLimitStore"
import { aProject, projectStoreContract } from "@countersign/core/contracts/tenancy/projects/ProjectStore"
import { archiveContract } from "@countersign/core/contracts/tenancy/retention/archive"
import { retentionStoreContract } from "@countersign/core/contracts/tenancy/retention/RetentionStore"
import { webhookDeliveryQueueContract } from "@countersign/core/contracts/tenancy/webhooks/delivering/WebhookDeliveryQueue"
import { eventLogContract } from "@countersign/core/contracts/tenancy/webhooks/EventLog"
import { eventOutboxContract } from "@countersign/core/contracts/tenancy/webhooks/EventOutbox"
import { webhookBacklogReaderContract } from "@countersign/core/contracts/tenancy/webhooks/WebhookBacklogReader"
import { webhookDeliveryStoreContract } from "@countersign/core/contracts/tenancy/webhooks/WebhookDeliveryStore"
import { webhookEndpointStoreContract } from "@countersign/core/contracts/tenancy/webhooks/WebhookEndpointStore"
import { loanStoreContract } from "@countersign/core/contracts/trading/lending/liquidations/LoanStore"
import { poolIndexStoreContract } from "@countersign/core/contracts/trading/pools/PoolIndexStore"
import { bridgeFillStoreContract } from "@countersign/core/contracts/trading/swap/provider/BridgeFillStore"
import { activityStoreContract } from "@countersign/core/contracts/wallets/chain-activity/ActivityStore"
import { walletStoreContract } from "@countersign/core/contracts/wallets/registry/WalletStore"
import { ProjectId, ProjectStore } from "@countersign/core/tenancy/projects"
import { Effect, type Layer, Option } from "effect"
import type { Database } from "../../src/storage/kysely/index.ts"

const projectOf = (mark: number) =>
  aProject({ id: ProjectId.make(`00000000-0000-4000-9000-${mark.toString(16).padStart(12, "0")}`) })

/** Runs the contract tests of every store. */
export const storesSuite = <E>(name: string, database: Layer.Layer<Database, E>): void => {
  projectStoreContract(name, database)
  walletStoreContract(name, database)
  quoteStoreContract(name, database)
  executionStoreContract(name, database)
  reservationsContract(name, database)
  historyStoreContract(name, database)
  rateLimitStoreContract(name, database)
  bridgeFillStoreContract(name, database)
  transferClaimsContract(name, database)
  idempotencyStoreContract(name, database)
  computeUnitStoreContract(name, database)
  computeUnitMeterContract(name, database)
  eventLogContract(name, database)
  eventOutboxContract(name, database)
  webhookEndpointStoreContract(name, database)
  webhookDeliveryStoreContract(name, database)
  webhookDeliveryQueueContract(name, database)
  webhookBacklogReaderContract(name, database)
  retentionStoreContract(name, database)
  archiveContract(name, database)
  operatorTransactionStoreContract(name, database)
  loanStoreContract(name, database)
  unpaidGasStoreContract(name, database)
  poolIndexStoreContract(name, database)
  pastPriceStoreContract(name, database)
  verificationSessionStoreContract(name, database)
  personalAccessesContract(name, database)
  verifiedIndividualsContract(name, database)
  fiatOrderStoreContract(name, database)
  providerCustomersContract(name, database)
  providerRegistrationStoreContract(name, database)
  taxScheduleStoreContract(name, database)
  taxRunStoreContract(name, database)
  activityStoreContract(name, database)
  bitcoinActivityStoreContract(name, database)
  unitOfWorkContract(name, database, {
    write: (mark) => ProjectStore.use((store) => store.insert(projectOf(mark))),
    isWritten: (mark) => ProjectStore.use((store) => Effect.map(store.find(projectOf(mark).id), Option.isSome))
  })
}
