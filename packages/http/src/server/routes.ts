import { type AnyEndpoint, type EndpointServices, endpointList } from "@countersign/adapters/api/endpoints"
import { layerEventPresenter } from "@countersign/adapters/api/presenters"
import { Extensions } from "@countersign/adapters/service/composition"
import type { ComputeUnitMeter } from "@countersign/core/tenancy/metering"
import type { Projects } from "@countersign/core/tenancy/projects"
import { Swaps } from "@countersign/core/trading/swap"
import { Effect, Layer } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { apiOf, placeOf, systemApi } from "../api/apiOf.ts"
import { handlersOf } from "../handlers/handlersOf.ts"
import { layerLinkBase } from "../handlers/publicUrl.ts"
import { SystemHandlers } from "../handlers/system.ts"
import { layerBoundedJson } from "../middleware/boundedJson.ts"
import { layerIdempotentPost } from "../middleware/idempotentPost.ts"
import { layerMalformedRequest, layerProjectAuth } from "../middleware/layers.ts"
import { type AppPage, layerAppPage } from "./app/layerAppPage.ts"
import { layerDocuments } from "./documents.ts"
import { layerLogos } from "./logos.ts"
import { countedSwaps, layerMetrics } from "./metrics.ts"
import { layerProviderCallbacks } from "./providerCallbacks.ts"
import { layerRouteTable, RouteTable } from "./RouteTable.ts"
import { type EnvelopeOptions, layerEnvelope } from "./requestEnvelope.ts"
import { layerUploads } from "./uploads.ts"

/** The handlers of a group of endpoints. Their types were checked where each endpoint is declared. */
const layerGroup = (api: ReturnType<typeof apiOf>, id: string, members: ReadonlyArray<AnyEndpoint>) =>
  HttpApiBuilder.group(api, id as never, (handlers: HttpApiBuilder.Handlers<never, Record<string, never>>) =>
    Effect.map(handlersOf, (handlerOf) =>
      handlers.handleAll(
        Object.fromEntries(members.map((endpoint) => [placeOf(endpoint).name, handlerOf(endpoint)])) as never
      )
    )
  )

const middleware = Layer.mergeAll(layerIdempotentPost, layerBoundedJson, layerProjectAuth, layerMalformedRequest)

const layerSystem = HttpApiBuilder.layer(systemApi).pipe(Layer.provide(SystemHandlers), Layer.provide(middleware))

const layerEndpoints = (served: ReadonlyArray<AnyEndpoint>) => {
  const api = apiOf(served)
  const members = Map.groupBy(served, (endpoint) => placeOf(endpoint).group)
  const groups = [...members].map(([id, group]) => layerGroup(api, id, group))
  const layer: unknown = HttpApiBuilder.layer(api).pipe(
    Layer.provide(groups as unknown as [Layer.Layer<never>]),
    Layer.provide(middleware),
    Layer.provide(Layer.effect(Swaps, countedSwaps))
  )
  // The types lose the groups' services where they are made of a list.
  return layer as Layer.Layer<
    never,
    never,
    EndpointServices | Projects | ComputeUnitMeter | Layer.Services<typeof layerSystem>
  >
}

export interface RouteOptions extends EnvelopeOptions {
  /** The pages for people that are served. */
  readonly pages: ReadonlyArray<AppPage>
}

/** Every route of the service, and the table of them. */
export const layerRoutes = ({ pages, ...options }: RouteOptions) =>
  Layer.unwrap(
    Effect.map(Extensions, (extensions) => {
      const served = [...endpointList, ...extensions.flatMap(({ endpoints = [] }) => endpoints)]
      return Layer.mergeAll(
        layerSystem,
        layerEndpoints(served).pipe(Layer.provide(layerEventPresenter.pipe(Layer.provide(layerLinkBase)))),
        layerLogos,
        layerUploads,
        layerProviderCallbacks,
        layerMetrics,
        layerDocuments(served),
        ...pages.map(layerAppPage),
        layerEnvelope(options),
        Layer.effect(RouteTable, RouteTable)
      ).pipe(Layer.provide(layerRouteTable(served)))
    })
  )
