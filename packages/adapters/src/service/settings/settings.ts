import { LossLimits } from "@countersign/core/operations/losses"
import { QuoteSettings } from "@countersign/core/operations/quotes"
import { RetentionPolicy } from "@countersign/core/tenancy/retention"
import { LendingSettings } from "@countersign/core/trading/lending"
import { SwapSettings } from "@countersign/core/trading/swap"
import { ActivitySettings } from "@countersign/core/wallets/chain-activity"
import { aggregatorDefaults } from "../../exchanges/aggregators/index.ts"
import { COW_API_URL } from "../../exchanges/cow/index.ts"
import { fiatLimits } from "./fiatLimits.ts"
import {
  address,
  baseUrl,
  confirmations,
  databaseUrl,
  decimal,
  email,
  flag,
  nftCollections,
  nodes,
  origins,
  privateKey,
  privateKeys,
  publicKey,
  secretKeys,
  secretText,
  smtpUrl,
  text,
  twoBytes,
  url,
  urls,
  wholeNumber,
  word,
  words
} from "./forms.ts"
import { type Setting, setting } from "./Setting.ts"

/**
 * Every setting of the service and its commands, each defined once: the environment variables, `serve --help`, the tables
 * of docs/operations.md, `.env.example`, the options of the library and the checks of all of them derive from it.
 */

const ONE_DAY_SECONDS = 86_400

/** Longer than clocks differ and than an attempt takes, and shorter than dates reach. */
const days = decimal({ from: 0.1, to: 36_500 }, "a number of days")
const usd = decimal({ from: 0, to: 1_000_000 }, "US dollars")
const healthFactor = decimal({ from: 0, to: 1_000 }, "a health factor")

const losses = LossLimits.defaultValue()
const lending = LendingSettings.defaultValue()
const retention = RetentionPolicy.defaultValue()
const healthFactorText = (e18: bigint): string => String(Number(e18 / 10n ** 15n) / 1_000)

const place = {
  COUNTERSIGN_HOME: setting(text, "The folder of the SQLite file. It is open to its owner alone.", {
    default: ".countersign"
  }),
  DATABASE_URL: setting(
    databaseUrl,
    "A Postgres database: postgres://user:password@host:port/database, with sslmode=require for TLS. Without it a SQLite file in COUNTERSIGN_HOME, for one process.",
    { secret: true }
  ),
  DATABASE_POOL_SIZE: setting(
    wholeNumber({ from: 2, to: 1_000 }),
    "Connections of each process to Postgres. A request that gets none within 5 s is answered with 503.",
    { default: "10", unit: "connections", option: "databasePoolSize" }
  ),
  DATABASE_PGBOUNCER: setting(
    flag,
    "Whether DATABASE_URL leads to PgBouncer in transaction mode. Then no statement is prepared, and the role needs a statement timeout of its own: `alter role … set statement_timeout = '30s'`.",
    { default: "false", option: "databasePgBouncer" }
  ),
  SECRETS_KEY: setting(
    secretKeys,
    "The key that encrypts webhooks' secrets and the keys of personal data in the database: 32 bytes in base 64, as `openssl rand -base64 32` makes them. Required. Several, separated by commas: the first one encrypts, each decrypts. Keep it apart from backups of the database.",
    { secret: true, option: "secretsKey" }
  ),
  DOCUMENTS_DIR: setting(
    text,
    "The folder of documents of identity verification, each sealed with a key of its own. Several processes need the same one. Default: `documents` in COUNTERSIGN_HOME.",
    { option: "identity/documentsFolder" }
  )
}

