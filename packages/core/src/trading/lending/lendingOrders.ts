import { Effect, Result } from "effect"
import { chainOf, type EvmChainId } from "../../foundation/chains/index.ts"
import { BadRequest, type RequestProblem, requireValid } from "../../foundation/errors/index.ts"
import type { Token } from "../../foundation/tokens/index.ts"
import {
  combineResults,
  lookUps,
  type ResolvedRequest,
  requireNoProblems,
  resolveAmount,
  type ValidationResult
} from "../../operations/quotes/index.ts"
import type { Project } from "../../tenancy/projects/index.ts"
import type { SmartWallet } from "../../wallets/registry/index.ts"
import { type LendingLeg, type LendingLegs, type LendingMarket, LendingMarkets } from "./LendingMarket.ts"
import { LendingRequest } from "./LendingRequest.ts"
import { type LendingAction, type LendingType, lendingActions, lendingTypeOf } from "./LendingType.ts"

/** A validated request with its tokens. */
export interface ResolvedLending extends ResolvedRequest<LendingRequest, string> {
  readonly type: LendingType
  readonly chainId: EvmChainId
  readonly provider: LendingMarket
  readonly legs: LendingLegs
  readonly payGasFeeToken: Token
}

const requireLendingRequest = requireValid(LendingRequest)

/** The request field for the gas token. */
export const GAS_TOKEN_FIELD = "gas.tokenAddress"

const problem = (path: string, code: string, message: string): RequestProblem => ({ path, code, message })

interface RequestedLeg {
  readonly action: LendingAction
  readonly leg: NonNullable<LendingRequest["supply"] | LendingRequest["withdraw"]>
}

interface LegCombination {
  readonly type: LendingType
  readonly chainId: EvmChainId
  readonly askedLegs: ReadonlyArray<RequestedLeg>
}

/** Determines the operation type and the chain. Rejects invalid combinations of legs, and legs on several chains. */
const legCombinationOf = (request: LendingRequest): ValidationResult<LegCombination> => {
  const requestedLegs = lendingActions.flatMap((action): ReadonlyArray<RequestedLeg> => {
    const leg = request[action]
    return leg === undefined ? [] : [{ action, leg }]
  })
  const type = lendingTypeOf(request)
  const [first] = requestedLegs
  if (type === null || first === undefined) {
    const legsText = first === undefined ? "no leg" : requestedLegs.map(({ action }) => action).join(" and ")
    return Result.fail(
      BadRequest.of(
        "",
        "no_lending_type",
        `A request must contain one of these combinations: supply; supply and borrow; borrow; repay; withdraw; repay and withdraw. This request contains ${legsText}.`
      )
    )
  }
  const { chainId } = first.leg
  const otherChainProblems = requestedLegs.map(({ action, leg }) =>
    leg.chainId === chainId
      ? null
      : problem(
          `${action}.chainId`,
          "several_chains",
          `All legs must be on one chain: ${first.action} is on ${chainId}. Request a quote for each chain.`
        )
  )
  return Result.map(requireNoProblems(otherChainProblems), () => ({ type, chainId, askedLegs: requestedLegs }))
}

/**
 * Returns a problem if the requested provider does not serve the chain. The message lists the providers that serve it.
 */
export const providerProblem = (
  provider: LendingMarket,
  providers: ReadonlyArray<LendingMarket>,
  chainId: EvmChainId
): RequestProblem | null => {
  if (provider.serves(chainId)) return null
  const otherProviders = providers.filter((other) => other.serves(chainId)).map(({ id, name }) => `${id} (${name})`)
  const alternatives =
    otherProviders.length === 0 ? "No provider is available on this chain." : `Use ${otherProviders.join(" or ")}.`
  return problem(
    "provider",
    "provider_not_on_chain",
    `${provider.name} is not available on ${chainOf(chainId).name}. ${alternatives}`
  )
}

