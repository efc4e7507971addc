import { useState } from "preact/hooks"

/** Requests quotes. Returns the last quote, or the error of the last request. */
export const useQuote = <Request, Quote>(request: (body: Request) => Promise<Quote>) => {
  const [quote, setQuote] = useState<Quote | null>(null)
  const [failure, setFailure] = useState<unknown>()
  const [isBusy, setBusy] = useState(false)
  const clear = () => {
    setQuote(null)
    setFailure(undefined)
  }
  const requestQuote = async (body: Request) => {
    clear()
    setBusy(true)
    await request(body).then(setQuote, setFailure)
    setBusy(false)
  }
  return { quote, failure, isBusy, ask: requestQuote, clear }
}
