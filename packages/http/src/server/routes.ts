import { type AnyEndpoint, type EndpointServices, endpointList } from "@countersign/adapters/api/endpoints"
import { Extensions } from "@countersign/adapters/service/composition"
import type { ComputeUnitMeter } from "@countersign/core/tenancy/metering"
import type { Projects } from "@countersign/core/tenancy/projects"
import { Effect, Layer } from "effect"
import { HttpRouter } from "effect/http"
import { HttpApiBuilder } from "effect/http-api"
import { apiOf, systemApi } from "../api/apiOf.ts"
import { endpointRoutes } from "../handlers/endpointRoutes.ts"
import { SystemHandlers } from "../handlers/system.ts"
import { layerBoundedJson } from "../middleware/boundedJson.ts"
import { layerIdempotentPost } from "../middleware/idempotentPost.ts"
import { layerMalformedRequest, layerProjectAuth } from "../middleware/layers.ts"
import { type AppPage, layerAppPage } from "./app/layerAppPage.ts"
import { layerDocuments } from "./documents.ts"
import { layerLogos } from "./logos.ts"
import { layerMetrics } from "./metrics.ts"
import { layerProviderCallbacks } from "./providerCallbacks.ts"
import { layerRouteTable, RouteTable } from "./RouteTable.ts"
import { type EnvelopeOptions, layerEnvelope } from "./requestEnvelope.ts"
import { layerUploads } from "./uploads.ts"

const middleware = Layer.mergeAll(layerIdempotentPost, layerBoundedJson, layerProjectAuth, layerMalformedRequest)

const layerSystem = HttpApiBuilder.layer(systemApi).pipe(Layer.provide(SystemHandlers), Layer.provide(middleware))

const layerEndpoints = (servedEndpoints: ReadonlyArray<AnyEndpoint>) => {
  const layer: unknown = HttpRouter.use((router) =>
    Effect.flatMap(endpointRoutes(apiOf(servedEndpoints), servedEndpoints), (routes) => router.addAll(routes as never))
  ).pipe(Layer.provide(middleware))
  // The type of a list of endpoints does not include their services. The router takes these services from the server's
  // context.
  return layer as Layer.Layer<
    never,
    never,
    EndpointServices | Projects | ComputeUnitMeter | Layer.Services<typeof layerSystem>
  >
}

export interface RouteOptions extends EnvelopeOptions {
  /** The HTML pages to serve. */
  readonly pages: ReadonlyArray<AppPage>
}

/** Provides all routes of the service, and the table of these routes. */
export const layerRoutes = ({ pages, ...options }: RouteOptions) =>
  Layer.unwrap(
    Effect.map(Extensions, (extensions) => {
      const servedEndpoints = [...endpointList, ...extensions.flatMap(({ endpoints = [] }) => endpoints)]
      return Layer.mergeAll(
        layerSystem,
        layerEndpoints(servedEndpoints),
        layerLogos,
        layerUploads,
        layerProviderCallbacks,
        layerMetrics,
        layerDocuments(servedEndpoints),
        ...pages.map(layerAppPage),
        layerEnvelope(options),
        Layer.effect(RouteTable, RouteTable)
      ).pipe(Layer.provide(layerRouteTable(servedEndpoints)))
    })
  )
