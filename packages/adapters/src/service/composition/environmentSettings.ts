import { join, resolve } from "node:path"
import { type EvmChainId, isEvmChainId } from "@countersign/core/foundation/chains"
import { UnpaidGasLimits } from "@countersign/core/operations/unpaid-gas"
import type { FirstUse } from "@countersign/core/operations/user-operations"
import type { ActivityPolicy } from "@countersign/core/wallets/chain-activity"
import { type Config, Effect } from "effect"
import { deploymentOf } from "../../chains/deployments/index.ts"
import { type OperatorKeys, operatorKeyProblem } from "../../chains/evm/index.ts"
import type { AggregatorSettings } from "../../exchanges/aggregators/index.ts"
import { documentsFolder } from "../../identity/index.ts"
import { mailFolder } from "../../outbound/mail/index.ts"
import type { BackupTargetSettings } from "../../storage/backup/index.ts"
import type { MarketSourceSettings } from "../../tokens/market-data/index.ts"
import { PUBLIC_NODES, readSetting, readSettingByChain, requireSetting, SettingInvalid } from "../settings/index.ts"
import type { BundlerSettings, DatabaseSettings, MailSettings, PaymasterSettings, Settings } from "./Settings.ts"

type SettingEffect<A> = Effect.Effect<A, SettingInvalid | Config.ConfigError>

const OPERATOR_SETTINGS = { "0.7": "OPERATOR_PRIVATE_KEYS_0_7", "0.8": "OPERATOR_PRIVATE_KEYS_0_8" } as const

/** Reads the operator's keys for both EntryPoints; null if none is set. */
export const operatorKeysOrNull = Effect.gen(function* () {
  const keys: OperatorKeys = {
    "0.7": (yield* readSetting(OPERATOR_SETTINGS["0.7"])) ?? [],
    "0.8": (yield* readSetting(OPERATOR_SETTINGS["0.8"])) ?? []
  }
  if (keys["0.7"].length + keys["0.8"].length === 0) return null
  for (const version of ["0.7", "0.8"] as const) {
    const problem = operatorKeyProblem(keys, version)
    if (problem !== null) return yield* new SettingInvalid({ name: OPERATOR_SETTINGS[version], expected: problem })
  }
  return keys
})

/** Reads the settings of the external bundler if one is configured, otherwise the operator's keys. */
export const bundlerSettings: SettingEffect<BundlerSettings> = Effect.gen(function* () {
  const urls = yield* readSettingByChain("BUNDLER_URL_<chain id>")
  if (urls.size > 0) return { _tag: "Rpc", urls }
  const operatorKeys = yield* operatorKeysOrNull
  return operatorKeys === null ? { _tag: "None" } : { _tag: "Self", operatorKeys }
})

const paymaster: SettingEffect<PaymasterSettings> = Effect.gen(function* () {
  const urls = yield* readSettingByChain("PAYMASTER_URL_<chain id>")
  if (urls.size > 0) return { _tag: "Rpc", urls }
  const signerKey = yield* readSetting("PAYMASTER_SIGNER_PRIVATE_KEY")
  if (signerKey === null) return { _tag: "None" }
  const reason = "and PAYMASTER_SIGNER_PRIVATE_KEY requires it"
  return {
    _tag: "Self",
    signerKey,
    treasury: yield* requireSetting("PAYMASTER_TREASURY", reason),
    paymasters: {
      "0.7": yield* requireSetting("PAYMASTER_ADDRESS_0_7", reason),
      "0.8": yield* requireSetting("PAYMASTER_ADDRESS_0_8", reason)
    }
  }
})

