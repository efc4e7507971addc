import { transfers } from "../../accounting/tax-treatment/index.ts"

export const transferTreatment = transfers
