import { UpstreamUnavailable } from "@countersign/core/foundation/errors"
import { RateLimitStore } from "@countersign/core/tenancy/metering"
import { Clock, Effect } from "effect"

const WINDOW_SECONDS = 7_200
/** LI.FI's documented number of quotes per two hours. */
const WITHOUT_KEY = 75
const WITH_KEY = 12_000

/** Counts the quotes of all processes that share this database. Fails if LI.FI's limit is reached. */
export const makeQuoteBudget = (hasKey: boolean) =>
  Effect.map(RateLimitStore, (store) => {
    const maxQuotes = hasKey ? WITH_KEY : WITHOUT_KEY
    return Effect.gen(function* () {
      const now = Math.floor((yield* Clock.currentTimeMillis) / 1_000)
      const start = now - (now % WINDOW_SECONDS)
      if ((yield* store.count("lifi:quote", start)) <= maxQuotes) return
      const minutes = Math.ceil((start + WINDOW_SECONDS - now) / 60)
      const reason = `its limit of ${maxQuotes} quotes in two hours is reached; the next quotes are possible in ${minutes} min`
      return yield* new UpstreamUnavailable({ upstream: "LI.FI", reason })
    })
  })
