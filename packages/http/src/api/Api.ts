import { HttpApi, OpenApi } from "effect/http-api"
import { MalformedRequest } from "../middleware/definitions.ts"
import { BatchApi } from "./BatchApi.ts"
import { CatalogApi } from "./CatalogApi.ts"
import { SwapApi } from "./SwapApi.ts"
import { SystemApi } from "./SystemApi.ts"
import { TransferApi } from "./TransferApi.ts"
import { UserOperationApi } from "./UserOperationApi.ts"
import { WalletsApi } from "./WalletsApi.ts"
import { WebhooksApi } from "./WebhooksApi.ts"

/** Unknown fields are refused, and every problem is listed, not only the first. */
const strict = { onExcessProperty: "error", errors: "all" } as const

export class Api extends HttpApi.make("countersign")
  .add(SwapApi)
  .add(TransferApi)
  .add(BatchApi)
  .add(UserOperationApi)
  .add(WalletsApi)
  .add(CatalogApi)
  .add(WebhooksApi)
  .add(SystemApi)
  .middleware(MalformedRequest)
  .annotate(HttpApi.PayloadParseOptions, strict)
  .annotate(HttpApi.QueryParseOptions, strict)
  .annotateMerge(
    OpenApi.annotations({
      title: "Countersign",
      version: "1.0.0",
      description:
        "Operations on smart wallets: the service prepares, the wallet's owner signs, the service executes and records. " +
        "Every request carries the project's API key in `x-api-key`. Amounts are decimal strings in whole tokens; the " +
        "chain's own coin has the address 0xeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee."
    })
  ) {}
