import { HOME } from "./route.ts"
import { sandboxKey } from "./service.ts"
import { client, logOut } from "./session.ts"

/** Renders the header of a page. */
export const Header = ({ name }: { readonly name: string }) => (
  <header>
    <a class="brand" href={HOME}>
      <img src="favicon.svg" alt="" width="24" height="24" />
      {name}
    </a>
    {sandboxKey !== null && <span class="badge">Sandbox</span>}
    <nav aria-label="Service">
      <a href="docs">Reference</a>
      {client.value !== null && (
        <button type="button" class="link" onClick={logOut}>
          Log out
        </button>
      )}
    </nav>
  </header>
)