const http = {
  PORT: setting(wholeNumber({ from: 0, to: 65_535 }), "Where the API listens; 0 takes any free port.", {
    default: "3000"
  }),
  HOST: setting(text, "The address that the API listens on.", { default: "127.0.0.1" }),
  PUBLIC_URL: setting(
    baseUrl,
    "The base of the links in answers (logos). Without it they have the Host that the client named.",
    { option: "publicUrl" }
  ),
  CORS_ORIGINS: setting(
    origins,
    "Origins whose pages may call the API from a browser, separated by commas, such as https://app.example.com. Without it none may."
  ),
  APP_PAGE: setting(
    flag,
    "Whether /app is served, a page for people that shows wallets, history and a swap to those who enter an API key: true or false.",
    { default: "true" }
  ),
  MAX_BODY_BYTES: setting(wholeNumber({ from: 1 }), "The largest body of a request.", {
    default: "1048576",
    unit: "bytes"
  }),
  REQUEST_TIMEOUT_MS: setting(wholeNumber({ from: 1 }), "The longest time until an answer is ready.", {
    default: "30000",
    unit: "ms"
  }),
  KEEP_ALIVE_TIMEOUT_MS: setting(wholeNumber({ from: 1 }), "The longest time between two requests on a connection.", {
    default: "5000",
    unit: "ms"
  }),
  PARALLEL_REQUESTS_MAX: setting(
    wholeNumber({ from: 1 }),
    "Requests with an API key that a process has in progress at the same time. One project gets half of them while it is alone, a third beside another, and so on. Each route that requires no key has a quarter as many slots of its own.",
    { default: "512", unit: "requests" }
  ),
  CONNECTIONS_MAX: setting(
    wholeNumber({ from: 1 }),
    "Connections that a process has at the same time. One client address gets half of them while it is alone, and so does a proxy.",
    { default: "10000", unit: "connections" }
  ),
  METRICS_TOKEN: setting(
    secretText,
    "What GET /metrics asks for, as `Authorization: Bearer …`. Without it every client that reaches the port can read them.",
    { secret: true }
  )
}

const chains = {
  "RPC_URL_<chain id>": setting(
    nodes,
    "Nodes of a chain, separated by commas, the preferred first; `public` stands for public nodes of others, which limit rates and see every request. Only chains that have it are served.",
    { secret: true, option: "chains/<chain id>/rpcUrl" }
  ),
  WATCH_TRANSFERS: setting(
    word(["all", "tokens", "off"]),
    "What is looked for on chains of registered wallets, also where it was done elsewhere: all (tokens and coin, for which every block is read, and traced where the node can), tokens, or off.",
    { default: "all", option: "watch/transfers" }
  ),
  WATCH_BACKFILL_BLOCKS: setting(
    wholeNumber({ from: 0, to: 100_000_000 }),
    "How far back transfers are looked for once a wallet is registered, of coin where the nodes have the state of past blocks; 0 for not at all.",
    { default: String(ActivitySettings.defaultValue().backfillBlocks), unit: "blocks", option: "watch/backfillBlocks" }
  ),
  PROVIDER_TIMEOUT_MS: setting(wholeNumber({ from: 1 }), "The longest time that one provider of swaps may take.", {
    default: String(SwapSettings.defaultValue().providerTimeoutMs),
    unit: "ms",
    option: "quotes/providerTimeoutMs"
  }),
  QUICKEST_QUOTE_MS: setting(
    wholeNumber({ from: 1 }),
    "Once this time has passed, QUICKEST_QUOTE answers with the quotes that there are, also where none can be executed. Where there is none it waits for the first.",
    { default: String(SwapSettings.defaultValue().quickestQuoteMs), unit: "ms", option: "quotes/quickestQuoteMs" }
  ),
  LIQUIDITY_WARN_PERCENT: setting(
    decimal({ from: 0, to: 100 }, "a percentage"),
    "Price impact of an operation on liquidity, or distance of its pool from the market, above which it has a warning.",
    { default: "3", unit: "%", option: "liquidity/warnPercent" }
  ),
  LIQUIDITY_MAX_PERCENT: setting(
    decimal({ from: 0, to: 100 }, "a percentage"),
    "The same above which it is refused, unless the request has `acceptPriceImpact`.",
    { default: "15", unit: "%", option: "liquidity/maxPercent" }
  ),
  QUOTE_SECONDS: setting(
    wholeNumber({ from: 1, to: ONE_DAY_SECONDS }),
    "For how long a quote is valid, a day at most.",
    { default: String(QuoteSettings.defaultValue().quoteSeconds), unit: "s", option: "quotes/seconds" }
  )
}

