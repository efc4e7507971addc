import { useState } from "preact/hooks"
import type { Client, Signable, SwapQuote, TransferQuote } from "../src/client/index.ts"
import { Failure } from "./Failure.tsx"
import { Progress } from "./history/Progress.tsx"
import { sandboxKey } from "./service.ts"
import { browserWallet } from "./swap/browserWallet.ts"
import { signAsDemoOwner, signInBrowser } from "./swap/sign.ts"

interface ExecutionProps {
  readonly client: Client
  readonly quote: Signable<SwapQuote | TransferQuote>
  readonly onEnd: () => void
}

/** Requests the signature of a quote, executes the quote, and shows the progress until the operation has ended. */
export const Execution = ({ client, onEnd, quote }: ExecutionProps) => {
  const [step, setStep] = useState<"signing" | "executing" | null>(null)
  const [failure, setFailure] = useState<unknown>()
  const [transactionId, setTransactionId] = useState<string | null>(null)
  const run = async (sign: typeof signInBrowser) => {
    setFailure(undefined)
    try {
      setStep("signing")
      const signedQuote = await sign(client, quote)
      setStep("executing")
      setTransactionId((await client.execute(signedQuote)).transactionId)
    } catch (error) {
      setFailure(error)
    }
    setStep(null)
  }
  if (transactionId !== null)
    return <Progress client={client} id={transactionId} wallet={quote.walletAddress} onEnd={onEnd} />
  return (
    <div class="card stack">
      <div class="buttons">
        {sandboxKey !== null && (
          <button type="button" disabled={step !== null} onClick={() => run(signAsDemoOwner)}>
            Sign as the demo owner
          </button>
        )}
        <button
          type="button"
          class={sandboxKey !== null || browserWallet() === undefined ? "plain" : undefined}
          disabled={step !== null}
          onClick={() => run(signInBrowser)}
        >
          Sign with the browser wallet
        </button>
      </div>
      <p class="muted" role="status">
        {step === null
          ? "The operation is executed after you sign it."
          : step === "signing"
            ? "Waiting for signatures…"
            : "Executing…"}
      </p>
      <Failure of={failure} />
    </div>
  )
}
