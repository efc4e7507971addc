import { EventPresenter } from "@countersign/core/events"
import { transactionOfSnapshot } from "@countersign/core/history"
import { FiatRates, TokenCatalog } from "@countersign/core/tokens"
import { walletOfSnapshot } from "@countersign/core/wallets"
import { Effect, Layer, Schema } from "effect"
import { HttpServer } from "effect/http"
import { PublicUrl } from "../handlers/asCaller.ts"
import { movedTokens } from "../handlers/movedTokens.ts"
import { historyBody } from "../wire/historyTranslation.ts"
import { walletBody } from "../wire/walletTranslation.ts"

/** The wildcard address is one to listen on, not one to go to. */
const reachable = (url: string) => url.replace("//0.0.0.0:", "//127.0.0.1:").replace("//[::]:", "//127.0.0.1:")

const decodeFields = Schema.decodeSync(Schema.fromJsonString(Schema.Record(Schema.String, Schema.Unknown)))

/** Events show resources as the API answers them; links in them lead to PUBLIC_URL, else to where we listen. */
export const layerEventPresenter = Layer.effect(
  EventPresenter,
  Effect.gen(function* () {
    const catalog = yield* TokenCatalog
    const fiat = yield* FiatRates
    const listening = yield* HttpServer.addressFormattedWith((url) => Effect.succeed(url))
    const base = (yield* PublicUrl) ?? reachable(listening)
    return EventPresenter.of({
      present: Effect.fnUntraced(function* ({ resource, snapshot }) {
        switch (resource.kind) {
          case "transaction": {
            const transaction = transactionOfSnapshot(snapshot)
            const find = yield* movedTokens(catalog, [transaction])
            return historyBody(base, transaction, find, yield* fiat.perUsdE18)
          }
          case "wallet": {
            const { chainId, wallet } = walletOfSnapshot(snapshot)
            const { account, deployedOn } = wallet
            return { ...walletBody(base, { account, registration: wallet, deployedOn }), chainId }
          }
          case "webhook":
            return decodeFields(snapshot)
        }
      })
    })
  })
)
