export { type MovementPart, type NetMovements, netMovements } from "./netMovements.ts"
export type { TaxableTransaction, TaxEntry, TaxKind, TaxLeg, TaxTreatment } from "./TaxEntry.ts"
export {
  fullPartOf,
  holdingKey,
  isPrincipal,
  legOf,
  transferOf,
  treatAsExchange as exchange,
  treatAsTransfers as transfers,
  withFees
} from "./treatments.ts"
