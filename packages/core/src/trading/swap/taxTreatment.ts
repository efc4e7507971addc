import { exchange } from "../../accounting/tax-treatment/index.ts"

/**
 * One asset exchanged for another, on one chain or two. A bridge's fee lowers the received amount. A token between a
 * swap and a bridge passes through the wallet, and so does a refund.
 */
export const swapTreatment = exchange
