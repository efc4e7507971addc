import { useEffect, useState } from "preact/hooks"
import type { Client, Transaction } from "../../src/client/index.ts"
import { isOver } from "./stages.ts"

const LOOK_EVERY_MS = 1_000
/** Blocks of Bitcoin come every ten minutes. */
const LOOK_AT_BITCOIN_EVERY_MS = 10_000

/** A transaction as it is now, looked at again until it is over. */
export const useTransaction = (client: Client, id: string, known?: Transaction) => {
  const [transaction, setTransaction] = useState(known)
  const [failure, setFailure] = useState<unknown>()
  useEffect(() => {
    const abort = new AbortController()
    let timer: ReturnType<typeof setTimeout> | undefined
    const look = async () => {
      try {
        const now = await client.history.get(id, { signal: abort.signal })
        setTransaction(now)
        if (!isOver(now)) timer = setTimeout(look, now.chain?.id === 0 ? LOOK_AT_BITCOIN_EVERY_MS : LOOK_EVERY_MS)
      } catch (error) {
        if (!abort.signal.aborted) setFailure(error)
      }
    }
    if (known === undefined || !isOver(known)) look()
    return () => {
      abort.abort()
      clearTimeout(timer)
    }
  }, [client, id])
  return { transaction, failure }
}
