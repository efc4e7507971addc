import { bitcoinActivityStoreContract } from "@countersign/core/contracts/bitcoin-activity/BitcoinActivityStore"
import { activityStoreContract } from "@countersign/core/contracts/chain-activity/ActivityStore"
import { executionStoreContract } from "@countersign/core/contracts/executions/ExecutionStore"
import { reservationsContract } from "@countersign/core/contracts/executions/reservation/reservations"
import { fiatOrderStoreContract } from "@countersign/core/contracts/fiat/orders/FiatOrderStore"
import { providerCustomersContract } from "@countersign/core/contracts/fiat/provider/ProviderCustomers"
import { providerRegistrationStoreContract } from "@countersign/core/contracts/fiat/registrations/ProviderRegistrationStore"
import { historyStoreContract } from "@countersign/core/contracts/history/HistoryStore"
import { transferClaimsContract } from "@countersign/core/contracts/history/TransferClaims"
import { idempotencyStoreContract } from "@countersign/core/contracts/idempotency/IdempotencyStore"
import { personalAccessesContract } from "@countersign/core/contracts/identity/personal/PersonalAccesses"
import { verificationSessionStoreContract } from "@countersign/core/contracts/identity/sessions/VerificationSessionStore"
import { verifiedIndividualsContract } from "@countersign/core/contracts/identity/VerifiedIndividuals"
import { loanStoreContract } from "@countersign/core/contracts/lending/liquidations/LoanStore"
import { lossStoreContract } from "@countersign/core/contracts/losses/LossStore"
import { pastPriceStoreContract } from "@countersign/core/contracts/market-data/PastPriceStore"
import { computeUnitMeterContract } from "@countersign/core/contracts/metering/ComputeUnitMeter"
import { computeUnitStoreContract } from "@countersign/core/contracts/metering/ComputeUnitStore"
import { rateLimitStoreContract } from "@countersign/core/contracts/metering/RateLimitStore"
import { operatorTransactionStoreContract } from "@countersign/core/contracts/operator/OperatorTransactionStore"
import { poolIndexStoreContract } from "@countersign/core/contracts/pools/PoolIndexStore"
import { unitOfWorkContract } from "@countersign/core/contracts/primitives/UnitOfWork"
import { aProject, projectStoreContract } from "@countersign/core/contracts/projects/ProjectStore"
import { quoteStoreContract } from "@countersign/core/contracts/quotes/QuoteStore"
import { retentionStoreContract } from "@countersign/core/contracts/retention/RetentionStore"
import { bridgeFillStoreContract } from "@countersign/core/contracts/swap/provider/BridgeFillStore"
import { taxRunStoreContract } from "@countersign/core/contracts/tax/TaxRunStore"
import { taxScheduleStoreContract } from "@countersign/core/contracts/tax/TaxScheduleStore"
import { walletStoreContract } from "@countersign/core/contracts/wallets/WalletStore"
import { webhookDeliveryQueueContract } from "@countersign/core/contracts/webhooks/delivering/WebhookDeliveryQueue"
import { eventLogContract } from "@countersign/core/contracts/webhooks/EventLog"
import { eventOutboxContract } from "@countersign/core/contracts/webhooks/EventOutbox"
import { webhookBacklogReaderContract } from "@countersign/core/contracts/webhooks/WebhookBacklogReader"
import { webhookDeliveryStoreContract } from "@countersign/core/contracts/webhooks/WebhookDeliveryStore"
import { webhookEndpointStoreContract } from "@countersign/core/contracts/webhooks/WebhookEndpointStore"
import { ProjectId, ProjectStore } from "@countersign/core/projects"
import { Effect, type Layer, Option } from "effect"
import type { Database } from "../../src/kysely/index.ts"

const projectOf = (mark: number) =>
  aProject({ id: ProjectId.make(`00000000-0000-4000-9000-${mark.toString(16).padStart(12, "0")}`) })

/** The contracts of every store. */
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
  operatorTransactionStoreContract(name, database)
  loanStoreContract(name, database)
  lossStoreContract(name, database)
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
