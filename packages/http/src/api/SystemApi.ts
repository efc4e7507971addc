import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { errorSchemas } from "../errors/index.ts"

export class SystemApi extends HttpApiGroup.make("system", { topLevel: true })
  .add(
    HttpApiEndpoint.get("healthz", "/healthz", {
      success: Schema.Struct({ status: Schema.Literal("ok").annotate({ description: "It runs" }) }).annotate({
        identifier: "Health",
        description: "The process runs"
      })
    }).annotateMerge(OpenApi.annotations({ summary: "Whether the process runs", description: "Needs no API key." })),
    HttpApiEndpoint.get("readyz", "/readyz", {
      success: Schema.Struct({
        status: Schema.Literal("ready").annotate({ description: "It serves" }),
        checks: Schema.Record(Schema.String, Schema.String).annotate({
          description: "Each thing that was looked at: `ok`"
        })
      }).annotate({ identifier: "Readiness", description: "The process can serve requests" }),
      error: errorSchemas("UPSTREAM_UNAVAILABLE")
    }).annotateMerge(
      OpenApi.annotations({
        summary: "Whether the process can serve requests: its database answers and has room to store",
        description: "Needs no API key."
      })
    )
  )
  .annotateMerge(OpenApi.annotations({ title: "System", description: "Whether the service is up" })) {}
