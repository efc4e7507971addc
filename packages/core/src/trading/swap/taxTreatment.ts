import { exchange } from "../../accounting/tax-treatment/index.ts"

/**
 * The asset that was given for the one that arrived, on one chain or two. The fee of a bridge lowers the amount that arrives.
 * The token between a swap and a bridge passes through the wallet, and so does a refund.
 */
export const swapTreatment = exchange
