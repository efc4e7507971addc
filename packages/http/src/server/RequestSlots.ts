import { Context, Semaphore } from "effect"
import { FairSlots } from "./FairSlots.ts"
import { NetworkSlots } from "./NetworkSlots.ts"

/** The slots of an unauthenticated route and of all uploads, as a fraction of those of authenticated requests. */
const KEYLESS_PART = 1 / 4

/**
 * Maximum fraction of an unauthenticated route's slots for one client subnet, and for a site with all of its subnets.
 */
const SUBNET_PART = 1 / 16
const SITE_PART = 1 / 4

/** A file has at most 25 MiB, and its decryption needs three times as much memory. */
const FILES_MAX = 8

/** The minimum, because a client may send two requests concurrently. */
const MIN_SLOTS = 2

/** The concurrent requests of a process. */
export class RequestSlots extends Context.Service<
  RequestSlots,
  {
    /** Requests with a verified key, by project. */
    readonly projects: FairSlots
    /** Key verifications in progress. Clients cannot delay them. */
    readonly authentications: Semaphore.Semaphore
    /** Uploads with a verified policy, by the project that signed it. */
    readonly uploads: FairSlots
    /** Requests to a route without authentication, by client network. Every route has separate slots. */
    readonly keyless: (route: string) => NetworkSlots
    /** Files that are being sent, by project. Each file stays in memory until its last byte is sent. */
    readonly files: FairSlots
  }
>()("@countersign/http/server/RequestSlots") {}

export const requestSlots = (parallelRequestsMax: number): RequestSlots["Service"] => {
  const keylessMax = Math.max(MIN_SLOTS, Math.floor(parallelRequestsMax * KEYLESS_PART))
  const partOf = (part: number) => Math.max(MIN_SLOTS, Math.floor(keylessMax * part))
  const slotsByRoute = new Map<string, NetworkSlots>()
  return {
    projects: new FairSlots(parallelRequestsMax),
    authentications: Semaphore.makeUnsafe(parallelRequestsMax),
    uploads: new FairSlots(keylessMax),
    files: new FairSlots(FILES_MAX),
    keyless: (route) => {
      const slots =
        slotsByRoute.get(route) ??
        new NetworkSlots(keylessMax, { subnet: partOf(SUBNET_PART), site: partOf(SITE_PART) })
      slotsByRoute.set(route, slots)
      return slots
    }
  }
}