const resolveLeg = ({ action, leg }: RequestedLeg, token: Token): ValidationResult<LendingLeg> => {
  const amount: ValidationResult<LendingLeg["amount"]> =
    leg.amount === "MAX" ? Result.succeed("MAX") : resolveAmount(`${action}.amount`, leg.amount, token)
  const { marketId = null, side = null } = leg
  return Result.map(amount, (units) => ({ token, amount: units, marketId, side }))
}

const gasProblem = ({ gas }: LendingRequest, legTokens: ReadonlyArray<Token>, payGasFeeToken: Token) =>
  gas.paymentMethod === "ADD_TO_AMOUNT" || legTokens.some(({ address }) => address === payGasFeeToken.address)
    ? null
    : problem(
        "gas.paymentMethod",
        "gas_token_is_not_lent",
        "DEDUCT_FROM_AMOUNT deducts the gas fee from an amount, so gas.tokenAddress must be the token of a leg. Use ADD_TO_AMOUNT to pay gas with another token."
      )

/**
 * Checks `side`: in an operation with a borrow or repay leg, the supplied or withdrawn token is the loan's collateral.
 */
const sideProblems = ({ borrow, repay, supply, withdraw }: LendingRequest) => [
  supply?.side === "LOAN" && borrow !== undefined ? sideProblem("supply") : null,
  withdraw?.side === "LOAN" && repay !== undefined ? sideProblem("withdraw") : null
]

const sideProblem = (action: string) =>
  problem(
    `${action}.side`,
    "side_is_collateral",
    `In this operation, the token of ${action} is the loan's collateral. Omit side, or set it to COLLATERAL.`
  )

/** Returns the chain fields of the legs, by their path in the request. */
const chainFields = (request: LendingRequest): Readonly<Record<string, EvmChainId>> =>
  Object.fromEntries(
    lendingActions.flatMap((action) => {
      const leg = request[action]
      return leg === undefined ? [] : [[`${action}.chainId`, leg.chainId] as const]
    })
  )

/** Validates lending requests and resolves their tokens. */
export const lendingOrders = Effect.gen(function* () {
  const lookUp = yield* lookUps
  const { providers } = yield* LendingMarkets

  return Effect.fnUntraced(function* (project: Project, input: LendingRequest) {
    const request = yield* requireLendingRequest(input)
    yield* lookUp.served(chainFields(request))
    const wallet = yield* lookUp.smartWallet(project, request.walletAddress)
    const { askedLegs: requestedLegs, chainId, type } = yield* Effect.fromResult(legCombinationOf(request))
    const fieldOf = ({ action }: RequestedLeg) => `${action}.tokenAddress`
    const order = yield* lookUp.order<LendingRequest, string, SmartWallet>(project, wallet, request, {
      ...Object.fromEntries(
        requestedLegs.map((requestedLeg) => [
          fieldOf(requestedLeg),
          { chainId, address: requestedLeg.leg.tokenAddress }
        ])
      ),
      [GAS_TOKEN_FIELD]: { chainId, address: request.gas.tokenAddress }
    })
    const tokenOf = (requestedLeg: RequestedLeg) => order.tokens[fieldOf(requestedLeg)]!
    const payGasFeeToken = order.tokens[GAS_TOKEN_FIELD]!
    const provider = providers.find(({ id }) => id === request.provider)!
    const { legs } = yield* Effect.fromResult(
      combineResults({
        provider: requireNoProblems([providerProblem(provider, providers, chainId)]),
        legs: combineResults(
          Object.fromEntries(
            requestedLegs.map((requestedLeg) => [requestedLeg.action, resolveLeg(requestedLeg, tokenOf(requestedLeg))])
          )
        ),
        others: requireNoProblems([
          gasProblem(request, requestedLegs.map(tokenOf), payGasFeeToken),
          ...sideProblems(request)
        ])
      })
    )
    return { ...order, type, chainId, provider, legs, payGasFeeToken } satisfies ResolvedLending
  })
})
