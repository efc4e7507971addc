import { Effect, Option } from "effect"
import { requireNoProblem, requireValid } from "../errors/index.ts"
import { baseUnitsOrNone } from "../primitives/index.ts"
import type { Project } from "../projects/index.ts"
import { QuoteSettings } from "../quotes/index.ts"
import { requireListed, TokenCatalog } from "../tokens/index.ts"
import { Wallets } from "../wallets/index.ts"
import { IndividualVerificationRequired } from "./errors.ts"
import { type SwapOrder, swapProblems } from "./SwapOrder.ts"
import { SwapRequest } from "./SwapRequest.ts"

const requireSwapRequest = requireValid(SwapRequest)

/** Makes orders of requests: with the wallet and the tokens that they name, once nothing is wrong with them. */
export const swapOrders = Effect.gen(function* () {
  const wallets = yield* Wallets
  const catalog = yield* TokenCatalog
  const { operatorSharePercent, operatorTreasury } = yield* QuoteSettings

  return Effect.fnUntraced(function* (project: Project, input: SwapRequest) {
    const request = yield* requireSwapRequest(input)
    const wallet = yield* wallets.require(project.id, request.walletAddress)
    const [tokenIn, tokenOut, payGasFeeToken] = yield* requireListed(catalog, [
      { field: "tokenIn", chainId: request.chainIdIn, address: request.tokenIn },
      { field: "tokenOut", chainId: request.chainIdOut, address: request.tokenOut },
      { field: "payGasFeeToken", chainId: request.chainIdIn, address: request.payGasFeeToken }
    ])
    const tokens = { tokenIn: tokenIn!, tokenOut: tokenOut!, payGasFeeToken: payGasFeeToken! }
    const realWorldAsset = [tokens.tokenIn, tokens.tokenOut].find((token) => token.realWorldAsset)
    if (realWorldAsset !== undefined) {
      return yield* new IndividualVerificationRequired({ symbol: realWorldAsset.symbol })
    }
    yield* requireNoProblem(swapProblems(request, tokens))
    const order: SwapOrder = {
      project,
      wallet,
      request,
      tokens,
      amountIn: Option.getOrThrow(baseUnitsOrNone(request.amountIn, tokens.tokenIn.decimals)),
      recipient: request.toAddress,
      collectors: { treasury: project.treasury, operatorTreasury, operatorSharePercent }
    }
    return order
  })
})
