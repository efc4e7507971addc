import "./style.css"
import { render } from "preact"
import { useEffect, useRef } from "preact/hooks"
import { Chosen } from "./Chosen.tsx"
import { KeyForm } from "./KeyForm.tsx"
import { HOME, route } from "./route.ts"
import { sandboxKey } from "./service.ts"
import { client, leave } from "./session.ts"
import { Wallets } from "./Wallets.tsx"

const Header = () => (
  <header>
    <a class="brand" href={HOME}>
      <img src="favicon.svg" alt="" width="24" height="24" />
      Countersign
    </a>
    {sandboxKey !== null && <span class="badge">Sandbox</span>}
    <nav aria-label="Service">
      <a href="docs">Reference</a>
      {client.value !== null && (
        <button type="button" class="link" onClick={leave}>
          Log out
        </button>
      )}
    </nav>
  </header>
)

/** Moves the focus to the heading of a new view, so that screen readers announce it as they announce a new page. */
const useFocusOnHeading = (place: string) => {
  const isFirst = useRef(true)
  useEffect(() => {
    if (!isFirst.current) document.querySelector("h1")?.focus()
    isFirst.current = false
  }, [place])
}

const Main = () => {
  useFocusOnHeading(`${client.value === null} ${route.value?.wallet}`)
  if (client.value === null) return <KeyForm />
  return route.value === null ? <Wallets client={client.value} /> : <Chosen client={client.value} route={route.value} />
}

render(
  <>
    <Header />
    <Main />
  </>,
  document.body
)
