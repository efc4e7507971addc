import type { ConfirmationPolicy } from "@countersign/core/bitcoin/payments"
import type { FiatLevelLimits, FiatLimitRules } from "@countersign/core/fiat"
import type { EvmChainId, ServedChains } from "@countersign/core/foundation/chains"
import type { FiatCode } from "@countersign/core/foundation/tokens"
import type { FinalityPolicy } from "@countersign/core/operations/executions"
import type { LossLimits } from "@countersign/core/operations/losses"
import type { QuoteSettings } from "@countersign/core/operations/quotes"
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

/** The database of a host that embeds the service. */
export type HostDatabase =
  /** A connection pool that the host owns and ends. */
  | { readonly _tag: "PostgresPool"; readonly pool: HostPool }
  /** The host's own stores, which must encrypt webhook secrets themselves. */
  | { readonly _tag: "Stores"; readonly layer: Layer.Layer<Stores, unknown> }

export type BundlerSettings =
  | { readonly _tag: "Self"; readonly operatorKeys: OperatorKeys }
  | { readonly _tag: "Rpc"; readonly urls: ReadonlyMap<EvmChainId, ReadonlyArray<string>> }
  /**
   * The chains' nodes simulate operations, and no operation is sent. This is sufficient to prepare operations, or to
   * manage projects and keys.
   */
  | { readonly _tag: "None" }

export type PaymasterSettings =
  | ({ readonly _tag: "Self" } & SelfPaymasterOptions)
  | { readonly _tag: "Rpc"; readonly urls: ReadonlyMap<EvmChainId, ReadonlyArray<string>> }
  /** Gas is only paid in each chain's native token. */
  | { readonly _tag: "None" }

export type MailSettings =
  | ({ readonly _tag: "Smtp" } & SmtpOptions)
  /** Mails are written as files to a folder, and not sent. */
  | { readonly _tag: "Folder"; readonly folder: string }

/** The adapters of the ports, with their settings. */
export interface Settings {
  readonly database: DatabaseSettings
  readonly rpcUrls: (chainId: EvmChainId) => ReadonlyArray<string>
  /** Chains that are queried for deployments of a wallet. A sandbox omits chains that are not running. */
  readonly activeChains: () => ReadonlyArray<EvmChainId>
  /** Chains that requests may use. Default: all. A sandbox starts chains on demand. */
  readonly servedChains?: ServedChains
  readonly bundler: BundlerSettings
  readonly paymaster: PaymasterSettings
  readonly isListed: (token: ListedToken) => boolean
  readonly quotes: QuoteSettings
  readonly swap: SwapSettings
  /** Limits of the price impact of liquidity operations. Default: the built-in ones. */
  readonly liquidity?: LiquiditySettings
  /** Limits of the health factor. */
  readonly lending: LendingSettings
  /** Maximum number of requests per key and window; null for no limit. */
  readonly rateLimit: RateLimit | null
  /** How the gas of a wallet's first operation with a token is paid. PAID needs the built-in bundler and paymaster. */
  readonly firstUseOfGasToken: FirstUse
  /** The maximum unpaid gas before operations are rejected. */
  readonly losses: LossLimits
  /** How long completed data are stored. */
  readonly retention: RetentionPolicy
  /** Market data sources, in the order of queries. Default: none. */
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
   * Bridge, for fiat deposits and withdrawals. Default: none. If both providers support a payment method, the quote
   * with the higher output is used.
   */
  readonly bridge?: BridgeSettings
  /** Sumsub, for the verification of people and businesses. Default: only the operator decides. */
  readonly sumsub?: SumsubSettings
  /** Whether the approval of a verification needs two reviewers. Default: one. */
  readonly isFourEyes?: boolean
  /** The limits of an identity by payment method. Default: the built-in ones. */
  readonly fiatLimits?: FiatLimitRules
  /** The limits of an identity that has a specific verification level. */
  readonly fiatLevelLimits?: FiatLevelLimits
  /** How chains are watched for transfers of registered wallets. Default: the built-in settings. */
  readonly activity?: ActivityPolicy
  /** Units of each currency per US dollar, scaled by 10^18. Used if no source has a rate. */
  readonly fiatRates: ReadonlyMap<FiatCode, bigint>
  readonly webhooks: WebhookSenderOptions
  /** NFT collections in addition to Uniswap positions. */
  readonly nfts: Omit<EvmNftReader.NftSettings, "allowPrivateTargets">
  /** How mail is sent. Default: no mail is sent. */
  readonly mail?: MailSettings
  /** The folder of encrypted identity documents. Without it identity verification is not available. */
  readonly documentsFolder?: string
  /** The bucket that stores the documents instead of the folder, which then only has uploads in progress. */
  readonly documentsS3?: S3Settings
  /**
   * The target of backups. Erasures are also recorded there, because earlier backups contain the erased data. Without a
   * target, neither backups nor records of erasures are written.
   */
  readonly backupTarget?: BackupTargetSettings
  /** The encryption keys of stored secrets. The first encrypts, and all decrypt. Webhooks require a key. */
  readonly secretKeys: ReadonlyArray<SecretKey>
  /** Whether this process is the only one on its database. It may then take over the claims of its previous run. */
  readonly soleProcess: boolean
  /** Timeouts, retries and limits for the chains' nodes. Default: the built-in ones. */
  readonly rpcLimits?: RpcLimits
  /** Called once per HTTP request to a chain's node, for benchmarks. */
  readonly onRpcRequest?: (chainId: EvmChainId, methods: ReadonlyArray<string>) => void
  /** How long operations are watched after their inclusion. Default: the finality of the chain. */
  readonly finality?: (chainId: EvmChainId) => FinalityPolicy
  /** The explorers of transaction links. Default: public ones. */
  readonly explorerOf?: ExplorerOf
  /** Number of seconds by which the service clock is ahead of the machine's clock. */
  readonly clockOffsetSeconds: () => number
  /** Unix milliseconds, instead of the machine's clock. The offset is not added. */
  readonly clock?: () => number
  /** The URL of CoW Protocol's order books, with a path per chain. Default: CoW's public URL. */
  readonly cowApiUrl?: string
  /** Swap providers, in the order of preference for equal quotes. Default: all built-in providers. */
  readonly swapProviders?: Effect.Effect<SwapProviders["Service"], never, PoolReader | RpcClients | Scope.Scope>
  /** Aggregators that are queried in addition to the swap providers. Default: none. */
  readonly aggregators?: ReadonlyArray<AggregatorSettings>
  /** Called after each change that this process has stored. */
  readonly onStored?: () => void
}

/** The settings of a service whose host may provide its own database. */
export interface HostSettings extends Omit<Settings, "database"> {
  readonly database: DatabaseSettings | HostDatabase
}
