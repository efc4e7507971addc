import { type LookupAddress, lookup } from "node:dns"
import type { LookupFunction } from "node:net"
import { isPublicAddress } from "./publicAddress.ts"

/** The host name resolves to an address in a private network. */
export class PrivateTarget extends Error {
  constructor(host: string) {
    super(`${host} resolves to a private network address, to which events are not sent`)
  }
}

export type Resolve = (
  host: string,
  callback: (error: NodeJS.ErrnoException | null, addresses: ReadonlyArray<LookupAddress>) => void
) => void

const resolveBySystem: Resolve = (host, callback) =>
  lookup(host, { all: true, verbatim: true }, (error, addresses) => callback(error, addresses))

/**
 * Resolves a host name for one connection. Fails if any of its addresses is not public. The connection uses the checked
 * addresses, so that the name can't resolve to a public address first and to a private one afterwards (DNS rebinding).
 */
export const guardedLookup =
  (resolve: Resolve = resolveBySystem): LookupFunction =>
  (host, options, callback) => {
    resolve(host, (error, addresses) => {
      const [first] = addresses ?? []
      if (error !== null || first === undefined) {
        return callback(error ?? new Error(`${host} has no address`), "", 0)
      }
      if (addresses.some(({ address }) => !isPublicAddress(address))) return callback(new PrivateTarget(host), "", 0)
      if (options.all === true) return callback(null, [...addresses])
      callback(null, first.address, first.family)
    })
  }
