import { useEffect, useMemo, useState } from "preact/hooks"
import type { Client, TransferQuote } from "../../src/client/index.ts"
import { Failure } from "../Failure.tsx"
import { Progress } from "../history/Progress.tsx"
import { sandboxKey } from "../service.ts"
import { signInSandbox } from "../session.ts"
import { psbtFile, signedHex, signedHexOfFile } from "./psbt.ts"

interface SigningProps {
  readonly client: Client
  readonly quote: TransferQuote
}

/** Shows the unsigned PSBT. The owner signs it in the wallet that contains the key of the address. */
const UnsignedPayment = ({ psbtBase64, quoteId }: { readonly psbtBase64: string; readonly quoteId: string }) => {
  const [failure, setFailure] = useState<unknown>()
  const [copied, setCopied] = useState(false)
  const link = useMemo(() => URL.createObjectURL(psbtFile(psbtBase64)), [psbtBase64])
  useEffect(() => () => URL.revokeObjectURL(link), [link])
  return (
    <>
      <h2>Sign</h2>
      <p>Sign the PSBT with the wallet that contains the key of this address.</p>
      <div class="buttons">
        <a class="button" href={link} download={`${quoteId.slice(2, 10)}.psbt`}>
          Download the PSBT
        </a>
        <button
          type="button"
          class="plain"
          onClick={() => navigator.clipboard.writeText(psbtBase64).then(() => setCopied(true), setFailure)}
        >
          Copy it in base64
        </button>
        <span role="status">{copied && "Copied"}</span>
      </div>
      <Failure of={failure} />
    </>
  )
}

/** Shows the PSBT for an external wallet, broadcasts the signed PSBT, and shows the progress of the payment. */
export const Signing = ({ client, quote }: SigningProps) => {
  const [isBusy, setBusy] = useState(false)
  const [failure, setFailure] = useState<unknown>()
  const [transactionId, setTransactionId] = useState<string | null>(null)
  const { quoteId, signData, walletAddress } = quote
  const run = async (send: () => Promise<{ readonly transactionId: string }>) => {
    setBusy(true)
    setFailure(undefined)
    await send().then((sentTransaction) => setTransactionId(sentTransaction.transactionId), setFailure)
    setBusy(false)
  }
  const broadcast = async (signedPsbt: string | Promise<string>) =>
    client.bitcoin.broadcast({ quoteId, signedTransactionHex: await signedPsbt })
  const [element] = signData
  if (transactionId !== null) return <Progress client={client} id={transactionId} wallet={walletAddress} />
  if (element?.type !== "BITCOIN_TRANSACTION") return null
  return (
    <form
      class="card stack"
      onSubmit={(event) => {
        event.preventDefault()
        const data = new FormData(event.currentTarget)
        const file = data.get("file")
        const text = String(data.get("signed") ?? "")
        run(async () => broadcast(file instanceof File && file.size > 0 ? signedHexOfFile(file) : signedHex(text)))
      }}
    >
      <UnsignedPayment psbtBase64={element.psbtBase64} quoteId={quoteId} />
      <h2>Broadcast</h2>
      <label>
        File with the signed PSBT or transaction
        <input type="file" name="file" accept=".psbt,.txn,.txt,.hex" />
      </label>
      <label>
        Or paste it, in base64 or hexadecimal
        <textarea name="signed" rows={4} autocomplete="off" spellcheck={false} />
      </label>
      <div class="buttons">
        <button type="submit" disabled={isBusy}>
          {isBusy ? "Broadcasting…" : "Broadcast"}
        </button>
        {sandboxKey !== null && (
          <button
            type="button"
            class="plain"
            disabled={isBusy}
            onClick={() => run(async () => client.execute(await signInSandbox(quoteId)))}
          >
            Sign as the demo owner
          </button>
        )}
      </div>
      <Failure of={failure} />
    </form>
  )
}
