import { type LookupAddress, lookup } from "node:dns"
import type { LookupFunction } from "node:net"
import { isPublicAddress } from "./publicAddress.ts"

/** A name that resolves to an address inside of a private network. */
export class PrivateTarget extends Error {
  constructor(host: string) {
    super(`${host} leads into a private network, where events are not sent`)
  }
}

export type Resolve = (
  host: string,
  answer: (error: NodeJS.ErrnoException | null, addresses: ReadonlyArray<LookupAddress>) => void
) => void

const resolveBySystem: Resolve = (host, answer) =>
  lookup(host, { all: true, verbatim: true }, (error, addresses) => answer(error, addresses))

/**
 * Resolves a name for the one connection that is about to be made, and refuses it where any of its addresses is not
 * public. The connection goes to the very addresses that were looked at, so that a name that resolves to something
 * else a moment later gains nothing.
 */
export const guardedLookup =
  (resolve: Resolve = resolveBySystem): LookupFunction =>
  (host, options, answer) => {
    resolve(host, (error, addresses) => {
      const [first] = addresses ?? []
      if (error !== null || first === undefined) {
        return answer(error ?? new Error(`${host} has no address`), "", 0)
      }
      if (addresses.some(({ address }) => !isPublicAddress(address))) return answer(new PrivateTarget(host), "", 0)
      if (options.all === true) return answer(null, [...addresses])
      answer(null, first.address, first.family)
    })
  }
