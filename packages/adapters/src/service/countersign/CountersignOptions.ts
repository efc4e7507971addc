import type { EvmChainId } from "@countersign/core/foundation/chains"
import type { Layer } from "effect"
import type { HostPool, Stores } from "../../storage/kysely/index.ts"
import type { HostSwapProvider } from "./HostSwapProvider.ts"
import type { HostLogger } from "./hostLogger.ts"

/** One or several, the preferred one first. */
export type OneOrMore = string | ReadonlyArray<string>

export interface ChainOptions {
  /**
   * The chain's nodes (JSON-RPC). Preparing runs operations by `debug_traceCall`, `eth_simulateV1` or `eth_call`, the first that they serve. With two nodes or more,
   * one that lies or lags does no harm.
   */
  readonly rpcUrl: OneOrMore
  /** Bundlers of others (ERC-4337 JSON-RPC), in place of `bundler`. */
  readonly bundlerUrl?: OneOrMore
  /** Paymasters of others (ERC-7677 JSON-RPC), in place of `paymaster`. */
  readonly paymasterUrl?: OneOrMore
}

export interface BundlerOptions {
  /**
   * Private keys of the accounts that send operations and are repaid by them: they need the coin of each chain. One key
   * or several for each EntryPoint, and none for both.
   */
  readonly operatorKeys: { readonly "0.7": OneOrMore; readonly "0.8": OneOrMore }
}

export interface PaymasterOptions {
  /** Private key of a signer of the paymaster contracts. */
  readonly signerKey: string
  /** Where the tokens go that operations pay for their gas. */
  readonly treasury: string
  /** The paymaster contract for each EntryPoint, the same on every chain. */
  readonly addresses: { readonly "0.7": string; readonly "0.8": string }
}

