import { Effect, Layer } from "effect"
import { BitcoinChain, BitcoinProofs, BitcoinTransactions } from "../../bitcoin/chain/index.ts"
import type { ChainId } from "../../foundation/chains/index.ts"
import { anAddress } from "../../foundation/primitives/ids.fixture.ts"
import { type Address, HexBytes, NATIVE_TOKEN } from "../../foundation/primitives/index.ts"
import { type Token, tokenKey } from "../../foundation/tokens/index.ts"
import { VerifiedIndividuals } from "../../identity/index.ts"
import { anEvmFixture, type EvmFixture, evmPorts } from "../../operations/executions/evm.fixture.ts"
import { Preparations } from "../../operations/quotes/index.ts"
import {
  type ChainReader,
  GasTokenNotAccepted,
  Paymaster,
  type PaymasterTerms,
  UserOperationBuilder
} from "../../operations/user-operations/index.ts"
import type { Project } from "../../tenancy/projects/index.ts"
import { aProject } from "../../tenancy/projects/Project.fixture.ts"
import type { SmartWallet } from "../../wallets/registry/index.ts"
import { aWallet } from "../../wallets/registry/Wallet.fixture.ts"
import { type Admission, HolderRules } from "./HolderRules.ts"
import { type Offer, type OfferRequest, type OfferTerms, type SwapProvider, SwapProviders } from "./provider/Offer.ts"
import type { SwapRequest } from "./SwapRequest.ts"
import { Swaps } from "./Swaps.ts"

export const aToken = (symbol: string, fields: Partial<Token> = {}): Token => ({
  chainId: 137,
  address: anAddress(),
  name: symbol,
  symbol,
  decimals: 6,
  realWorldAsset: false,
  ...fields
})

export interface SwapFixture extends EvmFixture {
  readonly project: Project
  readonly wallet: SmartWallet
  readonly usdc: Token
  readonly weth: Token
  readonly nativeToken: Token
  /** Null if no paymaster accepts tokens. */
  gasTerms: PaymasterTerms | null
  /** The verified individuals, each as `project id`. */
  readonly individuals: Set<string>
  /** Returns whether tokens of real-world assets admit an account. */
  admission: (token: Token, account: Address) => Admission
}

/**
 * Creates a project with a wallet, and two tokens and the native token on Polygon, with prices of 1, 2,000 and 0.5 US
 * dollars.
 */
export const aSwapFixture = (fields: Partial<Project> = {}): SwapFixture => {
  const project = aProject(fields)
  const wallet = aWallet({ projectId: project.id })
  const [usdc, weth] = [aToken("USDC"), aToken("WETH", { decimals: 18 })]
  const nativeToken = aToken("POL", { address: NATIVE_TOKEN, decimals: 18 })
  const fixture = anEvmFixture()
  fixture.owner = wallet.account.owner
  fixture.wallets.push(wallet)
  fixture.listedTokens.push(usdc, weth, nativeToken)
  fixture.prices.set(tokenKey(usdc), 10n ** 18n)
  fixture.prices.set(tokenKey(weth), 2_000n * 10n ** 18n)
  fixture.prices.set(tokenKey(nativeToken), 5n * 10n ** 17n)
  return Object.assign(fixture, {
    project,
    wallet,
    usdc,
    weth,
    nativeToken,
    gasTerms: null,
    individuals: new Set<string>(),
    admission: (): Admission => ({ _tag: "Admitted" })
  })
}

/** Creates a request to swap 100 USDC for WETH. Gas is paid in addition to the amount, in the native token. */
export const aSwapRequest = (
  { nativeToken, usdc, wallet, weth }: SwapFixture,
  fields: Partial<Record<keyof SwapRequest, unknown>> = {}
): SwapRequest =>
  ({
    amountIn: "100",
    chainIdIn: 137,
    chainIdOut: 137,
    routeProfile: "BEST_OUTPUT",
    gasFeePaymentMethod: "ADD_TO_AMOUNT",
    payGasFeeToken: nativeToken.address,
    tokenIn: usdc.address,
    tokenOut: weth.address,
    walletAddress: wallet.account.address,
    toAddress: wallet.account.address,
    transactionFeePercent: 0,
    slippage: 0.5,
    partialFillable: true,
    metadata: {},
    individualId: null,
    ...fields
  }) as unknown as SwapRequest

const POOL = anAddress()

const word = (value: bigint) => value.toString(16).padStart(64, "0")

