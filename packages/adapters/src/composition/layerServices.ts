import { Batches } from "@countersign/core/batch"
import { UpstreamUnavailable } from "@countersign/core/errors"
import { ExecutionStore, Executions, Finality, Following, UserOperations } from "@countersign/core/executions"
import { History, Transactions } from "@countersign/core/history"
import { Idempotency } from "@countersign/core/idempotency"
import { Losses, LossLimits } from "@countersign/core/losses"
import { ComputeUnitMeter, RateLimiter, RateLimitSettings } from "@countersign/core/metering"
import { OperatorLanes, OperatorTransactionStore } from "@countersign/core/operator"
import { AddressChecksum } from "@countersign/core/primitives"
import { Projects } from "@countersign/core/projects"
import { Preparations, QuoteSettings, type QuoteStore } from "@countersign/core/quotes"
import { Retention, RetentionPolicy } from "@countersign/core/retention"
import { SwapSettings, Swaps } from "@countersign/core/swap"
import { FiatRates, type TokenPrices } from "@countersign/core/tokens"
import { Transfers } from "@countersign/core/transfer"
import {
  Bundler,
  FirstUseOfGasToken,
  GasTokenNotAccepted,
  Paymaster,
  UserOperationBuilder
} from "@countersign/core/user-operations"
import { Wallets } from "@countersign/core/wallets"
import { WebhookDeliveryQueue, Webhooks } from "@countersign/core/webhooks"
import { Effect, Layer } from "effect"
import { ListedTokenCatalog } from "../catalog/index.ts"
import { entryPointSimulations as simulations } from "../deployments/index.ts"
import {
  BundlerGasPrices,
  Erc7677Paymaster,
  EvmAccountAddresses,
  EvmAccountInspector,
  EvmAccountOperations,
  hasValidChecksum,
  RpcBundler,
  type RpcClients,
  RpcClientsLayer,
  SelfBundler,
  SelfPaymaster,
  ViemChainReader
} from "../evm/index.ts"
import { layerPostgres, layerSoleProcess, layerSqlite, resealSecrets, SecretKeys } from "../kysely/index.ts"
import { MovedClock, NodeEntropy } from "../node/index.ts"
import { PoolReader, PoolTokenPrices } from "../uniswap/index.ts"
import { HttpWebhookSender } from "../webhooks/index.ts"
import { layerStages } from "./layerStages.ts"
import { layerSwapProviders } from "./layerSwapProviders.ts"
import type { BundlerSettings, DatabaseSettings, Settings } from "./Settings.ts"

const layerDatabase = (database: DatabaseSettings) =>
  database._tag === "Sqlite" ? layerSqlite(database.filename) : layerPostgres({ url: database.url })

/** No transactions are sent from here, so that none have to be looked after. */
const LOOK_AGAIN_MS = 60_000
const noLanes = Layer.succeed(
  OperatorLanes,
  OperatorLanes.of({ keepDue: Effect.succeed(LOOK_AGAIN_MS), news: Effect.succeed([]) })
)

const layerBundler = (
  bundler: BundlerSettings
): Layer.Layer<Bundler | OperatorLanes, never, RpcClients | OperatorTransactionStore | QuoteStore | Losses> => {
  switch (bundler._tag) {
    case "Self":
      return SelfBundler.layer({ operatorKeys: bundler.operatorKeys, simulations })
    case "Rpc":
      return Layer.merge(RpcBundler.layer({ urls: bundler.urls, simulations }), noLanes)
    case "None":
      return Layer.merge(noBundler, noLanes)
  }
}

const failUnconfigured = Effect.fail(
  new UpstreamUnavailable({
    upstream: "The bundler",
    reason: "none is configured; set OPERATOR_PRIVATE_KEYS_0_7 and OPERATOR_PRIVATE_KEYS_0_8, or BUNDLER_URL_<chain id>"
  })
)

const noBundler = Layer.succeed(
  Bundler,
  Bundler.of({
    simulate: () => failUnconfigured,
    stateChanges: () => failUnconfigured,
    submit: () => failUnconfigured,
    outcome: () => failUnconfigured,
    absentUntil: () => failUnconfigured
  })
)

const coinOnly = Layer.succeed(
  Paymaster,
  Paymaster.of({
    terms: (_chainId, _version, token) =>
      Effect.fail(new GasTokenNotAccepted({ token: token.symbol, reason: "no paymaster is configured" })),
    sign: () => Effect.die(new Error("There is no paymaster to sign"))
  })
)

