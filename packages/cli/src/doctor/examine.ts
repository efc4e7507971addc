import { RpcClientsLayer } from "@countersign/adapters/chains/evm"
import type { Settings } from "@countersign/adapters/service/composition"
import {
  databaseFailure,
  layerPostgresDb,
  layerSqliteDb,
  layerStores,
  readReplicaState
} from "@countersign/adapters/storage/kysely"
import { TaxRunStore } from "@countersign/core/accounting/tax"
import { FiatOrderStore, ProviderRegistrationStore } from "@countersign/core/fiat"
import { VerificationSessionStore } from "@countersign/core/identity"
import { UnpaidGasLedger, UnpaidGasLimits } from "@countersign/core/operations/unpaid-gas"
import { ProjectStore } from "@countersign/core/tenancy/projects"
import { WebhookBacklogReader } from "@countersign/core/tenancy/webhooks"
import { ActivityStore } from "@countersign/core/wallets/chain-activity"
import { Cause, DateTime, Effect, Fiber, Layer } from "effect"
import { diagnoseAcross, observeAcross } from "./checks/across.ts"
import { diagnoseActivity } from "./checks/activity.ts"
import { diagnoseAggregators, observeAggregators } from "./checks/aggregators.ts"
import { diagnoseBitcoin, observeBitcoin } from "./checks/bitcoin.ts"
import { chainsWithoutNativeTokens, diagnoseBundler, observeBundler } from "./checks/bundler.ts"
import { type Configuration, diagnoseConfiguration, usableUrls } from "./checks/configuration.ts"
import { diagnoseContracts, observeChainContracts } from "./checks/contracts.ts"
import { diagnoseDatabase, type FileState, observeDatabase, readFileState } from "./checks/database.ts"
import { diagnoseDeliveries } from "./checks/deliveries.ts"
import { diagnoseFiat, diagnoseUnknownFiat, UNKNOWN_LIMIT } from "./checks/fiat.ts"
import { diagnoseMarketData, observeMarketData } from "./checks/marketData.ts"
import { diagnoseMoves } from "./checks/moves.ts"
import { chainsWithoutNode, diagnoseNodes, observeNodes } from "./checks/nodes.ts"
import { diagnoseOperations, observeOperations, waitingSince } from "./checks/operations.ts"
import { diagnoseOperatorAccounts, observeOperatorAccounts } from "./checks/operatorAccounts.ts"
import { diagnoseOrderBooks, observeOrderBooks } from "./checks/orderBooks.ts"
import { diagnosePaymaster, observePaymaster } from "./checks/paymaster.ts"
import { diagnoseRegistrations } from "./checks/registrations.ts"
import { diagnoseReplica } from "./checks/replica.ts"
import { diagnoseReviews } from "./checks/reviews.ts"
import { diagnoseTaxExports } from "./checks/taxExports.ts"
import { diagnoseThorchain, observeThorchain } from "./checks/thorchain.ts"
import { diagnoseUnpaidGas, observeUnpaidGas } from "./checks/unpaidGas.ts"
import { type Finding, failing } from "./Finding.ts"
import { type CheckResult, noObservation, observe } from "./Observed.ts"
import type { Progress } from "./progress.ts"

/** Deadline of every check, in milliseconds. */
const DEADLINE_MS = 12_000
/**
 * Checks that use a chain's clients have a shorter deadline, so that they can report their own reason before the
 * general deadline.
 */
const CHAIN_DEADLINE_MS = 9_000
const DATABASE_DEADLINE_MS = 10_000

const layerStoresOn = ({ database, unpaidGasLimits }: Pick<Settings, "database" | "unpaidGasLimits">) =>
  UnpaidGasLedger.layer.pipe(
    Layer.provideMerge(layerStores),
    Layer.provide(Layer.succeed(UnpaidGasLimits, unpaidGasLimits)),
    Layer.provideMerge(
      database._tag === "Sqlite"
        ? layerSqliteDb(database.filename)
        : layerPostgresDb({ url: database.url, connectionsMax: 3, connectTimeoutMs: 4_000, statementTimeoutMs: 8_000 })
    )
  )

