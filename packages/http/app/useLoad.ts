import { useEffect, useState } from "preact/hooks"

export interface LoadState<A> {
  /** Undefined until the first load has succeeded. During a reload it remains the previous value. */
  readonly value: A | undefined
  readonly failure: unknown
  readonly isLoading: boolean
}

/**
 * Loads a value when the component is first rendered, and again whenever `key` changes. Cancels the load of an earlier
 * key.
 */
export const useLoad = <A>(key: string, load: (signal: AbortSignal) => Promise<A>): LoadState<A> => {
  const [state, setState] = useState<LoadState<A>>({ value: undefined, failure: undefined, isLoading: true })
  useEffect(() => {
    const abortController = new AbortController()
    const settle = (result: Partial<LoadState<A>>) => {
      if (!abortController.signal.aborted) setState((before) => ({ ...before, isLoading: false, ...result }))
    }
    setState((before) => ({ ...before, failure: undefined, isLoading: true }))
    load(abortController.signal).then(
      (value) => settle({ value }),
      (failure) => settle({ failure })
    )
    return () => abortController.abort()
  }, [key])
  return state
}
