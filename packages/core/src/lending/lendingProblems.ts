import { Effect } from "effect"
import { type ChainId, chainOf, type EvmChainId, isEvmChainId } from "../chains/index.ts"
import { BadRequest, type RequestProblem } from "../errors/index.ts"
import { isNativeCoin } from "../primitives/index.ts"
import { amountProblems } from "../quotes/index.ts"
import type { Token } from "../tokens/index.ts"
import type { LendingLegs, LendingMarket } from "./LendingMarket.ts"
import type { LendingRequest } from "./LendingRequest.ts"
import { lendingActions, lendingTypeOf } from "./LendingType.ts"

const problem = (path: string, code: string, message: string): RequestProblem => ({ path, code, message })

const legsOf = (request: LendingRequest) =>
  lendingActions.flatMap((action) => {
    const leg = request[action]
    return leg === undefined ? [] : [{ action, leg }]
  })

/** Legs that make no type, or that are on several chains. */
export const shapeProblems = (request: LendingRequest): ReadonlyArray<RequestProblem> => {
  const legs = legsOf(request)
  if (lendingTypeOf(request) === null) {
    const present = legs.length === 0 ? "no leg" : legs.map(({ action }) => action).join(" and ")
    return [
      problem(
        "",
        "no_lending_type",
        `A request has supply, supply and borrow, borrow, repay, withdraw, or repay and withdraw. This one has ${present}.`
      )
    ]
  }
  const chainId = legs[0]?.leg.chainId
  return legs
    .filter(({ leg }) => leg.chainId !== chainId)
    .map(({ action }) =>
      problem(
        `${action}.chainId`,
        "several_chains",
        `All legs are on one chain: ${legs[0]?.action} is on ${chainId}. Make a quote for each chain.`
      )
    )
}

export const requireLendingChain = (chainId: ChainId): Effect.Effect<EvmChainId, BadRequest> =>
  isEvmChainId(chainId)
    ? Effect.succeed(chainId)
    : Effect.fail(BadRequest.of("chainId", "not_evm", `${chainOf(chainId).name} has no lending markets.`))

/** What serves the chain, where the provider that was asked for does not. */
export const providerProblems = (
  provider: LendingMarket,
  providers: ReadonlyArray<LendingMarket>,
  chainId: EvmChainId
): ReadonlyArray<RequestProblem> => {
  if (provider.serves(chainId)) return []
  const others = providers.filter((other) => other.serves(chainId)).map(({ id, name }) => `${id} (${name})`)
  const rest = others.length === 0 ? "No provider lends there." : `There is ${others.join(", ")}.`
  return [problem("provider", "provider_not_on_chain", `${provider.name} is not on ${chainOf(chainId).name}. ${rest}`)]
}

/** What is wrong with the amounts, the tokens and the gas of a request whose tokens are known. */
export const legProblems = (
  request: LendingRequest,
  legs: LendingLegs,
  payGasFeeToken: Token
): ReadonlyArray<RequestProblem> => [
  ...legsOf(request).flatMap(({ action, leg: { amount } }) =>
    amount === "MAX" ? [] : amountProblems(`${action}.amount`, amount, legs[action]!.token)
  ),
  ...lendingActions.flatMap((action) =>
    legs[action] !== undefined && isNativeCoin(legs[action].token.address)
      ? [
          problem(
            `${action}.tokenAddress`,
            "coin_has_no_market",
            `No market takes the coin itself: use its wrapped token, and wrap or unwrap by a swap.`
          )
        ]
      : []
  ),
  ...gasProblems(request, legs, payGasFeeToken),
  ...sideProblems(request)
]

const gasProblems = ({ gas }: LendingRequest, legs: LendingLegs, payGasFeeToken: Token) => {
  const tokens = lendingActions.flatMap((action) => legs[action]?.token ?? [])
  return gas.paymentMethod === "ADD_TO_AMOUNT" || tokens.some(({ address }) => address === payGasFeeToken.address)
    ? []
    : [
        problem(
          "gas.paymentMethod",
          "gas_token_is_not_lent",
          "DEDUCT_FROM_AMOUNT takes the gas fee out of an amount, so gas.tokenAddress must be the token of a leg. Use ADD_TO_AMOUNT to pay gas with another token."
        )
      ]
}

/** With a loan in the same operation, what is supplied or withdrawn is its collateral. */
const sideProblems = ({ borrow, repay, supply, withdraw }: LendingRequest) => [
  ...(supply?.side === "LOAN" && borrow !== undefined ? [sideProblem("supply")] : []),
  ...(withdraw?.side === "LOAN" && repay !== undefined ? [sideProblem("withdraw")] : [])
]

const sideProblem = (action: string) =>
  problem(`${action}.side`, "side_is_collateral", `With a loan in the same operation ${action} is its collateral.`)