/** Returns the results of the database checks for a database that does not respond. */
const unobservedStores = (file: FileState | null, reason: string, contentReason = reason) => ({
  file,
  state: noObservation(reason),
  replica: null,
  backlog: noObservation(contentReason),
  operations: noObservation(contentReason),
  operatorAccounts: noObservation(contentReason),
  unpaidGas: noObservation(contentReason),
  taxes: noObservation(contentReason),
  fiat: noObservation(contentReason),
  unknownFiat: noObservation(contentReason),
  reviews: noObservation(contentReason),
  registrations: noObservation(contentReason),
  moves: noObservation(contentReason),
  activity: noObservation(contentReason)
})

/**
 * Runs the checks of the database. If the database cannot be reached, each result contains the reason, except that of
 * the replica.
 */
const observeStores = Effect.fnUntraced(function* (
  settings: Pick<Settings, "database" | "unpaidGasLimits">,
  now: DateTime.Utc
) {
  const { database } = settings
  const file = database._tag === "Sqlite" ? yield* readFileState(database.filename) : null
  const unobserved = (reason: string) => unobservedStores(file, reason)
  if (file === "ABSENT") return unobserved("there is no database yet")
  if (file === "READ_ONLY") return unobserved("the database is not writable")
  const check = Effect.gen(function* () {
    const state = yield* observeDatabase(database)
    const replica = database._tag === "Sqlite" ? null : yield* observe(readReplicaState(database), CHAIN_DEADLINE_MS)
    const observeStore = <A, E, R>(effect: Effect.Effect<A, E, R>) => observe(effect, DATABASE_DEADLINE_MS)
    const contents = yield* Effect.all(
      {
        backlog: observeStore(WebhookBacklogReader.use((webhooks) => webhooks.read(now))),
        operations: observeStore(observeOperations),
        operatorAccounts: observeStore(observeOperatorAccounts),
        unpaidGas: observeStore(observeUnpaidGas(now)),
        taxes: observeStore(TaxRunStore.use((runs) => runs.readBacklog(now))),
        activity: observeStore(ActivityStore.use((store) => store.listChains)),
        fiat: observeStore(FiatOrderStore.use((store) => store.countPending)),
        unknownFiat: observeStore(FiatOrderStore.use((store) => store.listUnknown(UNKNOWN_LIMIT))),
        reviews: observeStore(VerificationSessionStore.use((store) => store.countPending(null))),
        registrations: observeStore(ProviderRegistrationStore.use((store) => store.countPending)),
        moves: observeStore(ProjectStore.use((store) => store.listMoves))
      },
      { concurrency: 8 }
    )
    return { file, state: { _tag: "Seen", value: state } as const, replica, ...contents }
  }).pipe(
    Effect.provide(layerStoresOn(settings)),
    Effect.catchCause((cause) => Effect.succeed(unobserved(databaseFailure(Cause.squash(cause)))))
  )
  // Detached, because a statement that was sent to Postgres cannot be interrupted. The check continues in the
  // background.
  const fiber = yield* Effect.forkDetach(check)
  return yield* Fiber.join(fiber).pipe(
    Effect.timeoutOrElse({
      duration: DATABASE_DEADLINE_MS,
      orElse: () => Effect.succeed(unobserved("did not respond in time"))
    })
  )
})

const valueOr = <A>(observation: CheckResult<A>, fallback: A): A =>
  observation._tag === "Seen" ? observation.value : fallback

/** Reports a check that has no result. */
const unobservedFindings = (subject: string, observation: CheckResult<unknown>): ReadonlyArray<Finding> =>
  observation._tag === "Seen" ? [] : [failing(subject, `could not be checked: ${observation.reason}`)]

