import { useEffect, useRef } from "preact/hooks"

/** Moves the focus to the heading when the view changes, so that screen readers announce the view like a new page. */
export const useFocusOnHeading = (pageKey: string) => {
  const isFirst = useRef(true)
  useEffect(() => {
    if (!isFirst.current) document.querySelector("h1")?.focus()
    isFirst.current = false
  }, [pageKey])
}
