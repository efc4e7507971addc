import { Effect, Layer } from "effect"
import { SqlClient, type SqlError } from "effect/sql"
import { type Db, type DbOptions, type Listen, layerDb } from "./Db.ts"
import type { HostPool } from "./hostPool.ts"
import * as KyselyActivityStore from "./KyselyActivityStore.ts"
import * as KyselyBitcoinActivityStore from "./KyselyBitcoinActivityStore.ts"
import * as KyselyBridgeFillStore from "./KyselyBridgeFillStore.ts"
import * as KyselyComputeUnitStore from "./KyselyComputeUnitStore.ts"
import * as KyselyDatabaseProbe from "./KyselyDatabaseProbe.ts"
import * as KyselyEventLog from "./KyselyEventLog.ts"
import * as KyselyEventOutbox from "./KyselyEventOutbox.ts"
import * as KyselyExecutionStore from "./KyselyExecutionStore.ts"
import * as KyselyFiatOrderStore from "./KyselyFiatOrderStore.ts"
import * as KyselyHistoryStore from "./KyselyHistoryStore.ts"
import * as KyselyIdempotencyStore from "./KyselyIdempotencyStore.ts"
import * as KyselyLoanStore from "./KyselyLoanStore.ts"
import * as KyselyOperatorTransactionStore from "./KyselyOperatorTransactionStore.ts"
import * as KyselyPastPriceStore from "./KyselyPastPriceStore.ts"
import * as KyselyPersonalAccesses from "./KyselyPersonalAccesses.ts"
import * as KyselyPoolIndexStore from "./KyselyPoolIndexStore.ts"
import * as KyselyProjectStore from "./KyselyProjectStore.ts"
import * as KyselyProviderCustomers from "./KyselyProviderCustomers.ts"
import * as KyselyProviderRegistrationStore from "./KyselyProviderRegistrationStore.ts"
import * as KyselyQuoteStore from "./KyselyQuoteStore.ts"
import * as KyselyRateLimitStore from "./KyselyRateLimitStore.ts"
import * as KyselyRetentionStore from "./KyselyRetentionStore.ts"
import * as KyselySubjectKeys from "./KyselySubjectKeys.ts"
import * as KyselyTaxRunStore from "./KyselyTaxRunStore.ts"
import * as KyselyTaxScheduleStore from "./KyselyTaxScheduleStore.ts"
import * as KyselyTransferClaims from "./KyselyTransferClaims.ts"
import * as KyselyUnitOfWork from "./KyselyUnitOfWork.ts"
import * as KyselyUnpaidGasStore from "./KyselyUnpaidGasStore.ts"
import * as KyselyVerificationSessionStore from "./KyselyVerificationSessionStore.ts"
import * as KyselyVerifiedIndividuals from "./KyselyVerifiedIndividuals.ts"
import * as KyselyWalletStore from "./KyselyWalletStore.ts"
import * as KyselyWebhookBacklogReader from "./KyselyWebhookBacklogReader.ts"
import * as KyselyWebhookDeliveryQueue from "./KyselyWebhookDeliveryQueue.ts"
import * as KyselyWebhookDeliveryStore from "./KyselyWebhookDeliveryStore.ts"
import * as KyselyWebhookEndpointStore from "./KyselyWebhookEndpointStore.ts"
import * as KyselyWorkClaims from "./KyselyWorkClaims.ts"
import * as KyselyWorkSignals from "./KyselyWorkSignals.ts"
import { type DatabaseIsNewer, migrate } from "./migrate.ts"
import type { PostgresOptions } from "./postgres.ts"
import { replicaState } from "./readReplica.ts"
import { layerSqliteClient } from "./sqlite.ts"

export {
  type ArchivedMonth,
  archivedMonths,
  detachMonth,
  exportMonth,
  MonthNotComplete,
  MonthNotInArchive
} from "./archiveMonths.ts"
export { Db } from "./Db.ts"
export { databaseFailure } from "./databaseFailure.ts"
export { documentKeys } from "./documentKeys.ts"
export { hasTables } from "./hasTables.ts"
export type { HostPool } from "./hostPool.ts"
export { type AppliedMigration, DatabaseIsNewer, type MigrationStatus, migrate, migrationStatus } from "./migrate.ts"
export type { PostgresOptions } from "./postgres.ts"
export {
  cancelMove,
  MoveRefused,
  type MoveRequest,
  type MoveStep,
  moveProject
} from "./projectMove/index.ts"
export type { ReplicaState } from "./readReplica.ts"
export { renewFingerprints } from "./renewFingerprints.ts"
export * as SealedVault from "./SealedVault.ts"
export { SubjectKeys } from "./SubjectKeys.ts"
export {
  resealSecrets,
  type SecretKey,
  SecretKeyMissing,
  SecretKeyNotSet,
  SecretKeys,
  secretKeyOf,
  secretKeysOrNull
} from "./secrets/index.ts"
export { snapshotSqlite } from "./snapshotSqlite.ts"
export { DatabaseDamaged, DatabaseInUse, isIntactSqlite, layerSoleProcess } from "./soleProcess.ts"
export { sealTaxEmails } from "./taxEmails.ts"

