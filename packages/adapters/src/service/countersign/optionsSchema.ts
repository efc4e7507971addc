import { evmChainIds } from "@countersign/core/foundation/chains"
import { EmailAddress } from "@countersign/core/tenancy/mail"
import { ProjectId } from "@countersign/core/tenancy/projects"
import { Layer, Predicate, Schema } from "effect"
import { hasValidChecksum } from "../../chains/evm/index.ts"
import { type HostPool, secretKeysOrNull } from "../../storage/kysely/index.ts"
import { isSmtpUrl } from "../settings/index.ts"
import type { CountersignOptions } from "./CountersignOptions.ts"
import type { HostLogger } from "./hostLogger.ts"
import { isHostSwapProvider } from "./swapProviderOf.ts"

/** A value that a guard knows. Where it is not that, the option is named with what was expected, and not its value. */
const that = <T>(guard: (value: unknown) => value is T, message: string) => Schema.declare(guard, { message })

const isListOf =
  (isOne: (text: string) => boolean) =>
  (value: unknown): value is string | ReadonlyArray<string> => {
    const list = Array.isArray(value) ? value : [value]
    return list.length > 0 && list.every((one) => typeof one === "string" && isOne(one))
  }

const isFunction = (value: unknown): value is () => number => typeof value === "function"
const isUrl = (text: string) => /^https?:\/\//u.test(text) && URL.canParse(text)
const isKey = (text: string) => /^0x[0-9a-fA-F]{64}$/u.test(text)
const isAddress = (value: unknown): value is string =>
  typeof value === "string" &&
  /^0x[0-9a-fA-F]{40}$/u.test(value) &&
  (/^0x(?:[0-9a-f]+|[0-9A-F]+)$/u.test(value) || hasValidChecksum(value))
const isPool = (value: unknown): value is HostPool =>
  Predicate.hasProperty(value, "connect") && typeof value.connect === "function"
const isLogger = (value: unknown): value is HostLogger =>
  ["debug", "info", "warn", "error"].every(
    (level) => Predicate.hasProperty(value, level) && typeof value[level] === "function"
  )
const isDatabase = (value: unknown): value is CountersignOptions["database"] =>
  typeof value === "string"
    ? value !== ""
    : Predicate.hasProperty(value, "pool")
      ? isPool(value.pool)
      : Predicate.hasProperty(value, "stores") && Layer.isLayer(value.stores)
const isProvider = (value: unknown): value is NonNullable<CountersignOptions["providers"]>[number] =>
  value === "UNISWAP_V3" || isHostSwapProvider(value)

const isMail = (value: unknown): value is NonNullable<CountersignOptions["mail"]> => {
  const names = Predicate.isObject(value) ? Object.keys(value).sort().join() : ""
  const { folder, from, smtpUrl } = Object(value) as Readonly<Record<string, unknown>>
  if (names === "folder") return typeof folder === "string" && folder !== ""
  return names === "from,smtpUrl" && typeof smtpUrl === "string" && isSmtpUrl(smtpUrl) && Schema.is(EmailAddress)(from)
}

const urls = that(isListOf(isUrl), "Expected an http or https URL, or a list of them")
const privateKeys = that(isListOf(isKey), "Expected a private key, 0x and 64 hexadecimal digits, or a list of them")
const privateKey = that(
  (value): value is string => typeof value === "string" && isKey(value),
  "Expected a private key: 0x and 64 hexadecimal digits"
)
const address = that(isAddress, "Expected an EVM address: 0x and 40 hexadecimal digits, with a right checksum if any")
const within = (minimum: number, maximum: number) => {
  const message = `Expected a number from ${minimum} to ${maximum}`
  return Schema.Finite.annotate({ message }).check(Schema.isBetween({ minimum, maximum }, { message }))
}
const struct = Schema.Struct
const option = Schema.optional

const TIMER_MAX_MS = 2 ** 31 - 1

