import { History, Transactions } from "@countersign/core/accounting/history"
import { PastPrices } from "@countersign/core/accounting/market-data"
import { PortfolioCharts, Portfolios } from "@countersign/core/accounting/portfolio"
import { TaxExports, TaxRuns } from "@countersign/core/accounting/tax"
import { BitcoinActivityRecords, BitcoinWatch, layerBitcoinArrivalObserver } from "@countersign/core/bitcoin/activity"
import { BitcoinBroadcasts, BitcoinPayments, ConfirmationPolicy } from "@countersign/core/bitcoin/payments"
import {
  CustomerLinks,
  FiatCallbacks,
  FiatLevelSettings,
  FiatLimitSettings,
  FiatLimits,
  FiatOrders,
  FiatQuotes,
  ProviderRegistrations
} from "@countersign/core/fiat"
import { ServedChains } from "@countersign/core/foundation/chains"
import { AddressChecksum, BitcoinAddressCheck, UnitOfWork } from "@countersign/core/foundation/primitives"
import type { TokenPrices } from "@countersign/core/foundation/tokens"
import { WorkClaims, type WorkSignals } from "@countersign/core/foundation/work"
import { ConfiguredIdentityProvider, ReviewPolicy, VerificationChecks, Verifications } from "@countersign/core/identity"
import {
  Acceptances,
  Executions,
  ExecutionWorker,
  Finality,
  UserOperations
} from "@countersign/core/operations/executions"
import { OperatorAccounts, type OperatorTransactionStore } from "@countersign/core/operations/operator"
import { Oversight } from "@countersign/core/operations/oversight"
import { Preparations, QuoteSettings, type QuoteStore } from "@countersign/core/operations/quotes"
import { UnpaidGasLedger, UnpaidGasLimits } from "@countersign/core/operations/unpaid-gas"
import {
  type Bundler,
  FirstUseOfGasToken,
  GasTokenNotAccepted,
  Paymaster,
  UserOperationBuilder
} from "@countersign/core/operations/user-operations"
import { DataSubjects } from "@countersign/core/tenancy/data-subjects"
import { EventFeed } from "@countersign/core/tenancy/events"
import { Idempotency } from "@countersign/core/tenancy/idempotency"
import { ComputeUnitMeter, RateLimiter, RateLimitSettings } from "@countersign/core/tenancy/metering"
import { Projects } from "@countersign/core/tenancy/projects"
import { Retention, RetentionPolicy } from "@countersign/core/tenancy/retention"
import { Webhooks } from "@countersign/core/tenancy/webhooks"
import { Batches } from "@countersign/core/trading/batch"
import { Lending, LendingSettings, Liquidations, LoanUpkeep } from "@countersign/core/trading/lending"
import { LimitOrders } from "@countersign/core/trading/limit-orders"
import { Liquidity, LiquiditySettings } from "@countersign/core/trading/liquidity"
import { LiquidityPools, LiquidityPositions, layerYields, PoolIndexing } from "@countersign/core/trading/pools"
import { SwapSettings, Swaps } from "@countersign/core/trading/swap"
import { Transfers } from "@countersign/core/trading/transfer"
import {
  ActivityRecords,
  ActivitySettings,
  ActivityWatch,
  layerArrivalObserver,
  layerHeldChains
} from "@countersign/core/wallets/chain-activity"
import { BitcoinWallets, Wallets } from "@countersign/core/wallets/registry"
import { Effect, Layer } from "effect"
import { Explorers } from "../../api/wire/index.ts"
import {
  BitcoinjsProofs,
  BitcoinjsTransactions,
  CoreChain,
  decodeAddress,
  EsploraChain
} from "../../chains/bitcoin/index.ts"
import { layerChainActivity } from "../../chains/chain-activity/index.ts"
import { entryPointSimulations as simulations } from "../../chains/deployments/index.ts"
import { layerGasFunds } from "../../chains/diagnosis/index.ts"
import {
  BundlerGasPrices,
  Erc7677Paymaster,
  EvmAccountAddresses,
  EvmAccountInspector,
  EvmAccountOperations,
  hasValidChecksum,
  NodeBundler,
  operatorAddresses,
  RpcBundler,
  type RpcClients,
  RpcClientsLayer,
  SelfBundler,
  SelfPaymaster,
  ViemChainReader
} from "../../chains/evm/index.ts"
import { COW_API_URL, CowOrderBook } from "../../exchanges/cow/index.ts"
import { layerPools } from "../../exchanges/pool-index/index.ts"
import { PoolReader } from "../../exchanges/pools/index.ts"
import { UniswapLiquidityMarket } from "../../exchanges/positions/index.ts"
import { EvmTokenTransfers, layerFiatProviders } from "../../fiat/index.ts"
import { DocumentFiles, documentStoreOf, makeSumsub, SealedDocuments } from "../../identity/index.ts"
import { FolderMailer, layerNoMailer, SmtpMailer } from "../../outbound/mail/index.ts"
import { HttpWebhookSender } from "../../outbound/webhooks/index.ts"
import { layerErasureRecords } from "../../storage/backup/index.ts"
import {
  layerHostPool,
  layerPostgres,
  layerSoleProcess,
  layerSqlite,
  renewFingerprints,
  resealSecrets,
  SealedVault,
  SecretKeys,
  type Stores,
  sealTaxEmails
} from "../../storage/kysely/index.ts"
import { ListedTokenCatalog } from "../../tokens/catalog/index.ts"
import { AllowListHolderRules } from "../../tokens/holder-rules/index.ts"
import { LiveFiatRates, layerMarketData } from "../../tokens/market-data/index.ts"
import { EvmNftReader } from "../../tokens/nfts/index.ts"
import { ChainTokenPrices } from "../../tokens/prices/index.ts"
import { HostClock, MovedClock, NodeEntropy, requireNode } from "../node/index.ts"
import { layerKinds } from "./layerKinds.ts"
import { layerLendingMarkets } from "./layerLendingMarkets.ts"
import { layerSwapProviders } from "./layerSwapProviders.ts"
import type { BundlerSettings, HostSettings } from "./Settings.ts"

