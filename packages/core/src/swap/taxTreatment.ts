import { exchange } from "../tax-treatment/index.ts"

/**
 * What was given for what arrived, on one chain or two. A bridge's fee is less that arrives. The token between a swap and a
 * bridge passes through the wallet, and so does what a bridge pays back.
 */
export const swapTreatment = exchange
