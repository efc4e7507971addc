import { treatAsTransfers } from "../../accounting/tax-treatment/index.ts"

export const transferTreatment = treatAsTransfers
