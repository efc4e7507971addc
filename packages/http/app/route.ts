import { signal } from "@preact/signals"

export type View = "portfolio" | "history" | "swap" | "receive" | "send"

export const isBitcoin = (wallet: string): boolean => !wallet.startsWith("0x")

export const viewsOf = (wallet: string): ReadonlyArray<View> =>
  isBitcoin(wallet) ? ["portfolio", "history", "receive", "send"] : ["portfolio", "history", "swap", "send", "receive"]

/** A view of a wallet; null for the list of wallets. */
export type Route = { readonly wallet: string; readonly view: View } | null

const routeOf = (hash: string): Route => {
  const [, wallet, name] = /^#\/([A-Za-z0-9]+)\/(\w+)$/u.exec(hash) ?? []
  const view = wallet === undefined ? undefined : viewsOf(wallet).find((view) => view === name)
  return wallet === undefined || view === undefined ? null : { wallet, view }
}

export const route = signal(routeOf(location.hash))
addEventListener("hashchange", () => {
  route.value = routeOf(location.hash)
})

/** Link to the list of wallets. */
export const HOME = "#/"

export const linkTo = (wallet: string, view: View): string => `#/${wallet}/${view}`
