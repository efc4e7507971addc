import { Effect } from "effect"
import type { EvmChainId } from "../../chains/index.ts"
import { BadRequest, type RequestProblem, type UpstreamUnavailable } from "../../errors/index.ts"
import type { FeeRequest } from "../../fees/index.ts"
import { HistoryStore, POSITION_ID, positionDetailsOf } from "../../history/index.ts"
import type { UnpaidGasLimit } from "../../losses/index.ts"
import type { Address, Metadata } from "../../primitives/index.ts"
import type { Project } from "../../projects/index.ts"
import { Preparations, QuoteSettings, QuoteStore } from "../../quotes/index.ts"
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
import { LiquidityMarket } from "../LiquidityMarket.ts"
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

/** Fails with all problems at once. */
export const requireNoProblem = (problems: ReadonlyArray<RequestProblem | null>): Effect.Effect<void, BadRequest> => {
  const [first, ...others] = problems.filter((problem) => problem !== null)
  return first === undefined ? Effect.void : Effect.fail(new BadRequest({ problems: [first, ...others] }))
}

export const orFail = <A>(value: A | BadRequest): Effect.Effect<A, BadRequest> =>
  value instanceof BadRequest ? Effect.fail(value) : Effect.succeed(value)

/** For `catchTag`: a market's refusal is the caller's mistake, in one of the fields of the request. */
export const refused = (fields: FieldsOf) => (refusal: LiquidityRefusal) => Effect.fail(refusedRequest(refusal, fields))

/** A position can be changed by its owner alone. */
export const ownerProblem = ({ owner, tokenId }: Position, wallet: SmartWallet): RequestProblem | null =>
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

  /** The tokens of a position's pool, in the pool's order. */
  const tokensOf = Effect.fnUntraced(function* ({ chainId, pool }: Position) {
    const [token0, token1] = yield* requireListed(catalog, [
      { field: "tokenId", chainId, address: pool.token0 },
      { field: "tokenId", chainId, address: pool.token1 }
    ])
    yield* requireNoRealWorldAsset([token0!, token1!])
    return { token0: token0!, token1: token1! }
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
    orderOf,
    positionIdOf,
    preparations,
    prices,
    pricesOf: (chainId: EvmChainId, tokens: ReadonlyArray<Token>) => quotedPrices(prices, chainId, tokens),
    settings,
    store,
    tokensOf,
    withPositionId,
    yields
  }
})