const bundler = {
  OPERATOR_PRIVATE_KEYS_0_7: setting(
    privateKeys,
    "The bundler's own keys for EntryPoint 0.7, one or several separated by commas. They send the operations and are repaid by them. Each needs coin on every chain.",
    { secret: true, option: "bundler/operatorKeys/0.7" }
  ),
  OPERATOR_PRIVATE_KEYS_0_8: setting(privateKeys, "The same for EntryPoint 0.8. No key may serve both EntryPoints.", {
    secret: true,
    option: "bundler/operatorKeys/0.8"
  }),
  "BUNDLER_URL_<chain id>": setting(urls, "An external ERC-4337 bundler, in place of own keys.", {
    secret: true,
    option: "chains/<chain id>/bundlerUrl"
  })
}

const paymaster = {
  PAYMASTER_SIGNER_PRIVATE_KEY: setting(
    privateKey,
    "Signs for gas that is paid in tokens. Without it and without PAYMASTER_URL gas is paid in coin alone.",
    { secret: true, option: "paymaster/signerKey" }
  ),
  PAYMASTER_ADDRESS_0_7: setting(address, "The paymaster contract for EntryPoint 0.7, the same on every chain.", {
    option: "paymaster/addresses/0.7"
  }),
  PAYMASTER_ADDRESS_0_8: setting(address, "The paymaster contract for EntryPoint 0.8, the same on every chain.", {
    option: "paymaster/addresses/0.8"
  }),
  PAYMASTER_TREASURY: setting(address, "The address that gets the tokens, and gives back what was not needed.", {
    option: "paymaster/treasury"
  }),
  "PAYMASTER_URL_<chain id>": setting(urls, "An external ERC-7677 paymaster, in place of an own one.", {
    secret: true,
    option: "chains/<chain id>/paymasterUrl"
  }),
  PAYMASTER_OWNER_PRIVATE_KEY: setting(
    privateKey,
    "Deploys and owns the paymaster contracts, and pays for `countersign chain prepare`. For that and for `countersign paymaster deploy` and `deposit` alone: keep it out of the service's environment.",
    { secret: true }
  ),
  PAYMASTER_TREASURY_PRIVATE_KEY: setting(
    privateKey,
    "Lets `countersign paymaster deploy` give the treasury's approvals. For that alone.",
    { secret: true }
  ),
  FIRST_USE_OF_GAS_TOKEN: setting(
    word(["trusted", "paid"]),
    "How a wallet's first operation pays with a gas token: trusted, or paid before its calls.",
    { default: "trusted", option: "firstUseOfGasToken" }
  ),
  LOSS_BUDGET_USD_PER_DAY: setting(
    usd,
    "Gas that each project may leave unpaid in a day. At 0 no operation is accepted whose gas could stay unpaid.",
    { default: String(Number(losses.projectUsdE6PerDay) / 1e6), unit: "US dollars", option: "lossBudgetUsdPerDay" }
  ),
  LOSS_BUDGET_TOTAL_USD_PER_DAY: setting(usd, "The same for all projects together.", {
    default: String(Number(losses.operatorUsdE6PerDay) / 1e6),
    unit: "US dollars",
    option: "lossBudgetTotalUsdPerDay"
  })
}

const feesAndLimits = {
  OPERATOR_TREASURY: setting(address, "The address that gets the operator's share of fees.", {
    option: "quotes/operatorTreasury"
  }),
  OPERATOR_SHARE_PERCENT: setting(
    decimal({ from: 0, to: 100 }, "a percentage"),
    "The operator's share of every transactionFeePercent.",
    {
      default: String(QuoteSettings.defaultValue().operatorSharePercent),
      unit: "%",
      option: "quotes/operatorSharePercent"
    }
  ),
  LENDING_HEALTH_FACTOR_WARNING: setting(
    healthFactor,
    "Lending quotes that lower the health factor below this have a warning.",
    { default: healthFactorText(lending.warnBelowE18), option: "lending/healthFactorWarning" }
  ),
  LENDING_HEALTH_FACTOR_MINIMUM: setting(
    healthFactor,
    "Lending quotes that lower the health factor below this are refused, unless the request accepts it.",
    { default: healthFactorText(lending.refuseBelowE18), option: "lending/healthFactorMinimum" }
  ),
  RATE_LIMIT_REQUESTS: setting(
    wholeNumber({ from: 1 }),
    "Requests of each key in a window. Without it there is no limit.",
    { unit: "requests" }
  ),
  RATE_LIMIT_WINDOW_SECONDS: setting(
    wholeNumber({ from: 1, to: ONE_DAY_SECONDS }),
    "The window of the rate limit, a day at most.",
    { default: "60", unit: "s" }
  ),
  COMPUTE_UNITS_READ: setting(
    wholeNumber({ from: 0 }),
    "What a request that only reads costs a project with a budget.",
    { default: "1", unit: "units" }
  ),
  COMPUTE_UNITS_QUOTE: setting(wholeNumber({ from: 0 }), "What a quote costs such a project.", {
    default: "5",
    unit: "units"
  }),
  COMPUTE_UNITS_SLOW_QUOTE: setting(wholeNumber({ from: 0 }), "What a quote that asks all providers costs it.", {
    default: "25",
    unit: "units"
  }),
  COMPUTE_UNITS_PORTFOLIO: setting(wholeNumber({ from: 0 }), "What a request for a whole wallet costs it.", {
    default: "10",
    unit: "units"
  })
}

