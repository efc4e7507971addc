export { type MovementPart, type NetMovements, netMovements } from "./netMovements.ts"
export type { TaxableTransaction, TaxEntry, TaxKind, TaxLeg, TaxTreatment } from "./TaxEntry.ts"
export {
  fullPartOf,
  holdingKey,
  isPrincipal,
  legOf,
  transferOf,
  treatAsExchange,
  treatAsTransfers,
  withFees
} from "./treatments.ts"
