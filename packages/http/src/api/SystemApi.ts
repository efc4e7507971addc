import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { errorSchemas } from "../errors/index.ts"

export class SystemApi extends HttpApiGroup.make("system", { topLevel: true })
  .add(
    HttpApiEndpoint.get("healthz", "/healthz", {
      success: Schema.Struct({ status: Schema.Literal("ok") })
    }).annotateMerge(OpenApi.annotations({ summary: "Whether the process runs" })),
    HttpApiEndpoint.get("readyz", "/readyz", {
      success: Schema.Struct({ status: Schema.Literal("ready"), checks: Schema.Record(Schema.String, Schema.String) }),
      error: errorSchemas("UPSTREAM_UNAVAILABLE")
    }).annotateMerge(
      OpenApi.annotations({
        summary: "Whether the process can serve requests: its database answers and has room to store"
      })
    )
  )
  .annotateMerge(OpenApi.annotations({ title: "System" })) {}
