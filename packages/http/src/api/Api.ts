import { eventBodies } from "@countersign/adapters/wire"
import { HttpApi, OpenApi } from "effect/http-api"
import { MalformedRequest } from "../middleware/definitions.ts"
import { BatchApi } from "./BatchApi.ts"
import { CatalogApi } from "./CatalogApi.ts"
import { LendingApi } from "./LendingApi.ts"
import { LiquidityApi } from "./LiquidityApi.ts"
import { PoolsApi } from "./PoolsApi.ts"
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
  .add(LiquidityApi)
  .add(LendingApi)
  .add(UserOperationApi)
  .add(WalletsApi)
  .add(CatalogApi)
  .add(PoolsApi)
  .add(WebhooksApi)
  .add(SystemApi)
  .middleware(MalformedRequest)
  .annotate(HttpApi.PayloadParseOptions, strict)
  .annotate(HttpApi.QueryParseOptions, strict)
  .annotate(HttpApi.AdditionalSchemas, eventBodies)
  .annotateMerge(
    OpenApi.annotations({
      title: "Countersign",
      version: "1.0.0",
      description:
        "Operations on smart wallets: the service prepares, the wallet's owner signs, the service executes and records. " +
        "Every request carries the project's API key in `x-api-key`.\n\n" +
        '- Amounts are decimal strings in whole tokens: `"1.5"` USDC.\n' +
        "- Addresses and hashes are hexadecimal, in lower case in answers and in any case in requests. An address in mixed " +
        "case needs its checksum (EIP-55). The chain's own coin is 0xeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee.\n" +
        "- Date-times are ISO 8601 in UTC.\n" +
        "- Requests are refused for a field that they do not know; answers may get new fields and new values at any time.\n" +
        "- An error has a stable `id`. [Every error](/docs/errors) says what to do about it.\n\n" +
        "The examples are for the sandbox: they use its demonstration wallets, whose keys everybody knows, and succeed as " +
        "they stand. Hashes, ids and signatures that exist only at run time are placeholders in them. The links of an answer " +
        "say which of its values to put in their place.",
      license: { name: "MIT", url: "https://opensource.org/license/mit" },
      servers: [{ url: "/", description: "This service" }]
    })
  ) {}
