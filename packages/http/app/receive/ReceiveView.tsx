import { useState } from "preact/hooks"
import { encode } from "uqr"
import type { Client } from "../../src/client/index.ts"
import { Failure } from "../Failure.tsx"
import { isBitcoin } from "../route.ts"
import { sandboxKey } from "../service.ts"
import { useCatalog } from "../tokens/useCatalog.ts"
import { useLoad } from "../useLoad.ts"

const QUIET_ZONE_MODULES = 4

/** Returns an SVG path with a square for each black module of a QR code. */
const pathOf = (modules: ReadonlyArray<ReadonlyArray<boolean>>): string =>
  modules.flatMap((row, y) => row.flatMap((isBlack, x) => (isBlack ? [`M${x} ${y}h1v1h-1z`] : []))).join("")

const QrCode = ({ text }: { readonly text: string }) => {
  const { data, size } = encode(text, { ecc: "M", border: QUIET_ZONE_MODULES })
  return (
    <svg class="qr" viewBox={`0 0 ${size} ${size}`} role="img" aria-label={`QR code of ${text}`}>
      <rect width={size} height={size} fill="#fff" />
      <path d={pathOf(data)} fill="#000" />
    </svg>
  )
}

const CHAIN_LOSS = "Tokens that are sent to this address on another chain can be lost."

/** Lists the chains on which a smart wallet can receive tokens. */
const Chains = ({ client }: { readonly client: Client }) => {
  const { chains } = useCatalog(client)
  return chains.length === 0 ? null : (
    <p>
      It receives the native token and all ERC-20 tokens on {chains.map(({ name }) => name).join(", ")}. {CHAIN_LOSS}
    </p>
  )
}

/**
 * Shows the address as text and as QR code. For Bitcoin the code contains a BIP-21 URI, which Bitcoin wallets expect.
 */
const Receiver = ({ client, wallet }: { readonly client: Client; readonly wallet: string }) => {
  const [copied, setCopied] = useState(false)
  const [failure, setFailure] = useState<unknown>()
  const copy = () =>
    navigator.clipboard.writeText(wallet).then(
      () => setCopied(true),
      (error) => setFailure(error)
    )
  return (
    <section class="card stack" aria-label="Receive">
      <QrCode text={isBitcoin(wallet) ? `bitcoin:${wallet}` : wallet} />
      <p class="address">{wallet}</p>
      <div class="buttons">
        <button type="button" onClick={copy}>
          Copy the address
        </button>
        <span role="status">{copied && "Copied"}</span>
      </div>
      <Failure of={failure} />
      {!isBitcoin(wallet) && <Chains client={client} />}
      {sandboxKey !== null && (
        <p class="warning">
          The tokens of the sandbox are worth nothing, and its addresses have the format of the main networks. Send no
          real tokens to them.
        </p>
      )}
    </section>
  )
}

/** Shows an address only if the project has registered it, because a link to this page can contain any address. */
export const ReceiveView = ({ client, wallet }: { readonly client: Client; readonly wallet: string }) => {
  const { failure, value } = useLoad(wallet, (signal) => client.wallets.get(wallet, { signal }))
  return value === undefined ? <Failure of={failure} /> : <Receiver client={client} wallet={value.walletAddress} />
}
