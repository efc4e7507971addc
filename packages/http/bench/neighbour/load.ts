import { type Caller, quoteBatch, quoteBest } from "./requests.ts"

/**
 * Runs in a separate process. Keeps a fixed number of batch and quote requests in flight until the parent stops it.
 * Then reports the results.
 */

const [caller, batches, best] = JSON.parse(process.argv[2]!) as [Caller, number, number]

const responses = { batches: 0, best: 0 }
const errors: Record<string, number> = {}
let isOver = false

const repeatUntilOver = async (ask: (caller: Caller) => Promise<void>, kind: keyof typeof responses): Promise<void> => {
  while (!isOver) {
    try {
      await ask(caller)
      responses[kind] += 1
    } catch (error) {
      const text = String(error)
      errors[text] = (errors[text] ?? 0) + 1
      await new Promise((resolve) => setTimeout(resolve, 1_000))
    }
  }
}

process.once("message", () => {
  isOver = true
})
await Promise.all([
  ...Array.from({ length: batches }, () => repeatUntilOver(quoteBatch, "batches")),
  ...Array.from({ length: best }, () => repeatUntilOver(quoteBest, "best"))
])
process.send!({ answers: responses, errors })
process.disconnect()