/** Validates FIRST_USE_OF_GAS_TOKEN: `paid` is rejected with an external bundler or paymaster. */
const readFirstUseOfGasToken = Effect.fnUntraced(function* (
  bundlerTag: BundlerSettings["_tag"],
  paymasterTag: PaymasterSettings["_tag"]
) {
  const name = "FIRST_USE_OF_GAS_TOKEN"
  const isPaid = (yield* readSetting(name)) === "paid"
  if (isPaid && bundlerTag === "Rpc") {
    const expected =
      "trusted, which BUNDLER_URL_… requires: an external bundler can't estimate an operation that depends on another operation"
    return yield* new SettingInvalid({ name, expected })
  }
  if (isPaid && paymasterTag === "Rpc") {
    const expected =
      "trusted, which PAYMASTER_URL_… requires: an external paymaster can't collect its fee before the calls"
    return yield* new SettingInvalid({ name, expected })
  }
  const firstUse: FirstUse = isPaid ? "PAID" : "TRUSTED"
  return firstUse
})

/**
 * Reads the maximum number of requests of each key in a window; null for no limit. A window is at most one day, because
 * older windows are deleted.
 */
const rateLimit = Effect.gen(function* () {
  const requests = yield* readSetting("RATE_LIMIT_REQUESTS")
  const windowSeconds = yield* readSetting("RATE_LIMIT_WINDOW_SECONDS")
  return requests === null ? null : { requests, windowSeconds }
})

const usdE6 = (usd: number): bigint => BigInt(Math.round(usd * 1e6))

const readUnpaidGasLimits = Effect.gen(function* () {
  return {
    ...UnpaidGasLimits.defaultValue(),
    projectUsdE6PerDay: usdE6(yield* readSetting("UNPAID_GAS_BUDGET_USD_PER_DAY")),
    operatorUsdE6PerDay: usdE6(yield* readSetting("UNPAID_GAS_BUDGET_TOTAL_USD_PER_DAY"))
  }
})

/** Converts a health factor with three decimals to one that is scaled by 10^18. */
const healthFactorE18 = (factor: number): bigint => BigInt(Math.round(factor * 1_000)) * 10n ** 15n

const coinGecko = Effect.gen(function* () {
  const apiKey = yield* readSetting("COINGECKO_API_KEY")
  const plan = yield* readSetting("COINGECKO_PLAN")
  const url = yield* readSetting("COINGECKO_URL")
  return { _tag: "CoinGecko", plan: apiKey === null ? "none" : plan, apiKey, url } satisfies MarketSourceSettings
})

const defiLlama = Effect.map(readSetting("DEFILLAMA_URL"), (url): MarketSourceSettings => ({ _tag: "DefiLlama", url }))

/** Reads the market data sources, in the order in which they are queried. */
const marketData = Effect.flatMap(readSetting("MARKET_DATA_SOURCES"), (names) =>
  Effect.forEach(
    names ?? [],
    (name): SettingEffect<MarketSourceSettings> => (name === "coingecko" ? coinGecko : defiLlama)
  )
)

/**
 * Reads the aggregators, in order of preference among equal quotes. Also validates the settings of aggregators that are
 * not used.
 */
const aggregators = Effect.gen(function* () {
  const timeoutMs = yield* readSetting("AGGREGATOR_TIMEOUT_MS")
  const aggregatorByName: Readonly<Record<"kyberswap" | "lifi" | "velora", AggregatorSettings>> = {
    kyberswap: {
      _tag: "KyberSwap",
      url: yield* readSetting("KYBERSWAP_URL"),
      clientId: yield* readSetting("KYBERSWAP_CLIENT_ID"),
      requestsPerSecond: yield* readSetting("KYBERSWAP_REQUESTS_PER_SECOND"),
      timeoutMs
    },
    lifi: {
      _tag: "LiFi",
      url: yield* readSetting("LIFI_URL"),
      apiKey: yield* readSetting("LIFI_API_KEY"),
      integrator: yield* readSetting("LIFI_INTEGRATOR"),
      timeoutMs
    },
    velora: { _tag: "Velora", url: yield* readSetting("VELORA_URL"), timeoutMs }
  }
  return ((yield* readSetting("SWAP_AGGREGATORS")) ?? []).map((name) => aggregatorByName[name])
})