/** The options of `Countersign.open`. `database` and `chains` suffice to prepare operations. */
export interface CountersignOptions {
  /**
   * - the path of a SQLite file, which is made where there is none, or `:memory:`. One process works on it;
   * - a URL, `postgresql://user:password@host:port/database`. Several processes may share the database;
   * - `{ pool }`: a `pg.Pool` of yours. It is not ended by `close`. Set its timeouts yourself, and listen to its `error` event:
   *   without a listener, `pg` ends the process when an unused connection breaks;
   * - `{ stores }`: an Effect layer of all stores.
   *
   * A database of ours is brought up to date when it is opened.
   */
  readonly database: string | { readonly pool: HostPool } | { readonly stores: Layer.Layer<Stores, unknown> }
  /** The chains that are served, by their ids: 1, 10, 56, 100, 137, 196, 8453, 42161, 43114. One at least. */
  readonly chains: Readonly<Record<number, ChainOptions>>
  /** Sends operations with keys of yours. Without it, and without a `bundlerUrl`, operations are prepared and not sent. */
  readonly bundler?: BundlerOptions
  /** Lets wallets pay gas in tokens. Without it, and without a `paymasterUrl`, they pay in each chain's coin alone. */
  readonly paymaster?: PaymasterOptions
  /**
   * Who is asked for swaps, in the order in which equal quotes are preferred: "UNISWAP_V3" for ours, and providers of
   * yours. `["UNISWAP_V3"]` when left out.
   */
  readonly providers?: ReadonlyArray<"UNISWAP_V3" | HostSwapProvider>
  /**
   * The key that encrypts secrets of webhooks: 32 random bytes in base 64, as `openssl rand -base64 32` makes them. Several
   * keys are separated by commas: the first one encrypts, each decrypts. Nothing else needs it: without it, making or rotating
   * a webhook fails with SECRET_KEY_NOT_SET, and none is delivered.
   */
  readonly secretsKey?: string
  /** Id of the project that calls without `project(id)` are for; one named "default", which is made here, when left out. */
  readonly project?: string
  /**
   * Whether this process follows operations to their end, keeps the operator's transactions on their way, delivers
   * webhooks and removes what is old; true when left out. With false it only prepares and accepts: another process on the
   * same database has to do the rest.
   */
  readonly workers?: boolean
  /** The base of links to logos: where an HTTP server of yours shows those of Countersign. Empty when left out. */
  readonly publicUrl?: string
  readonly webhooks?: {
    /** Also delivers to http URLs and into private networks; false when left out. */
    readonly allowPrivateTargets?: boolean
    /** For an attempt, in milliseconds, from 1 to 30000; 15000 when left out. */
    readonly timeoutMs?: number
  }
  /** For the balances of Bitcoin addresses. Without it they are not read. */
  readonly bitcoin?: {
    /** Hosts of Esplora's HTTP API, such as https://blockstream.info/api: each stands in for those before it. */
    readonly esploraUrls: OneOrMore
  }
  /** For portfolios that include NFTs. Positions of Uniswap V3 are always looked at. */
  readonly nfts?: {
    /** Contracts of ERC-721 that enumerate, and of ERC-1155 with the ids to look at, as text. */
    readonly collections?: ReadonlyArray<{
      readonly chainId: EvmChainId
      readonly address: string
      readonly ids?: ReadonlyArray<string>
    }>
    /** The URL that serves `ipfs://` paths under it, such as https://ipfs.example/ipfs. Without one they are not read. */
    readonly ipfsGateway?: string
  }
  /**
   * How tax exports are mailed: by a mail server, `smtp://user:password@host:587` or `smtps://…:465`, from an address; or
   * written as `.eml` files into a folder. Without it, exports can be asked for, and none can be scheduled.
   */
  readonly mail?: { readonly smtpUrl: string; readonly from: string } | { readonly folder: string }
  readonly quotes?: {
    /** For how long a quote can be signed, in seconds, from 1 to 86400; 60 when left out. */
    readonly seconds?: number
    /** The address that gets the operator's share of `transactionFeePercent`. Without it no share is taken. */
    readonly operatorTreasury?: string
    /** That share, in percent of the fee, from 0 to 100; 0 when left out. */
    readonly operatorSharePercent?: number
    /** For how long a provider of swaps is waited for, in milliseconds; 10000 when left out. */
    readonly providerTimeoutMs?: number
    /** After this time QUICKEST_QUOTE waits for no better quote than those that there are, in milliseconds; 900 when left out. */
    readonly quickestQuoteMs?: number
  }
  /**
   * How the gas of a wallet's first operation with a token is paid. "PAID" needs `bundler` and `paymaster`, and takes
   * nothing on trust; "TRUSTED" when left out.
   */
  readonly firstUseOfGasToken?: "TRUSTED" | "PAID"
  /** US dollars of gas that the wallets of a project may leave unpaid in a day; 50 when left out. */
  readonly lossBudgetUsdPerDay?: number
  /** The same for all projects together; 200 when left out. */
  readonly lossBudgetTotalUsdPerDay?: number
  /**
   * Sources of the market's prices and exchange rates, for what is shown and reported; quotes and gas never go by them. Without
   * them there are no values in other currencies and no prices of the past.
   */
  readonly marketData?: {
    /** In the order in which they are asked. They learn which tokens are asked for. */
    readonly sources: ReadonlyArray<"coingecko" | "defillama">
    /** The key of a CoinGecko plan; the public limits hold when left out. */
    readonly coinGeckoKey?: string
    /** What the key is of; "demo" when left out. */
    readonly coinGeckoPlan?: "demo" | "pro"
    /** CoinGecko's API, where that is not the plan's own. */
    readonly coinGeckoUrl?: string
    /** DefiLlama's coins API, where that is not its own. */
    readonly defiLlamaUrl?: string
  }
  /** Aggregators that are asked for swaps after the providers, in the order in which equal quotes are preferred; none when left out. */
  readonly aggregators?: {
    /** They learn tokens, amounts, wallets and receivers. */
    readonly names: ReadonlyArray<"kyberswap" | "lifi" | "velora">
    /** Of each request to one of them; 2000 when left out. */
    readonly timeoutMs?: number
    /** Who asks, for KyberSwap's limits; "countersign" when left out. */
    readonly kyberSwapClientId?: string
    /** Requests that KyberSwap takes of one process; 3 when left out. */
    readonly kyberSwapRequestsPerSecond?: number
    /** KyberSwap's aggregator API, where that is not its own. */
    readonly kyberSwapUrl?: string
    /** LI.FI's key; 75 quotes in two hours when left out. */
    readonly liFiKey?: string
    /** Who asks, as LI.FI has it registered; "countersign" when left out. */
    readonly liFiIntegrator?: string
    /** LI.FI's API, where that is not its own. */
    readonly liFiUrl?: string
    /** Velora's API, where that is not its own. */
    readonly veloraUrl?: string
  }
  readonly retention?: {
    /** Days for which unsigned quotes are kept, at least 0.1; 7 when left out. */
    readonly quoteDays?: number
    /** Days for which events and ended deliveries are kept, at least 0.1; 30 when left out. */
    readonly eventDays?: number
    /** Days for which personal data of identities that were refused, or whose documents did not come, are kept; 90 when left out. */
    readonly refusedIdentityDays?: number
  }
  /** Tells the time, in Unix milliseconds; the machine's clock when left out. Waits go by the machine's. */
  readonly clock?: () => number
  /** Gets what is logged, with its fields. Warnings and errors go to the console when left out. */
  readonly logger?: HostLogger
}
