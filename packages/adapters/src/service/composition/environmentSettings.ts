import { join } from "node:path"
import { type EvmChainId, evmChainIds, isEvmChainId } from "@countersign/core/foundation/chains"
import { HexBytes } from "@countersign/core/foundation/primitives"
import { LossLimits } from "@countersign/core/operations/losses"
import { type FirstUse, FirstUseOfGasToken } from "@countersign/core/operations/user-operations"
import { RetentionPolicy } from "@countersign/core/tenancy/retention"
import { LendingSettings } from "@countersign/core/trading/lending"
import { type ActivityPolicy, ActivitySettings } from "@countersign/core/wallets/chain-activity"
import { Config, Effect, Option, Redacted } from "effect"
import { deploymentOf } from "../../chains/deployments/index.ts"
import { type OperatorKeys, operatorKeyProblem } from "../../chains/evm/index.ts"
import { type AggregatorSettings, aggregatorDefaults } from "../../exchanges/aggregators/index.ts"
import { COW_API_URL } from "../../exchanges/cow/index.ts"
import { isPublicKey } from "../../fiat/index.ts"
import { documentsFolder } from "../../identity/index.ts"
import { mailFolder } from "../../outbound/mail/index.ts"
import { secretKeysOrNull } from "../../storage/kysely/index.ts"
import type { CoinGeckoPlan, MarketSourceSettings } from "../../tokens/market-data/index.ts"
import {
  addressOrNull,
  confirmationPolicy,
  databaseUrlOrNull,
  decimal,
  isOn,
  isPrivateKey,
  nftCollections,
  nodeListOrNull,
  privateKeyOrNull,
  type Range,
  SettingInvalid,
  smtpOrNull,
  urlListOrNull,
  urlOrNull,
  wholeNumber,
  wholeNumberOrNull
} from "../settings/index.ts"
import { fiatLimits } from "./fiatLimitSettings.ts"
import type { BundlerSettings, DatabaseSettings, MailSettings, PaymasterSettings, Settings } from "./Settings.ts"

/** An address that other settings need; its absence is told as effect's configuration does. */
const address = Effect.fnUntraced(function* (name: string) {
  yield* Config.String(name)
  return (yield* addressOrNull(name))!
})

/** `PREFIX_<chain id>`, each a list of URLs separated by commas. */
const urlsByChain = Effect.fnUntraced(function* (prefix: string) {
  const urls = new Map<EvmChainId, ReadonlyArray<string>>()
  for (const id of evmChainIds) {
    const list = yield* urlListOrNull(`${prefix}_${id}`)
    if (list !== null) urls.set(id, list)
  }
  return urls
})

const database = (home: string) =>
  Effect.map(
    databaseUrlOrNull,
    (url): DatabaseSettings =>
      url === null ? { _tag: "Sqlite", filename: join(home, "countersign.db") } : { _tag: "Postgres", url }
  )

const mail = (home: string) =>
  Effect.map(
    smtpOrNull,
    (smtp): MailSettings => (smtp === null ? { _tag: "Folder", folder: mailFolder(home) } : { _tag: "Smtp", ...smtp })
  )

/** Private keys separated by commas, which stay wrapped; none where the setting is not there. */
const privateKeys = Effect.fnUntraced(function* (name: string) {
  const text = yield* Config.option(Config.Redacted(name))
  if (Option.isNone(text)) return []
  const keys = Redacted.value(text.value)
    .split(",")
    .map((key) => key.trim().toLowerCase())
  if (keys.every(isPrivateKey)) return keys.map((key) => Redacted.make(key))
  return yield* new SettingInvalid({
    name,
    expected: "a list of private keys: each 0x and 64 digits, separated by commas"
  })
})

const OPERATOR_SETTINGS = { "0.7": "OPERATOR_PRIVATE_KEYS_0_7", "0.8": "OPERATOR_PRIVATE_KEYS_0_8" } as const

/** OPERATOR_PRIVATE_KEYS_…, of both EntryPoints; null where there are none. */
export const operatorKeysOrNull = Effect.gen(function* () {
  const keys: OperatorKeys = {
    "0.7": yield* privateKeys(OPERATOR_SETTINGS["0.7"]),
    "0.8": yield* privateKeys(OPERATOR_SETTINGS["0.8"])
  }
  if (keys["0.7"].length + keys["0.8"].length === 0) return null
  for (const version of ["0.7", "0.8"] as const) {
    const expected = operatorKeyProblem(keys, version)
    if (expected !== null) return yield* new SettingInvalid({ name: OPERATOR_SETTINGS[version], expected })
  }
  return keys
})

