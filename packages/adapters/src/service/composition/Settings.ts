import type { ConfirmationPolicy } from "@countersign/core/bitcoin/payments"
import type { FiatLevelLimits, FiatLimitRules } from "@countersign/core/fiat"
import type { EvmChainId, ServedChains } from "@countersign/core/foundation/chains"
import type { FiatCode } from "@countersign/core/foundation/tokens"
import type { FinalityPolicy } from "@countersign/core/operations/executions"
import type { QuoteSettings } from "@countersign/core/operations/quotes"
import type { UnpaidGasLimits } from "@countersign/core/operations/unpaid-gas"
import type { FirstUse } from "@countersign/core/operations/user-operations"
import type { RateLimit } from "@countersign/core/tenancy/metering"
import type { RetentionPolicy } from "@countersign/core/tenancy/retention"
import type { LendingSettings } from "@countersign/core/trading/lending"
import type { LiquiditySettings } from "@countersign/core/trading/liquidity"
import type { SwapProviders, SwapSettings } from "@countersign/core/trading/swap"
import type { ActivityPolicy } from "@countersign/core/wallets/chain-activity"
import type { Effect, Layer, Scope } from "effect"
import type { ExplorerOf } from "../../api/wire/index.ts"
import type { ListedToken } from "../../chains/deployments/index.ts"
import type { OperatorKeys, RpcClients, RpcLimits, SelfPaymasterOptions } from "../../chains/evm/index.ts"
import type { AcrossApiSettings } from "../../exchanges/across/index.ts"
import type { AggregatorSettings } from "../../exchanges/aggregators/index.ts"
import type { PoolReader } from "../../exchanges/pools/index.ts"
import type { BlindPaySettings, BridgeSettings } from "../../fiat/index.ts"
import type { SumsubSettings } from "../../identity/index.ts"
import type { SmtpOptions } from "../../outbound/mail/index.ts"
import type { WebhookSenderOptions } from "../../outbound/webhooks/index.ts"
import type { BackupTargetSettings } from "../../storage/backup/index.ts"
import type { HostPool, PostgresOptions, SecretKey, Stores } from "../../storage/kysely/index.ts"
import type { S3Settings } from "../../storage/s3/index.ts"
import type { MarketSourceSettings } from "../../tokens/market-data/index.ts"
import type { EvmNftReader } from "../../tokens/nfts/index.ts"

export type DatabaseSettings =
  | { readonly _tag: "Sqlite"; readonly filename: string }
  | ({ readonly _tag: "Postgres" } & Pick<PostgresOptions, "url" | "readUrl" | "connectionsMax" | "isPgBouncer">)

/** The database of a host application that embeds the service. */
export type HostDatabase =
  /** A connection pool that the host creates and ends. */
  | { readonly _tag: "PostgresPool"; readonly pool: HostPool }
  /** The host's own stores. They must encrypt webhook secrets themselves. */
  | { readonly _tag: "Stores"; readonly layer: Layer.Layer<Stores, unknown> }

export type BundlerSettings =
  | { readonly _tag: "Self"; readonly operatorKeys: OperatorKeys }
  | { readonly _tag: "Rpc"; readonly urls: ReadonlyMap<EvmChainId, ReadonlyArray<string>> }
  /**
   * No bundler: the chains' nodes simulate operations, but no operation can be sent. Sufficient to prepare operations,
   * or to manage projects and keys.
   */
  | { readonly _tag: "None" }

export type PaymasterSettings =
  | ({ readonly _tag: "Self" } & SelfPaymasterOptions)
  | { readonly _tag: "Rpc"; readonly urls: ReadonlyMap<EvmChainId, ReadonlyArray<string>> }
  /** No paymaster: gas can be paid only in each chain's native token. */
  | { readonly _tag: "None" }

export type MailSettings =
  | ({ readonly _tag: "Smtp" } & SmtpOptions)
  /** Emails are written to a folder as files, and not sent. */
  | { readonly _tag: "Folder"; readonly folder: string }

