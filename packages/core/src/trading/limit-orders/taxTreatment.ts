import { exchange, transfers } from "../../accounting/tax-treatment/index.ts"

/** All fills of an order together are one exchange. */
export const limitOrderTreatment = exchange

/** A cancellation costs gas and moves no asset. */
export const cancellationTreatment = transfers