/** BUNDLER_URL_…, else OPERATOR_PRIVATE_KEYS_…. */
export const bundlerSettings = Effect.fnUntraced(function* (): Effect.fn.Return<
  BundlerSettings,
  SettingInvalid | Config.ConfigError
> {
  const urls = yield* urlsByChain("BUNDLER_URL")
  if (urls.size > 0) return { _tag: "Rpc", urls }
  const operatorKeys = yield* operatorKeysOrNull
  return operatorKeys === null ? { _tag: "None" } : { _tag: "Self", operatorKeys }
})

const paymaster = Effect.fnUntraced(function* (): Effect.fn.Return<
  PaymasterSettings,
  SettingInvalid | Config.ConfigError
> {
  const urls = yield* urlsByChain("PAYMASTER_URL")
  if (urls.size > 0) return { _tag: "Rpc", urls }
  const signerKey = yield* privateKeyOrNull("PAYMASTER_SIGNER_PRIVATE_KEY")
  if (signerKey === null) return { _tag: "None" }
  return {
    _tag: "Self",
    signerKey,
    treasury: yield* address("PAYMASTER_TREASURY"),
    paymasters: { "0.7": yield* address("PAYMASTER_ADDRESS_0_7"), "0.8": yield* address("PAYMASTER_ADDRESS_0_8") }
  }
})

/** Required to read or write secrets, so that none is ever stored in the clear. */
const secretKeys = Effect.gen(function* () {
  const name = "SECRETS_KEY"
  const text = yield* Config.option(Config.Redacted(name))
  if (Option.isNone(text)) {
    const expected = "set: stored secrets are sealed with it. `openssl rand -base64 32` makes one"
    return yield* new SettingInvalid({ name, expected })
  }
  const expected =
    "one or more keys of 32 bytes in base 64, separated by commas, as `openssl rand -base64 32` makes them"
  return secretKeysOrNull(Redacted.value(text.value)) ?? (yield* new SettingInvalid({ name, expected }))
})

const ONE_DAY_SECONDS = 86_400

/** RATE_LIMIT_REQUESTS in RATE_LIMIT_WINDOW_SECONDS, for each key; off when not set. */
const rateLimit = Effect.gen(function* () {
  const requests = yield* wholeNumberOrNull("RATE_LIMIT_REQUESTS", { from: 1 })
  // A process that prunes without knowing the limit takes no window for longer than a day.
  const windowSeconds = yield* wholeNumber("RATE_LIMIT_WINDOW_SECONDS", 60, { from: 1, to: ONE_DAY_SECONDS })
  return requests === null ? null : { requests, windowSeconds }
})

const FIRST_USES: Readonly<Record<string, FirstUse>> = { trusted: "TRUSTED", paid: "PAID" }

/** FIRST_USE_OF_GAS_TOKEN. Paying first takes a bundler and a paymaster that know how. */
const firstUseOfGasToken = Effect.fnUntraced(function* (
  bundlerTag: BundlerSettings["_tag"],
  paymasterTag: PaymasterSettings["_tag"]
) {
  const name = "FIRST_USE_OF_GAS_TOKEN"
  const text = yield* Config.option(Config.String(name))
  if (Option.isNone(text)) return FirstUseOfGasToken.defaultValue()
  const firstUse = FIRST_USES[text.value.trim()]
  if (firstUse === undefined) return yield* new SettingInvalid({ name, expected: "trusted or paid" })
  if (firstUse === "PAID" && bundlerTag === "Rpc") {
    const expected =
      "trusted, as BUNDLER_URL_… asks for: an external bundler does not estimate an operation on top of another one"
    return yield* new SettingInvalid({ name, expected })
  }
  if (firstUse === "PAID" && paymasterTag === "Rpc") {
    const expected = "trusted, as PAYMASTER_URL_… asks for: an external paymaster takes no fee before the calls"
    return yield* new SettingInvalid({ name, expected })
  }
  return firstUse
})

