import type { ComponentChildren } from "preact"
import type { Client } from "../src/client/index.ts"
import { ReceiveView } from "./bitcoin/ReceiveView.tsx"
import { SendView } from "./bitcoin/SendView.tsx"
import { HistoryView } from "./history/HistoryView.tsx"
import { PortfolioView } from "./portfolio/PortfolioView.tsx"
import { HOME, linkTo, type Route, type View, viewsOf } from "./route.ts"
import { SwapView } from "./swap/SwapView.tsx"
import { title } from "./words.ts"

const shown: Readonly<
  Record<View, (props: { readonly client: Client; readonly wallet: string }) => ComponentChildren>
> = { portfolio: PortfolioView, history: HistoryView, swap: SwapView, receive: ReceiveView, send: SendView }

/** One wallet, seen one way. */
export const Chosen = ({ client, route }: { readonly client: Client; readonly route: NonNullable<Route> }) => {
  const Shown = shown[route.view]
  return (
    <main>
      <p>
        <a href={HOME}>All wallets</a>
      </p>
      <h1 tabIndex={-1} class="address">
        {route.wallet}
      </h1>
      <nav class="tabs" aria-label="Wallet">
        {viewsOf(route.wallet).map((view) => (
          <a key={view} href={linkTo(route.wallet, view)} aria-current={view === route.view ? "page" : undefined}>
            {title(view)}
          </a>
        ))}
      </nav>
      <Shown key={route.wallet} client={client} wallet={route.wallet} />
    </main>
  )
}
