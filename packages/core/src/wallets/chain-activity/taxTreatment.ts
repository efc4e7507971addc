import { transfers } from "../../accounting/tax-treatment/index.ts"

/** The chain does not show the purpose of an external transfer. */
export const activityTreatment = transfers
