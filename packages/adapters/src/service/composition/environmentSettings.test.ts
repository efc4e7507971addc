import { HexBytes } from "@countersign/core/foundation/primitives"
import { assert, describe, it } from "@effect/vitest"
import { ConfigProvider, Effect, Redacted } from "effect"
import { SettingInvalid } from "../settings/index.ts"
import { environmentSettings } from "./environmentSettings.ts"

const SECRETS_KEY = Buffer.alloc(32, 7).toString("base64")

const settingsOf = (environment: Readonly<Record<string, string>>) =>
  environmentSettings("/home").pipe(
    Effect.provide(ConfigProvider.layer(ConfigProvider.fromEnvRecord({ SECRETS_KEY, ...environment })))
  )

describe("environmentSettings", () => {
  it.effect("rejects missing or malformed keys for stored secrets, and repeats none of them", () =>
    Effect.gen(function* () {
      const missingKeyError = yield* environmentSettings("/home").pipe(
        Effect.provide(ConfigProvider.layer(ConfigProvider.fromEnvRecord({}))),
        Effect.flip
      )
      assert.match(missingKeyError.message, /^SECRETS_KEY is not set.*openssl rand -base64 32/u)
      const invalidKeyError = yield* Effect.flip(settingsOf({ SECRETS_KEY: "geheim" }))
      assert.match(invalidKeyError.message, /^SECRETS_KEY is not one or more keys of 32 bytes/u)
      assert.notInclude(invalidKeyError.message, "geheim")
      const otherKey = Buffer.alloc(32, 8).toString("base64")
      const { secretKeys } = yield* settingsOf({ SECRETS_KEY: `${otherKey},${SECRETS_KEY}` })
      assert.strictEqual(new Set(secretKeys.map(({ id }) => id)).size, 2)
    })
  )

  it.effect("stores quotes for 7 days and deliveries for 30 days by default", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual((yield* settingsOf({})).retention, {
        quoteDays: 7,
        deliveryDays: 30,
        refusedIdentityDays: 90,
        archiveDays: 90
      })
      const settings = yield* settingsOf({
        RETENTION_QUOTES_DAYS: "0.5",
        RETENTION_DELIVERIES_DAYS: " 90 ",
        RETENTION_REFUSED_IDENTITIES_DAYS: "30",
        ARCHIVE_AFTER_DAYS: "45"
      })
      assert.deepStrictEqual(settings.retention, {
        quoteDays: 0.5,
        deliveryDays: 90,
        refusedIdentityDays: 30,
        archiveDays: 45
      })
    })
  )

  it.effect.each(["0", "0.09", "-1", "36501", "1e3", "7d", "NaN", "one"])("rejects %j days", (text) =>
    Effect.gen(function* () {
      for (const name of [
        "RETENTION_QUOTES_DAYS",
        "RETENTION_DELIVERIES_DAYS",
        "RETENTION_REFUSED_IDENTITIES_DAYS",
        "ARCHIVE_AFTER_DAYS"
      ]) {
        const error = yield* Effect.flip(settingsOf({ [name]: text }))
        assert.deepStrictEqual(error, new SettingInvalid({ name, expected: "a number of days from 0.1 to 36500" }))
        assert.strictEqual(
          error.message,
          `${name} is not a number of days from 0.1 to 36500. \`countersign serve --help\` lists the settings.`
        )
      }
    })
  )

  it.effect("watches chains for tokens and native tokens by default", () =>
    Effect.gen(function* () {
      const watchOf = (environment: Record<string, string>) =>
        Effect.map(settingsOf(environment), ({ activity }) => activity)
      assert.deepStrictEqual(yield* watchOf({}), { isOn: true, withNativeToken: true, backfillBlocks: 50_000 })
      const tokens = { WATCH_TRANSFERS: "tokens", WATCH_BACKFILL_BLOCKS: "0" }
      assert.deepStrictEqual(yield* watchOf(tokens), { isOn: true, withNativeToken: false, backfillBlocks: 0 })
      assert.isFalse((yield* watchOf({ WATCH_TRANSFERS: "off" }))?.isOn)
      const refusal = yield* Effect.flip(settingsOf({ WATCH_TRANSFERS: "some" }))
      assert.match(refusal.message, /is not all, tokens or off/u)
    })
  )

  it.effect("trusts first uses of gas tokens by default, and the opposite requires its own bundler and paymaster", () =>
    Effect.gen(function* () {
      const name = "FIRST_USE_OF_GAS_TOKEN"
      assert.strictEqual((yield* settingsOf({})).firstUseOfGasToken, "TRUSTED")
      assert.strictEqual((yield* settingsOf({ [name]: "trusted" })).firstUseOfGasToken, "TRUSTED")
      assert.strictEqual((yield* settingsOf({ [name]: "paid" })).firstUseOfGasToken, "PAID")
      assert.match((yield* Effect.flip(settingsOf({ [name]: "PAY" }))).message, /is not trusted or paid\./u)
      for (const urlSetting of ["BUNDLER_URL_1", "PAYMASTER_URL_1"]) {
        const refusal = yield* Effect.flip(settingsOf({ [name]: "paid", [urlSetting]: "http://127.0.0.1:1" }))
        assert.include(refusal.message, `${name} is not trusted, which ${urlSetting.slice(0, -1)}… requires`)
      }
    })
  )

  it.effect("accepts numbers at both ends of their ranges", () =>
    Effect.gen(function* () {
      const defaultSettings = yield* settingsOf({})
      assert.isNull(defaultSettings.rateLimit)
      assert.strictEqual(defaultSettings.unpaidGasLimits.projectUsdE6PerDay, 50_000_000n)
      assert.strictEqual(defaultSettings.unpaidGasLimits.operatorUsdE6PerDay, 200_000_000n)
      assert.deepStrictEqual(defaultSettings.swap, { providerTimeoutMs: 10_000, quickestQuoteMs: 900 })
      assert.deepStrictEqual(defaultSettings.quotes, {
        quoteSeconds: 60,
        operatorTreasury: null,
        operatorSharePercent: 0
      })
      assert.deepStrictEqual(defaultSettings.webhooks, { allowPrivateTargets: false, timeoutMs: 15_000 })
      assert.deepStrictEqual((yield* settingsOf({ RATE_LIMIT_REQUESTS: "5" })).rateLimit, {
        requests: 5,
        windowSeconds: 60
      })

      const minSettings = yield* settingsOf({
        RATE_LIMIT_REQUESTS: "1",
        RATE_LIMIT_WINDOW_SECONDS: "1",
        QUOTE_SECONDS: "1",
        PROVIDER_TIMEOUT_MS: "1",
        OPERATOR_SHARE_PERCENT: "0.3",
        UNPAID_GAS_BUDGET_USD_PER_DAY: "0",
        UNPAID_GAS_BUDGET_TOTAL_USD_PER_DAY: "0",
        WEBHOOK_TIMEOUT_MS: "1"
      })
      const maxSettings = yield* settingsOf({
        RATE_LIMIT_REQUESTS: "2147483647",
        RATE_LIMIT_WINDOW_SECONDS: "86400",
        QUOTE_SECONDS: "86400",
        PROVIDER_TIMEOUT_MS: " 2147483647 ",
        OPERATOR_SHARE_PERCENT: "100",
        UNPAID_GAS_BUDGET_USD_PER_DAY: "1000000",
        UNPAID_GAS_BUDGET_TOTAL_USD_PER_DAY: "1000000",
        WEBHOOK_TIMEOUT_MS: "30000"
      })
      assert.deepStrictEqual(
        [minSettings, maxSettings].map(({ unpaidGasLimits, quotes, rateLimit, swap, webhooks }) => [
          rateLimit?.requests,
          rateLimit?.windowSeconds,
          quotes.quoteSeconds,
          swap.providerTimeoutMs,
          quotes.operatorSharePercent,
          webhooks.timeoutMs,
          unpaidGasLimits.projectUsdE6PerDay,
          unpaidGasLimits.operatorUsdE6PerDay
        ]),
        [
          [1, 1, 1, 1, 0.3, 1, 0n, 0n],
          [2_147_483_647, 86_400, 86_400, 2_147_483_647, 100, 30_000, 1_000_000_000_000n, 1_000_000_000_000n]
        ]
      )
    })
  )

  it.effect("uses no aggregator by default, and each one according to its settings", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual((yield* settingsOf({})).aggregators, [])
      const all = {
        SWAP_AGGREGATORS: "LIFI, kyberswap,velora",
        AGGREGATOR_TIMEOUT_MS: "500",
        KYBERSWAP_CLIENT_ID: "acme",
        VELORA_URL: "http://127.0.0.1:1/velora"
      }
      assert.deepStrictEqual((yield* settingsOf(all)).aggregators, [
        { _tag: "LiFi", url: null, apiKey: null, integrator: "countersign", timeoutMs: 500 },
        { _tag: "KyberSwap", url: null, clientId: "acme", requestsPerSecond: 3, timeoutMs: 500 },
        { _tag: "Velora", url: "http://127.0.0.1:1/velora", timeoutMs: 500 }
      ])
      for (const names of ["oneinch", "lifi,lifi"]) {
        const error = yield* Effect.flip(settingsOf({ SWAP_AGGREGATORS: names }))
        assert.match(String(error), /SWAP_AGGREGATORS/u)
      }
    })
  )

  it.effect("uses no price source by default, and CoinGecko according to the plan of its key", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual((yield* settingsOf({})).marketData, [])
      const bothSources = { MARKET_DATA_SOURCES: "DefiLlama, coingecko" }
      const defiLlama = { _tag: "DefiLlama", url: null } as const
      const keyless = { _tag: "CoinGecko", plan: "none", apiKey: null, url: null } as const
      assert.deepStrictEqual((yield* settingsOf(bothSources)).marketData, [defiLlama, keyless])
      for (const [plan, changes] of [
        ["demo", {}],
        ["pro", { COINGECKO_PLAN: "pro" }]
      ] as const) {
        const [source] = (yield* settingsOf({
          MARKET_DATA_SOURCES: "coingecko",
          COINGECKO_API_KEY: "a-key",
          COINGECKO_URL: "http://127.0.0.1:1/v3",
          ...changes
        })).marketData!
        assert.deepStrictEqual(source, {
          ...keyless,
          plan,
          apiKey: Redacted.make("a-key"),
          url: "http://127.0.0.1:1/v3"
        })
      }
      for (const [name, expected] of [
        ["COINGECKO_PLAN", "demo or pro"],
        ["COINGECKO_URL", "an http or https URL"],
        ["DEFILLAMA_URL", "an http or https URL"]
      ] as const) {
        const error = yield* Effect.flip(settingsOf({ MARKET_DATA_SOURCES: "coingecko,defillama", [name]: "free" }))
        assert.deepStrictEqual(error, new SettingInvalid({ name, expected }))
      }
    })
  )

  it.effect("swaps to other chains by Across if there is a key or a URL", () =>
    Effect.gen(function* () {
      assert.isUndefined((yield* settingsOf({})).across)
      const url = "http://127.0.0.1:1/api"
      assert.deepStrictEqual((yield* settingsOf({ ACROSS_URL: url })).across, { url, apiKey: null, integratorId: null })
      const apiKey = Redacted.make("a-key")
      const acrossSettings = { ACROSS_API_KEY: "a-key", ACROSS_INTEGRATOR_ID: "0xBEEF" }
      assert.deepStrictEqual((yield* settingsOf(acrossSettings)).across, {
        url: null,
        apiKey,
        integratorId: HexBytes.make("0xbeef")
      })
    })
  )

  it.effect.each([
    ["RATE_LIMIT_REQUESTS", "a whole number from 1 to 2147483647", ["0", "-1", "2147483648", "1.5", "NaN", " "]],
    ["RATE_LIMIT_WINDOW_SECONDS", "a whole number from 1 to 86400", ["0", "-60", "86401", "1e2", "0x10"]],
    ["QUOTE_SECONDS", "a whole number from 1 to 86400", ["0", "-1", "86401", "Infinity"]],
    ["PROVIDER_TIMEOUT_MS", "a whole number from 1 to 2147483647", ["0", "-1", "2147483648", "10s"]],
    ["OPERATOR_SHARE_PERCENT", "a percentage from 0 to 100", ["-0.1", "100.1", "1e1", "NaN", "10%"]],
    ["UNPAID_GAS_BUDGET_TOTAL_USD_PER_DAY", "US dollars from 0 to 1000000", ["-1", "1000000.1"]],
    ["UNPAID_GAS_BUDGET_USD_PER_DAY", "US dollars from 0 to 1000000", ["-1", "1000000.1", "$5", "1e1"]],
    [
      "MARKET_DATA_SOURCES",
      "coingecko, defillama, or both, separated by a comma",
      ["coinmarketcap", "coingecko,", "coingecko,coingecko", "constructor", " "]
    ],
    [
      "ESPLORA_URLS",
      "a list of http and https URLs, separated by commas",
      ["blockstream.info", "ftp://a", "https://a.example,", " "]
    ],
    ["BITCOIN_RPC_URLS", "a list of http and https URLs, separated by commas", ["127.0.0.1:8332", "ftp://a", " "]],
    ["ACROSS_INTEGRATOR_ID", "0x and 4 hexadecimal digits", ["beef", "0xbee", "0xbeef00", " "]],
    ["WEBHOOK_TIMEOUT_MS", "a whole number from 1 to 30000", ["0", "-1", "30001", "15.5"]]
  ] as const)("rejects a %s that is not %s", ([name, expected, texts]) =>
    Effect.gen(function* () {
      for (const text of texts) {
        const error = yield* Effect.flip(settingsOf({ [name]: text }))
        assert.deepStrictEqual(error, new SettingInvalid({ name, expected }), text)
      }
    })
  )

  it.effect("sends email through a server if one is set, and otherwise writes it to a folder of its home", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual((yield* settingsOf({})).mail, { _tag: "Folder", folder: "/home/mail" })
      const url = "smtps://user:p%40ss@mail.example.com"
      const { mail } = yield* settingsOf({ SMTP_URL: url, MAIL_FROM: "tax@example.com" })
      assert.deepStrictEqual(mail, { _tag: "Smtp", url: Redacted.make(url), from: "tax@example.com" })
      for (const [name, environment] of [
        ["SMTP_URL", { SMTP_URL: "https://geheim.example.com", MAIL_FROM: "tax@example.com" }],
        ["SMTP_URL", { SMTP_URL: "geheim", MAIL_FROM: "tax@example.com" }],
        ["MAIL_FROM", { SMTP_URL: "smtp://geheim.example.com", MAIL_FROM: "tax" }],
        ["MAIL_FROM", { SMTP_URL: "smtp://geheim.example.com" }]
      ] as const) {
        const refusal = yield* Effect.flip(settingsOf(environment))
        assert.include(refusal.message, name)
        assert.notInclude(refusal.message, "geheim")
      }
    })
  )

  const keyOf = (digit: number) => `0x${String(digit).padStart(64, "0")}`

  it.effect("accepts one or several operator keys for each EntryPoint", () =>
    Effect.gen(function* () {
      const { bundler } = yield* settingsOf({
        OPERATOR_PRIVATE_KEYS_0_7: keyOf(1),
        OPERATOR_PRIVATE_KEYS_0_8: `${keyOf(2)}, ${keyOf(3)}`
      })
      const keys = bundler._tag === "Self" ? bundler.operatorKeys : { "0.7": [], "0.8": [] }
      assert.deepStrictEqual([keys["0.7"].map(Redacted.value), keys["0.8"].map(Redacted.value)], [
        [keyOf(1)],
        [keyOf(2), keyOf(3)]
      ] as never)
    })
  )

  it.effect.each([
    [
      { OPERATOR_PRIVATE_KEYS_0_7: keyOf(1) },
      /^OPERATOR_PRIVATE_KEYS_0_8 is not set: EntryPoint 0\.8 needs its own operator key/u
    ],
    [
      { OPERATOR_PRIVATE_KEYS_0_7: keyOf(1), OPERATOR_PRIVATE_KEYS_0_8: `${keyOf(2)},${keyOf(1)}` },
      /^OPERATOR_PRIVATE_KEYS_0_8 is not a list of different keys: the key of 0x7e5f4552\w+ is also an operator key of EntryPoint 0\.7/u
    ],
    [
      { OPERATOR_PRIVATE_KEYS_0_7: `${keyOf(1)},${keyOf(1)}`, OPERATOR_PRIVATE_KEYS_0_8: keyOf(2) },
      /^OPERATOR_PRIVATE_KEYS_0_7 is not a list of different private keys/u
    ],
    [
      { OPERATOR_PRIVATE_KEYS_0_7: "secret" },
      /^OPERATOR_PRIVATE_KEYS_0_7 is not a list of private keys: each 0x and 64/u
    ]
  ] as ReadonlyArray<readonly [Readonly<Record<string, string>>, RegExp]>)("rejects %j", ([environment, message]) =>
    Effect.gen(function* () {
      const error = yield* Effect.flip(settingsOf(environment))
      assert.match(error.message, message)
      assert.notInclude(error.message, "secret")
    })
  )
})
