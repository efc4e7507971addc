import { transfers } from "../../accounting/tax-treatment/index.ts"

/** Nothing on chain says what an external transfer was for. */
export const activityTreatment = transfers
