import { useRef, useState } from "preact/hooks"

/**
 * Requests quotes. Returns the last quote, or the error of the last request. `clear` also discards the response of a
 * pending request, because the form no longer matches it.
 */
export const useQuote = <Request, Quote>(request: (body: Request) => Promise<Quote>) => {
  const [quote, setQuote] = useState<Quote | null>(null)
  const [failure, setFailure] = useState<unknown>()
  const [isBusy, setBusy] = useState(false)
  const latestRequest = useRef(0)
  const clear = () => {
    latestRequest.current += 1
    setBusy(false)
    setQuote(null)
    setFailure(undefined)
  }
  const requestQuote = async (body: Request) => {
    clear()
    setBusy(true)
    const thisRequest = latestRequest.current
    const ifLatest =
      <A>(set: (value: A) => void) =>
      (value: A) => {
        if (thisRequest !== latestRequest.current) return
        setBusy(false)
        set(value)
      }
    await request(body).then(ifLatest(setQuote), ifLatest(setFailure))
  }
  return { quote, failure, isBusy, ask: requestQuote, clear }
}
