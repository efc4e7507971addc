export { type MovementPart, type NetMovements, netMovements } from "./netMovements.ts"
export type { TaxableTransaction, TaxEntry, TaxKind, TaxLeg, TaxTreatment } from "./TaxEntry.ts"
export { exchange, holdingKey, isPrincipal, legOf, transferOf, transfers, fullPartOf, withFees } from "./treatments.ts"
