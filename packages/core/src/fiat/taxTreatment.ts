import { exchange } from "../tax-treatment/index.ts"

/** A currency for a token, or the other way. An order that went back gave nothing and brought nothing. */
export const fiatTreatment = exchange