const aggregators = {
  SWAP_AGGREGATORS: setting(
    words(["kyberswap", "lifi", "velora"], "kyberswap, lifi and velora, or some of them, separated by commas"),
    "Aggregators that are asked for swap quotes beside the pools, separated by commas: kyberswap, lifi, velora. They learn tokens, amounts, wallets and receivers. What they answer is checked before it is offered.",
    { option: "aggregators/names" }
  ),
  AGGREGATOR_TIMEOUT_MS: setting(
    wholeNumber({ from: 100, to: 30_000 }),
    "How long a request to one of them may take: quotes of all providers wait for it.",
    { default: String(aggregatorDefaults.timeoutMs), unit: "ms", option: "aggregators/timeoutMs" }
  ),
  KYBERSWAP_CLIENT_ID: setting(text, "Who asks, for KyberSwap's limits.", {
    default: aggregatorDefaults.name,
    option: "aggregators/kyberSwapClientId"
  }),
  KYBERSWAP_REQUESTS_PER_SECOND: setting(
    wholeNumber({ from: 1, to: 1_000 }),
    "Requests that KyberSwap takes of one process, as far as it has said.",
    { default: String(aggregatorDefaults.kyberSwapRequestsPerSecond), option: "aggregators/kyberSwapRequestsPerSecond" }
  ),
  KYBERSWAP_URL: setting(url, "KyberSwap's aggregator API, where that is not https://aggregator-api.kyberswap.com.", {
    secret: true,
    option: "aggregators/kyberSwapUrl"
  }),
  LIFI_API_KEY: setting(
    secretText,
    "LI.FI's key. Without it LI.FI gives 75 quotes in two hours, for all processes; a swap takes two or more.",
    { secret: true, option: "aggregators/liFiKey" }
  ),
  LIFI_INTEGRATOR: setting(text, "Who asks, as LI.FI has it registered.", {
    default: aggregatorDefaults.name,
    option: "aggregators/liFiIntegrator"
  }),
  LIFI_URL: setting(url, "LI.FI's API, where that is not https://li.quest/v1.", {
    secret: true,
    option: "aggregators/liFiUrl"
  }),
  VELORA_URL: setting(url, "Velora's API, where that is not https://api.velora.xyz.", {
    secret: true,
    option: "aggregators/veloraUrl"
  })
}

const marketPrices = {
  MARKET_DATA_SOURCES: setting(
    words(["coingecko", "defillama"], "coingecko, defillama, or both, separated by a comma"),
    "Sources of prices and exchange rates for what is shown and reported, in the order in which they are asked, separated by commas: coingecko, defillama. They learn which tokens are asked for. Without one there are no values in other currencies and no prices of the past. Quotes and gas never go by them.",
    { option: "marketData/sources" }
  ),
  COINGECKO_API_KEY: setting(secretText, "The key of a CoinGecko plan. Without it the public limits hold.", {
    secret: true,
    option: "marketData/coinGeckoKey"
  }),
  COINGECKO_PLAN: setting(word(["demo", "pro"]), "What the key is of: demo, or pro for a paid plan.", {
    default: "demo",
    option: "marketData/coinGeckoPlan"
  }),
  COINGECKO_URL: setting(url, "CoinGecko's API, where that is not the plan's own, as behind a proxy.", {
    secret: true,
    option: "marketData/coinGeckoUrl"
  }),
  DEFILLAMA_URL: setting(url, "DefiLlama's coins API, where that is not https://coins.llama.fi.", {
    secret: true,
    option: "marketData/defiLlamaUrl"
  })
}

