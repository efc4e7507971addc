/** The ways in which a route of an aggregator does more, or less, than what was asked of it. */
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

/** What is wrong with a route: the kind for metrics, the reason for people. */
export interface RouteFault {
  readonly kind: RouteFaultKind
  readonly reason: string
}

export const fault = (kind: RouteFaultKind, reason: string): RouteFault => ({ kind, reason })