/** LOSS_BUDGET_USD_PER_DAY, for each project, and LOSS_BUDGET_TOTAL_USD_PER_DAY, for all of them together. */
const losses = Effect.gen(function* () {
  const usual = LossLimits.defaultValue()
  const budget = (name: string, defaultE6: bigint) =>
    Effect.map(decimal(name, Number(defaultE6) / 1e6, { from: 0, to: 1_000_000 }, "US dollars"), (dollars) =>
      BigInt(Math.round(dollars * 1e6))
    )
  return {
    ...usual,
    projectUsdE6PerDay: yield* budget("LOSS_BUDGET_USD_PER_DAY", usual.projectUsdE6PerDay),
    operatorUsdE6PerDay: yield* budget("LOSS_BUDGET_TOTAL_USD_PER_DAY", usual.operatorUsdE6PerDay)
  }
})

const E15 = 10n ** 15n

const cowApiUrl = Effect.map(urlOrNull("COW_API_URL"), (url) => url ?? COW_API_URL)

/** LENDING_HEALTH_FACTOR_WARNING and LENDING_HEALTH_FACTOR_MINIMUM, to three digits. */
const lending = Effect.gen(function* () {
  const usual = LendingSettings.defaultValue()
  const healthFactor = (name: string, defaultE18: bigint) =>
    Effect.map(
      decimal(name, Number(defaultE18 / E15) / 1_000, { from: 0, to: 1_000 }, "a health factor"),
      (value) => BigInt(Math.round(value * 1_000)) * E15
    )
  return {
    warnBelowE18: yield* healthFactor("LENDING_HEALTH_FACTOR_WARNING", usual.warnBelowE18),
    refuseBelowE18: yield* healthFactor("LENDING_HEALTH_FACTOR_MINIMUM", usual.refuseBelowE18)
  }
})

/** Longer than clocks differ and than an attempt takes, and shorter than dates reach. */
const DAYS: Range = { from: 0.1, to: 36_500 }

const days = (name: string, usual: number) => decimal(name, usual, DAYS, "a number of days")

/** An attempt is only begun while its worker is believed to be alive for as long, which is a minute. */
const WEBHOOK_TIMEOUT_MAX_MS = 30_000

const retention = Effect.gen(function* () {
  const { deliveryDays, quoteDays, refusedIdentityDays } = RetentionPolicy.defaultValue()
  const policy: RetentionPolicy = {
    quoteDays: yield* days("RETENTION_QUOTES_DAYS", quoteDays),
    deliveryDays: yield* days("RETENTION_DELIVERIES_DAYS", deliveryDays),
    refusedIdentityDays: yield* days("RETENTION_REFUSED_IDENTITIES_DAYS", refusedIdentityDays)
  }
  return policy
})

const PLANS: Readonly<Record<string, CoinGeckoPlan>> = { demo: "demo", pro: "pro" }

/** COINGECKO_…: without a key the public plan. */
const coinGecko = Effect.gen(function* () {
  const key = yield* Config.option(Config.Redacted("COINGECKO_API_KEY"))
  const name = "COINGECKO_PLAN"
  const plan = PLANS[(yield* Config.withDefault(Config.String(name), "demo")).trim().toLowerCase()]
  if (plan === undefined) return yield* new SettingInvalid({ name, expected: "demo or pro" })
  const source: MarketSourceSettings = {
    _tag: "CoinGecko",
    plan: Option.isNone(key) ? "none" : plan,
    apiKey: Option.getOrNull(key),
    url: yield* urlOrNull("COINGECKO_URL")
  }
  return source
})

const defiLlama = Effect.map(urlOrNull("DEFILLAMA_URL"), (url): MarketSourceSettings => ({ _tag: "DefiLlama", url }))

/** MARKET_DATA_SOURCES, in the order in which they are asked. */
export const marketData = Effect.gen(function* () {
  const name = "MARKET_DATA_SOURCES"
  const text = yield* Config.option(Config.String(name))
  const words = Option.isNone(text) ? [] : text.value.split(",").map((word) => word.trim().toLowerCase())
  const known = { coingecko: coinGecko, defillama: defiLlama }
  if (new Set(words).size !== words.length || !words.every((word) => Object.hasOwn(known, word))) {
    return yield* new SettingInvalid({ name, expected: "coingecko, defillama, or both, separated by a comma" })
  }
  return yield* Effect.forEach(words, (word) => known[word as keyof typeof known])
})

/** ACROSS_INTEGRATOR_ID: two bytes; null where there is none. */
const integratorIdOrNull = Effect.gen(function* () {
  const name = "ACROSS_INTEGRATOR_ID"
  const text = yield* Config.option(Config.String(name))
  if (Option.isNone(text)) return null
  const id = text.value.trim().toLowerCase()
  if (!/^0x[\da-f]{4}$/u.test(id)) return yield* new SettingInvalid({ name, expected: "0x and 4 hexadecimal digits" })
  return HexBytes.make(id)
})