/** Runs all checks of `doctor` for a service. A finding follows the findings on which it depends. */
export const examine = Effect.fnUntraced(function* (configuration: Configuration, progress: Progress) {
  const { settings } = configuration
  const now = DateTime.add(yield* DateTime.now, { seconds: settings.clockOffsetSeconds() })
  const check = <A, E, R>(name: string, effect: Effect.Effect<A, E, R>) => progress(name, observe(effect, DEADLINE_MS))

  const { across, aggregators, bitcoin, books, bundler, contracts, market, nodes, paymaster, stores, thorchain } =
    yield* Effect.all(
      {
        nodes: check("nodes", observeNodes(configuration)),
        contracts: check("contracts", observeChainContracts(configuration, CHAIN_DEADLINE_MS)),
        bundler: check("bundler", observeBundler(configuration, CHAIN_DEADLINE_MS)),
        paymaster: check("paymaster", observePaymaster(configuration, CHAIN_DEADLINE_MS)),
        across: check("Across", observeAcross(configuration, CHAIN_DEADLINE_MS)),
        thorchain: check("THORChain", observeThorchain(configuration, CHAIN_DEADLINE_MS)),
        bitcoin: check("Bitcoin", observeBitcoin(configuration)),
        aggregators: check("aggregators", observeAggregators(configuration, CHAIN_DEADLINE_MS)),
        books: check("order books", observeOrderBooks(configuration, CHAIN_DEADLINE_MS)),
        market: check("market prices", observeMarketData(configuration, CHAIN_DEADLINE_MS)),
        stores: check("database, webhooks and operations", observeStores(settings, now))
      },
      { concurrency: "unbounded" }
    ).pipe(
      Effect.provide(
        RpcClientsLayer({ ...settings.rpcLimits, urls: (chainId) => usableUrls(settings.rpcUrls(chainId)) })
      )
    )

  const chains = valueOr(nodes, [])
  const bundlers = valueOr(bundler, [])
  const {
    activity,
    backlog,
    fiat,
    file,
    operatorAccounts,
    unpaidGas,
    moves,
    operations,
    registrations,
    replica,
    reviews,
    state,
    taxes,
    unknownFiat
  } = valueOr(stores, unobservedStores(null, "did not respond in time", "the database did not respond in time"))
  const findings: ReadonlyArray<Finding> = [
    ...diagnoseConfiguration(configuration),
    diagnoseDatabase(settings.database, file, state),
    ...diagnoseReplica(replica),
    ...unobservedFindings("nodes", nodes),
    ...unobservedFindings("bundler", bundler),
    ...unobservedFindings("paymaster", paymaster),
    ...diagnoseNodes(chains, configuration, now),
    ...diagnoseContracts(valueOr(contracts, [])),
    ...diagnoseBundler(bundlers, waitingSince(operations), now),
    ...diagnosePaymaster(valueOr(paymaster, [])),
    ...unobservedFindings("Across", across),
    ...diagnoseAcross(valueOr(across, null)),
    ...unobservedFindings("THORChain", thorchain),
    ...diagnoseThorchain(valueOr(thorchain, null)),
    ...unobservedFindings("Bitcoin", bitcoin),
    ...diagnoseBitcoin(valueOr(bitcoin, null)),
    ...unobservedFindings("aggregators", aggregators),
    ...diagnoseAggregators(valueOr(aggregators, [])),
    ...unobservedFindings("order books", books),
    ...diagnoseOrderBooks(valueOr(books, [])),
    ...unobservedFindings("market prices", market),
    ...diagnoseMarketData(valueOr(market, []))
  ]
  // The database finding reports the reason once for all data in the database.
  if (state._tag === "Unseen") return findings
  return [
    ...findings,
    ...diagnoseMoves(moves),
    ...diagnoseDeliveries(backlog, now),
    ...diagnoseTaxExports(taxes, now),
    ...diagnoseFiat(fiat, now),
    ...diagnoseUnknownFiat(unknownFiat),
    ...diagnoseReviews(reviews, now),
    ...diagnoseRegistrations(registrations, now),
    ...diagnoseOperatorAccounts(operatorAccounts, configuration),
    ...diagnoseUnpaidGas(unpaidGas, now),
    ...diagnoseActivity(activity, settings, now),
    ...diagnoseOperations(operations, now, {
      chainsWithoutNode: chainsWithoutNode(chains),
      chainsWithoutNativeToken: chainsWithoutNativeTokens(bundlers),
      hasBundler: settings.bundler._tag !== "None"
    })
  ]
})