/** Reads the settings of Across. A key or a URL is sufficient to enable it. */
const across = Effect.gen(function* () {
  const integratorId = yield* readSetting("ACROSS_INTEGRATOR_ID")
  const apiKey = yield* readSetting("ACROSS_API_KEY")
  const url = yield* readSetting("ACROSS_URL")
  return apiKey === null && url === null ? {} : { across: { apiKey, url, integratorId } }
})

const thorchain = Effect.map(readSetting("THORNODE_URL"), (url) => (url === null ? {} : { thorchain: { url } }))

/** Requires that the settings are set together. Null if none of them is set. */
const requireAllOrNone = Effect.fnUntraced(function* <const Values extends Readonly<Record<string, unknown>>>(
  values: Values
) {
  const names = Object.keys(values)
  const missingNames = names.filter((name) => values[name] === null)
  if (missingNames.length === names.length) return null
  const [name] = missingNames
  if (name === undefined) return values as { readonly [Name in keyof Values]: NonNullable<Values[Name]> }
  const otherNames = names.filter((other) => other !== name)
  const expected = `set, and ${otherNames.join(" and ")} ${otherNames.length > 1 ? "require" : "requires"} it`
  return yield* new SettingInvalid({ name, expected, requiredBy: otherNames })
})

const blindPay = Effect.gen(function* () {
  const webhookSecret = yield* readSetting("BLINDPAY_WEBHOOK_SECRET")
  const url = yield* readSetting("BLINDPAY_URL")
  const account = yield* requireAllOrNone({
    BLINDPAY_API_KEY: yield* readSetting("BLINDPAY_API_KEY"),
    BLINDPAY_INSTANCE_ID: yield* readSetting("BLINDPAY_INSTANCE_ID")
  })
  if (account === null) return {}
  const { BLINDPAY_API_KEY: apiKey, BLINDPAY_INSTANCE_ID: instanceId } = account
  return { blindPay: { apiKey, instanceId, url, webhookSecret, hasTerms: true } }
})

const bridge = Effect.gen(function* () {
  const apiKey = yield* readSetting("BRIDGE_API_KEY")
  const webhookPublicKey = yield* readSetting("BRIDGE_WEBHOOK_PUBLIC_KEY")
  const url = yield* readSetting("BRIDGE_URL")
  return apiKey === null ? {} : { bridge: { apiKey, url, webhookPublicKey, hasTerms: true } }
})

const documentsS3 = Effect.gen(function* () {
  const region = yield* readSetting("DOCUMENTS_S3_REGION")
  const bucket = yield* requireAllOrNone({
    DOCUMENTS_S3_URL: yield* readSetting("DOCUMENTS_S3_URL"),
    DOCUMENTS_S3_ACCESS_KEY_ID: yield* readSetting("DOCUMENTS_S3_ACCESS_KEY_ID"),
    DOCUMENTS_S3_SECRET_ACCESS_KEY: yield* readSetting("DOCUMENTS_S3_SECRET_ACCESS_KEY")
  })
  if (bucket === null) return {}
  const { DOCUMENTS_S3_ACCESS_KEY_ID: accessKeyId, DOCUMENTS_S3_URL: url } = bucket
  return { documentsS3: { url, region, accessKeyId, secretAccessKey: bucket.DOCUMENTS_S3_SECRET_ACCESS_KEY } }
})

/** Reads where backups are stored; null if BACKUP_TARGET is not set. */
export const backupTargetOrNull: SettingEffect<BackupTargetSettings | null> = Effect.gen(function* () {
  const target = yield* readSetting("BACKUP_TARGET")
  if (target === null) return null
  if (!/^https?:/u.test(target)) return { _tag: "Folder", folder: resolve(target) }
  const reason = "because BACKUP_TARGET is the URL of a bucket"
  return {
    _tag: "S3",
    url: target,
    region: yield* readSetting("BACKUP_S3_REGION"),
    accessKeyId: yield* requireSetting("BACKUP_S3_ACCESS_KEY_ID", reason),
    secretAccessKey: yield* requireSetting("BACKUP_S3_SECRET_ACCESS_KEY", reason)
  }
})

