import { chains } from "./0001/chains.ts"
import { executions } from "./0001/executions.ts"
import { history } from "./0001/history.ts"
import { operator } from "./0001/operator.ts"
import { projects } from "./0001/projects.ts"
import { wallets } from "./0001/wallets.ts"
import { webhooks } from "./0001/webhooks.ts"
import { movements, movementsOfRecords } from "./0002/movements.ts"
import { chainActivity, unlistedTransactions } from "./0003/chainActivity.ts"
import { historyPages, historyPagesOfRecords } from "./0003/history.ts"
import { type OwnershipColumn, ownership } from "./0003/ownership.ts"
import { pastPrices } from "./0003/pastPrices.ts"
import { taxExports } from "./0003/taxExports.ts"
import { type UsdSourceColumn, usdSource } from "./0003/usdSource.ts"
import { identity } from "./0004/identity.ts"
import { fiat } from "./0005/fiat.ts"
import { verification } from "./0006/verification.ts"
import { personalAccesses } from "./0007/personalAccesses.ts"
import { bitcoinActivity, bitcoinLooksOfWallets } from "./0008/bitcoinActivity.ts"
import { fiatLimitOverrides } from "./0010/fiatLimitOverrides.ts"
import { fiatUnknownOrders } from "./0010/fiatUnknownOrders.ts"
import { type CheckAtColumn, verificationChecks } from "./0013/verificationChecks.ts"
import { type BitcoinTreasuryColumn, bitcoinTreasury } from "./0014/bitcoinTreasury.ts"
import { type LevelColumn, verificationLevel } from "./0016/verificationLevel.ts"
import { partReviews } from "./0017/partReviews.ts"
import { bridgeFills } from "./0018/bridgeFills.ts"
import { providerCustomers } from "./0019/providerCustomers.ts"
import { newestTransactions } from "./0020/newestTransactions.ts"
import { transferClaims } from "./0021/transferClaims.ts"
import { type MovementOrderColumns, movementOrder, movementOrderBackfill } from "./0022/movementOrder.ts"
import { documentNumbers, type NumberFormColumn } from "./0030/documentNumbers.ts"
import { uniqueCustomers } from "./0030/uniqueCustomers.ts"
import { recordedTwice } from "./0031/recordedTwice.ts"
import { type TransferAmountColumn, transferShares } from "./0031/transferShares.ts"
import { providerRegistrations } from "./0032/providerRegistrations.ts"
import { keyPurges } from "./0033/keyPurges.ts"
import { type BitcoinKeyColumn, bitcoinKeys } from "./0034/bitcoinKeys.ts"
import { type PendingExecutionColumns, pendingExecutions } from "./0040/pendingExecutions.ts"
import { type VerificationClaimColumn, verificationClaims } from "./0041/verificationClaims.ts"
import { hotUpdates } from "./0042/hotUpdates.ts"
import { gasCosts, type ReviewerColumns, reviewers } from "./0050/console.ts"
import { projectKeys, type ReviewProjectColumn } from "./0051/projectKeys.ts"
import { projectMoves } from "./0052/projectMoves.ts"
import { type archive, archiveTables } from "./0053/archive.ts"
import { keyStatistics } from "./0054/keyStatistics.ts"
import { type Migration, type RowsOf, statementsOf } from "./Migration.ts"

export { columnTypes, type Dialect, type Migration, type PagedChange } from "./Migration.ts"

