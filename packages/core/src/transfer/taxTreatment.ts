import { transfers } from "../tax-treatment/index.ts"

export const transferTreatment = transfers