/** Selects and configures the adapters of the ports. */
export interface Settings {
  readonly database: DatabaseSettings
  readonly rpcUrls: (chainId: EvmChainId) => ReadonlyArray<string>
  /**
   * Returns the chains that the service reads for portfolios, transfers, wallet deployments and gas funds. A sandbox
   * omits chains that are not running.
   */
  readonly activeChains: () => ReadonlyArray<EvmChainId>
  /** Chains that requests may use. Default: all. A sandbox starts chains on demand. */
  readonly servedChains?: ServedChains
  readonly bundler: BundlerSettings
  readonly paymaster: PaymasterSettings
  readonly isListed: (token: ListedToken) => boolean
  readonly quotes: QuoteSettings
  readonly swap: SwapSettings
  /** Limits for the price impact of liquidity operations. Default: the built-in limits. */
  readonly liquidity?: LiquiditySettings
  /** Limits for the health factor. */
  readonly lending: LendingSettings
  /** Maximum number of requests per API key and window; null for no limit. */
  readonly rateLimit: RateLimit | null
  /**
   * How the gas of a wallet's first operation with a gas token is paid. PAID needs the built-in bundler and paymaster.
   */
  readonly firstUseOfGasToken: FirstUse
  /** Maximum unpaid gas before operations are rejected. */
  readonly unpaidGasLimits: UnpaidGasLimits
  /** How long data are stored after they are no longer needed. */
  readonly retention: RetentionPolicy
  /** Market data sources, in the order in which they are queried. Default: none. */
  readonly marketData?: ReadonlyArray<MarketSourceSettings>
  /** Across's API, for cross-chain swaps. Default: none. */
  readonly across?: AcrossApiSettings
  /** A THORNode, for swaps from Bitcoin by THORChain. Default: none. */
  readonly thorchain?: { readonly url: string }
  /** Esplora servers for Bitcoin. Default: none. */
  readonly bitcoin?: {
    readonly esploraUrls: ReadonlyArray<string>
    /**
     * The operator's own Bitcoin Core nodes, which broadcast transactions and estimate fees. The URLs contain user name
     * and password.
     */
    readonly coreUrls?: ReadonlyArray<string>
    /** The required confirmations of a payment, by amount. Default: six. */
    readonly confirmations?: ConfirmationPolicy
  }
  /** BlindPay, for fiat deposits and withdrawals. Default: none. */
  readonly blindPay?: BlindPaySettings
  /**
   * Bridge, for fiat deposits and withdrawals. Default: none. If both providers support a payment method, the service
   * uses the quote with the higher output.
   */
  readonly bridge?: BridgeSettings
  /** Sumsub, which verifies people and businesses. Default: none, and the operator decides on each verification. */
  readonly sumsub?: SumsubSettings
  /** Whether the approval of a verification needs two reviewers. Default: one. */
  readonly isFourEyes?: boolean
  /** Limits of an identity by payment method. Default: the built-in limits. */
  readonly fiatLimits?: FiatLimitRules
  /** Limits of an identity that has a certain verification level. */
  readonly fiatLevelLimits?: FiatLevelLimits
  /** How chains are watched for transfers of registered wallets. Default: the built-in settings. */
  readonly activity?: ActivityPolicy
  /** Units of each currency per US dollar, scaled by 10^18. Used if no source has a rate. */
  readonly fiatRates: ReadonlyMap<FiatCode, bigint>
  readonly webhooks: WebhookSenderOptions
  /** NFT collections to list in addition to Uniswap positions. */
  readonly nfts: Omit<EvmNftReader.NftSettings, "allowPrivateTargets">
  /** How emails are sent. Default: no emails are sent. */
  readonly mail?: MailSettings
  /** Folder of the encrypted identity documents. If absent, identity verification is not available. */
  readonly documentsFolder?: string
  /** Bucket that stores the documents instead of the folder. The folder then contains only uploads in progress. */
  readonly documentsS3?: S3Settings
  /**
   * Where backups are stored. Erasures are also recorded there, because earlier backups contain the erased data. If
   * absent, neither backups nor records of erasures are written.
   */
  readonly backupTarget?: BackupTargetSettings
  /** Keys that encrypt stored secrets. The first key encrypts; all keys decrypt. Webhooks need a key. */
  readonly secretKeys: ReadonlyArray<SecretKey>
  /** Whether only this process uses its database. It may then take over the claims of its previous run. */
  readonly soleProcess: boolean
  /** Timeouts, retries and limits for the chains' nodes. Default: the built-in values. */
  readonly rpcLimits?: RpcLimits
  /** Called once for each HTTP request to a chain's node; used by benchmarks. */
  readonly onRpcRequest?: (chainId: EvmChainId, methods: ReadonlyArray<string>) => void
  /** How long operations are watched after their inclusion. Default: until the chain's finality. */
  readonly finality?: (chainId: EvmChainId) => FinalityPolicy
  /** Block explorers for links to transactions. Default: public explorers. */
  readonly explorerOf?: ExplorerOf
  /** Returns the number of seconds by which the service's clock is ahead of the machine's clock. */
  readonly clockOffsetSeconds: () => number
  /** Returns Unix milliseconds and replaces the machine's clock. The offset is not added. */
  readonly clock?: () => number
  /** Base URL of CoW Protocol's order books, to which the path of a chain is appended. Default: CoW's public URL. */
  readonly cowApiUrl?: string
  /** Swap providers, in order of preference among equal quotes. Default: all built-in providers. */
  readonly swapProviders?: Effect.Effect<SwapProviders["Service"], never, PoolReader | RpcClients | Scope.Scope>
  /** Aggregators that are queried in addition to the swap providers. Default: none. */
  readonly aggregators?: ReadonlyArray<AggregatorSettings>
  /** Called after each change that this process has stored. */
  readonly onStored?: () => void
}

/** The settings of a service whose host application may provide its own database. */
export interface HostSettings extends Omit<Settings, "database"> {
  readonly database: DatabaseSettings | HostDatabase
}