/** Encodes an offer as calldata: rate, amount, minimum output, deadline. */
const dataOf = (rate: bigint, amountIn: bigint, { deadline, minAmountOut }: OfferTerms) =>
  HexBytes.make(`0x${[rate, amountIn, minAmountOut, BigInt(deadline)].map(word).join("")}`)

/** Creates an offer of `rate` base units of tokenOut per base unit of tokenIn, with one call. */
export const anOffer = (request: OfferRequest, rate: bigint, fields: Partial<Offer> = {}): Offer => ({
  ...request,
  amountOut: request.amountIn * rate,
  certainty: "EXACT",
  blockNumber: 7n,
  route: [
    {
      amountIn: request.amountIn,
      amountOut: request.amountIn * rate,
      hops: [
        {
          venue: "Test Pools",
          through: POOL,
          poolId: null,
          feePips: 3_000,
          tokenIn: request.tokenIn.address,
          tokenOut: request.tokenOut.address
        }
      ]
    }
  ],
  fees: [],
  executionSeconds: 1,
  stages: [],
  requoteAmount: (amountIn) => Effect.sync(() => anOffer({ ...request, amountIn }, rate, fields)),
  requestFollowUp: null,
  intent: {
    _tag: "Calls",
    buildCalls: (terms) =>
      Effect.succeed([{ to: POOL, value: 0n, data: dataOf(rate, request.amountIn, terms), summary: "Swap" }])
  },
  ...fields
})

export const aProvider = (
  id: string,
  offer: SwapProvider["offer"],
  fields: Partial<SwapProvider> = {}
): SwapProvider => ({
  id,
  name: `The ${id}`,
  serves: ({ chainIdIn, chainIdOut, isLimitOrder }) => chainIdIn === chainIdOut && !isLimitOrder,
  offer,
  ...fields
})

/** Creates a provider that responds immediately. */
export const aPool = (id: string, rate: bigint, fields: Partial<Offer> = {}): SwapProvider =>
  aProvider(id, (request) => Effect.sync(() => anOffer(request, rate, fields)))

/** Creates an in-memory store of the scene's verified individuals. */
const verifiedIndividuals = ({ individuals }: SwapFixture) =>
  Layer.mock(VerifiedIndividuals, {
    isVerified: (projectId, id) => Effect.sync(() => individuals.has(`${projectId} ${id}`))
  })

const failIfCalled = (): never => {
  throw new Error("A swap on EVM chains makes no Bitcoin request")
}

/** Provides the Bitcoin services, which swaps on EVM chains do not call. */
const noBitcoin = Layer.mergeAll(
  Layer.mock(BitcoinChain, {}),
  Layer.mock(BitcoinProofs, {
    parseAddress: failIfCalled,
    check: failIfCalled,
    keyOf: failIfCalled
  }),
  Layer.mock(BitcoinTransactions, {
    scriptOf: failIfCalled,
    addressOf: failIfCalled,
    buildPsbt: failIfCalled,
    verifySigned: failIfCalled
  })
)

export const swapLayer = (
  fixture: SwapFixture,
  providers: ReadonlyArray<SwapProvider>,
  reader: Layer.Layer<ChainReader, never, ChainReader> = Layer.empty as never
) =>
  Swaps.layer.pipe(
    Layer.provide(verifiedIndividuals(fixture)),
    Layer.provide(
      Layer.succeed(HolderRules, { admission: (...args) => Effect.sync(() => fixture.admission(...args)) })
    ),
    Layer.provide(Layer.succeed(SwapProviders, providers)),
    Layer.provide(Preparations.layer),
    Layer.provide(UserOperationBuilder.layer),
    Layer.provide(
      Layer.succeed(Paymaster, {
        readTerms: (_chainId, _version, { symbol }) =>
          Effect.suspend(() =>
            fixture.gasTerms === null
              ? Effect.fail(new GasTokenNotAccepted({ token: symbol, reason: "no paymaster accepts it" }))
              : Effect.succeed(fixture.gasTerms)
          ),
        sign: () => Effect.succeed(HexBytes.make("0x5151"))
      })
    ),
    Layer.provide(noBitcoin),
    Layer.provideMerge(reader),
    Layer.provideMerge(evmPorts(fixture))
  )

export const quote = (fixture: SwapFixture, fields: Partial<Record<keyof SwapRequest, unknown>> = {}) =>
  Swaps.use((swaps) => swaps.quote(fixture.project, aSwapRequest(fixture, fields)))

/** Lists a token on another chain. */
export const listTokenOn = (fixture: SwapFixture, chainId: ChainId, template: Token): Token => {
  const token = { ...template, chainId }
  fixture.listedTokens.push(token)
  return token
}
