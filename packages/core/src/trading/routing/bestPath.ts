import { graphOf } from "./PoolGraph.ts"
import { searchPaths } from "./pathSearch.ts"
import type { RouteRequest, Routing } from "./Route.ts"
import { routeOf } from "./swapParts.ts"

/** Returns the single path with at most three hops that has the highest output after gas. */
export const bestPath = (request: RouteRequest): Routing => {
  const { missing, paths } = searchPaths(graphOf(request.pools), request)
  const [best] = paths
  const route = best === undefined ? null : routeOf([{ path: best.path, amountIn: request.amountIn }], request.gasOf)
  return { route, missing }
}
