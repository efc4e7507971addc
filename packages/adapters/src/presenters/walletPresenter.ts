import { walletEvents, walletView } from "@countersign/core/wallets"
import { Effect } from "effect"
import { LinkBase, walletBody } from "../wire/index.ts"
import { resourcePresenter } from "./ResourcePresenter.ts"

export const walletPresenter = resourcePresenter(
  walletEvents,
  Effect.map(
    LinkBase,
    (base) =>
      ({ chainId, wallet }) =>
        Effect.succeed({ ...walletBody(base, walletView(wallet)), chainId })
  )
)
