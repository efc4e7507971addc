/** One environment variable of the service. */
export interface DeclaredSetting {
  /** `<chain id>` at its end stands for the number of each chain. */
  readonly name: string
  /** Its purpose, in sentences. */
  readonly description: string
  /** The default; null where there is none. */
  readonly default: string | null
  /** Unit of a number; null for everything else. */
  readonly unit: string | null
  /** A secret is shown nowhere, and belongs into no file that others read. */
  readonly secret: boolean
}

export interface SettingGroup {
  readonly title: string
  readonly settings: ReadonlyArray<DeclaredSetting>
}

type Details = Partial<Pick<DeclaredSetting, "default" | "unit" | "secret">>

const setting = (name: string, description: string, details: Details = {}): DeclaredSetting => ({
  name,
  description,
  default: null,
  unit: null,
  secret: false,
  ...details
})

const secret = { secret: true }

/** At the end of a name that is there for each chain. */
export const PER_CHAIN = "<chain id>"

/**
 * Every environment variable that the service and its commands read: the one source of `serve --help`, of the table in
 * docs/operations.md, of `.env.example`, and of what `serve` takes for a mistake.
 */
export const settingGroups: ReadonlyArray<SettingGroup> = [
  {
    title: "Place",
    settings: [
      setting("COUNTERSIGN_HOME", "The folder of the SQLite file. It is open to its owner alone.", {
        default: ".countersign"
      }),
      setting(
        "DATABASE_URL",
        "A Postgres database: postgres://user:password@host:port/database, with sslmode=require for TLS. Without it a SQLite file in COUNTERSIGN_HOME, for one process.",
        secret
      ),
      setting(
        "SECRETS_KEY",
        "The key that encrypts webhooks' secrets and the keys of personal data in the database: 32 bytes in base 64, as `openssl rand -base64 32` makes them. Required. Several, separated by commas: the first one encrypts, each decrypts. Keep it apart from backups of the database.",
        secret
      ),
      setting(
        "DOCUMENTS_DIR",
        "The folder of documents of identity verification, each sealed with a key of its own. Several processes need the same one. Default: `documents` in COUNTERSIGN_HOME."
      )
    ]
  },
  {
    title: "HTTP",
    settings: [
      setting("PORT", "Where the API listens; 0 takes any free port.", { default: "3000" }),
      setting("HOST", "The address that the API listens on.", { default: "127.0.0.1" }),
      setting(
        "PUBLIC_URL",
        "The base of the links in answers (logos). Without it they have the Host that the client named."
      ),
      setting(
        "CORS_ORIGINS",
        "Origins whose pages may call the API from a browser, separated by commas, such as https://app.example.com. Without it none may."
      ),
      setting(
        "APP_PAGE",
        "Whether /app is served, a page for people that shows wallets, history and a swap to those who enter an API key: true or false.",
        { default: "true" }
      ),
      setting("MAX_BODY_BYTES", "The largest body of a request.", { default: "1048576", unit: "bytes" }),
      setting("REQUEST_TIMEOUT_MS", "The longest time until an answer is ready.", { default: "30000", unit: "ms" }),
      setting("KEEP_ALIVE_TIMEOUT_MS", "The longest time between two requests on a connection.", {
        default: "5000",
        unit: "ms"
      }),
      setting(
        "PARALLEL_REQUESTS_MAX",
        "Requests with an API key that a process has in progress at the same time. One project gets half of them while it is alone, a third beside another, and so on. Each route that requires no key has a quarter as many slots of its own.",
        { default: "512", unit: "requests" }
      ),
      setting(
        "CONNECTIONS_MAX",
        "Connections that a process has at the same time. One client address gets half of them while it is alone, and so does a proxy.",
        {
          default: "10000",
          unit: "connections"
        }
      ),
      setting(
        "METRICS_TOKEN",
        "What GET /metrics asks for, as `Authorization: Bearer …`. Without it every client that reaches the port can read them.",
        secret
      )
    ]
  },
  {
    title: "Chains",
    settings: [
      setting(
        "RPC_URL_<chain id>",
        "Nodes of a chain, separated by commas, the preferred first; `public` stands for public nodes of others, which limit rates and see every request. Only chains that have it are served.",
        secret
      ),
      setting(
        "WATCH_TRANSFERS",
        "What is looked for on chains of registered wallets, also where it was done elsewhere: all (tokens and coin, for which every block is read, and traced where the node can), tokens, or off.",
        { default: "all" }
      ),
      setting(
        "WATCH_BACKFILL_BLOCKS",
        "How far back transfers are looked for once a wallet is registered, of coin where the nodes have the state of past blocks; 0 for not at all.",
        { default: "50000", unit: "blocks" }
      ),
      setting("PROVIDER_TIMEOUT_MS", "The longest time that one provider of swaps may take.", {
        default: "10000",
        unit: "ms"
      }),
      setting(
        "QUICKEST_QUOTE_MS",
        "Once this time has passed, QUICKEST_QUOTE answers with the quotes that there are, also where none can be executed. Where there is none it waits for the first.",
        { default: "900", unit: "ms" }
      ),
      setting(
        "LIQUIDITY_WARN_PERCENT",
        "Price impact of an operation on liquidity, or distance of its pool from the market, above which it has a warning.",
        { default: "3", unit: "%" }
      ),
      setting(
        "LIQUIDITY_MAX_PERCENT",
        "The same above which it is refused, unless the request has `acceptPriceImpact`.",
        { default: "15", unit: "%" }
      ),
      setting("QUOTE_SECONDS", "For how long a quote is valid, a day at most.", { default: "60", unit: "s" })
    ]
  },
  {
    title: "Bundler",
    settings: [
      setting(
        "OPERATOR_PRIVATE_KEYS_0_7",
        "The bundler's own keys for EntryPoint 0.7, one or several separated by commas. They send the operations and are repaid by them. Each needs coin on every chain.",
        secret
      ),
      setting("OPERATOR_PRIVATE_KEYS_0_8", "The same for EntryPoint 0.8. No key may serve both EntryPoints.", secret),
      setting("BUNDLER_URL_<chain id>", "An external ERC-4337 bundler, in place of own keys.", secret)
    ]
  },
  {
    title: "Paymaster",
    settings: [
      setting(
        "PAYMASTER_SIGNER_PRIVATE_KEY",
        "Signs for gas that is paid in tokens. Without it and without PAYMASTER_URL gas is paid in coin alone.",
        secret
      ),
      setting("PAYMASTER_ADDRESS_0_7", "The paymaster contract for EntryPoint 0.7, the same on every chain."),
      setting("PAYMASTER_ADDRESS_0_8", "The paymaster contract for EntryPoint 0.8, the same on every chain."),
      setting("PAYMASTER_TREASURY", "The address that gets the tokens, and gives back what was not needed."),
      setting("PAYMASTER_URL_<chain id>", "An external ERC-7677 paymaster, in place of an own one.", secret),
      setting(
        "PAYMASTER_OWNER_PRIVATE_KEY",
        "Deploys and owns the paymaster contracts, and pays for `countersign chain prepare`. For that and for `countersign paymaster deploy` and `deposit` alone: keep it out of the service's environment.",
        secret
      ),
      setting(
        "PAYMASTER_TREASURY_PRIVATE_KEY",
        "Lets `countersign paymaster deploy` give the treasury's approvals. For that alone.",
        secret
      ),
      setting(
        "FIRST_USE_OF_GAS_TOKEN",
        "How a wallet's first operation pays with a gas token: trusted, or paid before its calls.",
        { default: "trusted" }
      ),
      setting(
        "LOSS_BUDGET_USD_PER_DAY",
        "Gas that each project may leave unpaid in a day. At 0 no operation is accepted whose gas could stay unpaid.",
        { default: "50", unit: "US dollars" }
      ),
      setting("LOSS_BUDGET_TOTAL_USD_PER_DAY", "The same for all projects together.", {
        default: "200",
        unit: "US dollars"
      })
    ]
  },
  {
    title: "Fees and limits",
    settings: [
      setting("OPERATOR_TREASURY", "The address that gets the operator's share of fees."),
      setting("OPERATOR_SHARE_PERCENT", "The operator's share of every transactionFeePercent.", {
        default: "0",
        unit: "%"
      }),
      setting(
        "LENDING_HEALTH_FACTOR_WARNING",
        "Lending quotes that lower the health factor below this have a warning.",
        { default: "1.25" }
      ),
      setting(
        "LENDING_HEALTH_FACTOR_MINIMUM",
        "Lending quotes that lower the health factor below this are refused, unless the request accepts it.",
        { default: "1.03" }
      ),
      setting("RATE_LIMIT_REQUESTS", "Requests of each key in a window. Without it there is no limit.", {
        unit: "requests"
      }),
      setting("RATE_LIMIT_WINDOW_SECONDS", "The window of the rate limit, a day at most.", {
        default: "60",
        unit: "s"
      }),
      setting("COMPUTE_UNITS_READ", "What a request that only reads costs a project with a budget.", {
        default: "1",
        unit: "units"
      }),
      setting("COMPUTE_UNITS_QUOTE", "What a quote costs such a project.", { default: "5", unit: "units" }),
      setting("COMPUTE_UNITS_SLOW_QUOTE", "What a quote that asks all providers costs it.", {
        default: "25",
        unit: "units"
      }),
      setting("COMPUTE_UNITS_PORTFOLIO", "What a request for a whole wallet costs it.", {
        default: "10",
        unit: "units"
      })
    ]
  },
  {
    title: "Aggregators",
    settings: [
      setting(
        "SWAP_AGGREGATORS",
        "Aggregators that are asked for swap quotes beside the pools, separated by commas: kyberswap, lifi, velora. They learn tokens, amounts, wallets and receivers. What they answer is checked before it is offered."
      ),
      setting(
        "AGGREGATOR_TIMEOUT_MS",
        "How long a request to one of them may take: quotes of all providers wait for it.",
        {
          default: "2000",
          unit: "ms"
        }
      ),
      setting("KYBERSWAP_CLIENT_ID", "Who asks, for KyberSwap's limits.", { default: "countersign" }),
      setting("KYBERSWAP_REQUESTS_PER_SECOND", "Requests that KyberSwap takes of one process, as far as it has said.", {
        default: "3"
      }),
      setting(
        "KYBERSWAP_URL",
        "KyberSwap's aggregator API, where that is not https://aggregator-api.kyberswap.com.",
        secret
      ),
      setting(
        "LIFI_API_KEY",
        "LI.FI's key. Without it LI.FI gives 75 quotes in two hours, for all processes; a swap takes two or more.",
        secret
      ),
      setting("LIFI_INTEGRATOR", "Who asks, as LI.FI has it registered.", { default: "countersign" }),
      setting("LIFI_URL", "LI.FI's API, where that is not https://li.quest/v1.", secret),
      setting("VELORA_URL", "Velora's API, where that is not https://api.velora.xyz.", secret)
    ]
  },
  {
    title: "Market prices",
    settings: [
      setting(
        "MARKET_DATA_SOURCES",
        "Sources of prices and exchange rates for what is shown and reported, in the order in which they are asked, separated by commas: coingecko, defillama. They learn which tokens are asked for. Without one there are no values in other currencies and no prices of the past. Quotes and gas never go by them."
      ),
      setting("COINGECKO_API_KEY", "The key of a CoinGecko plan. Without it the public limits hold.", secret),
      setting("COINGECKO_PLAN", "What the key is of: demo, or pro for a paid plan.", { default: "demo" }),
      setting("COINGECKO_URL", "CoinGecko's API, where that is not the plan's own, as behind a proxy.", secret),
      setting("DEFILLAMA_URL", "DefiLlama's coins API, where that is not https://coins.llama.fi.", secret)
    ]
  },
  {
    title: "Limit orders",
    settings: [
      setting(
        "COW_API_URL",
        "CoW Protocol's order books, where those of limit orders are not the public ones: the URL above the path of each chain. They learn each wallet that asks for a limit order.",
        { default: "https://api.cow.fi" }
      )
    ]
  },
  {
    title: "Money of banks",
    settings: [
      setting(
        "BLINDPAY_API_KEY",
        "The key of an instance of BlindPay, for deposits from banks and withdrawals to them. Without one there are none.",
        secret
      ),
      setting("BLINDPAY_INSTANCE_ID", "The id of the instance, in_ and twelve characters."),
      setting(
        "BLINDPAY_WEBHOOK_SECRET",
        "The secret of the instance's webhook, whsec_ and more, which leads to /callbacks/blindpay. Without it orders are asked for, up to a minute later.",
        secret
      ),
      setting(
        "BLINDPAY_URL",
        "BlindPay's API, where that is not https://api.blindpay.com. It learns wallets, amounts, and the accounts that withdrawals are paid to."
      ),
      setting(
        "BRIDGE_API_KEY",
        "The key of an account of Bridge, likewise. Where both serve a payment method, the quote comes from the one that gives more.",
        secret
      ),
      setting(
        "BRIDGE_WEBHOOK_PUBLIC_KEY",
        "The public key of the account's webhook as PEM, which leads to /callbacks/bridge; \\n may stand for the end of a line. Without it orders are asked for, up to a minute later."
      ),
      setting(
        "BRIDGE_URL",
        "Bridge's API, where that is not https://api.bridge.xyz. It learns wallets, amounts, and the accounts that withdrawals are paid to."
      ),
      setting(
        "FIAT_LIMITS",
        "What an identity may deposit, and what it may withdraw, in whole units of the currency: of a transaction, a day, a month and a quarter by way of payment, as PIX=25000/50000/250000/625000,ACH=5000/10000/50000/125000. With a level before it, as DOCUMENTS:PIX=100000/200000/1000000/2500000, it is of identities of that level alone: BASIC of those that an operator has verified, DOCUMENTS of people, BUSINESS of businesses with their owners. Ways that are not named have about 5 000 US dollars of a transaction, twice that a day, 10 times a month and 25 times a quarter."
      )
    ]
  },
  {
    title: "Verification of people and businesses",
    settings: [
      setting(
        "DOCUMENTS_S3_URL",
        "A bucket of S3, or of a store that speaks its protocol and knows conditional writes, with a prefix of keys where one is wanted, as https://s3.eu-central-1.amazonaws.com/bucket/prefix. Sealed documents are kept there instead of in DOCUMENTS_DIR, where uploads are still received."
      ),
      setting("DOCUMENTS_S3_REGION", "The region of the bucket.", { default: "us-east-1" }),
      setting("DOCUMENTS_S3_ACCESS_KEY_ID", "The id of a key that may get, put and delete objects of the bucket."),
      setting("DOCUMENTS_S3_SECRET_ACCESS_KEY", "That key.", secret),
      setting(
        "SUMSUB_APP_TOKEN",
        "The app token of Sumsub, which then checks people and businesses. Without one the operator decides about each.",
        secret
      ),
      setting("SUMSUB_SECRET_KEY", "The secret key of the app token.", secret),
      setting(
        "SUMSUB_WEBHOOK_SECRET",
        "The secret of a webhook of Sumsub that leads to /callbacks/sumsub, with HMAC_SHA256_HEX or HMAC_SHA512_HEX. Without it sessions are asked for, once a minute.",
        secret
      ),
      setting("SUMSUB_LEVEL_INDIVIDUAL", "The verification level of people and of owners, by its name.", {
        default: "basic-kyc-level"
      }),
      setting("SUMSUB_LEVEL_BUSINESS", "The verification level of businesses, by its name.", {
        default: "basic-kyb-level"
      }),
      setting(
        "SUMSUB_URL",
        "Sumsub's API, where that is not https://api.sumsub.com. It learns all that a session tells of people, and their documents."
      )
    ]
  },
  {
    title: "Other chains",
    settings: [
      setting(
        "ACROSS_API_KEY",
        "The key of Across's API, for swaps to other chains. Across gives keys on request.",
        secret
      ),
      setting(
        "ACROSS_INTEGRATOR_ID",
        "The id that Across gives with a key, 0x and 4 hexadecimal digits: deposits end with it."
      ),
      setting(
        "ACROSS_URL",
        "Across's API, where that is not https://app.across.to/api, or where there is no key: without one its limits are strict. It learns tokens, amounts and chains, and no address. Without either setting no swap goes to another chain by Across.",
        secret
      ),
      setting(
        "THORNODE_URL",
        "A THORNode's HTTP API, such as https://gateway.liquify.com/chain/thorchain_api, for swaps out of bitcoins by THORChain. It needs no key. It learns tokens and amounts, and of a swap that is under way its payment. Without it, or without ESPLORA_URLS, none are made.",
        secret
      )
    ]
  },
  {
    title: "Bitcoin",
    settings: [
      setting(
        "ESPLORA_URLS",
        "Hosts of Esplora's HTTP API, separated by commas, such as https://blockstream.info/api: each stands in for those before it. They learn which addresses are asked for. Without one no balance of a Bitcoin address is read.",
        secret
      ),
      setting(
        "BITCOIN_RPC_URLS",
        "Own nodes of Bitcoin Core, with name and password as in http://name:password@127.0.0.1:8332, separated by commas: they take transactions and estimate fees before hosts of Esplora do. Balances and histories need ESPLORA_URLS.",
        secret
      ),
      setting(
        "BITCOIN_CONFIRMATIONS",
        "Confirmations after which a payment is completed: a number, or several with the amount in BTC from which each holds, such as 1,3:0.1,6:1.",
        { default: "6" }
      )
    ]
  },
  {
    title: "NFTs",
    settings: [
      setting(
        "NFT_COLLECTIONS",
        "Collections that portfolios list beside positions of Uniswap: `<chain id>:<address>` of contracts of ERC-721 that enumerate, `<chain id>:<address>:<id>:<id>` of ERC-1155, separated by commas."
      ),
      setting(
        "IPFS_GATEWAY",
        "The URL under which `ipfs://` paths are read, such as https://ipfs.example/ipfs. Without it the metadata that is there is left out."
      )
    ]
  },
  {
    title: "Webhooks and what is kept",
    settings: [
      setting("WEBHOOK_ALLOW_PRIVATE_TARGETS", "Whether webhooks may go to private addresses.", { default: "false" }),
      setting("WEBHOOK_TIMEOUT_MS", "The longest time that one delivery may take, 30000 at most.", {
        default: "15000",
        unit: "ms"
      }),
      setting("RETENTION_QUOTES_DAYS", "For how long quotes that were not signed are kept.", {
        default: "7",
        unit: "days"
      }),
      setting("RETENTION_DELIVERIES_DAYS", "For how long events and ended deliveries are kept.", {
        default: "30",
        unit: "days"
      }),
      setting(
        "RETENTION_REFUSED_IDENTITIES_DAYS",
        "For how long personal data and documents are kept of identities that were refused, or whose documents did not come.",
        { default: "90", unit: "days" }
      )
    ]
  },
  {
    title: "Mail",
    settings: [
      setting(
        "SMTP_URL",
        "The mail server that takes tax exports: smtp://user:password@host:587 (STARTTLS) or smtps://…:465. A name or password goes over TLS alone. Without it mails are written as .eml files into the folder mail of COUNTERSIGN_HOME, and are not sent.",
        secret
      ),
      setting("MAIL_FROM", "The address that mails come from. Required with SMTP_URL.")
    ]
  },
  {
    title: "Logs and traces",
    settings: [
      setting("LOG_LEVEL", "What is logged: debug, info, warn or error, and what is worse.", { default: "info" }),
      setting("OTLP_URL", "An OTLP collector for traces. Without it no span is made.", secret)
    ]
  },
  {
    title: "Sandbox",
    settings: [
      setting(
        "COUNTERSIGN_SANDBOX_AGGREGATORS",
        "on: the sandbox's service asks the sandbox's own KyberSwap, LI.FI and Velora beside the pools. For the commands too."
      ),
      setting("COUNTERSIGN_CACHE", "Where the sandbox keeps contracts once fetched.", {
        default: "node_modules/.cache/countersign"
      })
    ]
  }
]

export const declaredSettings: ReadonlyArray<DeclaredSetting> = settingGroups.flatMap(({ settings }) => settings)