const sumsub = Effect.gen(function* () {
  const webhookSecret = yield* readSetting("SUMSUB_WEBHOOK_SECRET")
  const levels = {
    individual: yield* readSetting("SUMSUB_LEVEL_INDIVIDUAL"),
    business: yield* readSetting("SUMSUB_LEVEL_BUSINESS")
  }
  const url = yield* readSetting("SUMSUB_URL")
  const token = yield* requireAllOrNone({
    SUMSUB_APP_TOKEN: yield* readSetting("SUMSUB_APP_TOKEN"),
    SUMSUB_SECRET_KEY: yield* readSetting("SUMSUB_SECRET_KEY")
  })
  if (token === null) return {}
  return {
    sumsub: { appToken: token.SUMSUB_APP_TOKEN, secretKey: token.SUMSUB_SECRET_KEY, webhookSecret, levels, url }
  }
})

const activity = Effect.gen(function* () {
  const watchesTransfers = yield* readSetting("WATCH_TRANSFERS")
  const policy: ActivityPolicy = {
    isOn: watchesTransfers !== "off",
    withNativeToken: watchesTransfers === "all",
    backfillBlocks: yield* readSetting("WATCH_BACKFILL_BLOCKS")
  }
  return policy
})

/** Reads the mail server if one is configured, otherwise the mail folder if one is configured. */
const mail = Effect.gen(function* () {
  const url = yield* readSetting("SMTP_URL")
  const folder = yield* readSetting("MAIL_DIR")
  if (url === null) return folder === null ? {} : { mail: { _tag: "Folder", folder } satisfies MailSettings }
  const from = yield* requireSetting("MAIL_FROM", "and SMTP_URL requires it: an email address, such as tax@example.com")
  return { mail: { _tag: "Smtp", url, from } satisfies MailSettings }
})

const nodesByChain = Effect.map(readSettingByChain("RPC_URL_<chain id>"), (nodes) => {
  const urls = [...nodes].map(
    ([id, list]) =>
      [id, list.flatMap((node) => (node === PUBLIC_NODES ? deploymentOf(id).publicRpcUrls : [node]))] as const
  )
  return new Map<EvmChainId, ReadonlyArray<string>>(urls)
})

/** Reads the served chains and their nodes. */
export const chainSettings = Effect.map(nodesByChain, (rpcUrls) => {
  const activeChains = [...rpcUrls.keys()]
  const chains: Pick<Settings, "rpcUrls" | "activeChains" | "servedChains"> = {
    rpcUrls: (chainId) => rpcUrls.get(chainId) ?? [],
    activeChains: () => activeChains,
    servedChains: { ids: () => activeChains, settingOf: (id) => (isEvmChainId(id) ? `RPC_URL_${id}` : null) }
  }
  return chains
})

