import type { Metadata } from "./Metadata.ts"

/** Metadata with keys that cause errors in a store that does not escape them, or that uses them as paths. */
export const awkwardMetadata: Metadata = {
  "a.b.c": "dots in the key",
  a: "a prefix of it",
  '$."x"[0]': `'single' "double" \\ backslash`,
  "100%": "_%'; drop table transactions; --",
  "名前 🪙": "値\u0000\n\t\u2028",
  "lone \ud800 surrogate": "\udfff",
  constructor: "",
  ["__proto__"]: "no prototype",
  long: "é".repeat(4096)
}