/** ACROSS_API_KEY and ACROSS_URL: one of them is enough. */
const across = Effect.gen(function* () {
  const integratorId = yield* integratorIdOrNull
  const apiKey = Option.getOrNull(yield* Config.option(Config.Redacted("ACROSS_API_KEY")))
  const url = yield* urlOrNull("ACROSS_URL")
  return apiKey === null && url === null ? {} : { across: { apiKey, url, integratorId } }
})

/** THORNODE_URL. */
const thorchain = Effect.map(urlOrNull("THORNODE_URL"), (url) => (url === null ? {} : { thorchain: { url } }))

/** BLINDPAY_API_KEY and BLINDPAY_INSTANCE_ID: both, or none. */
const blindPay = Effect.gen(function* () {
  const apiKey = Option.getOrNull(yield* Config.option(Config.Redacted("BLINDPAY_API_KEY")))
  const instanceId = Option.getOrNull(yield* Config.option(Config.String("BLINDPAY_INSTANCE_ID")))
  const webhookSecret = Option.getOrNull(yield* Config.option(Config.Redacted("BLINDPAY_WEBHOOK_SECRET")))
  const url = yield* urlOrNull("BLINDPAY_URL")
  if (apiKey === null && instanceId === null) return {}
  if (apiKey === null)
    return yield* new SettingInvalid({ name: "BLINDPAY_API_KEY", expected: "a key, beside BLINDPAY_INSTANCE_ID" })
  if (instanceId === null) {
    return yield* new SettingInvalid({
      name: "BLINDPAY_INSTANCE_ID",
      expected: "the id of an instance, beside BLINDPAY_API_KEY"
    })
  }
  return { blindPay: { apiKey, instanceId, url, webhookSecret, hasTerms: true } }
})

/** BRIDGE_API_KEY, with BRIDGE_WEBHOOK_PUBLIC_KEY where messages are taken. */
const bridge = Effect.gen(function* () {
  const apiKey = Option.getOrNull(yield* Config.option(Config.Redacted("BRIDGE_API_KEY")))
  const name = "BRIDGE_WEBHOOK_PUBLIC_KEY"
  const pem = Option.getOrNull(yield* Config.option(Config.NonEmptyString(name)))
  const url = yield* urlOrNull("BRIDGE_URL")
  if (apiKey === null) return {}
  // A file of settings has it in one line.
  const webhookPublicKey = pem === null ? null : pem.replaceAll("\\n", "\n")
  if (webhookPublicKey !== null && !isPublicKey(webhookPublicKey))
    return yield* new SettingInvalid({ name, expected: "a public RSA key as PEM, -----BEGIN PUBLIC KEY----- and more" })
  return { bridge: { apiKey, url, webhookPublicKey } }
})

const S3_NAMES = ["DOCUMENTS_S3_URL", "DOCUMENTS_S3_ACCESS_KEY_ID", "DOCUMENTS_S3_SECRET_ACCESS_KEY"] as const

/** DOCUMENTS_S3_URL with its keys: all of them, or none. */
const documentsS3 = Effect.gen(function* () {
  const url = yield* urlOrNull("DOCUMENTS_S3_URL")
  const accessKeyId = Option.getOrNull(yield* Config.option(Config.NonEmptyString("DOCUMENTS_S3_ACCESS_KEY_ID")))
  const secretAccessKey = Option.getOrNull(yield* Config.option(Config.Redacted("DOCUMENTS_S3_SECRET_ACCESS_KEY")))
  const region = yield* Config.withDefault(Config.NonEmptyString("DOCUMENTS_S3_REGION"), "us-east-1")
  if (url === null && accessKeyId === null && secretAccessKey === null) return {}
  if (url === null || accessKeyId === null || secretAccessKey === null) {
    const name = S3_NAMES[[url, accessKeyId, secretAccessKey].indexOf(null)]!
    return yield* new SettingInvalid({
      name,
      expected: `a value, beside ${S3_NAMES.filter((other) => other !== name).join(" and ")}`
    })
  }
  return { documentsS3: { url, region, accessKeyId, secretAccessKey } }
})

