import { walletEvents } from "@countersign/core/wallets"
import { Effect } from "effect"
import { walletBody } from "../wire/walletTranslation.ts"
import { eventBaseUrl, resourcePresenter } from "./ResourcePresenter.ts"

export const walletPresenter = resourcePresenter(
  walletEvents,
  Effect.map(eventBaseUrl, (base) => ({ chainId, wallet }) => {
    const { account, deployedOn } = wallet
    return Effect.succeed({ ...walletBody(base, { account, registration: wallet, deployedOn }), chainId })
  })
)
