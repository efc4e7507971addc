import {
  LendingMarketsQuery,
  LendingMarketsResponse,
  LendingPositionsResponse,
  LendingQuoteResponse,
  WalletAddressText
} from "@countersign/adapters/wire"
import { LendingRequest } from "@countersign/core/lending"
import { described } from "@countersign/core/primitives"
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { errorSchemas } from "../errors/index.ts"
import { BoundedJson, IdempotentPost, ProjectAuth } from "../middleware/definitions.ts"

const walletPath = Schema.Struct({ walletAddress: WalletAddressText.pipe(described("Address of the wallet")) })

export class LendingApi extends HttpApiGroup.make("lending")
  .add(
    HttpApiEndpoint.post("quote", "/lending/quote", {
      payload: LendingRequest,
      success: LendingQuoteResponse,
      error: errorSchemas(
        "NOT_AUTHORIZED_TOKENS",
        "ACCOUNT_ABSTRACTION_ADDRESS_NOT_REGISTERED_WITH_PROJECT",
        "UPSTREAM_UNAVAILABLE",
        "BAD_REQUEST",
        "UNPAID_GAS_LIMIT",
        "FORBIDDEN_SCOPE",
        "UNSUPPORTED_MEDIA_TYPE"
      )
    }).annotateMerge(
      OpenApi.annotations({
        summary: "Prepare a lending operation",
        description:
          "Supply, borrow, repay or withdraw, also supply and borrow, or repay and withdraw, as one operation: which legs are " +
          "present says what it is. It is run on the latest state, which tells the health factor before and after it. Sign " +
          "what `signData` asks for, then execute by `userOperationHash`."
      })
    )
  )
  .middleware(IdempotentPost)
  .middleware(BoundedJson)
  .add(
    HttpApiEndpoint.get("markets", "/lending/markets", {
      query: LendingMarketsQuery,
      success: LendingMarketsResponse,
      error: errorSchemas("UNAVAILABLE_COMPUTE_UNITS", "UPSTREAM_UNAVAILABLE", "BAD_REQUEST", "FORBIDDEN_SCOPE")
    }).annotateMerge(
      OpenApi.annotations({
        summary: "The markets in which tokens are lent",
        description: "Rates, caps and loan-to-value ratios as of now, of listed tokens."
      })
    ),
    HttpApiEndpoint.get("positions", "/wallets/:walletAddress/lending", {
      params: walletPath,
      success: LendingPositionsResponse,
      error: errorSchemas(
        "UNAVAILABLE_COMPUTE_UNITS",
        "ACCOUNT_ABSTRACTION_ADDRESS_NOT_REGISTERED_WITH_PROJECT",
        "UPSTREAM_UNAVAILABLE",
        "FORBIDDEN_SCOPE"
      )
    }).annotateMerge(
      OpenApi.annotations({
        summary: "What a wallet has supplied and owes",
        description: "On every chain that is served, in listed tokens, interest included."
      })
    )
  )
  .middleware(ProjectAuth)
  .prefix("/api/v1")
  .annotateMerge(
    OpenApi.annotations({ title: "Lending", description: "Loans and what secures them, with Aave V3 and Morpho Blue" })
  ) {}
