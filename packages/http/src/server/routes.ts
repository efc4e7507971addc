import { Layer } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { Api } from "../api/Api.ts"
import { BatchHandlers } from "../handlers/batch.ts"
import { CatalogHandlers } from "../handlers/catalog.ts"
import { LendingHandlers } from "../handlers/lending.ts"
import { LiquidityHandlers } from "../handlers/liquidity.ts"
import { PoolsHandlers } from "../handlers/pools.ts"
import { SwapHandlers } from "../handlers/swap.ts"
import { SystemHandlers } from "../handlers/system.ts"
import { TransferHandlers } from "../handlers/transfer.ts"
import { UserOperationHandlers } from "../handlers/userOperations.ts"
import { WalletsHandlers } from "../handlers/wallets.ts"
import { WebhooksHandlers } from "../handlers/webhooks.ts"
import { layerBoundedJson } from "../middleware/boundedJson.ts"
import { layerIdempotentPost } from "../middleware/idempotentPost.ts"
import { layerMalformedRequest, layerProjectAuth } from "../middleware/layers.ts"
import { layerDocuments } from "./documents.ts"
import { layerLogos } from "./logos.ts"
import { layerMetrics } from "./metrics.ts"
import { type EnvelopeOptions, layerEnvelope, layerRoutePattern } from "./requestEnvelope.ts"

const handlers = Layer.mergeAll(
  SwapHandlers,
  TransferHandlers,
  BatchHandlers,
  LiquidityHandlers,
  LendingHandlers,
  UserOperationHandlers,
  WalletsHandlers,
  CatalogHandlers,
  PoolsHandlers,
  WebhooksHandlers,
  SystemHandlers
).pipe(Layer.provide([layerIdempotentPost, layerBoundedJson, layerProjectAuth, layerMalformedRequest]))

const api = HttpApiBuilder.layer(Api).pipe(Layer.provide(handlers), Layer.provide(layerRoutePattern))

/** Every route of the service. */
export const layerRoutes = (options: EnvelopeOptions) =>
  Layer.mergeAll(api, layerLogos, layerMetrics, layerDocuments, layerEnvelope(options))
