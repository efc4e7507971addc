import { Result } from "effect"
import { BadRequest } from "../../foundation/errors/index.ts"
import { methodCurrency } from "../methods/PaymentMethod.ts"
import type { FiatDirection } from "../orders/orderStates.ts"
import type { FiatProvider } from "../provider/FiatProvider.ts"
import type { FiatDepositRequest } from "./FiatQuoteRequest.ts"

/** The providers that serve a request, at least one. */
export type ServingProviders = readonly [FiatProvider, ...ReadonlyArray<FiatProvider>]

/** The fields of a request that select providers. */
export type RequestedRoute = Pick<FiatDepositRequest, "paymentMethod" | "chainId" | "walletAddress" | "individualId">

/** A currency or token of a request, and the path of its field. */
interface RequestedAsset {
  readonly path: string
  readonly code: string
}

const unservedMethodError = (
  providers: ReadonlyArray<FiatProvider>,
  direction: FiatDirection,
  { chainId, paymentMethod: { type } }: RequestedRoute
): BadRequest => {
  const routesOfDirection = providers.flatMap(({ routes }) => routes.filter((route) => route.direction === direction))
  const servedCombinations = [...Map.groupBy(routesOfDirection, ({ method }) => method)].map(
    ([method, routes]) => `${method} on ${[...new Set(routes.flatMap(({ chainIds }) => chainIds))].join(", ")}`
  )
  const servedText =
    servedCombinations.length === 0 ? "No fiat provider is configured." : `Served: ${servedCombinations.join("; ")}.`
  const message = `No fiat provider serves ${type} on chain ${chainId}. ${servedText}`
  return BadRequest.of("paymentMethod.type", "not_served", message)
}

/** Returns the providers that serve a request. If none does, the error lists the supported values. */
export const servingProviders = (
  providers: ReadonlyArray<FiatProvider>,
  direction: FiatDirection,
  request: RequestedRoute,
  { currency, token }: { readonly currency: RequestedAsset; readonly token: RequestedAsset }
): Result.Result<ServingProviders, BadRequest> => {
  const method = request.paymentMethod.type
  if (currency.code !== methodCurrency[method]) {
    const message = `${method} transfers only ${methodCurrency[method]}.`
    return Result.fail(BadRequest.of(currency.path, "currency_of_method", message))
  }
  const routes = providers.flatMap((provider) =>
    provider.routes
      .filter(
        (route) => route.direction === direction && route.method === method && route.chainIds.includes(request.chainId)
      )
      .map((route) => ({ provider, route }))
  )
  if (routes.length === 0) return Result.fail(unservedMethodError(providers, direction, request))
  const matchingRoutes = routes.filter(({ route }) => route.symbols.includes(token.code))
  const [first, ...others] = matchingRoutes.map(({ provider }) => provider)
  if (first !== undefined) return Result.succeed([first, ...others])
  const symbols = [...new Set(routes.flatMap(({ route }) => route.symbols))].join(", ")
  return Result.fail(BadRequest.of(token.path, "not_served", `Expected one of ${symbols}.`))
}
