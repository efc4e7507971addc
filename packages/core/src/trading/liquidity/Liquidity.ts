import { Context, Effect, Layer } from "effect"
import type { UpstreamUnavailable } from "../../foundation/errors/index.ts"
import type { Project } from "../../tenancy/projects/index.ts"
import type { BlockchainError } from "./errors.ts"
import type {
  AddLiquidityContent,
  CreateLiquidityContent,
  LiquidityQuote,
  RebalanceLiquidityContent,
  WithdrawLiquidityContent
} from "./LiquidityContent.ts"
import type {
  AddLiquidityRequest,
  CreateLiquidityRequest,
  RebalanceLiquidityRequest,
  WithdrawLiquidityRequest
} from "./LiquidityRequest.ts"
import { makeAdd } from "./operations/add.ts"
import type { LiquidityError } from "./operations/context.ts"
import { makeCreate } from "./operations/create.ts"
import { makeRebalance } from "./operations/rebalance.ts"
import { makeWithdraw } from "./operations/withdraw.ts"

type QuoteMethod<Request, Content, Error = LiquidityError> = (
  project: Project,
  request: Request
) => Effect.Effect<LiquidityQuote<Content>, Error>

/**
 * Operations on liquidity positions. Each method prepares and stores an operation, which the caller executes by its
 * hash. If several errors apply, the first one in this list is returned:
 * - a violation of the request schema, or a chain that is not served
 * - the wallet is not registered
 * - a token of the request is not listed
 * - a real-world asset in the request, which these operations do not support
 * - all other problems of the request
 * - too much unpaid gas
 * - a gas token that no paymaster accepts
 * - a failed check of the position, its owner, its tokens, the range, the pool or the costs
 */
export class Liquidity extends Context.Service<
  Liquidity,
  {
    /** Creates a position from one token. Also creates or initializes the pool if it is not initialized. */
    readonly create: QuoteMethod<CreateLiquidityRequest, CreateLiquidityContent>
    /** Adds an amount of one token to a position of the wallet. */
    readonly add: QuoteMethod<AddLiquidityRequest, AddLiquidityContent>
    /** Withdraws a share of a position, and all of its unclaimed fees, as one token. */
    readonly withdraw: QuoteMethod<WithdrawLiquidityRequest, WithdrawLiquidityContent>
    /** Moves a position of the wallet to another price range in one operation. The new position is a new NFT. */
    readonly rebalance: QuoteMethod<
      RebalanceLiquidityRequest,
      RebalanceLiquidityContent,
      Exclude<LiquidityError, UpstreamUnavailable> | BlockchainError
    >
  }
>()("@countersign/core/liquidity/Liquidity") {
  static readonly layer = Layer.effect(
    Liquidity,
    Effect.gen(function* () {
      return Liquidity.of({
        create: yield* makeCreate,
        add: yield* makeAdd,
        withdraw: yield* makeWithdraw,
        rebalance: yield* makeRebalance
      })
    })
  )
}
