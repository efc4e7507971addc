import { exchange } from "../accounting/tax-treatment/index.ts"

/** An exchange of a currency for a token, or the other way. A refunded order exchanged nothing. */
export const fiatTreatment = exchange
