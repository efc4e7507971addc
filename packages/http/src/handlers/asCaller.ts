import { ComputeUnitMeter, type ComputeUnitsExhausted } from "@countersign/core/metering"
import { type Caller, Projects, type Scope, type ScopeMissing } from "@countersign/core/projects"
import { Context, Effect } from "effect"
import { HttpServerRequest } from "effect/http"
import { CurrentCaller } from "../middleware/definitions.ts"
import { requestInfo } from "../server/RequestInfo.ts"

/** Compute units that each kind of request costs. */
export const ComputeUnitCosts = Context.Reference("@countersign/http/ComputeUnitCosts", {
  defaultValue: () => ({ read: 1, quote: 5, slowQuote: 25, portfolio: 10 })
})

export interface Gatekeepers {
  readonly projects: Projects["Service"]
  readonly meter: ComputeUnitMeter["Service"]
}

/** The services that check each caller. Handlers read them once. */
export const gatekeepers = Effect.all({ projects: Projects, meter: ComputeUnitMeter })

/** The caller of the current request, once it has shown its scope and paid its units. Zero units are free of charge. */
export const chargeCaller = Effect.fnUntraced(function* (
  { meter, projects }: Gatekeepers,
  scope: Scope,
  units: number
): Effect.fn.Return<Caller, ScopeMissing | ComputeUnitsExhausted, CurrentCaller> {
  const caller = yield* CurrentCaller
  requestInfo().scope = scope
  yield* projects.requireScope(caller, scope)
  yield* meter.spend(caller.project, units)
  requestInfo().computeUnits = units
  return caller
})

/** Under which URL clients reach the service, where it can't be told from their requests. */
export const PublicUrl = Context.Reference<string | null>("@countersign/http/PublicUrl", { defaultValue: () => null })

/** The base of links to ourselves: as configured, else as the client addressed us. */
export const baseUrl = Effect.gen(function* () {
  const publicUrl = yield* PublicUrl
  if (publicUrl !== null) return publicUrl
  const request = yield* HttpServerRequest.HttpServerRequest
  return `http://${request.headers.host ?? "localhost"}`
})
