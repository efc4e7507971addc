import { Effect } from "effect"
import { HistoryStore } from "../../../accounting/history/index.ts"
import type { EvmChainId } from "../../../foundation/chains/index.ts"
import { BadRequest, type RequestProblem, requireNoProblem } from "../../../foundation/errors/index.ts"
import type { FeeRequest } from "../../../foundation/fees/index.ts"
import type { Address, Metadata } from "../../../foundation/primitives/index.ts"
import {
  type IndividualVerificationRequired,
  requireListed,
  requireNoRealWorldAsset,
  type Token,
  TokenCatalog,
  TokensNotAuthorized
} from "../../../foundation/tokens/index.ts"
import {
  combineResults,
  lookUps,
  type PlanParameters,
  Preparations,
  type PrepareRequest,
  type QuoteRefusal,
  type ResolvedRequest,
  requireNoProblems,
  type ValidationResult
} from "../../../operations/quotes/index.ts"
import type { Call } from "../../../operations/user-operations/index.ts"
import type { Project } from "../../../tenancy/projects/index.ts"
import type { SmartWallet } from "../../../wallets/registry/index.ts"
import { outputRecipientProblems } from "../../swap/index.ts"
import type { LiquidityRefusal } from "../errors.ts"
import { LiquidityMarket, type Withdrawal } from "../LiquidityMarket.ts"
import type { Position } from "../Position.ts"
import { POSITION_ID, positionDetails, positionSubject } from "../positionDetails.ts"

export type LiquidityError = QuoteRefusal | IndividualVerificationRequired

/** The fields that all liquidity requests have. */
export interface LiquidityRequest extends FeeRequest {
  readonly walletAddress: Address
  readonly chainId: EvmChainId
  readonly payGasFeeToken: Address
  readonly metadata: Metadata
}

/** The request field to which an error refers, by the subject of the market's rejection. */
type FieldBySubject = Readonly<Record<LiquidityRefusal["about"], string>>

const depositFieldBySubject: FieldBySubject = {
  POSITION: "tokenId",
  FEE_TIER: "poolFeePercent",
  PAIR: "token1",
  ROUTE: "tokenIn",
  AMOUNT: "amountIn",
  CHAIN: "chainId"
}

/** Converts a market's rejection into a bad request for the field that caused it. */
const refuse =
  (fields: FieldBySubject) =>
  ({ about, reason }: LiquidityRefusal) =>
    Effect.fail(BadRequest.of(fields[about], about.toLowerCase(), reason))

export const rejectDeposit = refuse(depositFieldBySubject)
export const rejectWithdrawal = refuse({ ...depositFieldBySubject, ROUTE: "tokenOut", AMOUNT: "percentage" })
export const rejectRebalance = refuse({ ...depositFieldBySubject, ROUTE: "tokenId", AMOUNT: "newPosition" })

/** Maximum number of metadata keys. */
const MAX_METADATA_KEYS = 50

/** Returns a problem if the metadata has no free key for the position id. */
const metadataProblem = (metadata: Metadata): RequestProblem | null =>
  Object.keys(metadata).length < MAX_METADATA_KEYS || metadata[POSITION_ID] !== undefined
    ? null
    : {
        path: "metadata",
        code: "too_many_keys",
        message: `Expected at most ${MAX_METADATA_KEYS - 1} keys, because the service adds ${POSITION_ID}.`
      }

/** Returns a problem if the wallet does not own the position. */
const ownerProblem = ({ owner, tokenId }: Position, wallet: SmartWallet): RequestProblem | null =>
  owner === wallet.account.address
    ? null
    : {
        path: "tokenId",
        code: "not_owner",
        message: `Position ${tokenId} belongs to ${owner} and not to this wallet.`
      }

/** Returns problems with the receivers of a position's tokens: `toAddress`, and the receiver of `extraFee`. */
export const receiverProblems = ({
  extraFee,
  toAddress
}: FeeRequest & { readonly toAddress: Address }): ReadonlyArray<RequestProblem> => [
  ...outputRecipientProblems(toAddress),
  ...(extraFee === undefined ? [] : outputRecipientProblems(extraFee.toAddress, "extraFee.toAddress"))
]

/** Prepares a withdrawal or rebalance whose calls depend only on the deadline. */
export const preparationOf = (
  callGas: bigint,
  {
    request: { slippage, toAddress },
    wallet
  }: Pick<ResolvedRequest<{ readonly slippage: number; readonly toAddress: Address }, never>, "request" | "wallet">,
  { buildCalls: calls }: Pick<Withdrawal, "buildCalls">
): PrepareRequest<{ readonly calls: ReadonlyArray<Call> }, never> => ({
  callGas,
  plan: ({ deadline }: PlanParameters) =>
    Effect.succeed({
      calls: calls({ sender: wallet.account.address, recipient: toAddress, slippagePercent: slippage, deadline })
    }),
  listSpentAmounts: () => []
})

