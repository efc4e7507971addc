import { useEffect, useState } from "preact/hooks"
import type { Client, Transaction } from "../../src/client/index.ts"
import { isOver } from "./stages.ts"

/**
 * Poll interval while the service sends events. It detects changes between the first request and the start of the
 * events.
 */
const POLL_WITH_EVENTS_MS = 15_000
const POLL_EVERY_MS = 1_000
/** Bitcoin has a block every ten minutes on average. */
const POLL_BITCOIN_EVERY_MS = 10_000

/**
 * The current state of a transaction until it has ended. Events report its changes. Without events the transaction is
 * polled.
 */
export const useTransaction = (client: Client, id: string, initialTransaction?: Transaction) => {
  const [transaction, setTransaction] = useState(initialTransaction)
  const [failure, setFailure] = useState<unknown>()
  useEffect(() => {
    const abort = new AbortController()
    let timer: ReturnType<typeof setTimeout> | undefined
    let hasEvents = true
    const poll = async () => {
      clearTimeout(timer)
      try {
        const now = await client.history.get(id, { signal: abort.signal })
        setTransaction(now)
        if (isOver(now)) return abort.abort()
        const withoutEvents = now.chain?.id === 0 ? POLL_BITCOIN_EVERY_MS : POLL_EVERY_MS
        clearTimeout(timer)
        timer = setTimeout(poll, hasEvents ? POLL_WITH_EVENTS_MS : withoutEvents)
      } catch (error) {
        if (!abort.signal.aborted) setFailure(error)
      }
    }
    const listen = async () => {
      try {
        for await (const { data } of client.events({ types: ["transaction.*"], signal: abort.signal }))
          if ("id" in data && data.id === id) poll()
      } catch {
        hasEvents = false
        poll()
      }
    }
    if (initialTransaction === undefined || !isOver(initialTransaction)) {
      listen()
      poll()
    }
    return () => {
      abort.abort()
      clearTimeout(timer)
    }
  }, [client, id])
  return { transaction, failure }
}