/** SUMSUB_APP_TOKEN and SUMSUB_SECRET_KEY: both, or none. */
const sumsub = Effect.gen(function* () {
  const appToken = Option.getOrNull(yield* Config.option(Config.Redacted("SUMSUB_APP_TOKEN")))
  const secretKey = Option.getOrNull(yield* Config.option(Config.Redacted("SUMSUB_SECRET_KEY")))
  const webhookSecret = Option.getOrNull(yield* Config.option(Config.Redacted("SUMSUB_WEBHOOK_SECRET")))
  const levels = {
    individual: yield* Config.withDefault(Config.NonEmptyString("SUMSUB_LEVEL_INDIVIDUAL"), "basic-kyc-level"),
    business: yield* Config.withDefault(Config.NonEmptyString("SUMSUB_LEVEL_BUSINESS"), "basic-kyb-level")
  }
  const url = yield* urlOrNull("SUMSUB_URL")
  if (appToken === null && secretKey === null) return {}
  if (appToken === null || secretKey === null) {
    const [name, other] =
      appToken === null ? ["SUMSUB_APP_TOKEN", "SUMSUB_SECRET_KEY"] : ["SUMSUB_SECRET_KEY", "SUMSUB_APP_TOKEN"]
    return yield* new SettingInvalid({ name, expected: `a value, beside ${other}` })
  }
  return { sumsub: { appToken, secretKey, webhookSecret, levels, url } }
})

/** SWAP_AGGREGATORS, in the order in which equal quotes are preferred. */
export const aggregators = Effect.gen(function* () {
  const name = "SWAP_AGGREGATORS"
  const text = yield* Config.option(Config.String(name))
  const words = Option.isNone(text) ? [] : text.value.split(",").map((word) => word.trim().toLowerCase())
  const timeoutMs = yield* wholeNumber("AGGREGATOR_TIMEOUT_MS", aggregatorDefaults.timeoutMs, { from: 100, to: 30_000 })
  const kyberSwap = Effect.gen(function* () {
    const clientId = yield* Config.withDefault(Config.String("KYBERSWAP_CLIENT_ID"), aggregatorDefaults.name)
    const url = yield* urlOrNull("KYBERSWAP_URL")
    const requestsPerSecond = yield* wholeNumber(
      "KYBERSWAP_REQUESTS_PER_SECOND",
      aggregatorDefaults.kyberSwapRequestsPerSecond,
      {
        from: 1,
        to: 1_000
      }
    )
    return { _tag: "KyberSwap", url, clientId, requestsPerSecond, timeoutMs } satisfies AggregatorSettings
  })
  const liFi = Effect.gen(function* () {
    const apiKey = Option.getOrNull(yield* Config.option(Config.Redacted("LIFI_API_KEY")))
    const integrator = yield* Config.withDefault(Config.String("LIFI_INTEGRATOR"), aggregatorDefaults.name)
    return {
      _tag: "LiFi",
      url: yield* urlOrNull("LIFI_URL"),
      apiKey,
      integrator,
      timeoutMs
    } satisfies AggregatorSettings
  })
  const velora = Effect.map(
    urlOrNull("VELORA_URL"),
    (url) => ({ _tag: "Velora", url, timeoutMs }) satisfies AggregatorSettings
  )
  const known = { kyberswap: kyberSwap, lifi: liFi, velora }
  if (new Set(words).size !== words.length || !words.every((word) => Object.hasOwn(known, word))) {
    return yield* new SettingInvalid({
      name,
      expected: "kyberswap, lifi and velora, or some of them, separated by commas"
    })
  }
  return yield* Effect.forEach(
    words,
    (word): Effect.Effect<AggregatorSettings, Config.ConfigError | SettingInvalid> => known[word as keyof typeof known]
  )
})

/** What is looked for on chains by the word of the setting. */
const WATCHES: Readonly<Record<string, Pick<ActivityPolicy, "isOn" | "withCoin">>> = {
  all: { isOn: true, withCoin: true },
  tokens: { isOn: true, withCoin: false },
  off: { isOn: false, withCoin: false }
}

/** WATCH_TRANSFERS and WATCH_BACKFILL_BLOCKS. */
const activity = Effect.gen(function* () {
  const usual = ActivitySettings.defaultValue()
  const name = "WATCH_TRANSFERS"
  const text = yield* Config.option(Config.String(name))
  const watch = WATCHES[Option.getOrElse(text, () => "all").trim()]
  if (watch === undefined) return yield* new SettingInvalid({ name, expected: "all, tokens or off" })
  const backfillBlocks = yield* wholeNumber("WATCH_BACKFILL_BLOCKS", usual.backfillBlocks, { from: 0, to: 100_000_000 })
  const policy: ActivityPolicy = { ...watch, backfillBlocks }
  return policy
})

