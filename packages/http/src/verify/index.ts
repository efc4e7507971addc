/**
 * The verifier of quotes before they are signed, for browsers and Node, with or without the client: it recomputes
 * everything from the quote and compares it with the request.
 */

export type { Call } from "./accounts.ts"
export type { RouterKind } from "./contracts.ts"
export type {
  AnyQuote,
  AnyRequest,
  KnownAccount,
  KnownLoan,
  KnownPosition,
  Problem,
  ProblemCode,
  Trust
} from "./shapes.ts"
export { type Verification, type VerifyOptions, verifyQuote } from "./verifyQuote.ts"
