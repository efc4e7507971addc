import "../style.css"
import type { ComponentChildren } from "preact"
import { render } from "preact"
import type { Client } from "../../src/client/index.ts"
import { Header } from "../Header.tsx"
import { KeyForm } from "../KeyForm.tsx"
import { client } from "../session.ts"
import { useFocusOnHeading } from "../useFocusOnHeading.ts"
import { AccessView } from "./AccessView.tsx"
import { KeysView } from "./KeysView.tsx"
import { OverviewView } from "./OverviewView.tsx"
import { ReviewsView } from "./ReviewsView.tsx"
import { linkTo, route, type View, views } from "./route.ts"
import type { ViewProps } from "./ViewProps.ts"
import { WebhooksView } from "./WebhooksView.tsx"
import { WorkView } from "./WorkView.tsx"

const definitions: Readonly<
  Record<View, { readonly title: string; readonly Shown: (props: ViewProps) => ComponentChildren }>
> = {
  overview: { title: "Overview", Shown: OverviewView },
  work: { title: "Work", Shown: WorkView },
  reviews: { title: "Identity reviews", Shown: ReviewsView },
  webhooks: { title: "Webhooks", Shown: WebhooksView },
  keys: { title: "Keys", Shown: KeysView },
  access: { title: "Access log", Shown: AccessView }
}

const Console = ({ client }: { readonly client: Client }) => {
  const { id, view } = route.value
  const { Shown, title } = definitions[view]
  return (
    <main>
      <h1 tabIndex={-1}>{title}</h1>
      <nav class="tabs" aria-label="Console">
        {views.map((each) => (
          <a key={each} href={linkTo(each)} aria-current={each === view ? "page" : undefined}>
            {definitions[each].title}
          </a>
        ))}
      </nav>
      <Shown key={`${view} ${id}`} client={client} id={id} />
    </main>
  )
}

const keyFormTexts = {
  heading: "Operator's console",
  about:
    "Pending work, identity reviews, webhooks and API keys of a project. Requires an API key with the scope `admin`.",
  action: "Open the console"
}

const Main = () => {
  useFocusOnHeading(`${client.value === null} ${route.value.view} ${route.value.id}`)
  return client.value === null ? <KeyForm {...keyFormTexts} /> : <Console client={client.value} />
}

render(
  <>
    <Header name="Countersign console" />
    <Main />
  </>,
  document.body
)