/** Which chains are served, and through which nodes. */
export const chainSettings = Effect.gen(function* () {
  const rpcUrls = new Map<EvmChainId, ReadonlyArray<string>>()
  for (const id of evmChainIds) {
    const nodes = yield* nodeListOrNull(`RPC_URL_${id}`, deploymentOf(id).publicRpcUrls)
    if (nodes !== null) rpcUrls.set(id, nodes)
  }
  const activeChains = [...rpcUrls.keys()]
  const chains: Pick<Settings, "rpcUrls" | "activeChains" | "servedChains"> = {
    rpcUrls: (chainId) => rpcUrls.get(chainId) ?? [],
    activeChains: () => activeChains,
    servedChains: { ids: () => activeChains, settingOf: (id) => (isEvmChainId(id) ? `RPC_URL_${id}` : null) }
  }
  return chains
})

/** Settings from environment variables; `docs/operations.md` lists them. A chain without an RPC_URL is not served. */
export const environmentSettings = Effect.fn("environmentSettings")(function* (home: string) {
  const chains = yield* chainSettings
  const bundler = yield* bundlerSettings()
  const paymasterSettings = yield* paymaster()
  const settings: Settings = {
    database: yield* database(home),
    ...chains,
    bundler,
    paymaster: paymasterSettings,
    isListed: () => true,
    quotes: {
      quoteSeconds: yield* wholeNumber("QUOTE_SECONDS", 60, { from: 1, to: ONE_DAY_SECONDS }),
      operatorTreasury: yield* addressOrNull("OPERATOR_TREASURY"),
      operatorSharePercent: yield* decimal("OPERATOR_SHARE_PERCENT", 0, { from: 0, to: 100 }, "a percentage")
    },
    swap: {
      providerTimeoutMs: yield* wholeNumber("PROVIDER_TIMEOUT_MS", 10_000, { from: 1 }),
      quickestQuoteMs: yield* wholeNumber("QUICKEST_QUOTE_MS", 900, { from: 1 })
    },
    liquidity: {
      warnPriceImpactPercent: yield* decimal("LIQUIDITY_WARN_PERCENT", 3, { from: 0, to: 100 }, "a percentage"),
      maxPriceImpactPercent: yield* decimal("LIQUIDITY_MAX_PERCENT", 15, { from: 0, to: 100 }, "a percentage")
    },
    lending: yield* lending,
    rateLimit: yield* rateLimit,
    firstUseOfGasToken: yield* firstUseOfGasToken(bundler._tag, paymasterSettings._tag),
    losses: yield* losses,
    retention: yield* retention,
    aggregators: yield* aggregators,
    marketData: yield* marketData,
    cowApiUrl: yield* cowApiUrl,
    bitcoin: {
      esploraUrls: (yield* urlListOrNull("ESPLORA_URLS")) ?? [],
      coreUrls: (yield* urlListOrNull("BITCOIN_RPC_URLS")) ?? [],
      confirmations: yield* confirmationPolicy("BITCOIN_CONFIRMATIONS")
    },
    ...(yield* across),
    ...(yield* thorchain),
    ...(yield* blindPay),
    ...(yield* bridge),
    ...(yield* documentsS3),
    ...(yield* sumsub),
    ...(yield* fiatLimits),
    activity: yield* activity,
    fiatRates: new Map(),
    webhooks: {
      allowPrivateTargets: yield* isOn("WEBHOOK_ALLOW_PRIVATE_TARGETS"),
      timeoutMs: yield* wholeNumber("WEBHOOK_TIMEOUT_MS", 15_000, { from: 1, to: WEBHOOK_TIMEOUT_MAX_MS })
    },
    nfts: {
      collections: yield* nftCollections("NFT_COLLECTIONS"),
      ipfsGateway: yield* urlOrNull("IPFS_GATEWAY")
    },
    mail: yield* mail(home),
    documentsFolder: yield* Config.String("DOCUMENTS_DIR").pipe(Config.withDefault(documentsFolder(home))),
    secretKeys: yield* secretKeys,
    soleProcess: false,
    clockOffsetSeconds: () => 0
  }
  return settings
})