/** All stores, on a migrated database. */
export const layerStores = Layer.mergeAll(
  KyselyProjectStore.layer,
  KyselyWalletStore.layer,
  KyselyQuoteStore.layer,
  KyselyExecutionStore.layer,
  KyselyHistoryStore.layer,
  KyselyEventLog.layer,
  KyselyEventOutbox.layer,
  KyselyWebhookEndpointStore.layer,
  KyselyWebhookDeliveryStore.layer,
  KyselyWebhookDeliveryQueue.layer,
  KyselyWebhookBacklogReader.layer,
  KyselyComputeUnitStore.layer,
  KyselyRateLimitStore.layer,
  KyselyBridgeFillStore.layer,
  KyselyIdempotencyStore.layer,
  KyselyRetentionStore.layer,
  KyselyOperatorTransactionStore.layer,
  KyselyLoanStore.layer,
  KyselyUnpaidGasStore.layer,
  KyselyPersonalAccesses.layer,
  KyselyPoolIndexStore.layer,
  KyselyPastPriceStore.layer,
  KyselyTaxScheduleStore.layer,
  KyselyTaxRunStore.layer,
  KyselySubjectKeys.layer,
  KyselyVerificationSessionStore.layer,
  KyselyVerifiedIndividuals.layer,
  KyselyProviderCustomers.layer,
  KyselyProviderRegistrationStore.layer,
  KyselyFiatOrderStore.layer,
  KyselyActivityStore.layer,
  KyselyBitcoinActivityStore.layer,
  KyselyTransferClaims.layer,
  KyselyUnitOfWork.layer,
  KyselyWorkClaims.layer,
  KyselyWorkSignals.layer,
  KyselyDatabaseProbe.layer
)

export type Stores = Layer.Success<typeof layerStores>

/** The stores and their database client. Queries that use the client directly join the stores' transactions. */
export type Database = Stores | Db | SqlClient.SqlClient

/** The database without stores and without migrations, for an operator's commands. */
export const layerSqliteDb = (filename: string) =>
  layerDb("sqlite").pipe(Layer.provideMerge(layerSqliteClient(filename)))

// The Postgres driver is loaded only if it is used.
const layerPostgresClient = (options: PostgresOptions) =>
  Layer.unwrap(
    Effect.map(
      Effect.promise(() => import("./postgres.ts")),
      (postgres) => postgres.layerPostgresClient(options)
    )
  )

const layerHostPoolClient = (pool: HostPool) =>
  Layer.unwrap(
    Effect.map(
      Effect.promise(() => import("./hostPool.ts")),
      (hostPool) => hostPool.layerHostPoolClient(pool)
    )
  )

/** Returns null behind PgBouncer, where a notification would reach a server connection of another client. */
const listenOn = (options: PostgresOptions): Listen | null =>
  options.isPgBouncer === true
    ? null
    : (...listening) =>
        Effect.flatMap(
          Effect.promise(() => import("./postgres.ts")),
          (postgres) => postgres.listenOn(options)(...listening)
        )

const replicaOf = ({ readUrl, ...options }: PostgresOptions): DbOptions["replica"] =>
  readUrl == null
    ? null
    : Effect.flatMap(
        Effect.promise(() => import("./postgres.ts")),
        ({ replicaClient }) => replicaClient({ ...options, readUrl })
      )

/** Reads how far the read replica is behind; null if there is none. */
export const readReplicaState = (options: PostgresOptions) => {
  const replica = replicaOf(options)
  return replica === null
    ? Effect.succeed(null)
    : Effect.scoped(
        Effect.gen(function* () {
          return yield* replicaState(yield* SqlClient.SqlClient, yield* replica)
        })
      )
}

/** Like `layerSqliteDb`, for Postgres. */
export const layerPostgresDb = (options: PostgresOptions) =>
  layerDb("postgres", { listen: listenOn(options), replica: replicaOf(options) }).pipe(
    Layer.provideMerge(layerPostgresClient(options))
  )

/**
 * Creates a fresh layer. Effect shares one instance per layer, so otherwise a second database would use the stores of the
 * first.
 */
const migratedStores = <E>(database: Layer.Layer<Db | SqlClient.SqlClient, E>) =>
  Layer.fresh(layerStores).pipe(Layer.provideMerge(Layer.effectDiscard(migrate()).pipe(Layer.provideMerge(database))))

/** All stores on a SQLite file or on `:memory:`. Creates the file if there is none. Migrates first. */
export const layerSqlite = (filename: string): Layer.Layer<Database, SqlError.SqlError | DatabaseIsNewer> =>
  migratedStores(layerSqliteDb(filename))

/** All stores on Postgres. Migrates first. */
export const layerPostgres = (options: PostgresOptions): Layer.Layer<Database, SqlError.SqlError | DatabaseIsNewer> =>
  migratedStores(layerPostgresDb(options))

/** All stores on a Postgres pool that the host application owns and ends. Migrates first. */
export const layerHostPool = (pool: HostPool): Layer.Layer<Database, SqlError.SqlError | DatabaseIsNewer> =>
  migratedStores(layerDb("postgres").pipe(Layer.provideMerge(layerHostPoolClient(pool))))
