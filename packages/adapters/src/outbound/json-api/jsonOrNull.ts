/** The value of a text that is JSON; null where it is none. */
export const jsonOrNull = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
