import { randomBytes } from "node:crypto"
import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { type EvmChainId, isEvmChainId } from "@countersign/core/foundation/chains"
import { type Address, HexBytes, NATIVE_TOKEN } from "@countersign/core/foundation/primitives"
import { type MissingBalance, QuoteSettings } from "@countersign/core/operations/quotes"
import { UnpaidGasLimits } from "@countersign/core/operations/unpaid-gas"
import { FirstUseOfGasToken } from "@countersign/core/operations/user-operations"
import { RetentionPolicy } from "@countersign/core/tenancy/retention"
import { LendingSettings } from "@countersign/core/trading/lending"
import { SwapSettings } from "@countersign/core/trading/swap"
import { Redacted } from "effect"
import type { OperatorKeys } from "../../src/chains/evm/index.ts"
import type { AggregatorSettings } from "../../src/exchanges/aggregators/index.ts"
import { documentsFolder } from "../../src/identity/index.ts"
import { mailFolder } from "../../src/outbound/mail/index.ts"
import type { Settings } from "../../src/service/composition/index.ts"
import { PRIVATE_FILE_MODE } from "../../src/storage/files/index.ts"
import { sandboxDatabaseFile } from "../../src/storage/home/index.ts"
import { type SecretKey, secretKeyOf } from "../../src/storage/kysely/index.ts"
import { BLINDPAY_INSTANCE, BLINDPAY_KEY, BLINDPAY_PATH, BLINDPAY_WEBHOOK_SECRET } from "../bank/index.ts"
import { BRIDGE_KEY, BRIDGE_PATH } from "../bridge/index.ts"
import { sandboxTokens } from "../deployment/market.ts"
import { BITCOIN_PAGES_PATH } from "../explorer/bitcoinPage.ts"
import {
  ACROSS_PATH,
  COW_PATH,
  ESPLORA_PATH,
  KYBERSWAP_PATH,
  LIFI_PATH,
  MARKET_DATA_PATH,
  THORNODE_PATH,
  VELORA_PATH
} from "../gateway/Gateway.ts"
import type { SandboxKey, SandboxKeys } from "../keys.ts"
import { sandboxFiatRates } from "./sandboxFiatRates.ts"

/**
 * Returns the key that encrypts the sandbox's secrets, from a file in its home folder. The first call creates the file.
 */
const sandboxSecretKey = (home: string): SecretKey => {
  const file = join(home, "secrets.key")
  try {
    writeFileSync(file, randomBytes(32), { flag: "wx", mode: PRIVATE_FILE_MODE })
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code !== "EEXIST") throw cause
  }
  return secretKeyOf(readFileSync(file))
}

/** What the settings need from a sandbox, which can run in another process. */
export interface SandboxEndpoint {
  readonly home: string
  readonly rpcUrl: (chainId: EvmChainId) => string
  readonly runningChains: () => ReadonlyArray<EvmChainId>
  readonly clockOffsetSeconds: () => number
  readonly keys: SandboxKeys
  readonly paymasters: { readonly "0.7": Address; readonly "0.8": Address }
}

/**
 * Timeout of chains and emulators. It is long, because the machine may be busy or a chain may be starting, but shorter
 * than the server's own request timeout.
 */
const UPSTREAM_TIMEOUT_MS = 20_000

/** A sandbox mines blocks only for transactions, and reorgs them only on request. */
const sandboxFinality = { blocks: 3, pollEveryMs: 1_000 }

const secretOf = ({ privateKey }: SandboxKey) => Redacted.make(HexBytes.make(privateKey))

export const sandboxOperatorKeys = ({ operators }: SandboxKeys): OperatorKeys => ({
  "0.7": [secretOf(operators["0.7"])],
  "0.8": [secretOf(operators["0.8"])]
})

/** Returns the command that funds a wallet, with the missing amount rounded up to an integer. */
const fundingHint = ({ missing, token, wallet }: MissingBalance): string => {
  const unit = 10n ** BigInt(token.decimals)
  const name = token.address === NATIVE_TOKEN ? "native" : token.symbol
  return `In the sandbox, \`countersign sandbox fund ${wallet} ${(missing + unit - 1n) / unit} ${name} --chain ${token.chainId}\` sends the missing amount.`
}

