const CELLS = 20
/** The health factor of a full bar. */
const FULL = 3

/**
 * Draws a health factor as a bar from 1, where a position can be liquidated, to 3. The bar is full if there is no debt.
 */
export const healthBar = (healthFactor: string | null): string => {
  const health = healthFactor === null ? FULL : Number(healthFactor)
  const filledCells = Math.max(0, Math.min(CELLS, Math.floor(((health - 1) / (FULL - 1)) * CELLS)))
  return `[${"#".repeat(filledCells)}${"-".repeat(CELLS - filledCells)}]`
}

/** Formats the health factor with two decimals, rounded down. */
export const healthText = (healthFactor: string | null): string => {
  if (healthFactor === null) return "no debt"
  const [whole, digits = ""] = healthFactor.split(".")
  return `${whole}.${digits.slice(0, 2).padEnd(2, "0")}`
}