/**
 * Provides the migrated stores. If a key is set, the built-in stores fail to start if they contain secrets that are
 * encrypted with a missing key.
 */
const layerDatabase = (database: HostSettings["database"], secretKeys: HostSettings["secretKeys"]) => {
  if (database._tag === "Stores") return database.layer
  const stores = layerOwnStores(database)
  // Without a key nothing can be encrypted again or decrypted, so these steps are skipped.
  const sealStoredData = Layer.effectDiscard(Effect.all([resealSecrets, sealTaxEmails, renewFingerprints]))
  const storesWithSealing = secretKeys.length === 0 ? stores : Layer.provideMerge(sealStoredData, stores)
  return Layer.provide(storesWithSealing, Layer.succeed(SecretKeys, secretKeys))
}

const layerOwnStores = (database: Exclude<HostSettings["database"], { readonly _tag: "Stores" }>) => {
  switch (database._tag) {
    case "Sqlite":
      return layerSqlite(database.filename)
    case "Postgres":
      return layerPostgres(database)
    case "PostgresPool":
      return layerHostPool(database.pool)
  }
}

/** Calls `onStored` after each committed unit of work. Nested units are also reported, which is harmless. */
const layerNotifyingUnitOfWork = (onStored: () => void) =>
  Layer.effect(
    UnitOfWork,
    Effect.map(UnitOfWork, (unit) =>
      UnitOfWork.of({ run: (effect) => Effect.tap(unit.run(effect), () => Effect.sync(onStored)) })
    )
  )

/** Used if this process sends no transactions, so that there are none to watch. */
const noOperatorAccounts = Layer.succeed(
  OperatorAccounts,
  OperatorAccounts.of({ checkDue: Effect.succeed(null), takeChangedOperations: Effect.succeed([]) })
)

const layerBundler = (
  bundler: BundlerSettings
): Layer.Layer<
  Bundler | OperatorAccounts,
  never,
  RpcClients | OperatorTransactionStore | QuoteStore | UnpaidGasLedger | WorkSignals
> => {
  switch (bundler._tag) {
    case "Self":
      return SelfBundler.layer({ operatorKeys: bundler.operatorKeys, simulations })
    case "Rpc":
      return Layer.merge(RpcBundler.layer({ urls: bundler.urls, simulations }), noOperatorAccounts)
    case "None":
      return Layer.merge(NodeBundler.layer({ simulations }), noOperatorAccounts)
  }
}

