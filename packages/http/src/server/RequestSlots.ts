import { Context, Semaphore } from "effect"
import { FairSlots } from "./FairSlots.ts"
import { NetworkSlots } from "./NetworkSlots.ts"

/** A route without a key, and the uploads of all projects, have this part of the slots that requests with a key have. */
const KEYLESS_PART = 1 / 4

/** One subnet of clients may hold this part of the slots of a route without a key, and a site with all of its subnets this one. */
const SUBNET_PART = 1 / 16
const SITE_PART = 1 / 4

/** A file has at most 25 MiB, and its decryption needs it three times. */
const FILES_MAX = 8

/** Below it, a client with two requests at the same time would be refused. */
const LEAST_SLOTS = 2

/** The requests that a process has in progress at the same time. */
export class RequestSlots extends Context.Service<
  RequestSlots,
  {
    /** Requests with a verified key, by project. */
    readonly projects: FairSlots
    /** Keys that are being verified. No client can delay that. */
    readonly authentications: Semaphore.Semaphore
    /** Uploads whose policy was verified, by the project that signed it. */
    readonly uploads: FairSlots
    /** Requests to a route without a key, by the network of the client. Every route has slots of its own. */
    readonly keyless: (route: string) => NetworkSlots
    /** Files that are being sent, by project: each stays in memory as a whole until its last byte is sent. */
    readonly files: FairSlots
  }
>()("@countersign/http/server/RequestSlots") {}

export const requestSlots = (parallelRequestsMax: number): RequestSlots["Service"] => {
  const keylessMax = Math.max(LEAST_SLOTS, Math.floor(parallelRequestsMax * KEYLESS_PART))
  const partOf = (part: number) => Math.max(LEAST_SLOTS, Math.floor(keylessMax * part))
  const byRoute = new Map<string, NetworkSlots>()
  return {
    projects: new FairSlots(parallelRequestsMax),
    authentications: Semaphore.makeUnsafe(parallelRequestsMax),
    uploads: new FairSlots(keylessMax),
    files: new FairSlots(FILES_MAX),
    keyless: (route) => {
      const slots =
        byRoute.get(route) ?? new NetworkSlots(keylessMax, { subnet: partOf(SUBNET_PART), site: partOf(SITE_PART) })
      byRoute.set(route, slots)
      return slots
    }
  }
}