/** Returns the settings of the aggregators that the gateway emulates. Emulators have no rate limits. */
export const sandboxAggregators = ({ rpcUrl }: Pick<SandboxEndpoint, "rpcUrl">): ReadonlyArray<AggregatorSettings> => [
  {
    _tag: "KyberSwap",
    url: `${new URL(rpcUrl(1)).origin}${KYBERSWAP_PATH}`,
    clientId: "sandbox",
    requestsPerSecond: 1_000,
    timeoutMs: UPSTREAM_TIMEOUT_MS
  },
  {
    _tag: "LiFi",
    url: `${new URL(rpcUrl(1)).origin}${LIFI_PATH}`,
    // The service sends more requests to an aggregator if it has a key.
    apiKey: Redacted.make("sandbox"),
    integrator: "sandbox",
    timeoutMs: UPSTREAM_TIMEOUT_MS
  },
  { _tag: "Velora", url: `${new URL(rpcUrl(1)).origin}${VELORA_PATH}`, timeoutMs: UPSTREAM_TIMEOUT_MS }
]

/** Builds settings for the production adapters on the sandbox's chains. */
export const sandboxSettings = (sandbox: SandboxEndpoint, options: { readonly soleProcess: boolean }): Settings => ({
  database: { _tag: "Sqlite", filename: sandboxDatabaseFile(sandbox.home) },
  rpcUrls: (chainId) => [sandbox.rpcUrl(chainId)],
  rpcLimits: { timeoutMs: UPSTREAM_TIMEOUT_MS, deadlineMs: UPSTREAM_TIMEOUT_MS },
  activeChains: sandbox.runningChains,
  bundler: { _tag: "Self", operatorKeys: sandboxOperatorKeys(sandbox.keys) },
  paymaster: {
    _tag: "Self",
    paymasters: sandbox.paymasters,
    signerKey: secretOf(sandbox.keys.paymasterSigner),
    treasury: sandbox.keys.treasury.address
  },
  isListed: ({ address, chainId }) => sandboxTokens(chainId).some((token) => token.address === address),
  quotes: { ...QuoteSettings.defaultValue(), fundingHint },
  swap: { ...SwapSettings.defaultValue(), providerTimeoutMs: UPSTREAM_TIMEOUT_MS },
  lending: LendingSettings.defaultValue(),
  rateLimit: null,
  firstUseOfGasToken: FirstUseOfGasToken.defaultValue(),
  unpaidGasLimits: UnpaidGasLimits.defaultValue(),
  retention: RetentionPolicy.defaultValue(),
  fiatRates: sandboxFiatRates,
  marketData: [
    {
      _tag: "CoinGecko",
      plan: "none",
      apiKey: null,
      url: `${new URL(sandbox.rpcUrl(1)).origin}${MARKET_DATA_PATH}`
    }
  ],
  bitcoin: { esploraUrls: [`${new URL(sandbox.rpcUrl(1)).origin}${ESPLORA_PATH}`] },
  cowApiUrl: `${new URL(sandbox.rpcUrl(1)).origin}${COW_PATH}`,
  across: { url: `${new URL(sandbox.rpcUrl(1)).origin}${ACROSS_PATH}`, apiKey: null },
  thorchain: { url: `${new URL(sandbox.rpcUrl(1)).origin}${THORNODE_PATH}` },
  blindPay: {
    url: `${new URL(sandbox.rpcUrl(1)).origin}${BLINDPAY_PATH}`,
    apiKey: Redacted.make(BLINDPAY_KEY),
    instanceId: BLINDPAY_INSTANCE,
    hasTerms: false,
    webhookSecret: BLINDPAY_WEBHOOK_SECRET
  },
  bridge: {
    url: `${new URL(sandbox.rpcUrl(1)).origin}${BRIDGE_PATH}`,
    apiKey: Redacted.make(BRIDGE_KEY),
    hasTerms: false,
    webhookPublicKey: null
  },
  aggregators: process.env.COUNTERSIGN_SANDBOX_AGGREGATORS === "on" ? sandboxAggregators(sandbox) : [],
  // The folders are in the home folder, where the user finds documents and unsent emails.
  documentsFolder: documentsFolder(sandbox.home),
  mail: { _tag: "Folder", folder: mailFolder(sandbox.home) },
  webhooks: { allowPrivateTargets: true, timeoutMs: 15_000 },
  nfts: { collections: [], ipfsGateway: null },
  secretKeys: [sandboxSecretKey(sandbox.home)],
  soleProcess: options.soleProcess,
  finality: () => sandboxFinality,
  // The gateway serves transaction pages below the chain's JSON-RPC URL.
  explorerOf: (chainId) => ({
    name: "Countersign sandbox",
    url: isEvmChainId(chainId) ? sandbox.rpcUrl(chainId) : `${new URL(sandbox.rpcUrl(1)).origin}${BITCOIN_PAGES_PATH}`
  }),
  clockOffsetSeconds: sandbox.clockOffsetSeconds
})
