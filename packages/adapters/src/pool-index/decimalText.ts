/**
 * Base units of a decimal number as subgraphs write it, with whatever digits. Rounded down. Zero for what is no plain number,
 * such as one below zero, which a sum of volumes never is.
 */
export const baseUnitsRoundingDown = (text: string, decimals: number): bigint => {
  const [, whole = "", fraction = ""] = /^(\d{1,60})(?:\.(\d{1,200}))?$/u.exec(text) ?? []
  return BigInt(whole + fraction.slice(0, decimals).padEnd(decimals, "0") || "0")
}
