export { type MovementPart, type Netted, netted } from "./netted.ts"
export type { TaxableTransaction, TaxEntry, TaxKind, TaxLeg, TaxTreatment } from "./TaxEntry.ts"
export { exchange, isPrincipal, legOf, transferOf, transfers, wholeOf, withFees } from "./treatments.ts"
