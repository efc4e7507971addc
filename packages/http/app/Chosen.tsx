import type { ComponentChildren } from "preact"
import type { Client } from "../src/client/index.ts"
import { SendView } from "./bitcoin/SendView.tsx"
import { HistoryView } from "./history/HistoryView.tsx"
import { PortfolioView } from "./portfolio/PortfolioView.tsx"
import { ReceiveView } from "./receive/ReceiveView.tsx"
import { HOME, isBitcoin, linkTo, type Route, type View, viewsOf } from "./route.ts"
import { SwapView } from "./swap/SwapView.tsx"
import { TransferView } from "./transfer/TransferView.tsx"
import { title } from "./words.ts"

interface ViewProps {
  readonly client: Client
  readonly wallet: string
}

const views: Readonly<Record<View, (props: ViewProps) => ComponentChildren>> = {
  portfolio: PortfolioView,
  history: HistoryView,
  swap: SwapView,
  receive: ReceiveView,
  send: (props) => (isBitcoin(props.wallet) ? <SendView {...props} /> : <TransferView {...props} />)
}

/** Renders one view of a wallet. */
export const WalletPage = ({ client, route }: { readonly client: Client; readonly route: NonNullable<Route> }) => {
  const CurrentView = views[route.view]
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
      <CurrentView key={route.wallet} client={client} wallet={route.wallet} />
    </main>
  )
}
