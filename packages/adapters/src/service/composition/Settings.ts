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
  | ({ readonly _tag: "Postgres" } & Pick<PostgresOptions, "url" | "connectionsMax" | "isPgBouncer">)

/** The parts that a host that embeds the service provides itself. */
export type HostDatabase =
  /** A pool that outlives the service. */
  | { readonly _tag: "PostgresPool"; readonly pool: HostPool }
  /** Stores of its own, which seal the secrets of webhooks by themselves. */
  | { readonly _tag: "Stores"; readonly layer: Layer.Layer<Stores, unknown> }

export type BundlerSettings =
  | { readonly _tag: "Self"; readonly operatorKeys: OperatorKeys }
  | { readonly _tag: "Rpc"; readonly urls: ReadonlyMap<EvmChainId, ReadonlyArray<string>> }
  /** Operations are simulated by the chains' nodes, and none is sent: enough to prepare them, or to look after projects and keys. */
  | { readonly _tag: "None" }

export type PaymasterSettings =
  | ({ readonly _tag: "Self" } & SelfPaymasterOptions)
  | { readonly _tag: "Rpc"; readonly urls: ReadonlyMap<EvmChainId, ReadonlyArray<string>> }
  /** Gas is paid in each chain's own coin alone. */
  | { readonly _tag: "None" }

export type MailSettings =
  | ({ readonly _tag: "Smtp" } & SmtpOptions)
  /** Mails are written as files into a folder, from which nobody sends them. */
  | { readonly _tag: "Folder"; readonly folder: string }

/** Which adapters serve the ports, and how they are set up. */
export interface Settings {
  readonly database: DatabaseSettings
  readonly rpcUrls: (chainId: EvmChainId) => ReadonlyArray<string>
  /** Chains that are asked where a wallet is deployed. A sandbox leaves out those that do not run. */
  readonly activeChains: () => ReadonlyArray<EvmChainId>
  /** Chains that requests may name; every one where it is not given, as in a sandbox, which starts them when they are asked. */
  readonly servedChains?: ServedChains
  readonly bundler: BundlerSettings
  readonly paymaster: PaymasterSettings
  readonly isListed: (token: ListedToken) => boolean
  readonly quotes: QuoteSettings
  readonly swap: SwapSettings
  /** Limits of the price impact of operations on liquidity; the defaults where it is not given. */
  readonly liquidity?: LiquiditySettings
  /** Health factors that are not worth a signature. */
  readonly lending: LendingSettings
  /** Requests that a key may make in a window; null for no limit. */
  readonly rateLimit: RateLimit | null
  /** How the gas of a wallet's first operation with a token is paid. PAID needs a bundler and a paymaster of our own. */
  readonly firstUseOfGasToken: FirstUse
  /** How much gas may be left unpaid before operations are refused. */
  readonly losses: LossLimits
  /** How long what is no longer worked on is kept. */
  readonly retention: RetentionPolicy
  /** Sources of the market's prices and exchange rates, in the order in which they are asked; none where it is not given. */
  readonly marketData?: ReadonlyArray<MarketSourceSettings>
  /** Across's API, for swaps to other chains; none are made by it where it is not given. */
  readonly across?: AcrossApiSettings
  /** A THORNode, for swaps out of bitcoins; none are made by THORChain where it is not given. */
  readonly thorchain?: { readonly url: string }
  /** Hosts of Esplora that Bitcoin's chain is read from; none where it is not given. */
  readonly bitcoin?: {
    readonly esploraUrls: ReadonlyArray<string>
    /** Own nodes of Bitcoin Core that take transactions and estimate fees, with name and password. */
    readonly coreUrls?: ReadonlyArray<string>
    /** How many confirmations a payment needs, by its amount; six where it is left out. */
    readonly confirmations?: ConfirmationPolicy
  }
  /** BlindPay, for deposits from banks and withdrawals to them; none are made by it where it is not given. */
  readonly blindPay?: BlindPaySettings
  /** Bridge, likewise; where both serve a payment method, the quote comes from the one that gives more. */
  readonly bridge?: BridgeSettings
  /** Sumsub, for the verification of people and businesses; the operator alone decides where it is not given. */
  readonly sumsub?: SumsubSettings
  /** Whether an approval of a verification needs two reviewers; one where it is not given. */
  readonly isFourEyes?: boolean
  /** What an identity may move by each way of payment; the defaults where it is not given. */
  readonly fiatLimits?: FiatLimitRules
  /** What identities of some levels may move instead. */
  readonly fiatLevelLimits?: FiatLevelLimits
  /** How chains are watched for transfers of registered wallets; the defaults where it is not given. */
  readonly activity?: ActivityPolicy
  /** Units of each currency for one US dollar, scaled by 10^18, where no source knows better. */
  readonly fiatRates: ReadonlyMap<FiatCode, bigint>
  readonly webhooks: WebhookSenderOptions
  /** The collections of NFTs that are looked at, beside positions of Uniswap. */
  readonly nfts: Omit<EvmNftReader.NftSettings, "allowPrivateTargets">
  /** How mail is sent; none is where it is not given. */
  readonly mail?: MailSettings
  /** Where documents of identity verification are kept, sealed; without it no identity is verified. */
  readonly documentsFolder?: string
  /** The bucket that they are kept in instead; the folder then has what is being received. */
  readonly documentsS3?: S3Settings
  /** The target of backups. Erasures are also recorded there, because earlier backups contain the erased data. Without it neither is written. */
  readonly backupTarget?: BackupTargetSettings
  /** The keys of stored secrets: the first one encrypts, each decrypts. Without one no webhook can be made. */
  readonly secretKeys: ReadonlyArray<SecretKey>
  /** Whether this process is the only one on its database, and may take over what an earlier run left claimed. */
  readonly soleProcess: boolean
  /** Deadlines, retries and limits towards the chains' nodes, where they are to differ from the usual ones. */
  readonly rpcLimits?: RpcLimits
  /** Called once for each HTTP request to a chain's node: what a benchmark counts. */
  readonly onRpcRequest?: (chainId: EvmChainId, methods: ReadonlyArray<string>) => void
  /** For how long operations are watched in their blocks, where that is to differ from the usual. */
  readonly finality?: (chainId: EvmChainId) => FinalityPolicy
  /** Where links to transactions lead, where that is not to the public explorers. */
  readonly explorerOf?: ExplorerOf
  /** Seconds that the service clock is ahead of the machine's. */
  readonly clockOffsetSeconds: () => number
  /** Unix milliseconds, where the machine's clock is not the one to go by. The offset is not added to it. */
  readonly clock?: () => number
  /** Where the order books of CoW Protocol are, by a path for each chain; the public ones where it is not given. */
  readonly cowApiUrl?: string
  /** Swap providers, in the order in which equal quotes are preferred; all of ours when not given. */
  readonly swapProviders?: Effect.Effect<SwapProviders["Service"], never, PoolReader | RpcClients | Scope.Scope>
  /** Aggregators that are asked for swaps after them; none where it is not given. */
  readonly aggregators?: ReadonlyArray<AggregatorSettings>
  /** Called after each change that was stored by this process. */
  readonly onStored?: () => void
}

/** The same for a host that may bring a database of its own. */
export interface HostSettings extends Omit<Settings, "database"> {
  readonly database: DatabaseSettings | HostDatabase
}