/** The look-ups that all liquidity operations share. */
export const liquidityContext = Effect.gen(function* () {
  const lookUp = yield* lookUps
  const catalog = yield* TokenCatalog
  const preparations = yield* Preparations
  const history = yield* HistoryStore
  const market = yield* LiquidityMarket

  /** Resolves a request: its wallet, its tokens by field, and the values that `validateFields` validates. */
  const orderOf = Effect.fnUntraced(function* <
    Request extends LiquidityRequest,
    Field extends string,
    Parts extends Readonly<Record<string, ValidationResult<unknown>>>
  >(
    project: Project,
    request: Request,
    fields: Readonly<Record<Field | "payGasFeeToken", Address>>,
    validateFields: (tokens: Readonly<Record<Field | "payGasFeeToken", Token>>) => Parts
  ) {
    const { chainId, metadata, walletAddress } = request
    yield* lookUp.served({ chainId })
    const wallet = yield* lookUp.smartWallet(project, walletAddress)
    const refs = Object.entries<Address>(fields).map(([field, address]) => [field, { chainId, address }])
    const order = yield* lookUp.order<Request, Field | "payGasFeeToken", SmartWallet>(
      project,
      wallet,
      request,
      Object.fromEntries(refs)
    )
    yield* requireNoRealWorldAsset(Object.values<Token>(order.tokens))
    const resolvedFields = combineResults({
      metadata: requireNoProblems([metadataProblem(metadata)]),
      ...validateFields(order.tokens)
    })
    return { ...order, parts: yield* Effect.fromResult(resolvedFields) }
  })

  /**
   * Returns the tokens of a position's pool, in the pool's order. Fails if a token is not listed, or is a real-world
   * asset.
   */
  const tokensOf = Effect.fnUntraced(function* ({ chainId, pool }: Position) {
    const tokens = yield* Effect.mapError(
      requireListed(catalog, {
        token0: { chainId, address: pool.token0 },
        token1: { chainId, address: pool.token1 }
      }),
      ({ tokens: [first, ...others] }) =>
        new TokensNotAuthorized({
          tokens: [{ ...first, field: "tokenId" }, ...others.map((token) => ({ ...token, field: "tokenId" }))]
        })
    )
    yield* requireNoRealWorldAsset(Object.values(tokens))
    return tokens
  })

  /**
   * Returns the position's id in the history: the id that the wallet's last transaction with this NFT stored. If there
   * is none, the NFT's id.
   */
  const positionIdOf = Effect.fnUntraced(function* (
    { project, wallet }: Pick<ResolvedRequest<unknown, never>, "project" | "wallet">,
    { chainId, tokenId }: Position
  ) {
    const [last] = yield* history.list({
      projectId: project.id,
      walletAddress: wallet.account.address,
      filter: { subject: { id: positionSubject(String(tokenId)), orMetadata: null }, chains: [chainId] },
      after: null,
      take: 1
    })
    const earlierDetails = last === undefined ? null : positionDetails.in(last)
    return earlierDetails?.positionId ?? String(tokenId)
  })

  /**
   * Opens a position of the wallet. `token` is the deposited or withdrawn token, or null for a rebalance. If
   * `isExclusive`, no other pending operation may change the position.
   */
  const openOwnedPosition = Effect.fnUntraced(function* (
    order: ResolvedRequest<LiquidityRequest & { readonly tokenId: string }, "payGasFeeToken">,
    token: Token | null,
    isExclusive: boolean
  ) {
    const { chainId, metadata, tokenId } = order.request
    const openPosition = yield* market.openPosition({ chainId, tokenId: BigInt(tokenId), token })
    const { position } = openPosition
    yield* requireNoProblem([ownerProblem(position, order.wallet)])
    const poolTokens = yield* tokensOf(position)
    const { token0, token1 } = poolTokens
    const prices = yield* preparations.readPrices(chainId, [...Object.values<Token>(order.tokens), token0, token1])
    const positionId = yield* positionIdOf(order, position)
    return {
      opened: openPosition,
      position,
      poolTokens,
      prices,
      about: {
        subject: positionSubject(tokenId),
        details: positionDetails.of({ manager: position.manager, tokenId, positionId }),
        uses: [{ resource: `position ${position.tokenId} of ${position.manager}`, isExclusive }]
      },
      // The caller's keys come first, because `metadataKey` of a webhook is the first key.
      metadata: { ...metadata, [POSITION_ID]: metadata[POSITION_ID] ?? positionId }
    }
  })

  return { market, openOwned: openOwnedPosition, orderOf, preparations }
})
