/**
 * A client of the HTTP API for browsers and Node. It depends only on APIs of the platform, such as `fetch` and Web
 * Crypto.
 */

export type * from "./calls.ts"
export type { BitcoinRegistration } from "./combinedCalls.ts"
export { type Client, createClient } from "./createClient.ts"
export {
  BadRequestError,
  CountersignError,
  NotAllowedError,
  QuoteExpiredError,
  QuoteStaleError,
  RateLimitError,
  UnavailableError
} from "./errors.ts"
export type { CountersignEvent, EventsOptions } from "./events.ts"
export type { CallOptions, ClientOptions, WaitOptions } from "./http.ts"
export type * from "./resources.ts"
export {
  type LocalSigner,
  type Signable,
  type SignedQuote,
  type Signer,
  signQuote,
  type WalletSigner
} from "./signing.ts"
export { InvalidWebhookError, type ReceivedWebhook, verifyWebhook } from "./verifyWebhook.ts"
