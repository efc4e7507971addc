import { Context, Semaphore } from "effect"
import { FairSlots } from "./FairSlots.ts"
import { NetworkSlots } from "./NetworkSlots.ts"

/**
 * Slots of each unauthenticated route, and of all uploads together, as a fraction of the slots of authenticated
 * requests.
 */
const KEYLESS_FRACTION = 1 / 4

/** Maximum fraction of a route's slots for one client subnet, and for all subnets of one site together. */
const SUBNET_FRACTION = 1 / 16
const SITE_FRACTION = 1 / 4

/**
 * Maximum number of concurrent downloads. A file has up to 25 MiB, and its decryption needs three times as much memory.
 */
const FILES_MAX = 8

/**
 * Lower bound for the slots of a route without authentication and of a client network, because one client may send two
 * requests concurrently.
 */
const MIN_SLOTS = 2

/** The slots that limit the concurrent requests of a process. */
export class RequestSlots extends Context.Service<
  RequestSlots,
  {
    /** Requests with a verified key, by project. */
    readonly projects: FairSlots
    /**
     * API key verifications in progress. A slow client cannot hold a permit, because verification reads only the
     * headers.
     */
    readonly authentications: Semaphore.Semaphore
    /** Uploads with a verified policy, by the project that signed it. */
    readonly uploads: FairSlots
    /** Requests to a route without authentication, by client network. Every route has separate slots. */
    readonly keyless: (route: string) => NetworkSlots
    /** File downloads, by project. A file stays in memory until its last byte is sent. */
    readonly files: FairSlots
  }
>()("@countersign/http/server/RequestSlots") {}

export const requestSlots = (parallelRequestsMax: number): RequestSlots["Service"] => {
  const keylessMax = Math.max(MIN_SLOTS, Math.floor(parallelRequestsMax * KEYLESS_FRACTION))
  const slotsForFraction = (fraction: number) => Math.max(MIN_SLOTS, Math.floor(keylessMax * fraction))
  const slotsByRoute = new Map<string, NetworkSlots>()
  return {
    projects: new FairSlots(parallelRequestsMax),
    authentications: Semaphore.makeUnsafe(parallelRequestsMax),
    uploads: new FairSlots(keylessMax),
    files: new FairSlots(FILES_MAX),
    keyless: (route) => {
      const slots =
        slotsByRoute.get(route) ??
        new NetworkSlots(keylessMax, {
          subnet: slotsForFraction(SUBNET_FRACTION),
          site: slotsForFraction(SITE_FRACTION)
        })
      slotsByRoute.set(route, slots)
      return slots
    }
  }
}
