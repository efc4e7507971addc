/**
 * The verifier of quotes before they are signed. It runs in browsers and Node, with or without the client. It decodes
 * the content to sign, and compares it with the request.
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
