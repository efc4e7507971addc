import { Context, Deferred } from "effect"
import { FairSlots } from "./FairSlots.ts"

const STREAMS_MAX = 1_000
const MAX_STREAMS_PER_KEY = 20

/** The open event streams of a process. */
export class EventStreams extends Context.Service<
  EventStreams,
  {
    /** The slots by API key id. */
    readonly slots: FairSlots
    /** Completed when the server stops; every stream then ends. */
    readonly closing: Deferred.Deferred<void>
  }
>()("@countersign/http/server/EventStreams") {}

export const eventStreams = (): EventStreams["Service"] => ({
  slots: new FairSlots(STREAMS_MAX, MAX_STREAMS_PER_KEY),
  closing: Deferred.makeUnsafe()
})
