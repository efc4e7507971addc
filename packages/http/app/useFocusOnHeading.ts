import { useEffect, useRef } from "preact/hooks"

/** Another page in the same document: those who don't see it are told by the focus, as of a new document. */
export const useFocusOnHeading = (place: string) => {
  const isFirst = useRef(true)
  useEffect(() => {
    if (!isFirst.current) document.querySelector("h1")?.focus()
    isFirst.current = false
  }, [place])
}
