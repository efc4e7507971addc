import { exchange, transfers } from "../../accounting/tax-treatment/index.ts"

/** Treats all fills of an order together as one exchange. */
export const limitOrderTreatment = exchange

/** Treats only the gas fee of a cancellation, because a cancellation moves no other asset. */
export const cancellationTreatment = transfers
