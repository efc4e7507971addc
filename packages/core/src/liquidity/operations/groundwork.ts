import { Effect } from "effect"
import type { EvmChainId } from "../../chains/index.ts"
import { BadRequest, type RequestProblem, requireNoProblem, type UpstreamUnavailable } from "../../errors/index.ts"
import type { FeeRequest } from "../../fees/index.ts"
import { HistoryStore, POSITION_ID, positionDetailsOf } from "../../history/index.ts"
import type { UnpaidGasLimit } from "../../losses/index.ts"
import type { Address, Metadata } from "../../primitives/index.ts"
import type { Project } from "../../projects/index.ts"
import { type PlanFor, Preparations, QuoteSettings, QuoteStore } from "../../quotes/index.ts"
import { IndividualVerificationRequired, outputRecipientProblems } from "../../swap/index.ts"
import {
  quotedPrices,
  requireListed,
  type Token,
  TokenCatalog,
  TokenPrices,
  type TokensNotAuthorized
} from "../../tokens/index.ts"
import type { GasLimits } from "../../user-operations/index.ts"
import { type SmartWallet, WalletNotRegistered, Wallets } from "../../wallets/index.ts"
import type { LiquidityRefusal } from "../errors.ts"
import { LiquidityMarket, type Withdrawal } from "../LiquidityMarket.ts"
import { type FieldsOf, type LiquidityOrder, metadataProblems, refusedRequest } from "../LiquidityOrder.ts"
import { LiquidityYields } from "../LiquidityYields.ts"
import type { Position } from "../Position.ts"
import { LiquiditySettings } from "../plan/bounds.ts"

export type LiquidityError =
  | WalletNotRegistered
  | TokensNotAuthorized
  | IndividualVerificationRequired
  | BadRequest
  | UnpaidGasLimit
  | UpstreamUnavailable

/** What every request on liquidity has. */
interface AnyRequest extends FeeRequest {
  readonly walletAddress: Address
  readonly chainId: EvmChainId
  readonly metadata: Metadata
}

/** Generous gas limits for such an operation of a wallet that is not deployed. */
export const provisionalLimits = (callGasLimit: bigint): GasLimits => ({
  callGasLimit,
  verificationGasLimit: 350_000n,
  preVerificationGas: 70_000n,
  paymasterVerificationGasLimit: 60_000n,
  paymasterPostOpGasLimit: 80_000n
})

export const orFail = <A>(value: A | BadRequest): Effect.Effect<A, BadRequest> =>
  value instanceof BadRequest ? Effect.fail(value) : Effect.succeed(value)

/** For `catchTag`: a market's refusal is the caller's mistake, in one of the fields of the request. */
export const refused = (fields: FieldsOf) => (refusal: LiquidityRefusal) => Effect.fail(refusedRequest(refusal, fields))

/** A position can be changed by its owner alone. */
const ownerProblem = ({ owner, tokenId }: Position, wallet: SmartWallet): RequestProblem | null =>
  owner === wallet.account.address
    ? null
    : {
        path: "tokenId",
        code: "not_owner",
        message: `Position ${tokenId} belongs to ${owner}, and not to this wallet.`
      }

/** What is wrong with those who get what a router takes out of a position: a receiver, and whoever takes `extraFee`. */
export const receiverProblems = ({
  extraFee,
  toAddress
}: FeeRequest & { readonly toAddress: Address }): ReadonlyArray<RequestProblem> => [
  ...outputRecipientProblems(toAddress),
  ...(extraFee === undefined ? [] : outputRecipientProblems(extraFee.toAddress, "extraFee.toAddress"))
]

/** The plan of what was taken out of a position: all of it is known but the deadline. */
export const planOf =
  (
    {
      request: { slippage, toAddress },
      wallet
    }: LiquidityOrder<{ readonly slippage: number; readonly toAddress: Address }, never>,
    { calls }: Pick<Withdrawal, "calls">
  ) =>
  ({ deadline }: PlanFor) =>
    Effect.succeed({
      calls: calls({ sender: wallet.account.address, recipient: toAddress, slippagePercent: slippage, deadline })
    })