const layerPaymaster = ({ bundler, paymaster }: Settings): Layer.Layer<Paymaster, never, TokenPrices> => {
  switch (paymaster._tag) {
    case "Self":
      // Only our own bundler's senders are known, and can be listed.
      return SelfPaymaster.layer({ bundlers: bundler._tag === "Rpc" ? "ALL" : "LISTED", ...paymaster })
    case "Rpc":
      return Erc7677Paymaster.layer({ urls: paymaster.urls })
    case "None":
      return coinOnly
  }
}

/** What the configured bundler wants to be paid, where there is one to ask. */
const layerGasPrices = (bundler: BundlerSettings) =>
  bundler._tag === "Rpc" ? BundlerGasPrices.layer({ urls: bundler.urls }) : Layer.empty

/** A process that is alone on its database takes back at once what an earlier run of it had claimed. */
const releaseEarlierClaims = Layer.effectDiscard(
  Effect.all([
    Effect.flatMap(ExecutionStore, (store) => store.releaseAll),
    Effect.flatMap(OperatorTransactionStore, (store) => store.releaseAll),
    Effect.flatMap(WebhookDeliveryQueue, (queue) => queue.releaseAll)
  ])
)

/** A second process on its database would take back what the first is working on. */
const layerAlone = (database: DatabaseSettings) =>
  database._tag === "Sqlite" ? layerSoleProcess(database.filename) : Layer.empty

const layerFinality = ({ finality }: Settings) =>
  finality === undefined ? Layer.empty : Layer.succeed(Finality, finality)

/** Every service of the core, over the adapters that the settings name. */
export const layerServices = (settings: Settings) => {
  const stored = Layer.effectDiscard(resealSecrets).pipe(
    Layer.provideMerge(layerDatabase(settings.database)),
    Layer.provide(Layer.succeed(SecretKeys, settings.secretKeys))
  )
  const database = settings.soleProcess
    ? releaseEarlierClaims.pipe(Layer.provideMerge(stored), Layer.provideMerge(layerAlone(settings.database)))
    : stored

  const losses = Losses.layer.pipe(Layer.provide(Layer.succeed(LossLimits, settings.losses)))
  const chains = Layer.mergeAll(
    EvmAccountAddresses.layer({ chainIds: settings.activeChains }),
    ViemChainReader.layer.pipe(Layer.provide(layerGasPrices(settings.bundler))),
    PoolReader.layer,
    layerBundler(settings.bundler).pipe(Layer.provide(losses), Layer.provide(database))
  ).pipe(
    Layer.provideMerge(
      RpcClientsLayer({
        ...settings.rpcLimits,
        urls: settings.rpcUrls,
        ...(settings.onRpcRequest === undefined ? {} : { onRequest: settings.onRpcRequest })
      })
    )
  )

  const market = layerPaymaster(settings).pipe(
    Layer.provideMerge(Layer.mergeAll(PoolTokenPrices.layer, layerSwapProviders)),
    Layer.provideMerge(chains)
  )

  const ports = Layer.mergeAll(
    EvmAccountOperations.layer,
    EvmAccountInspector.layer.pipe(Layer.provide(chains)),
    ListedTokenCatalog.layer(settings.isListed),
    Layer.succeed(FiatRates, FiatRates.of({ perUsdE18: Effect.succeed(settings.fiatRates) })),
    Layer.succeed(AddressChecksum, hasValidChecksum),
    Layer.succeed(QuoteSettings, settings.quotes),
    Layer.succeed(SwapSettings, settings.swap),
    Layer.succeed(RateLimitSettings, settings.rateLimit),
    Layer.succeed(RetentionPolicy, settings.retention),
    Layer.succeed(FirstUseOfGasToken, settings.firstUseOfGasToken),
    NodeEntropy.layer,
    HttpWebhookSender.layer(settings.webhooks),
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
    Batches.layer,
    Webhooks.layer,
    Retention.layer
  ).pipe(
    Layer.provideMerge(History.layer),
    Layer.provideMerge(Layer.mergeAll(UserOperations.layer, Following.layer, Preparations.layer)),
    Layer.provideMerge(Layer.mergeAll(Executions.layer, UserOperationBuilder.layer)),
    Layer.provideMerge(layerStages.pipe(Layer.provide(layerFinality(settings)))),
    Layer.provideMerge(Layer.mergeAll(Wallets.layer, Transactions.layer, losses)),
    Layer.provideMerge(ports),
    Layer.provideMerge(MovedClock.layer(settings.clockOffsetSeconds))
  )
}