const nativeTokenPaymaster = Layer.succeed(
  Paymaster,
  Paymaster.of({
    readTerms: (_chainId, _version, token) =>
      Effect.fail(new GasTokenNotAccepted({ token: token.symbol, reason: "no paymaster is configured" })),
    sign: () => Effect.die(new Error("No paymaster is configured to sign"))
  })
)

const layerPaymaster = ({ bundler, paymaster }: HostSettings): Layer.Layer<Paymaster, never, TokenPrices> => {
  switch (paymaster._tag) {
    case "Self":
      // The paymaster can list senders only for the built-in bundler, because the senders of an external bundler are
      // unknown.
      return SelfPaymaster.layer({ bundlers: bundler._tag === "Rpc" ? "ALL" : "LISTED", ...paymaster })
    case "Rpc":
      return Erc7677Paymaster.layer({ urls: paymaster.urls })
    case "None":
      return nativeTokenPaymaster
  }
}

/** Provides the minimum gas prices of the external bundler, if one is configured. */
const layerGasPrices = (bundler: BundlerSettings) =>
  bundler._tag === "Rpc" ? BundlerGasPrices.layer({ urls: bundler.urls }) : Layer.empty

/**
 * Ends the claims of the previous run. Without this, the only process on a database would wait until their leases
 * expire.
 */
const releaseEarlierClaims = Layer.effectDiscard(WorkClaims.use(({ releaseAll }) => releaseAll))

/**
 * Fails if another process with workers uses the same SQLite file, because each start ends the claims of earlier runs.
 * On Postgres the setting `soleProcess` is trusted.
 */
const layerExclusiveProcess = (database: HostSettings["database"]) =>
  database._tag === "Sqlite" ? layerSoleProcess(database.filename) : Layer.empty

const layerFinality = ({ finality }: HostSettings) =>
  finality === undefined ? Layer.empty : Layer.succeed(Finality, finality)

const layerServedChains = ({ servedChains }: HostSettings) =>
  servedChains === undefined ? Layer.empty : Layer.succeed(ServedChains, servedChains)

const layerMail = ({ mail }: HostSettings) => {
  if (mail === undefined) return layerNoMailer
  return mail._tag === "Smtp" ? SmtpMailer.layer(mail) : FolderMailer.layer(mail.folder)
}

const layerExplorers = ({ explorerOf }: HostSettings) =>
  explorerOf === undefined ? Layer.empty : Layer.succeed(Explorers, explorerOf)

/** Watches the on-chain activity of registered wallets. */
const layerActivity = (settings: HostSettings) =>
  ActivityWatch.layer({ chainIds: settings.activeChains }).pipe(
    Layer.provide(ActivityRecords.layer),
    Layer.provide([layerChainActivity(settings), layerFinality(settings), layerHeldChains])
  )

/** Watches the on-chain activity of registered Bitcoin wallets. */
const layerBitcoinActivity = ({ bitcoin }: HostSettings) =>
  BitcoinWatch.layer({ isRead: (bitcoin?.esploraUrls ?? []).length > 0 }).pipe(
    Layer.provide(Layer.merge(BitcoinActivityRecords.layer, layerHeldChains))
  )

/** Provides the storage of personal data for identity verification. */
const layerPersonal = ({ documentsFolder, documentsS3 }: HostSettings) =>
  Layer.merge(
    SealedVault.layer,
    documentsFolder === undefined
      ? SealedDocuments.layerNone("DOCUMENTS_DIR is not set")
      : SealedDocuments.layer({
          folder: documentsFolder,
          store: documentStoreOf(documentsFolder, documentsS3)
        })
  )

const layerIdentityProvider = ({ sumsub }: HostSettings) =>
  sumsub === undefined
    ? Layer.empty
    : Layer.effect(
        ConfiguredIdentityProvider,
        Effect.map(DocumentFiles, (documents) => makeSumsub(sumsub, documents))
      )

/** Provides the balances of the accounts that pay gas for the operator. */
const layerFunds = ({ activeChains, bundler, paymaster }: HostSettings) =>
  layerGasFunds({
    chainIds: activeChains,
    operators: bundler._tag === "Self" ? operatorAddresses(bundler.operatorKeys) : null,
    paymasters: paymaster._tag === "Self" ? paymaster.paymasters : null
  })

