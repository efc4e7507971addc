import { Lending, LendingRequest } from "@countersign/core/lending"
import { type ProjectId, Projects } from "@countersign/core/projects"
import { TokenPrices, valuesOf } from "@countersign/core/tokens"
import { Effect } from "effect"
import { LinkBase } from "../presenters/index.ts"
import {
  LendingMarketsQuery,
  LendingMarketsResponse,
  LendingPositionsResponse,
  LendingQuoteResponse,
  lendingMarketsBody,
  lendingPositionsBody,
  lendingQuoteBody,
  WalletAddressText
} from "../wire/index.ts"
import type { CallOptions } from "./preparing.ts"
import { answerOf, bodyOf, type QueryInput, queryOf } from "./requests.ts"
import type { Run } from "./session.ts"

const lendingRequest = bodyOf(LendingRequest)
const marketsQuery = queryOf(LendingMarketsQuery)
const walletAddress = bodyOf(WalletAddressText)
const quoteAnswer = answerOf(LendingQuoteResponse)
const marketsAnswer = answerOf(LendingMarketsResponse)
const positionsAnswer = answerOf(LendingPositionsResponse)

/** Loans and what secures them. */
export const lendingOf = (run: Run, id: ProjectId) => {
  const project = Projects.use((projects) => projects.get(id))
  return {
    lending: {
      /** A lending operation to be signed. As `POST /api/v1/lending/quote`. */
      prepare: (body: typeof LendingRequest.Encoded, { signal }: CallOptions = {}) =>
        run(
          Effect.gen(function* () {
            const request = yield* lendingRequest(body)
            const quote = yield* (yield* Lending).quote(yield* project, request)
            return yield* quoteAnswer(lendingQuoteBody(yield* LinkBase, quote))
          }),
          signal
        ),
      /** The markets in which tokens are lent. As `GET /api/v1/lending/markets`. */
      markets: (query: QueryInput<typeof LendingMarketsQuery> = {}, { signal }: CallOptions = {}) =>
        run(
          Effect.gen(function* () {
            const { chainId = null, provider = null } = yield* marketsQuery(query)
            const markets = yield* (yield* Lending).markets({ chainId, provider })
            return yield* marketsAnswer(lendingMarketsBody(yield* LinkBase, markets))
          }),
          signal
        ),
      /** What a wallet has supplied and owes. As `GET /api/v1/wallets/:walletAddress/lending`. */
      positions: (address: string, { signal }: CallOptions = {}) =>
        run(
          Effect.gen(function* () {
            const positions = yield* (yield* Lending).positions(yield* project, yield* walletAddress(address))
            const known = yield* (yield* TokenPrices).known(positions.found.flatMap(({ tokens }) => tokens))
            return yield* positionsAnswer(lendingPositionsBody(yield* LinkBase, positions, valuesOf(known)))
          }),
          signal
        )
    }
  }
}
