import { useEffect, useState } from "preact/hooks"
import type { Client, Transaction } from "../../src/client/index.ts"
import { isOver } from "./stages.ts"

/**
 * Poll interval in milliseconds while the service streams events. Polling finds changes between the first request and
 * the start of the stream.
 */
const POLL_WITH_EVENTS_MS = 15_000
const POLL_EVERY_MS = 1_000
const POLL_AFTER_FAILURE_MS = 15_000
/** Poll interval in milliseconds for Bitcoin. A Bitcoin block takes ten minutes on average. */
const POLL_BITCOIN_EVERY_MS = 10_000

/**
 * Returns the current state of a transaction, and updates it until the transaction has ended. Reads it at each of its
 * events, and polls it. Polls more often if the service streams no events.
 */
export const useTransaction = (client: Client, id: string, initialTransaction?: Transaction) => {
  const [transaction, setTransaction] = useState(initialTransaction)
  const [failure, setFailure] = useState<unknown>()
  useEffect(() => {
    const abortController = new AbortController()
    let timer: ReturnType<typeof setTimeout> | undefined
    let hasEvents = true
    const poll = async () => {
      clearTimeout(timer)
      try {
        const currentTransaction = await client.history.get(id, { signal: abortController.signal })
        setTransaction(currentTransaction)
        setFailure(undefined)
        if (isOver(currentTransaction)) return abortController.abort()
        const pollIntervalMs = currentTransaction.chain?.id === 0 ? POLL_BITCOIN_EVERY_MS : POLL_EVERY_MS
        clearTimeout(timer)
        timer = setTimeout(poll, hasEvents ? POLL_WITH_EVENTS_MS : pollIntervalMs)
      } catch (error) {
        if (abortController.signal.aborted) return
        setFailure(error)
        clearTimeout(timer)
        timer = setTimeout(poll, POLL_AFTER_FAILURE_MS)
      }
    }
    const listen = async () => {
      try {
        for await (const { data } of client.events({ types: ["transaction.*"], signal: abortController.signal }))
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
      abortController.abort()
      clearTimeout(timer)
    }
  }, [client, id])
  return { transaction, failure }
}
