import { treatAsExchange } from "../accounting/tax-treatment/index.ts"

/** Treats an order as an exchange of fiat for a token, or of a token for fiat. A refunded order exchanges nothing. */
export const fiatTreatment = treatAsExchange
