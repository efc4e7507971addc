import "./style.css"
import { render } from "preact"
import { WalletPage } from "./Chosen.tsx"
import { Header } from "./Header.tsx"
import { KeyForm } from "./KeyForm.tsx"
import { route } from "./route.ts"
import { client } from "./session.ts"
import { useFocusOnHeading } from "./useFocusOnHeading.ts"
import { Wallets } from "./Wallets.tsx"

const keyFormTexts = {
  heading: "View a project",
  about: "Portfolio and history of its wallets, swaps, limit orders and transfers.",
  action: "Show wallets"
}

const Main = () => {
  useFocusOnHeading(`${client.value === null} ${route.value?.wallet}`)
  if (client.value === null) return <KeyForm {...keyFormTexts} />
  return route.value === null ? (
    <Wallets client={client.value} />
  ) : (
    <WalletPage client={client.value} route={route.value} />
  )
}

render(
  <>
    <Header name="Countersign" />
    <Main />
  </>,
  document.body
)