const layerReviewPolicy = ({ isFourEyes }: HostSettings) =>
  isFourEyes === undefined ? Layer.empty : Layer.succeed(ReviewPolicy, { isFourEyes })

/** Provides the stores of the service. If only this process uses the database, ends the claims of its previous run. */
const layerStored = ({ database, onStored, secretKeys, soleProcess }: HostSettings): Layer.Layer<Stores, unknown> => {
  const stores: Layer.Layer<Stores, unknown> = layerDatabase(database, secretKeys)
  const storesWithReleasedClaims = soleProcess
    ? releaseEarlierClaims.pipe(Layer.provideMerge(stores), Layer.provideMerge(layerExclusiveProcess(database)))
    : stores
  return onStored === undefined
    ? storesWithReleasedClaims
    : Layer.provideMerge(layerNotifyingUnitOfWork(onStored), storesWithReleasedClaims)
}

/** Provides all services of the core, with the configured adapters. */
export const layerServices = (settings: HostSettings) => {
  requireNode()
  const database = layerStored(settings)
  const unpaidGasLedger = UnpaidGasLedger.layer.pipe(
    Layer.provide(Layer.succeed(UnpaidGasLimits, settings.unpaidGasLimits))
  )
  const chains = Layer.mergeAll(
    EvmAccountAddresses.layer({ chainIds: settings.activeChains }),
    ViemChainReader.layer.pipe(Layer.provide(layerGasPrices(settings.bundler))),
    PoolReader.layer,
    CowOrderBook.layer({ url: settings.cowApiUrl ?? COW_API_URL }),
    layerBundler(settings.bundler).pipe(Layer.provide(unpaidGasLedger), Layer.provide(database))
  ).pipe(
    Layer.provideMerge(
      RpcClientsLayer({
        ...settings.rpcLimits,
        urls: settings.rpcUrls,
        ...(settings.onRpcRequest === undefined ? {} : { onRequest: settings.onRpcRequest })
      })
    )
  )

  const bitcoin = Layer.mergeAll(
    BitcoinjsProofs.layer,
    BitcoinjsTransactions.layer,
    CoreChain.layer({ urls: settings.bitcoin?.coreUrls ?? [] }).pipe(
      Layer.provide(EsploraChain.layer({ urls: settings.bitcoin?.esploraUrls ?? [] }))
    )
  )

  const market = layerPaymaster(settings).pipe(
    Layer.provideMerge(
      Layer.mergeAll(
        ChainTokenPrices.layer({ isServed: (chainId) => settings.rpcUrls(chainId).length > 0 }),
        layerSwapProviders(settings).pipe(Layer.provide([database, NodeEntropy.layer, bitcoin])),
        UniswapLiquidityMarket.layer,
        layerLendingMarkets(settings)
      )
    ),
    Layer.provideMerge(chains)
  )

  const ports = Layer.mergeAll(
    EvmAccountOperations.layer,
    EvmAccountInspector.layer.pipe(Layer.provide(chains)),
    ListedTokenCatalog.layer(settings.isListed).pipe(Layer.provideMerge(layerServedChains(settings))),
    Layer.succeed(AddressChecksum, hasValidChecksum),
    Layer.succeed(BitcoinAddressCheck, decodeAddress),
    Layer.succeed(QuoteSettings, settings.quotes),
    Layer.succeed(SwapSettings, settings.swap),
    settings.bitcoin?.confirmations === undefined
      ? Layer.empty
      : Layer.succeed(ConfirmationPolicy, settings.bitcoin.confirmations),
    settings.liquidity === undefined ? Layer.empty : Layer.succeed(LiquiditySettings, settings.liquidity),
    Layer.succeed(LendingSettings, settings.lending),
    settings.fiatLimits === undefined ? Layer.empty : Layer.succeed(FiatLimitSettings, settings.fiatLimits),
    settings.fiatLevelLimits === undefined ? Layer.empty : Layer.succeed(FiatLevelSettings, settings.fiatLevelLimits),
    Layer.succeed(RateLimitSettings, settings.rateLimit),
    Layer.succeed(RetentionPolicy, settings.retention),
    Layer.succeed(FirstUseOfGasToken, settings.firstUseOfGasToken),
    EvmNftReader.layer({ ...settings.nfts, allowPrivateTargets: settings.webhooks.allowPrivateTargets }).pipe(
      Layer.provide(chains)
    ),
    AllowListHolderRules.layer.pipe(Layer.provide(chains)),
    layerExplorers(settings),
    settings.activity === undefined ? Layer.empty : Layer.succeed(ActivitySettings, settings.activity),
    NodeEntropy.layer,
    bitcoin,
    EvmTokenTransfers.layer.pipe(Layer.provide(chains)),
    layerFiatProviders(settings).pipe(
      Layer.provide(layerPersonal(settings).pipe(Layer.provide(database))),
      Layer.provide(database)
    ),
    HttpWebhookSender.layer(settings.webhooks),
    LiveFiatRates.layer(settings.fiatRates).pipe(
      Layer.provideMerge(PastPrices.layer),
      Layer.provideMerge(layerMarketData(settings.marketData ?? [])),
      Layer.provide(market),
      Layer.provide(database)
    ),
    layerMail(settings),
    layerPersonal(settings).pipe(Layer.provide(database)),
    market,
    database
  )

  return Layer.mergeAll(
    Projects.layer,
    ComputeUnitMeter.layer,
    RateLimiter.layer,
    Idempotency.layer,
    Swaps.layer,
    Transfers.layer,
    BitcoinPayments.layer,
    BitcoinBroadcasts.layer,
    LimitOrders.layer,
    Layer.mergeAll(FiatQuotes.layer, FiatOrders.layer, FiatCallbacks.layer).pipe(Layer.provideMerge(FiatLimits.layer)),
    CustomerLinks.layer,
    Batches.layer,
    Liquidations.layer.pipe(Layer.provide(layerFinality(settings))),
    LoanUpkeep.layer,
    Webhooks.layer,
    EventFeed.layer,
    TaxExports.layer,
    Verifications.layer.pipe(
      Layer.provideMerge(VerificationChecks.layer),
      Layer.provide(ProviderRegistrations.layerFollowUp),
      Layer.provide(layerIdentityProvider(settings)),
      Layer.provideMerge(layerReviewPolicy(settings))
    ),
    DataSubjects.layer.pipe(
      Layer.provide(settings.backupTarget === undefined ? Layer.empty : layerErasureRecords(settings.backupTarget))
    ),
    Oversight.layer.pipe(Layer.provide(layerFunds(settings))),
    TaxRuns.layer,
    Retention.layer,
    Portfolios.layer({ chainIds: settings.activeChains }).pipe(
      Layer.provideMerge(Layer.mergeAll(Lending.layer, LiquidityPositions.layer)),
      Layer.provideMerge(LiquidityPools.layer)
    ),
    PortfolioCharts.layer({ chainIds: settings.activeChains }),
    Liquidity.layer.pipe(Layer.provide(layerYields), Layer.provideMerge(LiquidityPools.layer)),
    PoolIndexing.layer.pipe(Layer.provide(layerFinality(settings))),
    layerActivity(settings),
    layerBitcoinActivity(settings)
  ).pipe(
    Layer.provideMerge(Layer.merge(History.layer, ProviderRegistrations.layer)),
    Layer.provideMerge(
      Layer.mergeAll(
        UserOperations.layer,
        ExecutionWorker.layer.pipe(
          Layer.provide(layerBitcoinArrivalObserver.pipe(Layer.provide(layerArrivalObserver)))
        ),
        Preparations.layer
      )
    ),
    Layer.provideMerge(Acceptances.layer),
    Layer.provideMerge(Layer.mergeAll(Executions.layer, UserOperationBuilder.layer)),
    Layer.provideMerge(layerKinds.pipe(Layer.provide(layerFinality(settings)))),
    Layer.provideMerge(Layer.mergeAll(Wallets.layer, BitcoinWallets.layer, Transactions.layer, unpaidGasLedger)),
    Layer.provideMerge(layerPools(settings).pipe(Layer.provideMerge(ports))),
    Layer.provideMerge(
      settings.clock === undefined ? MovedClock.layer(settings.clockOffsetSeconds) : HostClock.layer(settings.clock)
    )
  )
}
