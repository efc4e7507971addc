import { useState } from "preact/hooks"
import type { Client, Signable, SwapQuote } from "../../src/client/index.ts"
import { Failure } from "../Failure.tsx"
import { Followed } from "../history/Followed.tsx"
import { sandboxKey } from "../service.ts"
import { browserWallet } from "./browserWallet.ts"
import { signAsDemoOwner, signInBrowser } from "./sign.ts"

interface ExecutionProps {
  readonly client: Client
  readonly quote: Signable<SwapQuote>
}

/** Has a quote signed, executes it, and follows it to its end. */
export const Execution = ({ client, quote }: ExecutionProps) => {
  const [step, setStep] = useState<"signing" | "executing" | null>(null)
  const [failure, setFailure] = useState<unknown>()
  const [transactionId, setTransactionId] = useState<string | null>(null)
  const run = async (sign: typeof signInBrowser) => {
    setFailure(undefined)
    try {
      setStep("signing")
      const signed = await sign(client, quote)
      setStep("executing")
      setTransactionId((await client.execute(signed)).transactionId)
    } catch (error) {
      setFailure(error)
    }
    setStep(null)
  }
  if (transactionId !== null) return <Followed client={client} id={transactionId} wallet={quote.walletAddress} />
  return (
    <div class="card stack">
      <div class="buttons">
        <button
          type="button"
          class={browserWallet() === undefined ? "plain" : undefined}
          disabled={step !== null}
          onClick={() => run(signInBrowser)}
        >
          Sign with the browser's wallet
        </button>
        {sandboxKey !== null && (
          <button type="button" disabled={step !== null} onClick={() => run(signAsDemoOwner)}>
            Sign as the demo owner
          </button>
        )}
      </div>
      <p class="muted" role="status">
        {step === null
          ? "It is executed once it is signed."
          : step === "signing"
            ? "Waits for signatures…"
            : "Executes…"}
      </p>
      <Failure of={failure} />
    </div>
  )
}
