import { transfers } from "../../accounting/tax-treatment/index.ts"

/** Treats external transfers as transfers, because the chain does not show their purpose. */
export const activityTreatment = transfers
