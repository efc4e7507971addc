import { treatAsTransfers } from "../../accounting/tax-treatment/index.ts"

/** Treats external transfers, because the chain does not show their purpose. */
export const activityTreatment = treatAsTransfers
