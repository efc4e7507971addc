/** The ways in which an aggregator's route can differ from the request. */
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

/** Why a route is rejected: the kind, which is a metric label, and a human-readable reason. */
export interface RouteFault {
  readonly kind: RouteFaultKind
  readonly reason: string
}

export const fault = (kind: RouteFaultKind, reason: string): RouteFault => ({ kind, reason })
