import { exchange, transfers } from "../../accounting/tax-treatment/index.ts"

/** All fills of an order are one exchange. */
export const limitOrderTreatment = exchange

/** A cancellation costs gas and moves nothing else. */
export const cancellationTreatment = transfers
