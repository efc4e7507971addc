import { type EvmChainId, evmChainIds, isEvmChainId } from "@countersign/core/foundation/chains"
import { HexBytes } from "@countersign/core/foundation/primitives"
import { LossLimits } from "@countersign/core/operations/losses"
import { QuoteSettings } from "@countersign/core/operations/quotes"
import { FirstUseOfGasToken } from "@countersign/core/operations/user-operations"
import { RetentionPolicy } from "@countersign/core/tenancy/retention"
import { LendingSettings } from "@countersign/core/trading/lending"
import { SwapSettings } from "@countersign/core/trading/swap"
import { Effect, Redacted } from "effect"
import { type OperatorKeys, operatorKeyProblem } from "../../chains/evm/index.ts"
import { PoolSwapProvider } from "../../exchanges/uniswap/index.ts"
import { secretKeysOrNull } from "../../storage/kysely/index.ts"
import type { BundlerSettings, HostSettings, MailSettings, PaymasterSettings } from "../composition/index.ts"
import { aggregatorsOf } from "./aggregatorsOf.ts"
import { CountersignError } from "./CountersignError.ts"
import type { CountersignOptions, OneOrMore } from "./CountersignOptions.ts"
import { addressOption } from "./decodeOptions.ts"
import { swapProviderOf } from "./swapProviderOf.ts"

const listOf = (value: OneOrMore): ReadonlyArray<string> => (typeof value === "string" ? [value] : value)

const keyOf = (text: string) => Redacted.make(HexBytes.make(text.toLowerCase()))

const isPostgresUrl = (text: string) => /^postgres(?:ql)?:\/\//u.test(text)

const databaseOf = (database: CountersignOptions["database"]): HostSettings["database"] => {
  if (typeof database === "string") {
    return isPostgresUrl(database)
      ? { _tag: "Postgres", url: Redacted.make(database) }
      : { _tag: "Sqlite", filename: database }
  }
  return "pool" in database ? { _tag: "PostgresPool", pool: database.pool } : { _tag: "Stores", layer: database.stores }
}

const urlsOf = (
  chains: CountersignOptions["chains"],
  name: "rpcUrl" | "bundlerUrl" | "paymasterUrl"
): ReadonlyMap<EvmChainId, ReadonlyArray<string>> =>
  new Map(
    evmChainIds.flatMap((id) => {
      const urls = chains[id]?.[name]
      return urls === undefined ? [] : [[id, listOf(urls)] as const]
    })
  )

const bundlerOf = ({ bundler, chains }: CountersignOptions): BundlerSettings => {
  const urls = urlsOf(chains, "bundlerUrl")
  if (urls.size > 0) return { _tag: "Rpc", urls }
  if (bundler === undefined) return { _tag: "None" }
  const operatorKeys: OperatorKeys = {
    "0.7": listOf(bundler.operatorKeys["0.7"]).map(keyOf),
    "0.8": listOf(bundler.operatorKeys["0.8"]).map(keyOf)
  }
  for (const version of ["0.7", "0.8"] as const) {
    const expected = operatorKeyProblem(operatorKeys, version)
    if (expected === null) continue
    const problem = { path: `bundler.operatorKeys.${version}`, code: "invalid", message: `This is not ${expected}.` }
    const message = `${problem.path}: ${problem.message}`
    throw new CountersignError({ id: "OPTION_INVALID", message, problems: [problem] })
  }
  return { _tag: "Self", operatorKeys }
}

const paymasterOf = ({ chains, paymaster }: CountersignOptions): PaymasterSettings => {
  const urls = urlsOf(chains, "paymasterUrl")
  if (urls.size > 0) return { _tag: "Rpc", urls }
  if (paymaster === undefined) return { _tag: "None" }
  const { addresses, signerKey, treasury } = paymaster
  return {
    _tag: "Self",
    signerKey: keyOf(signerKey),
    treasury: addressOption(treasury),
    paymasters: { "0.7": addressOption(addresses["0.7"]), "0.8": addressOption(addresses["0.8"]) }
  }
}

const swapProvidersOf = (providers: NonNullable<CountersignOptions["providers"]>) =>
  Effect.forEach(providers, (provider) =>
    provider === "UNISWAP_V3" ? PoolSwapProvider.make : Effect.succeed(swapProviderOf(provider))
  )

const mailOf = (mail: NonNullable<CountersignOptions["mail"]>): MailSettings =>
  "folder" in mail
    ? { _tag: "Folder", folder: mail.folder }
    : { _tag: "Smtp", url: Redacted.make(mail.smtpUrl), from: mail.from }

