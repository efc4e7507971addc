import { treatAsExchange } from "../../accounting/tax-treatment/index.ts"

/**
 * Treats a swap as an exchange of one asset for another, on one chain or across two. A bridge's fee reduces the
 * received amount. A token between a swap and a bridge only passes through the wallet, as does a refund.
 */
export const swapTreatment = treatAsExchange