const limitOrders = {
  COW_API_URL: setting(
    url,
    "CoW Protocol's order books, where those of limit orders are not the public ones: the URL above the path of each chain. They learn each wallet that asks for a limit order.",
    { default: COW_API_URL, option: "limitOrders/cowApiUrl" }
  )
}

const fiat = {
  BLINDPAY_API_KEY: setting(
    secretText,
    "The key of an instance of BlindPay, for deposits from banks and withdrawals to them. Without one there are none.",
    { secret: true, option: "fiat/blindPay/apiKey" }
  ),
  BLINDPAY_INSTANCE_ID: setting(text, "The id of the instance, in_ and twelve characters.", {
    option: "fiat/blindPay/instanceId"
  }),
  BLINDPAY_WEBHOOK_SECRET: setting(
    secretText,
    "The secret of the instance's webhook, whsec_ and more, which leads to /callbacks/blindpay. Without it orders are asked for, up to a minute later.",
    { secret: true, option: "fiat/blindPay/webhookSecret" }
  ),
  BLINDPAY_URL: setting(
    url,
    "BlindPay's API, where that is not https://api.blindpay.com. It learns wallets, amounts, and the accounts that withdrawals are paid to.",
    { option: "fiat/blindPay/url" }
  ),
  BRIDGE_API_KEY: setting(
    secretText,
    "The key of an account of Bridge, likewise. Where both serve a payment method, the quote comes from the one that gives more.",
    { secret: true, option: "fiat/bridge/apiKey" }
  ),
  BRIDGE_WEBHOOK_PUBLIC_KEY: setting(
    publicKey,
    "The public key of the account's webhook as PEM, which leads to /callbacks/bridge; \\n may stand for the end of a line. Without it orders are asked for, up to a minute later.",
    { option: "fiat/bridge/webhookPublicKey" }
  ),
  BRIDGE_URL: setting(
    url,
    "Bridge's API, where that is not https://api.bridge.xyz. It learns wallets, amounts, and the accounts that withdrawals are paid to.",
    { option: "fiat/bridge/url" }
  ),
  FIAT_LIMITS: setting(
    fiatLimits,
    "What an identity may deposit, and what it may withdraw, in whole units of the currency: of a transaction, a day, a month and a quarter by way of payment, as PIX=25000/50000/250000/625000,ACH=5000/10000/50000/125000. With a level before it, as DOCUMENTS:PIX=100000/200000/1000000/2500000, it is of identities of that level alone: BASIC of those that an operator has verified, DOCUMENTS of people, BUSINESS of businesses with their owners. Ways that are not named have about 5 000 US dollars of a transaction, twice that a day, 10 times a month and 25 times a quarter.",
    { option: "fiat/limits" }
  )
}