const lossesOf = ({ lossBudgetTotalUsdPerDay, lossBudgetUsdPerDay }: CountersignOptions): LossLimits => {
  const usual = LossLimits.defaultValue()
  const usdE6 = (usd: number | undefined, usualE6: bigint) =>
    usd === undefined ? usualE6 : BigInt(Math.round(usd * 1e6))
  return {
    ...usual,
    projectUsdE6PerDay: usdE6(lossBudgetUsdPerDay, usual.projectUsdE6PerDay),
    operatorUsdE6PerDay: usdE6(lossBudgetTotalUsdPerDay, usual.operatorUsdE6PerDay)
  }
}

const marketDataOf = (marketData: CountersignOptions["marketData"]): NonNullable<HostSettings["marketData"]> =>
  [...new Set(marketData?.sources)].map((source) => {
    const { coinGeckoKey: key, coinGeckoPlan = "demo", coinGeckoUrl = null, defiLlamaUrl = null } = marketData!
    return source === "defillama"
      ? { _tag: "DefiLlama", url: defiLlamaUrl }
      : {
          _tag: "CoinGecko",
          plan: key === undefined ? "none" : coinGeckoPlan,
          apiKey: key === undefined ? null : Redacted.make(key),
          url: coinGeckoUrl
        }
  })

/** The options as the composition takes them. Throws an OPTION_INVALID where operator keys do not go together. */
export const settingsOf = (options: CountersignOptions, onStored: () => void): HostSettings => {
  const {
    chains,
    clock,
    firstUseOfGasToken,
    mail,
    providers,
    quotes = {},
    nfts = {},
    retention = {},
    webhooks = {}
  } = options
  const nodes = urlsOf(chains, "rpcUrl")
  const usualQuotes = QuoteSettings.defaultValue()
  const usualRetention = RetentionPolicy.defaultValue()
  const database = databaseOf(options.database)
  return {
    database,
    rpcUrls: (chainId) => nodes.get(chainId) ?? [],
    activeChains: () => [...nodes.keys()],
    servedChains: {
      ids: () => [...nodes.keys()],
      settingOf: (id) => (isEvmChainId(id) ? `the option chains.${id}.rpcUrl` : null)
    },
    bundler: bundlerOf(options),
    paymaster: paymasterOf(options),
    isListed: ({ chainId }) => nodes.has(chainId),
    quotes: {
      quoteSeconds: quotes.seconds ?? usualQuotes.quoteSeconds,
      operatorTreasury: quotes.operatorTreasury === undefined ? null : addressOption(quotes.operatorTreasury),
      operatorSharePercent: quotes.operatorSharePercent ?? usualQuotes.operatorSharePercent
    },
    swap: {
      providerTimeoutMs: quotes.providerTimeoutMs ?? SwapSettings.defaultValue().providerTimeoutMs,
      quickestQuoteMs: quotes.quickestQuoteMs ?? SwapSettings.defaultValue().quickestQuoteMs
    },
    lending: LendingSettings.defaultValue(),
    rateLimit: null,
    firstUseOfGasToken: firstUseOfGasToken ?? FirstUseOfGasToken.defaultValue(),
    losses: lossesOf(options),
    retention: {
      quoteDays: retention.quoteDays ?? usualRetention.quoteDays,
      deliveryDays: retention.eventDays ?? usualRetention.deliveryDays,
      refusedIdentityDays: retention.refusedIdentityDays ?? usualRetention.refusedIdentityDays
    },
    marketData: marketDataOf(options.marketData),
    aggregators: aggregatorsOf(options.aggregators),
    ...(options.bitcoin === undefined ? {} : { bitcoin: { esploraUrls: listOf(options.bitcoin.esploraUrls) } }),
    fiatRates: new Map(),
    webhooks: {
      allowPrivateTargets: webhooks.allowPrivateTargets ?? false,
      timeoutMs: webhooks.timeoutMs ?? 15_000
    },
    nfts: {
      collections: (nfts.collections ?? []).map(({ address, chainId, ids }) => ({
        chainId,
        contract: addressOption(address),
        ids: ids === undefined ? null : ids.map(BigInt)
      })),
      ipfsGateway: nfts.ipfsGateway ?? null
    },
    ...(mail === undefined ? {} : { mail: mailOf(mail) }),
    secretKeys: options.secretsKey === undefined ? [] : (secretKeysOrNull(options.secretsKey) ?? []),
    // A process that only prepares must not take over the work of the process beside it.
    soleProcess: database._tag === "Sqlite" && options.workers !== false,
    clockOffsetSeconds: () => 0,
    ...(clock === undefined ? {} : { clock }),
    ...(providers === undefined ? {} : { swapProviders: swapProvidersOf(providers) }),
    onStored
  }
}
