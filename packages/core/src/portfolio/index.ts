export type { Holding } from "./holdings.ts"
export { type Portfolio, type PortfolioRequest, Portfolios, type TokenProfit } from "./Portfolios.ts"
export { type Profit, sumOrNull } from "./profit.ts"
export { TimeRange } from "./TimeRange.ts"
