import { bitcoinToken } from "@countersign/core/bitcoin/chain"
import { fiatRatesContract } from "@countersign/core/contracts/foundation/tokens/FiatRates"
import { tokenCatalogContract } from "@countersign/core/contracts/foundation/tokens/TokenCatalog"
import { tokenPricesContract } from "@countersign/core/contracts/foundation/tokens/TokenPrices"
import { accountOperationsContract } from "@countersign/core/contracts/operations/user-operations/AccountOperations"
import { chainReaderContract } from "@countersign/core/contracts/operations/user-operations/ChainReader"
import { lendingMarketContract } from "@countersign/core/contracts/trading/lending/LendingMarket"
import { swapProviderContract } from "@countersign/core/contracts/trading/swap/provider/SwapProvider"
import { Address } from "@countersign/core/foundation/primitives"
import { constantRates, FiatRates, type Token } from "@countersign/core/foundation/tokens"
import { OrderBook } from "@countersign/core/trading/limit-orders"
import { BridgeFillStore, SwapProviders } from "@countersign/core/trading/swap"
import { assert } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { SandboxChains, sandboxTokens } from "../../../sandbox/index.ts"
import { inMemoryRequestCounts } from "../../../test/aggregators/inMemoryRequestCounts.ts"
import { PATIENT_RPC } from "../../../test/evm/patientRpc.ts"
import { BitcoinjsTransactions, EsploraChain } from "../../chains/bitcoin/index.ts"
import { accountContracts, deploymentOf } from "../../chains/deployments/index.ts"
import {
  accountImplementations,
  EvmAccountOperations,
  RpcClientsLayer,
  ViemChainReader
} from "../../chains/evm/index.ts"
import { PoolReader } from "../../exchanges/pools/index.ts"
import { ListedTokenCatalog } from "../../tokens/catalog/index.ts"
import { ChainTokenPrices } from "../../tokens/prices/index.ts"
import { NodeEntropy } from "../node/index.ts"
import { layerLendingMarkets } from "./layerLendingMarkets.ts"
import { layerSwapProviders } from "./layerSwapProviders.ts"

/** Runs the contract suites of ports whose adapters have no separate test file, on the composed service. */

const chain = Layer.unwrap(
  Effect.map(SandboxChains, (chains) => RpcClientsLayer({ ...PATIENT_RPC, urls: (id) => [chains.rpcUrl(id)] }))
).pipe(Layer.provide(SandboxChains.layerTemporary))

const token = (symbol: string): Token => ({
  ...sandboxTokens(1).find((listed) => listed.symbol === symbol)!,
  realWorldAsset: false
})

tokenCatalogContract("the committed list", ListedTokenCatalog.layer())
tokenCatalogContract(
  "the sandbox's list",
  ListedTokenCatalog.layer(({ address, chainId }) =>
    sandboxTokens(chainId).some((sandboxToken) => sandboxToken.address === address)
  )
)

fiatRatesContract("none", Layer.succeed(FiatRates, constantRates(new Map())))

/** Services other than the chains' nodes that providers need. */
const besideProviders = Layer.mergeAll(
  PoolReader.layer,
  ViemChainReader.layer,
  Layer.mock(OrderBook, { buildCancellation: () => assert.fail(), buildInvalidation: () => assert.fail() }),
  NodeEntropy.layer,
  BitcoinjsTransactions.layer,
  EsploraChain.layer({ urls: [] }),
  BridgeFillStore.layerMemory,
  inMemoryRequestCounts
)

swapProviderContract(
  "on-chain pools",
  layerSwapProviders({ rpcUrls: () => [] }).pipe(Layer.provide(besideProviders), Layer.provide(chain)),
  {
    request: { tokenIn: token("LINK"), tokenOut: token("WBTC"), amountIn: 500n * 10n ** 18n, limit: null },
    impossible: {
      tokenIn: token("USDC"),
      tokenOut: { ...token("WETH"), address: Address.make(`0x${"de".repeat(20)}`) },
      amountIn: 1_000_000n,
      limit: null
    }
  }
)

/** Only the Across provider, with fees from the sandbox's gateway. */
const acrossAlone = Layer.unwrap(
  Effect.map(SandboxChains, ({ gatewayUrl, rpcUrl }) =>
    Layer.effect(
      SwapProviders,
      Effect.map(SwapProviders, (providers) => providers.filter(({ id }) => id === "ACROSS"))
    ).pipe(
      Layer.provide(
        layerSwapProviders({
          rpcUrls: (id) => [rpcUrl(id)],
          across: { url: `${gatewayUrl}/across/api`, apiKey: null }
        })
      ),
      Layer.provide(besideProviders),
      Layer.provide(RpcClientsLayer({ ...PATIENT_RPC, urls: (id) => [rpcUrl(id)] }))
    )
  )
).pipe(Layer.provide(SandboxChains.layerTemporary))