/** All migrations. They are in code and not in files, so that every way of packaging includes them. */
export const migrations: ReadonlyArray<Migration> = [
  {
    name: "0001_first_version",
    statements: (types) =>
      [projects, wallets, executions, history, webhooks, operator, chains].flatMap((each) => statementsOf(each, types))
  },
  {
    name: "0002_movements",
    statements: (types, dialect) => [...statementsOf(movements, types), movementsOfRecords[dialect]]
  },
  {
    name: "0003_wallet_data",
    statements: (types) => [
      unlistedTransactions(types),
      ...statementsOf(historyPages, types),
      ...historyPagesOfRecords,
      ...statementsOf(pastPrices, types),
      usdSource(types),
      ownership(types),
      ...statementsOf(taxExports, types),
      ...statementsOf(chainActivity, types)
    ]
  },
  {
    name: "0004_identity",
    statements: (types) => [...statementsOf(identity, types)]
  },
  {
    name: "0005_fiat",
    statements: (types) => [...statementsOf(fiat, types)]
  },
  {
    name: "0006_verification",
    statements: (types) => [...statementsOf(verification, types)]
  },
  {
    name: "0007_personal_accesses",
    statements: (types) => [...statementsOf(personalAccesses, types)]
  },
  {
    name: "0008_bitcoin_activity",
    statements: (types) => [...statementsOf(bitcoinActivity, types), bitcoinLooksOfWallets]
  },
  {
    name: "0010_fiat_unknown_orders",
    statements: (types) => [...statementsOf(fiatUnknownOrders, types)]
  },
  {
    name: "0011_fiat_limit_overrides",
    statements: (types) => [...statementsOf(fiatLimitOverrides, types)]
  },
  {
    name: "0013_verification_checks",
    statements: (types) => verificationChecks(types)
  },
  {
    name: "0014_bitcoin_treasury",
    statements: (types) => [bitcoinTreasury(types)]
  },
  {
    name: "0016_verification_level",
    statements: (types) => verificationLevel(types)
  },
  {
    name: "0017_part_reviews",
    statements: (types) => statementsOf(partReviews, types)
  },
  {
    name: "0018_bridge_fills",
    statements: (types) => statementsOf(bridgeFills, types)
  },
  {
    name: "0019_provider_customers",
    statements: (types) => statementsOf(providerCustomers, types)
  },
  {
    name: "0020_newest_transactions",
    statements: () => newestTransactions
  },
  {
    name: "0021_transfer_claims",
    statements: (types) => statementsOf(transferClaims, types)
  },
  {
    name: "0022_movement_order",
    statements: movementOrder
  },
  {
    name: "0022_movement_order_of_records",
    paged: movementOrderBackfill
  },
  {
    name: "0030_unique_identities",
    statements: (types) => [documentNumbers(types), ...uniqueCustomers]
  },
  {
    name: "0031_transfer_shares",
    statements: transferShares
  },
  {
    name: "0031_transfers_recorded_twice",
    paged: recordedTwice
  },
  {
    name: "0032_provider_registrations",
    statements: (types) => statementsOf(providerRegistrations, types)
  },
  {
    name: "0033_key_purges",
    statements: (types) => statementsOf(keyPurges, types)
  },
  {
    name: "0034_bitcoin_keys",
    statements: (types) => [bitcoinKeys(types)]
  },
  {
    name: "0040_pending_executions",
    statements: pendingExecutions
  },
  {
    name: "0041_verification_claims",
    statements: verificationClaims
  },
  {
    name: "0042_hot_updates",
    statements: (_, dialect) => hotUpdates(dialect)
  },
  {
    name: "0050_console",
    statements: (types) => [...statementsOf(gasCosts, types), ...reviewers(types)]
  },
  {
    name: "0051_project_keys",
    statements: projectKeys
  },
  {
    name: "0052_project_moves",
    statements: (types) => statementsOf(projectMoves, types)
  },
  {
    name: "0053_archive",
    statements: archiveTables
  },
  {
    name: "0054_key_statistics",
    statements: (_, dialect) => keyStatistics(dialect)
  },
  {
    name: "0062_expired_fiat_quotes",
    // Finds fiat quotes to delete.
    statements: () => ["create index fiat_quotes_expired on fiat_quotes (expires_at, id)"]
  }
]

/**
 * Row types. Both engines return the same JavaScript types: times are Unix milliseconds, and flags are 0 or 1. A number
 * that may need more than 53 bits is text with decimal digits, and a structured value is JSON text.
 */
export interface Tables
  extends Omit<RowsOf<typeof projects>, "projects">,
    Omit<RowsOf<typeof wallets>, "wallets">,
    Omit<RowsOf<typeof executions>, "executions">,
    Omit<RowsOf<typeof history>, "transactions" | "transaction_metadata">,
    RowsOf<typeof historyPages>,
    RowsOf<typeof movements>,
    RowsOf<typeof pastPrices>,
    RowsOf<typeof taxExports>,
    Omit<RowsOf<typeof identity>, "verified_individuals">,
    RowsOf<typeof fiat>,
    RowsOf<typeof fiatUnknownOrders>,
    RowsOf<typeof fiatLimitOverrides>,
    Omit<RowsOf<typeof verification>, "verification_sessions" | "verification_identities">,
    Omit<RowsOf<typeof partReviews>, "verification_part_reviews">,
    RowsOf<typeof gasCosts>,
    RowsOf<typeof personalAccesses>,
    RowsOf<typeof webhooks>,
    RowsOf<typeof operator>,
    RowsOf<typeof chains>,
    RowsOf<typeof chainActivity>,
    RowsOf<typeof bitcoinActivity>,
    RowsOf<typeof bridgeFills>,
    RowsOf<typeof providerCustomers>,
    Omit<RowsOf<typeof transferClaims>, "transfer_claims">,
    RowsOf<typeof providerRegistrations>,
    RowsOf<typeof keyPurges>,
    RowsOf<typeof projectMoves>,
    RowsOf<typeof archive> {
  readonly projects: RowsOf<typeof projects>["projects"] & BitcoinTreasuryColumn
  readonly executions: RowsOf<typeof executions>["executions"] & PendingExecutionColumns
  readonly transactions: RowsOf<typeof history>["transactions"] & { unlisted: number }
  readonly wallets: RowsOf<typeof wallets>["wallets"] & OwnershipColumn & BitcoinKeyColumn
  readonly movements: RowsOf<typeof movements>["movements"] & UsdSourceColumn & MovementOrderColumns
  readonly verified_individuals: RowsOf<typeof identity>["verified_individuals"] & LevelColumn
  readonly verification_sessions: RowsOf<typeof verification>["verification_sessions"] &
    CheckAtColumn &
    VerificationClaimColumn
  readonly verification_part_reviews: RowsOf<typeof partReviews>["verification_part_reviews"] &
    ReviewerColumns &
    ReviewProjectColumn
  readonly verification_identities: RowsOf<typeof verification>["verification_identities"] & NumberFormColumn
  readonly transfer_claims: RowsOf<typeof transferClaims>["transfer_claims"] & TransferAmountColumn
  readonly schema_migrations: { name: string; applied_at: number }
}
