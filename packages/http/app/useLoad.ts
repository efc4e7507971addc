import { useEffect, useState } from "preact/hooks"

export interface Loaded<A> {
  /** Undefined until the first load has ended. During a reload it remains the previous value. */
  readonly value: A | undefined
  readonly failure: unknown
  readonly isLoading: boolean
}

/**
 * Loads a value when the component is first rendered, and again whenever `key` changes. Cancels the load of an earlier
 * key.
 */
export const useLoad = <A>(key: string, load: (signal: AbortSignal) => Promise<A>): Loaded<A> => {
  const [state, setState] = useState<Loaded<A>>({ value: undefined, failure: undefined, isLoading: true })
  useEffect(() => {
    const abort = new AbortController()
    const settle = (settled: Partial<Loaded<A>>) => {
      if (!abort.signal.aborted) setState((before) => ({ ...before, isLoading: false, ...settled }))
    }
    setState((before) => ({ ...before, failure: undefined, isLoading: true }))
    load(abort.signal).then(
      (value) => settle({ value }),
      (failure) => settle({ failure })
    )
    return () => abort.abort()
  }, [key])
  return state
}
