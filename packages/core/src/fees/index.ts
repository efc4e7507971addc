export { Fee } from "./Fee.ts"
export { type FeeSplit, type FeeTerms, feeSplit } from "./feeSplit.ts"
