/** The ways in which an aggregator's route differs from the request. */
export type RouteFaultKind =
  | "TARGET"
  | "FUNCTION"
  | "VALUE"
  | "TOKEN"
  | "AMOUNT"
  | "RECIPIENT"
  | "MINIMUM"
  | "PERMIT"
  | "PARTIAL_FILL"
  | "FEE"
  | "CONTRACT"
  | "CHAIN"
  | "DEADLINE"
  | "DESTINATION_CALL"
  | "REVERT"
  | "TAKES_MORE"
  | "GIVES_LESS"
  | "ALLOWANCE"
  | "FORM"
  | "COINS"
  | "VAULT"
  | "MEMO"
  | "CHANGE"

/** The fault of a route: the kind for metrics, and a human-readable reason. */
export interface RouteFault {
  readonly kind: RouteFaultKind
  readonly reason: string
}

export const fault = (kind: RouteFaultKind, reason: string): RouteFault => ({ kind, reason })
