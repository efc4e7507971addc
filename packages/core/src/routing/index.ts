export { bestPath } from "./bestPath.ts"
export { bestSplit } from "./bestSplit.ts"
export { priceImpactE18RoundingUp } from "./priceImpact.ts"
export type {
  Hop,
  HopSwap,
  MissingTicks,
  Path,
  Route,
  RoutePart,
  RouteRequest,
  Routing
} from "./Route.ts"
export { type PartsOutcome, type Share, swapParts } from "./swapParts.ts"
