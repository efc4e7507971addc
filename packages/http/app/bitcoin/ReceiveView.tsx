import { useState } from "preact/hooks"
import { encode } from "uqr"
import type { Client } from "../../src/client/index.ts"
import { Failure } from "../Failure.tsx"
import { sandboxKey } from "../service.ts"
import { useLoad } from "../useLoad.ts"

const QUIET_MODULES = 4

/** A square for each black module. */
const pathOf = (modules: ReadonlyArray<ReadonlyArray<boolean>>): string =>
  modules.flatMap((row, y) => row.flatMap((isBlack, x) => (isBlack ? [`M${x} ${y}h1v1h-1z`] : []))).join("")

const QrCode = ({ text }: { readonly text: string }) => {
  const { data, size } = encode(text, { ecc: "M", border: QUIET_MODULES })
  return (
    <svg class="qr" viewBox={`0 0 ${size} ${size}`} role="img" aria-label={`QR code of ${text}`}>
      <rect width={size} height={size} fill="#fff" />
      <path d={pathOf(data)} fill="#000" />
    </svg>
  )
}

/** The address to pay to, as text and as a QR code (BIP-21). */
const Receiver = ({ wallet }: { readonly wallet: string }) => {
  const [copied, setCopied] = useState(false)
  const [failure, setFailure] = useState<unknown>()
  const copy = () =>
    navigator.clipboard.writeText(wallet).then(
      () => setCopied(true),
      (error) => setFailure(error)
    )
  return (
    <section class="card stack" aria-label="Receive">
      <QrCode text={`bitcoin:${wallet}`} />
      <p class="address">{wallet}</p>
      <div class="buttons">
        <button type="button" onClick={copy}>
          Copy the address
        </button>
        <span role="status">{copied && "Copied"}</span>
      </div>
      <Failure of={failure} />
      {sandboxKey !== null && (
        <p class="warning">
          The coins of the sandbox are worth nothing, and its addresses look like those of the main network. Pay no real
          coins to them.
        </p>
      )}
    </section>
  )
}

/** A link to this page can name any address: only a registered one is shown to be paid to. */
export const ReceiveView = ({ client, wallet }: { readonly client: Client; readonly wallet: string }) => {
  const { failure, value } = useLoad(wallet, (signal) => client.wallets.get(wallet, { signal }))
  return value === undefined ? <Failure of={failure} /> : <Receiver wallet={value.walletAddress} />
}