const chain = { rpcUrl: urls, bundlerUrl: option(urls), paymasterUrl: option(urls) }
const bundler = { operatorKeys: struct({ "0.7": privateKeys, "0.8": privateKeys }) }
const paymaster = {
  signerKey: privateKey,
  treasury: address,
  addresses: struct({ "0.7": address, "0.8": address })
}
const bitcoin = { esploraUrls: urls }
const webhooks = { allowPrivateTargets: option(Schema.Boolean), timeoutMs: option(within(1, 30_000)) }
const nfts = {
  collections: option(
    Schema.Array(
      struct({
        chainId: Schema.Literals(evmChainIds),
        address,
        ids: option(Schema.Array(Schema.String.check(Schema.isPattern(/^\d{1,78}$/u))))
      })
    )
  ),
  ipfsGateway: option(
    that((value): value is string => typeof value === "string" && isUrl(value), "Expected an http or https URL")
  )
}
const quotes = {
  seconds: option(within(1, 86_400)),
  operatorTreasury: option(address),
  operatorSharePercent: option(within(0, 100)),
  providerTimeoutMs: option(within(1, TIMER_MAX_MS)),
  quickestQuoteMs: option(within(1, TIMER_MAX_MS))
}
const url = that((value): value is string => typeof value === "string" && isUrl(value), "Expected an http or https URL")
const marketData = {
  sources: Schema.Array(Schema.Literals(["coingecko", "defillama"])),
  coinGeckoKey: option(Schema.NonEmptyString),
  coinGeckoPlan: option(Schema.Literals(["demo", "pro"])),
  coinGeckoUrl: option(url),
  defiLlamaUrl: option(url)
}
const aggregators = {
  names: Schema.Array(Schema.Literals(["kyberswap", "lifi", "velora"])),
  timeoutMs: option(within(100, 30_000)),
  kyberSwapClientId: option(Schema.NonEmptyString),
  kyberSwapRequestsPerSecond: option(within(1, 1_000)),
  kyberSwapUrl: option(url),
  liFiKey: option(Schema.NonEmptyString),
  liFiIntegrator: option(Schema.NonEmptyString),
  liFiUrl: option(url),
  veloraUrl: option(url)
}
const days = option(within(0.1, 36_500))
const retention = { quoteDays: days, eventDays: days, refusedIdentityDays: days }

const options = {
  database: that(
    isDatabase,
    "Expected a path, a postgresql:// URL, { pool } with a pg.Pool, or { stores } with a layer of stores"
  ),
  chains: struct(Object.fromEntries(evmChainIds.map((id) => [String(id), Schema.optionalKey(struct(chain))]))),
  bundler: option(struct(bundler)),
  paymaster: option(struct(paymaster)),
  providers: option(
    Schema.NonEmptyArray(
      that(isProvider, 'Expected "UNISWAP_V3", or an object with id (capitals and digits), name and offer')
    )
  ),
  secretsKey: option(
    that(
      (value): value is string => typeof value === "string" && secretKeysOrNull(value) !== null,
      "Expected 32 bytes in base 64, as `openssl rand -base64 32` makes them, or several of these with commas between"
    )
  ),
  project: option(that(Schema.is(ProjectId), "Expected the id of a project")),
  workers: option(Schema.Boolean),
  publicUrl: option(
    that(
      (value): value is string => typeof value === "string" && isUrl(value) && !value.endsWith("/"),
      "Expected an http or https URL without a slash at its end"
    )
  ),
  webhooks: option(struct(webhooks)),
  bitcoin: option(struct(bitcoin)),
  nfts: option(struct(nfts)),
  mail: option(that(isMail, "Expected { smtpUrl, from } with an smtp or smtps URL and an address, or { folder }")),
  quotes: option(struct(quotes)),
  firstUseOfGasToken: option(Schema.Literals(["TRUSTED", "PAID"])),
  lossBudgetUsdPerDay: option(within(0, 1_000_000)),
  lossBudgetTotalUsdPerDay: option(within(0, 1_000_000)),
  marketData: option(struct(marketData)),
  aggregators: option(struct(aggregators)),
  retention: option(struct(retention)),
  clock: option(that(isFunction, "Expected a function that answers Unix milliseconds")),
  logger: option(that(isLogger, "Expected an object with the functions debug, info, warn and error"))
}

/** The form of `CountersignOptions`. */
export const optionsSchema = Schema.Struct(options)

/** Every name that an option can have, at any depth. */
export const optionNames = [
  options,
  chain,
  bundler,
  paymaster,
  bitcoin,
  webhooks,
  quotes,
  marketData,
  aggregators,
  retention
].flatMap(Object.keys)
