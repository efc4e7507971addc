export { Countersign, type CountersignProject } from "./Countersign.ts"
export { CountersignError, type CountersignErrorId } from "./CountersignError.ts"
export type { CountersignOptions } from "./CountersignOptions.ts"
export type * from "./calls.ts"
export type { BitcoinRegistration } from "./combinedCalls.ts"
export type { CountersignEvent, EventsOptions } from "./events.ts"
export type {
  HostArrival,
  HostCall,
  HostFollow,
  HostFollowRequest,
  HostFollowResponse,
  HostOffer,
  HostOfferRequest,
  HostOfferTerms,
  HostSwapProvider,
  HostToken
} from "./HostSwapProvider.ts"
export type { HostLogger } from "./hostLogger.ts"
export type { CountersignServices } from "./layerCountersign.ts"
export type { ProjectCalls } from "./projectCalls.ts"
export type { CallOptions, WaitOptions } from "./requests.ts"
export type * from "./resources.ts"
export type { ChainOptions, SettingOptions } from "./SettingOptions.ts"
export { type LocalSigner, type Signable, type SignedQuote, signQuote } from "./signQuote.ts"