/** What the operations on liquidity share: their ports, and the look-ups with which each begins and ends. */
export const makeGroundwork = Effect.gen(function* () {
  const wallets = yield* Wallets
  const catalog = yield* TokenCatalog
  const prices = yield* TokenPrices
  const preparations = yield* Preparations
  const store = yield* QuoteStore
  const history = yield* HistoryStore
  const market = yield* LiquidityMarket
  const settings = yield* LiquiditySettings
  const yields = yield* LiquidityYields
  const { operatorSharePercent, operatorTreasury } = yield* QuoteSettings

  const requireNoRealWorldAsset = (tokens: ReadonlyArray<Token>) => {
    const asset = tokens.find((token) => token.realWorldAsset)
    return asset === undefined ? Effect.void : Effect.fail(new IndividualVerificationRequired({ symbol: asset.symbol }))
  }

  /** The wallet and the tokens of a request: by the name of each field that names one. */
  const orderOf = Effect.fnUntraced(function* <Request extends AnyRequest, Name extends string>(
    project: Project,
    request: Request,
    fields: Readonly<Record<Name, Address>>
  ) {
    const { chainId, metadata, walletAddress } = request
    const wallet = yield* wallets.require(project.id, walletAddress)
    if (wallet.type !== "SMART") return yield* new WalletNotRegistered({ walletAddress })
    const names = Object.keys(fields) as Array<Name>
    const listed = yield* requireListed(
      catalog,
      names.map((field) => ({ field, chainId, address: fields[field] }))
    )
    yield* requireNoRealWorldAsset(listed)
    yield* requireNoProblem(metadataProblems(metadata))
    const order: LiquidityOrder<Request, Name> = {
      project,
      wallet,
      request,
      tokens: Object.fromEntries(names.map((name, i) => [name, listed[i]!])) as Record<Name, Token>,
      collectors: { treasury: project.treasury, operatorTreasury, operatorSharePercent }
    }
    return order
  })

  /** The state of the wallet's account, with what it has of `spent`, and what the market opens: asked for at once. */
  const openWith = Effect.fnUntraced(function* <A, E>(
    { project, request: { chainId }, tokens: { payGasFeeToken }, wallet }: LiquidityOrder<AnyRequest, "payGasFeeToken">,
    spent: ReadonlyArray<Address>,
    opening: Effect.Effect<A, E>
  ) {
    const account = { chainId, account: wallet.account, payGasFeeToken, tokens: spent }
    const terms = yield* preparations.gasTerms({ ...account, projectId: project.id })
    return yield* Effect.all([preparations.open(account, terms), opening], { concurrency: 2 })
  })

  /** The tokens of a position's pool, in the pool's order. */
  const tokensOf = Effect.fnUntraced(function* ({ chainId, pool }: Position) {
    const [token0, token1] = yield* requireListed(catalog, [
      { field: "tokenId", chainId, address: pool.token0 },
      { field: "tokenId", chainId, address: pool.token1 }
    ])
    yield* requireNoRealWorldAsset([token0!, token1!])
    return { token0: token0!, token1: token1! }
  })

  /** The same with a position of the wallet. `token` is the one that is put in or taken out; null for a rebalance. */
  const openOwned = Effect.fnUntraced(function* (
    order: LiquidityOrder<AnyRequest & { readonly tokenId: string }, "payGasFeeToken">,
    token: Token | null,
    fields: FieldsOf,
    spent: ReadonlyArray<Address> = []
  ) {
    const { chainId, tokenId } = order.request
    const opening = market.openPosition({ chainId, tokenId: BigInt(tokenId), token })
    const refusing = Effect.catchTag(opening, "LIQUIDITY_REFUSAL", refused(fields))
    const [context, opened] = yield* openWith(order, spent, refusing)
    yield* requireNoProblem([ownerProblem(opened.position, order.wallet)])
    return { context, opened, poolTokens: yield* tokensOf(opened.position) }
  })

  /**
   * What history knows a position's life by: the id that the wallet's last transaction with this NFT has, else the NFT
   * itself.
   */
  const positionIdOf = Effect.fnUntraced(function* (
    { project, wallet }: LiquidityOrder<AnyRequest, never>,
    { chainId, tokenId }: Position
  ) {
    const [last] = yield* history.list({
      projectId: project.id,
      walletAddress: wallet.account.address,
      filter: { nftNumber: String(tokenId), chains: [chainId] },
      after: null,
      take: 1
    })
    const known = last === undefined ? null : positionDetailsOf(last)
    return known?.positionId ?? String(tokenId)
  })

  /** The caller's metadata, with the position's id where the caller has none: after the caller's, whose first pair webhooks name. */
  const withPositionId = (metadata: Metadata, positionId: string): Metadata => ({
    ...metadata,
    [POSITION_ID]: metadata[POSITION_ID] ?? positionId
  })

  return {
    market,
    openOwned,
    openWith,
    orderOf,
    positionIdOf,
    preparations,
    prices,
    pricesOf: (chainId: EvmChainId, tokens: ReadonlyArray<Token>) => quotedPrices(prices, chainId, tokens),
    settings,
    store,
    withPositionId,
    yields
  }
})
