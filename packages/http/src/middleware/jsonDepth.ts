/**
 * How deeply arrays and objects are nested in a JSON text, counting no further than `limit` + 1.
 * It reads the text, because parsing deeply nested JSON is the work to avoid.
 */
export const jsonDepth = (text: string, limit: number): number => {
  let depth = 0
  let deepest = 0
  let inString = false
  for (let i = 0; i < text.length; i++) {
    const character = text.charCodeAt(i)
    if (inString) {
      if (character === 0x5c) i += 1
      else if (character === 0x22) inString = false
      continue
    }
    if (character === 0x22) inString = true
    else if (character === 0x7b || character === 0x5b) {
      depth += 1
      if (depth > deepest) deepest = depth
      if (deepest > limit) return deepest
    } else if (character === 0x7d || character === 0x5d) depth -= 1
  }
  return deepest
}
