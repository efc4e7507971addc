import { treatAsExchange, treatAsTransfers } from "../../accounting/tax-treatment/index.ts"

/** Treats all fills of an order together as one exchange. */
export const limitOrderTreatment = treatAsExchange

/** Treats only the gas fee of a cancellation, because a cancellation moves no other asset. */
export const cancellationTreatment = treatAsTransfers