const identity = {
  DOCUMENTS_S3_URL: setting(
    url,
    "A bucket of S3, or of a store that speaks its protocol and knows conditional writes, with a prefix of keys where one is wanted, as https://s3.eu-central-1.amazonaws.com/bucket/prefix. Sealed documents are kept there instead of in DOCUMENTS_DIR, where uploads are still received.",
    { option: "identity/s3/url" }
  ),
  DOCUMENTS_S3_REGION: setting(text, "The region of the bucket.", {
    default: "us-east-1",
    option: "identity/s3/region"
  }),
  DOCUMENTS_S3_ACCESS_KEY_ID: setting(text, "The id of a key that may get, put and delete objects of the bucket.", {
    option: "identity/s3/accessKeyId"
  }),
  DOCUMENTS_S3_SECRET_ACCESS_KEY: setting(secretText, "That key.", {
    secret: true,
    option: "identity/s3/secretAccessKey"
  }),
  SUMSUB_APP_TOKEN: setting(
    secretText,
    "The app token of Sumsub, which then checks people and businesses. Without one the operator decides about each.",
    { secret: true, option: "identity/sumsub/appToken" }
  ),
  SUMSUB_SECRET_KEY: setting(secretText, "The secret key of the app token.", {
    secret: true,
    option: "identity/sumsub/secretKey"
  }),
  SUMSUB_WEBHOOK_SECRET: setting(
    secretText,
    "The secret of a webhook of Sumsub that leads to /callbacks/sumsub, with HMAC_SHA256_HEX or HMAC_SHA512_HEX. Without it sessions are asked for, once a minute.",
    { secret: true, option: "identity/sumsub/webhookSecret" }
  ),
  SUMSUB_LEVEL_INDIVIDUAL: setting(text, "The verification level of people and of owners, by its name.", {
    default: "basic-kyc-level",
    option: "identity/sumsub/levelIndividual"
  }),
  SUMSUB_LEVEL_BUSINESS: setting(text, "The verification level of businesses, by its name.", {
    default: "basic-kyb-level",
    option: "identity/sumsub/levelBusiness"
  }),
  SUMSUB_URL: setting(
    url,
    "Sumsub's API, where that is not https://api.sumsub.com. It learns all that a session tells of people, and their documents.",
    { option: "identity/sumsub/url" }
  )
}

const crossChain = {
  ACROSS_API_KEY: setting(
    secretText,
    "The key of Across's API, for swaps to other chains. Across gives keys on request.",
    { secret: true, option: "across/apiKey" }
  ),
  ACROSS_INTEGRATOR_ID: setting(
    twoBytes,
    "The id that Across gives with a key, 0x and 4 hexadecimal digits: deposits end with it.",
    { option: "across/integratorId" }
  ),
  ACROSS_URL: setting(
    url,
    "Across's API, where that is not https://app.across.to/api, or where there is no key: without one its limits are strict. It learns tokens, amounts and chains, and no address. Without either setting no swap goes to another chain by Across.",
    { secret: true, option: "across/url" }
  ),
  THORNODE_URL: setting(
    url,
    "A THORNode's HTTP API, such as https://gateway.liquify.com/chain/thorchain_api, for swaps out of bitcoins by THORChain. It needs no key. It learns tokens and amounts, and of a swap that is under way its payment. Without it, or without ESPLORA_URLS, none are made.",
    { secret: true, option: "thorchain/url" }
  )
}

const bitcoin = {
  ESPLORA_URLS: setting(
    urls,
    "Hosts of Esplora's HTTP API, separated by commas, such as https://blockstream.info/api: each stands in for those before it. They learn which addresses are asked for. Without one no balance of a Bitcoin address is read.",
    { secret: true, option: "bitcoin/esploraUrls" }
  ),
  BITCOIN_RPC_URLS: setting(
    urls,
    "Own nodes of Bitcoin Core, with name and password as in http://name:password@127.0.0.1:8332, separated by commas: they take transactions and estimate fees before hosts of Esplora do. Balances and histories need ESPLORA_URLS.",
    { secret: true, option: "bitcoin/coreUrls" }
  ),
  BITCOIN_CONFIRMATIONS: setting(
    confirmations,
    "Confirmations after which a payment is completed: a number, or several with the amount in BTC from which each holds, such as 1,3:0.1,6:1.",
    { default: "6", option: "bitcoin/confirmations" }
  )
}

const nfts = {
  NFT_COLLECTIONS: setting(
    nftCollections,
    "Collections that portfolios list beside positions of Uniswap: `<chain id>:<address>` of contracts of ERC-721 that enumerate, `<chain id>:<address>:<id>:<id>` of ERC-1155, separated by commas.",
    { option: "nfts/collections" }
  ),
  IPFS_GATEWAY: setting(
    url,
    "The URL under which `ipfs://` paths are read, such as https://ipfs.example/ipfs. Without it the metadata that is there is left out.",
    { option: "nfts/ipfsGateway" }
  )
}

