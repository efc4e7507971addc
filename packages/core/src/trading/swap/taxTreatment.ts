import { exchange } from "../../accounting/tax-treatment/index.ts"

/**
 * One asset is exchanged for another, on one chain or on two. A bridge's fee reduces the received amount. A token
 * between a swap and a bridge only passes through the wallet, as does a refund.
 */
export const swapTreatment = exchange
