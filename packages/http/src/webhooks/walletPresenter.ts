import { walletEvents, walletView } from "@countersign/core/wallets"
import { Effect } from "effect"
import { walletBody } from "../wire/walletTranslation.ts"
import { eventBaseUrl, resourcePresenter } from "./ResourcePresenter.ts"

export const walletPresenter = resourcePresenter(
  walletEvents,
  Effect.map(
    eventBaseUrl,
    (base) =>
      ({ chainId, wallet }) =>
        Effect.succeed({ ...walletBody(base, walletView(wallet)), chainId })
  )
)
