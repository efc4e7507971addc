import { useState } from "preact/hooks"
import type { Client, Factory, Wallet } from "../src/client/index.ts"
import { Failure } from "./Failure.tsx"
import { linkTo } from "./route.ts"
import { useLoad } from "./useLoad.ts"
import { formatDateTime, isSameAddress, shortAddress } from "./words.ts"

/** Maximum number of wallets that are listed. Other wallets can be found by their address. */
const SHOWN_MAX = 200

const loadFirst = async (wallets: AsyncIterable<Wallet>): Promise<ReadonlyArray<Wallet>> => {
  const loadedWallets: Array<Wallet> = []
  for await (const wallet of wallets) {
    loadedWallets.push(wallet)
    if (loadedWallets.length === SHOWN_MAX) break
  }
  return loadedWallets
}

const kindOf = ({ eip7702, factory, implementation }: Wallet, factories: ReadonlyArray<Factory>): string => {
  const kindAddress = eip7702 ? implementation : factory
  return (
    factories.find((each) => isSameAddress(kindAddress, eip7702 ? each.implementation : each.factory))?.name ??
    (factory === null && !eip7702 ? "Bitcoin" : "Wallet")
  )
}

const Card = ({ factories, wallet }: { readonly wallet: Wallet; readonly factories: ReadonlyArray<Factory> }) => (
  <li>
    <a class="card wallet" href={linkTo(wallet.walletAddress, "portfolio")}>
      <strong>{kindOf(wallet, factories)}</strong>
      <span class="address" title={wallet.walletAddress}>
        {shortAddress(wallet.walletAddress)}
      </span>
      <small class="muted">
        {wallet.lastTransactionAt === null
          ? "No operation yet"
          : `Last operation ${formatDateTime(wallet.lastTransactionAt)}`}
      </small>
      {Object.entries(wallet.metadata).map(([name, value]) => (
        <small key={name} class="muted">
          {name}: {value}
        </small>
      ))}
    </a>
  </li>
)

/** Lists the wallets of the project. */
export const Wallets = ({ client }: { readonly client: Client }) => {
  const [searchText, setSearchText] = useState("")
  const { failure, value } = useLoad("wallets", (signal) =>
    Promise.all([loadFirst(client.wallets.list({ take: SHOWN_MAX }, { signal })), client.wallets.factories({ signal })])
  )
  const [wallets, factories] = value ?? [[], []]
  const shownWallets = wallets.filter(({ walletAddress }) =>
    walletAddress.toLowerCase().includes(searchText.toLowerCase())
  )
  const isUnlisted =
    shownWallets.length === 0 && /^(?:0x[0-9a-f]{40}|[13][1-9a-z]{25,34}|bc1[02-9a-z]{39,59})$/iu.test(searchText)
  return (
    <main aria-busy={value === undefined && failure === undefined}>
      <h1 tabIndex={-1}>Wallets</h1>
      <Failure of={failure} />
      {value !== undefined && (
        <label class="short">
          Find by address
          <input
            type="search"
            value={searchText}
            placeholder="0x…, bc1…"
            onInput={({ currentTarget }) => setSearchText(currentTarget.value.trim())}
          />
        </label>
      )}
      <ul class="cards">
        {shownWallets.map((wallet) => (
          <Card key={wallet.walletAddress} wallet={wallet} factories={factories} />
        ))}
      </ul>
      {isUnlisted && (
        <p>
          {wallets.length === SHOWN_MAX
            ? `The address is not among the first ${SHOWN_MAX} wallets.`
            : "The project has no wallet with this address."}{" "}
          <a href={linkTo(searchText, "portfolio")}>Open it anyway</a>
        </p>
      )}
      {value !== undefined && wallets.length === 0 && (
        <p>
          The project has no wallets. Register one with <code>POST /api/v1/wallets/register</code>: see{" "}
          <a href="docs">the reference</a>.
        </p>
      )}
    </main>
  )
}
