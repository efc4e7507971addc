import type { ProjectId } from "@countersign/core/projects"
import { Wallets } from "@countersign/core/wallets"
import { Effect } from "effect"
import { LinkBase } from "../presenters/index.ts"
import {
  accountRequestOf,
  FactoriesResponse,
  MetadataPatchBody,
  RegisterBody,
  WalletAddressText,
  WalletQuery,
  WalletResponse,
  WalletsResponse,
  walletBody
} from "../wire/index.ts"
import { answerOf, bodyOf, type QueryInput, queryOf } from "./requests.ts"
import type { Run } from "./session.ts"

const registerBody = bodyOf(RegisterBody)
const walletQuery = queryOf(WalletQuery)
const walletAddress = bodyOf(WalletAddressText)
const metadataBody = bodyOf(MetadataPatchBody)
const walletAnswer = answerOf(WalletResponse)
const walletsAnswer = answerOf(WalletsResponse)
const factoriesAnswer = answerOf(FactoriesResponse)

const showing = (wallet: Parameters<typeof walletBody>[1]) =>
  Effect.flatMap(LinkBase, (base) => walletAnswer({ wallet: walletBody(base, wallet) }))

/** The wallets of a project. */
export const walletsOf = (run: Run, project: ProjectId) => ({
  /** Registers the smart wallet of an owner. As `POST /api/v1/wallets/register`. */
  register: (body: typeof RegisterBody.Encoded) =>
    run(
      Effect.gen(function* () {
        const { metadata, ...query } = yield* registerBody(body)
        const request = yield* accountRequestOf(query)
        return yield* showing(yield* (yield* Wallets).register(project, request, metadata))
      })
    ),
  /** The smart wallet of an owner, registered or not. As `GET /api/v1/wallets/address`. */
  address: (query: QueryInput<typeof WalletQuery>) =>
    run(
      Effect.gen(function* () {
        const request = yield* accountRequestOf(yield* walletQuery(query))
        return yield* showing(yield* (yield* Wallets).lookUp(project, request))
      })
    ),
  /** Every wallet of the project. As `GET /api/v1/wallets`. */
  list: () =>
    run(
      Effect.gen(function* () {
        const base = yield* LinkBase
        const wallets = yield* (yield* Wallets).list(project)
        return yield* walletsAnswer({ wallets: wallets.map((wallet) => walletBody(base, wallet)) })
      })
    ),
  /** The supported account factories. As `GET /api/v1/wallets/factories`. */
  factories: () => run(Wallets.use(({ factories }) => factoriesAnswer({ factories }))),
  /** A registered wallet. As `GET /api/v1/wallets/:walletAddress`. */
  show: (address: string) =>
    run(
      Effect.gen(function* () {
        return yield* showing(yield* (yield* Wallets).show(project, yield* walletAddress(address)))
      })
    ),
  /** Replaces the metadata of a wallet. As `PATCH /api/v1/wallets/:walletAddress/metadata`. */
  replaceMetadata: (address: string, body: typeof MetadataPatchBody.Encoded) =>
    run(
      Effect.gen(function* () {
        const { metadata } = yield* metadataBody(body)
        return yield* showing(yield* (yield* Wallets).replaceMetadata(project, yield* walletAddress(address), metadata))
      })
    )
})