const tokenOn = (chainId: 1 | 8453, symbol: string): Token => ({
  ...sandboxTokens(chainId).find((listed) => listed.symbol === symbol)!,
  realWorldAsset: false
})

const unlistedToken = { ...tokenOn(8453, "WBTC"), address: Address.make(`0x${"de".repeat(20)}`) }

swapProviderContract("Across", acrossAlone, {
  request: { tokenIn: token("USDC"), tokenOut: tokenOn(8453, "USDC"), amountIn: 1_000_000_000n, limit: null },
  impossible: { tokenIn: token("USDC"), tokenOut: unlistedToken, amountIn: 1_000_000_000n, limit: null },
  takesItsTimeFromTheBlock: true
})

swapProviderContract("Across, swapped on arrival", acrossAlone, {
  request: { tokenIn: token("USDC"), tokenOut: tokenOn(8453, "WBTC"), amountIn: 1_000_000_000n, limit: null },
  impossible: { tokenIn: token("USDC"), tokenOut: tokenOn(8453, "WBTC"), amountIn: 1n, limit: null },
  takesItsTimeFromTheBlock: true
})

swapProviderContract("Across, after a swap", acrossAlone, {
  request: { tokenIn: token("LINK"), tokenOut: tokenOn(8453, "USDC"), amountIn: 10n ** 20n, limit: null },
  impossible: { tokenIn: token("USDC"), tokenOut: tokenOn(8453, "USDC"), amountIn: 1n, limit: null },
  takesItsTimeFromTheBlock: true
})

/** Only the THORChain provider, with the sandbox's gateway. */
const thorchainAlone = Layer.unwrap(
  Effect.map(SandboxChains, ({ gatewayUrl, rpcUrl }) =>
    Layer.effect(
      SwapProviders,
      Effect.map(SwapProviders, (providers) => providers.filter(({ id }) => id === "THORCHAIN"))
    ).pipe(
      Layer.provide(
        layerSwapProviders({
          rpcUrls: (id) => [rpcUrl(id)],
          thorchain: { url: `${gatewayUrl}/thornode` },
          bitcoin: { esploraUrls: [`${gatewayUrl}/bitcoin`] }
        })
      ),
      Layer.provide(besideProviders),
      Layer.provide(RpcClientsLayer({ ...PATIENT_RPC, urls: (id) => [rpcUrl(id)] }))
    )
  )
).pipe(Layer.provide(SandboxChains.layerTemporary))

swapProviderContract("THORChain", thorchainAlone, {
  request: { tokenIn: bitcoinToken, tokenOut: token("USDC"), amountIn: 10_000_000n, limit: null },
  impossible: { tokenIn: bitcoinToken, tokenOut: token("LINK"), amountIn: 10_000_000n, limit: null },
  deadline: Math.floor(Date.now() / 1_000) + 300
})

const lendingMarkets = layerLendingMarkets({ activeChains: () => [1] }).pipe(Layer.provide(chain))

lendingMarketContract("Aave V3", lendingMarkets, {
  provider: "LENDING_PROVIDER_A",
  chainId: 1,
  collateral: token("WETH"),
  loan: token("USDC")
})

lendingMarketContract("Morpho Blue", lendingMarkets, {
  provider: "LENDING_PROVIDER_B",
  chainId: 1,
  collateral: token("WBTC"),
  loan: token("USDC")
})

tokenPricesContract(
  "Uniswap V3 pools",
  ChainTokenPrices.layer({ isServed: () => true }).pipe(Layer.provide(PoolReader.layer), Layer.provide(chain)),
  {
    chainId: 1,
    near: sandboxTokens(1)
      .filter(({ role }) => role !== "rwa")
      .map(({ address, priceUsd8 }) => [address, Number(priceUsd8) / 1e8])
  }
)

chainReaderContract("viem", ViemChainReader.layer.pipe(Layer.provide(chain)), {
  chainId: 1,
  contract: accountContracts.entryPoint08,
  token: deploymentOf(1).wrappedNative.address
})

accountOperationsContract(
  "the EVM accounts",
  EvmAccountOperations.layer,
  accountImplementations.map(({ addressOf, info }) => {
    const owner = Address.make(`0x${"0f".repeat(20)}`)
    return {
      address: addressOf(owner, 0),
      owner,
      factory: info.factory,
      implementation: info.implementation,
      salt: 0,
      kind: info.kind,
      eip7702: info.eip7702
    }
  })
)
