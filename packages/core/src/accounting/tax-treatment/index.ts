export { type MovementPart, type NetMovements, netMovements } from "./netMovements.ts"
export type { TaxableTransaction, TaxEntry, TaxKind, TaxLeg, TaxTreatment } from "./TaxEntry.ts"
export { exchange, fullPartOf, holdingKey, isPrincipal, legOf, transferOf, transfers, withFees } from "./treatments.ts"
