import { signal } from "@preact/signals"

export const views = ["portfolio", "history", "swap"] as const
export type View = (typeof views)[number]

/** A wallet and what to see of it; null for the list of wallets. */
export type Route = { readonly wallet: string; readonly view: View } | null

const routeOf = (hash: string): Route => {
  const [, wallet, name] = /^#\/([A-Za-z0-9]+)\/(\w+)$/u.exec(hash) ?? []
  const view = views.find((view) => view === name)
  return wallet === undefined || view === undefined ? null : { wallet, view }
}

export const route = signal(routeOf(location.hash))
addEventListener("hashchange", () => {
  route.value = routeOf(location.hash)
})

/** The list of wallets. */
export const HOME = "#/"

export const linkTo = (wallet: string, view: View): string => `#/${wallet}/${view}`
