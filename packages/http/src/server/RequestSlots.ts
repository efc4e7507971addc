import { Context, Semaphore } from "effect"
import { FairSlots } from "./FairSlots.ts"

/** A route without a key, and the uploads of all projects, have this part of the slots that requests with a key have. */
const KEYLESS_PART = 1 / 4

/** One client network may hold this part of the slots of a route without a key. */
const NETWORK_PART = 1 / 16

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
    readonly keyless: (route: string) => FairSlots
  }
>()("@countersign/http/server/RequestSlots") {}

export const requestSlots = (parallelRequestsMax: number): RequestSlots["Service"] => {
  const keylessMax = Math.max(LEAST_SLOTS, Math.floor(parallelRequestsMax * KEYLESS_PART))
  const networkMax = Math.max(LEAST_SLOTS, Math.floor(keylessMax * NETWORK_PART))
  const byRoute = new Map<string, FairSlots>()
  return {
    projects: new FairSlots(parallelRequestsMax),
    authentications: Semaphore.makeUnsafe(parallelRequestsMax),
    uploads: new FairSlots(keylessMax),
    keyless: (route) => {
      const slots = byRoute.get(route) ?? new FairSlots(keylessMax, networkMax)
      byRoute.set(route, slots)
      return slots
    }
  }
}
