export { guardedLookup, PrivateTarget, type Resolve } from "./guardedLookup.ts"
export { isPublicAddress } from "./publicAddress.ts"
export { hostOf, isPrivateHost } from "./publicHost.ts"
export { type PageOptions, PageUnreadable, readPage } from "./readPage.ts"