/** Reads the settings that a standalone service and the library have in common. */
export const sharedSettings = Effect.gen(function* () {
  const chains = yield* chainSettings
  const bundler = yield* bundlerSettings
  const paymasterSettings = yield* paymaster
  const documents = yield* readSetting("DOCUMENTS_DIR")
  const backupTarget = yield* backupTargetOrNull
  const commonSettings: Omit<Settings, "database" | "isListed" | "soleProcess"> = {
    ...chains,
    bundler,
    paymaster: paymasterSettings,
    quotes: {
      quoteSeconds: yield* readSetting("QUOTE_SECONDS"),
      operatorTreasury: yield* readSetting("OPERATOR_TREASURY"),
      operatorSharePercent: yield* readSetting("OPERATOR_SHARE_PERCENT")
    },
    swap: {
      providerTimeoutMs: yield* readSetting("PROVIDER_TIMEOUT_MS"),
      quickestQuoteMs: yield* readSetting("QUICKEST_QUOTE_MS")
    },
    liquidity: {
      warnPriceImpactPercent: yield* readSetting("LIQUIDITY_WARN_PERCENT"),
      maxPriceImpactPercent: yield* readSetting("LIQUIDITY_MAX_PERCENT")
    },
    lending: {
      warnBelowE18: healthFactorE18(yield* readSetting("LENDING_HEALTH_FACTOR_WARNING")),
      refuseBelowE18: healthFactorE18(yield* readSetting("LENDING_HEALTH_FACTOR_MINIMUM"))
    },
    rateLimit: yield* rateLimit,
    firstUseOfGasToken: yield* readFirstUseOfGasToken(bundler._tag, paymasterSettings._tag),
    unpaidGasLimits: yield* readUnpaidGasLimits,
    retention: {
      quoteDays: yield* readSetting("RETENTION_QUOTES_DAYS"),
      deliveryDays: yield* readSetting("RETENTION_DELIVERIES_DAYS"),
      refusedIdentityDays: yield* readSetting("RETENTION_REFUSED_IDENTITIES_DAYS"),
      archiveDays: yield* readSetting("ARCHIVE_AFTER_DAYS")
    },
    aggregators: yield* aggregators,
    marketData: yield* marketData,
    cowApiUrl: yield* readSetting("COW_API_URL"),
    bitcoin: {
      esploraUrls: (yield* readSetting("ESPLORA_URLS")) ?? [],
      coreUrls: (yield* readSetting("BITCOIN_RPC_URLS")) ?? [],
      confirmations: yield* readSetting("BITCOIN_CONFIRMATIONS")
    },
    ...(yield* across),
    ...(yield* thorchain),
    ...(yield* blindPay),
    ...(yield* bridge),
    ...(yield* documentsS3),
    ...(yield* sumsub),
    isFourEyes: yield* readSetting("IDENTITY_FOUR_EYES"),
    ...(yield* readSetting("FIAT_LIMITS")),
    activity: yield* activity,
    fiatRates: new Map(),
    webhooks: {
      allowPrivateTargets: yield* readSetting("WEBHOOK_ALLOW_PRIVATE_TARGETS"),
      timeoutMs: yield* readSetting("WEBHOOK_TIMEOUT_MS")
    },
    nfts: {
      collections: (yield* readSetting("NFT_COLLECTIONS")) ?? [],
      ipfsGateway: yield* readSetting("IPFS_GATEWAY")
    },
    ...(yield* mail),
    ...(documents === null ? {} : { documentsFolder: documents }),
    ...(backupTarget === null ? {} : { backupTarget }),
    secretKeys: (yield* readSetting("SECRETS_KEY")) ?? [],
    clockOffsetSeconds: () => 0
  }
  return commonSettings
})

/** Reads the settings of the Postgres database; null if the database is not Postgres. */
export const postgresSettings: SettingEffect<Extract<DatabaseSettings, { readonly _tag: "Postgres" }> | null> =
  Effect.gen(function* () {
    const url = yield* readSetting("DATABASE_URL")
    const readUrl = yield* readSetting("DATABASE_READ_URL")
    const connectionsMax = yield* readSetting("DATABASE_POOL_SIZE")
    const isPgBouncer = yield* readSetting("DATABASE_PGBOUNCER")
    return url === null ? null : { _tag: "Postgres", url, readUrl, connectionsMax, isPgBouncer }
  })

/**
 * Reads the settings from environment variables, which `docs/settings.md` lists. A chain without an RPC_URL is not
 * served.
 */
export const environmentSettings = Effect.fn("environmentSettings")(function* (home: string) {
  const database = (yield* postgresSettings) ?? { _tag: "Sqlite", filename: join(home, "countersign.db") }
  yield* requireSetting(
    "SECRETS_KEY",
    "and the service encrypts stored secrets with it. Generate a key with `openssl rand -base64 32`"
  )
  const settings: Settings = {
    documentsFolder: documentsFolder(home),
    mail: { _tag: "Folder", folder: mailFolder(home) },
    ...(yield* sharedSettings),
    database,
    isListed: () => true,
    soleProcess: false
  }
  return settings
})