const webhooks = {
  WEBHOOK_ALLOW_PRIVATE_TARGETS: setting(flag, "Whether webhooks may go to private addresses.", {
    default: "false",
    option: "webhooks/allowPrivateTargets"
  }),
  WEBHOOK_TIMEOUT_MS: setting(
    wholeNumber({ from: 1, to: 30_000 }),
    "The longest time that one delivery may take, 30000 at most.",
    { default: "15000", unit: "ms", option: "webhooks/timeoutMs" }
  ),
  RETENTION_QUOTES_DAYS: setting(days, "For how long quotes that were not signed are kept.", {
    default: String(retention.quoteDays),
    unit: "days",
    option: "retention/quoteDays"
  }),
  RETENTION_DELIVERIES_DAYS: setting(days, "For how long events and ended deliveries are kept.", {
    default: String(retention.deliveryDays),
    unit: "days",
    option: "retention/eventDays"
  }),
  RETENTION_REFUSED_IDENTITIES_DAYS: setting(
    days,
    "For how long personal data and documents are kept of identities that were refused, or whose documents did not come.",
    { default: String(retention.refusedIdentityDays), unit: "days", option: "retention/refusedIdentityDays" }
  )
}

const mail = {
  MAIL_DIR: setting(
    text,
    "The folder that mails are written into as .eml files where there is no SMTP_URL. Default: `mail` in COUNTERSIGN_HOME.",
    { option: "mail/folder" }
  ),
  SMTP_URL: setting(
    smtpUrl,
    "The mail server that takes tax exports: smtp://user:password@host:587 (STARTTLS) or smtps://…:465. A name or password goes over TLS alone. Without it mails are written as .eml files into MAIL_DIR, and are not sent.",
    { secret: true, option: "mail/smtpUrl" }
  ),
  MAIL_FROM: setting(email, "The address that mails come from. Required with SMTP_URL.", { option: "mail/from" })
}

const logsAndTraces = {
  LOG_LEVEL: setting(
    word(["debug", "info", "warn", "error"]),
    "What is logged: debug, info, warn or error, and what is worse.",
    { default: "info" }
  ),
  OTLP_URL: setting(url, "An OTLP collector for traces. Without it no span is made.", { secret: true })
}

const sandbox = {
  COUNTERSIGN_SANDBOX_AGGREGATORS: setting(
    word(["on"]),
    "on: the sandbox's service asks the sandbox's own KyberSwap, LI.FI and Velora beside the pools. For the commands too."
  ),
  COUNTERSIGN_CACHE: setting(text, "Where the sandbox keeps contracts once fetched.", {
    default: "node_modules/.cache/countersign"
  })
}

/** Every setting, by the name of its environment variable. */
export const settings = {
  ...place,
  ...http,
  ...chains,
  ...bundler,
  ...paymaster,
  ...feesAndLimits,
  ...aggregators,
  ...marketPrices,
  ...limitOrders,
  ...fiat,
  ...identity,
  ...crossChain,
  ...bitcoin,
  ...nfts,
  ...webhooks,
  ...mail,
  ...logsAndTraces,
  ...sandbox
}

/** The settings in the order of the documents. */
export const settingGroups: ReadonlyArray<{
  readonly title: string
  readonly settings: Readonly<Record<string, Setting>>
}> = [
  { title: "Place", settings: place },
  { title: "HTTP", settings: http },
  { title: "Chains", settings: chains },
  { title: "Bundler", settings: bundler },
  { title: "Paymaster", settings: paymaster },
  { title: "Fees and limits", settings: feesAndLimits },
  { title: "Aggregators", settings: aggregators },
  { title: "Market prices", settings: marketPrices },
  { title: "Limit orders", settings: limitOrders },
  { title: "Fiat", settings: fiat },
  { title: "Identity verification", settings: identity },
  { title: "Cross-chain swaps", settings: crossChain },
  { title: "Bitcoin", settings: bitcoin },
  { title: "NFTs", settings: nfts },
  { title: "Webhooks and retention", settings: webhooks },
  { title: "Mail", settings: mail },
  { title: "Logs and traces", settings: logsAndTraces },
  { title: "Sandbox", settings: sandbox }
]

export type SettingName = keyof typeof settings

/** The value that a setting is read as. */
export type SettingValue<Name extends SettingName> = (typeof settings)[Name] extends Setting<infer A> ? A : never
