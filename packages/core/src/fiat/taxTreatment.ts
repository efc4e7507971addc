import { exchange } from "../accounting/tax-treatment/index.ts"

/** An exchange of a currency for a token or of a token for a currency. A refunded order has no exchange. */
export const fiatTreatment = exchange
